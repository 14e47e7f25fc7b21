// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension ClassRegistry {
    /// Returns whether one of the superclasses in `chain`, the names of a class and its superclasses, is `requested`.
    func isSubclass(_ chain: [String], of requested: any Any.Type) -> Bool {
        chain.dropFirst().contains { isName($0, of: requested) || isSimilarName($0, of: requested) }
    }
}

// MARK: - In an archive

final class ClassMatches {
    private var classUID: UInt32 = 0
    private var record: DecodingType?
    private var others: [UInt32: DecodingType] = [:]

    @inline(__always)
    subscript(uid: UInt32) -> DecodingType? { uid == classUID ? record : other(uid) }

    @inline(never)
    private func other(_ uid: UInt32) -> DecodingType? {
        // Searched outside of the property, so that accesses to it need no exclusivity check.
        let others = others
        return others[uid]
    }

    @inline(__always)
    func isFirst(_ record: DecodingType, forClass uid: UInt32) -> Bool { uid == classUID && self.record === record }

    func remember(_ record: DecodingType, forClass uid: UInt32) {
        if classUID == 0 {
            classUID = uid
            self.record = record
        } else {
            // Changed outside of the property, so that accesses to it need no exclusivity check.
            var changed = others
            others = [:]
            changed[uid] = record
            others = changed
        }
    }

    /// Forgets the state of one archive. The owner of the records calls it at the end: a record may refer to itself.
    func reset() {
        if !others.isEmpty { others = [:] }
        guard classUID != 0 else { return }
        classUID = 0
        // The record is released outside of the access to the property, which then needs no exclusivity check.
        let old = record
        record = nil
        withExtendedLifetime(old) {}
    }
}

extension DecodingSession {
    /// Returns the record that decodes `value`, an object with the class entry `uid`, if the class of `requested` is
    /// requested. Remembers it for the class entry.
    func record(
        of value: ArchivedValue, classUID uid: UInt32, as requested: DecodingType
    ) throws(ValueFailure) -> DecodingType {
        var actual = requested
        if try !isSettled(uid, requested) {
            let name = try className(uid)
            do throws(ClassMismatch) {
                let type = try type(ofClass: uid, named: name, as: requested)
                if type != requested.identity {
                    guard let other = self.type(registered: type) else { throw ClassMismatch(name: name) }
                    actual = other
                }
            } catch {
                throw .otherClass(error, value, requested.identity)
            }
        }
        requested.matches.remember(actual, forClass: uid)
        return actual
    }

    func isUnknown(classUID uid: UInt32, as requested: DecodingType) throws(ValueFailure) -> Bool {
        guard requested.matches[uid] == nil, try !isSettled(uid, requested) else { return false }
        let name = try className(uid)
        do throws(ClassMismatch) {
            _ = try type(ofClass: uid, named: name, as: requested)
            return false
        } catch {
            return error.isUnknown
        }
    }

    /// Returns whether objects with the class entry `uid` are decoded as the class of `requested` whatever the registry
    /// has.
    private func isSettled(_ uid: UInt32, _ requested: DecodingType) throws(ValueFailure) -> Bool {
        if requested.kind != .coding {
            do throws(KeyedArchiveError) {
                switch try archive.classKind(uid) {
                case .elements, .dictionary: return true
                case .fields, .value: break
                }
            } catch {
                throw .damaged(error)
            }
        }
        return isOwnClass(uid, of: requested)
    }

    private func className(_ uid: UInt32) throws(ValueFailure) -> String {
        do throws(KeyedArchiveError) { return try archive.className(uid) } catch { throw .damaged(error) }
    }

    /// Returns the failure of `object` if it replaced another object and is of none of the classes in `list`.
    @inline(never)
    func replacementFailure(
        _ object: AnyObject, allowedBy list: [any Any.Type], path: () -> [any CodingKey]
    ) -> ArchivingError? {
        let type: any AnyObject.Type = Swift.type(of: object)
        if list.contains(where: { isSubclass(type, of: $0) }) { return nil }
        return .notAllowed("an instance of \(type)", allowed: list, path: path())
    }
}

extension DecodingSession {
    /// Returns the type that objects of the class entry `uid` are decoded as, for a request of `requested`.
    ///
    /// The type is `requested` or a registered class that inherits from it. If the name of the class is unknown, the
    /// other names in its entry (`$classhints`) are tried, and the delegate of an unarchiver is asked.
    ///
    /// An object of another class is decoded as a requested Codable class, whose initializer finds the keys or throws. It is not
    /// decoded as a `Coding` class: an absent key would be a zero for the initializer.
    ///
    /// - Parameter name: The name of the class.
    /// - Throws: `ClassMismatch` if the class is neither.
    private func type(
        ofClass uid: UInt32, named name: String, as record: DecodingType
    ) throws(ClassMismatch) -> any Any.Type {
        let (requested, isCoding) = (record.identity, record.kind == .coding)
        // This type accepts objects of every class.
        if requested == UnknownObject.self { return requested }
        let chain = (try? archive.classChain(uid)) ?? []
        let classes = settings.classes
        let known = registeredType(uid, name) ?? (classes.isName(name, of: requested) ? requested : nil)
        let type =
            known ?? self.type(named: (try? archive.classFallbacks(uid)) ?? [], allowedBy: [requested])
            ?? (isCoding ? unarchiver.suppliedType(name, chain) : nil)
        if let type, let made = made(type, as: requested) { return made }
        guard known == nil else { throw ClassMismatch(name: name, chain: chain) }
        let isSubclass = classes.isSubclass(chain, of: requested)
        // The initializer may read the single value of an object of Cocoa, but nil is no instance.
        if !isSubclass, let cocoa = CocoaClass(named: name), isCoding || cocoa == .null {
            throw ClassMismatch(name: name, chain: chain)
        }
        guard classes.unknownClasses == .decodeAsRequested || !isCoding && !isSubclass else {
            throw ClassMismatch(name: name, chain: chain, isUnknown: true)
        }
        if !isSubclass { observer?.note(name, for: requested) }
        return requested
    }

    /// Returns the type that objects with the class entry `uid` are decoded as if the classes in `list` are allowed: the
    /// type that is registered for the entry, or denoted by its name or another name in it. Returns nil if the list
    /// allows none.
    func type(
        ofClass uid: UInt32, named name: String, allowedBy list: [any Any.Type]
    ) throws(KeyedArchiveError) -> (any Any.Type)? {
        if let registered = registeredType(uid, name) { return made(registered, asOneOf: list) }
        return type(named: [name] + (try archive.classFallbacks(uid)), allowedBy: list)
    }

    /// Returns the type that the first of `names` denotes for which `list` has a class.
    private func type(named names: [String], allowedBy list: [any Any.Type]) -> (any Any.Type)? {
        for name in names {
            let type = list.first { settings.classes.isName(name, of: $0) } ?? settings.classes.type(named: name)
            if let type, let made = made(type, asOneOf: list) { return made }
        }
        return nil
    }

    /// The type that objects of the class `type` are decoded as, if it is `requested` or inherits from it.
    func made(_ type: any Any.Type, as requested: any Any.Type) -> (any Any.Type)? {
        let made = conformance(of: type, to: (any Coding.Type).self)?.unarchivedClass ?? type
        return isSubclass(made, of: requested) || made == requested ? made : nil
    }

    func made(_ type: any Any.Type, asOneOf list: [any Any.Type]) -> (any Any.Type)? {
        list.lazy.compactMap { self.made(type, as: $0) }.first
    }

    func isSubclass(_ type: any Any.Type, of superclass: any Any.Type) -> Bool { inherits(type, from: superclass) }
}

// MARK: - Names of classes

extension DecodingSession {
    /// Returns whether objects of the class entry `uid` are decoded as the class of `reader`: the entry has its name, and
    /// no type is registered.
    func isOwnClass(_ uid: UInt32, of reader: DecodingType) -> Bool {
        guard settings.classes.isEmpty, settings.classTypes.isEmpty, reader.decodesOwnClass else { return false }
        return (try? archive.isClass(uid, named: reader.ownClassName)) ?? false
    }

    func registeredType(_ uid: UInt32, _ name: String) -> (any Any.Type)? {
        // Read before the search, so that accesses to the settings need no exclusivity check.
        let settings = settings
        return settings.classTypes[uid] ?? settings.classes.type(named: name)
    }

    /// Returns the type that objects of the class entry `uid`, with the name `name`, are decoded as, for a request of a
    /// protocol.
    ///
    /// The type is registered under the name, or else under one of the fallbacks in the entry; the first one counts.
    /// The result is nil if there is none.
    func type(ofClass uid: UInt32, named name: String) -> (any Any.Type)? {
        if let type = registeredType(uid, name) { return type }
        return (try? archive.classFallbacks(uid))?.lazy.compactMap { self.settings.classes.type(named: $0) }.first
    }
}
