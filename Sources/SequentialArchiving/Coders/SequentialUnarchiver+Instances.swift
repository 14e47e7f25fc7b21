// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

// MARK: - Instances

extension SequentialUnarchiver {
    func instance<Object: SequentialCoding>(of type: Object.Type, at index: Int) throws -> Object {
        switch states[index] {
        case .made, .published: break
        case .making:
            throw error(
                .cycle,
                "The \(describe(index)) needs itself before it is complete: let its init(coder:) call coder.publish(self) before"
                    + " it decodes references back to it, or use decodeReference(_:then:)")
        case .new: try make(index, try resolve(index, type))
        }
        guard let object = instances[index] as? Object else { throw refused(index, type) }
        return object
    }

    /// Returns the instance for the object at a position, of any registered class; nil if the class is unknown and such objects
    /// are skipped.
    func anyInstance(at index: Int) throws -> AnyObject? {
        switch states[index] {
        case .made, .published: return instances[index]
        case .making: return try instance(of: UnknownSequentialObject.self, at: index)
        case .new:
            if let type = registeredType(at: index) as? any SequentialCoding.Type {
                try make(index, type)
                return instances[index]
            }
            switch knownClasses.registry.unknownClasses {
            case .skip: return nil
            case .placeholder: return try instance(of: UnknownSequentialObject.self, at: index)
            case .fail, .decodeAsRequested:
                throw error(
                    .classNotAllowed,
                    "Found the \(describe(index)), whose class is not registered: register it in `classes`, or set"
                        + " `classes.unknownClasses` to `.placeholder`")
            }
        }
    }

    private func make(_ index: Int, _ type: any SequentialCoding.Type) throws {
        states[index] = .making
        do {
            let object = try withObject(index) { try type.init(coder: self) }
            if states[index] == .published {
                require(
                    instances[index] === object,
                    "publish(_:) was called with another instance than the one that is being decoded")
            }
            set(object, at: index)
            states[index] = .made
            set(try object.awakeAfter(using: self), at: index)
        } catch {
            states[index] = .new
            set(nil, at: index)
            throw error
        }
    }

    private func set(_ object: AnyObject?, at index: Int) {
        instances[index] = object
        knownSource?.set(object, at: index)
    }

    var source: SequentialSource {
        if let knownSource { return knownSource }
        let source = SequentialSource(stream)
        for index in instances.indices where instances[index] != nil { source.set(instances[index], at: index) }
        knownSource = source
        return source
    }

    /// Makes the current instance available to references from nested objects. All of its stored properties must have a value.
    ///
    /// Publishing another object than the instance whose `init(coder:)` is running is a programming error and traps.
    public func publish(_ object: any SequentialCoding) {
        guard let index = currentObject, states[index] == .making || instances[index] === object else {
            misuse("publish(_:) was called outside of init(coder:)")
        }
        set(object, at: index)
        states[index] = .published
    }

    /// Replaces `object`, which this unarchiver has decoded, by `replacement` in all values that are decoded from now on.
    ///
    /// - Complexity: O(*n*), where *n* is the number of objects in the archive.
    public func replaceObject(_ object: any SequentialCoding, with replacement: any SequentialCoding) {
        for index in instances.indices where instances[index] === object { set(replacement, at: index) }
    }
}

// MARK: - Classes of instances

extension SequentialUnarchiver {
    private func resolution<Object: SequentialCoding>(_ index: Int, _ type: Object.Type) -> SequentialClasses.Resolution
    {
        knownClasses.resolution(at: stream.objects[index].classIndex, type)
    }

    private func resolve<Object: SequentialCoding>(
        _ index: Int, _ requested: Object.Type
    ) throws -> any SequentialCoding.Type {
        switch resolution(index, requested) {
        case .type(let type): return type
        case .unknown where knownClasses.registry.unknownClasses == .decodeAsRequested: return requested
        case .unknown, .refused: throw refused(index, requested)
        }
    }

    /// Returns whether the object at a position is skipped because its class is unknown and the registry says so.
    func isSkipped(_ type: any Any.Type, at index: Int) -> Bool {
        guard knownClasses.registry.unknownClasses == .skip, states[index] == .new,
            let type = type as? any SequentialCoding.Type,
            case .unknown = resolution(index, type)
        else { return false }
        return true
    }

    private func refused(_ index: Int, _ requested: any Any.Type) -> ArchivingError {
        let name = knownClasses.name(at: stream.objects[index].classIndex)
        return error(
            .classNotAllowed,
            "Found the \(describe(index)), where \(requested) is expected. If the class was renamed or is a subclass, register it"
                + " in `classes`: `classes.register(…, name: \"\(Self.start(of: name))\")`")
    }
}
