// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The classes of a typedstream as a program decodes them: their names, and the types that they have in the program. Each class is
/// looked up once.
final class SequentialClasses {
    private let classes: [TypedStream.Class]
    var registry = ClassRegistry() { didSet { forget() } }

    private var decodedNames: [String: String] = [:]
    private var resolutions: [ResolutionKey: Resolution] = [:]
    private var registered: [Int: (any Any.Type)?] = [:]
    private var foundationClasses = InheritedValues<SequentialFoundationClass>()
    private var versions: [ObjectIdentifier: InheritedValues<Int>] = [:]
    private lazy var firstVersions = Dictionary(
        classes.map { ($0.name, $0.version) }, uniquingKeysWith: { first, _ in first })

    private struct ResolutionKey: Hashable {
        let index: Int
        let requested: ObjectIdentifier
    }

    enum Resolution {
        case type(any SequentialCoding.Type)
        case unknown
        case refused
    }

    init(_ classes: [TypedStream.Class]) { self.classes = classes }

    private func forget() {
        resolutions = [:]
        registered = [:]
        foundationClasses = InheritedValues()
        versions = [:]
    }
}

// MARK: - Names and versions

extension SequentialClasses {
    func decode(_ name: String, as newName: String) {
        decodedNames[name] = newName
        forget()
    }

    func decodedName(_ name: String) -> String { decodedNames[name] ?? name }

    func name(at index: Int) -> String { decodedName(classes[index].name) }

    private func isName(at index: Int, of type: any Any.Type) -> Bool {
        let name = name(at: index)
        return registry.isName(name, of: type) || registry.isSimilarName(name, of: type)
    }

    /// Returns the version of the class `name` among the class at the position `start` and its superclasses, otherwise anywhere.
    func version(ofClassNamed name: String, from start: Int?) -> Int? {
        var next = start
        while let index = next {
            if classes[index].name == name { return classes[index].version }
            next = classes[index].superclassIndex
        }
        return firstVersions[name]
    }

    /// Returns the version of `type` among the class at the position `start` and its superclasses; nil if it is not one of them.
    func version(of type: any SequentialCoding.Type, from start: Int) -> Int? {
        versions[ObjectIdentifier(type), default: InheritedValues()].value(for: start, in: classes) { index in
            isName(at: index, of: type) ? classes[index].version : nil
        }
    }
}

// MARK: - Types

extension SequentialClasses {
    /// Returns the Foundation class of a class; nil for other classes and for registered ones.
    func foundationClass(at index: Int) -> SequentialFoundationClass? {
        let found = foundationClasses.value(for: index, in: classes) {
            SequentialFoundationClass(rawValue: name(at: $0))
        }
        return found == nil || registeredType(at: index) == nil ? found : nil
    }

    func registeredType(at index: Int) -> (any Any.Type)? {
        guard !registry.isEmpty else { return nil }
        if let known = registered[index] { return known }
        let type = registry.type(named: name(at: index))
        registered[index] = .some(type)
        return type
    }

    func resolution<Requested: SequentialCoding>(at index: Int, _ requested: Requested.Type) -> Resolution {
        if requested == UnknownSequentialObject.self { return .type(requested) }
        let key = ResolutionKey(index: index, requested: ObjectIdentifier(requested))
        if let known = resolutions[key] { return known }
        var found = Resolution.unknown
        if let registered = registeredType(at: index) {
            found = (registered as? Requested.Type).map { .type($0) } ?? .refused
        } else if isName(at: index, of: requested) {
            found = .type(requested)
        }
        resolutions[key] = found
        return found
    }
}

// MARK: - Inheritance

/// A value for each class, inherited from the nearest superclass that has one. Each class is looked up once.
///
/// A class can have a thousand superclasses, which many classes can share. Without this table, a visit of all superclasses per
/// class would take a thousand times as long as reading the file.
private struct InheritedValues<Value> {
    /// The values by the position of the class; nil for a class without a value.
    private var known: [Int: Value?] = [:]

    /// Returns the value of the class at the position `start` in `classes`: the result of `own` for it, or for the nearest
    /// superclass for which `own` does not return nil.
    mutating func value(for start: Int, in classes: [TypedStream.Class], own: (Int) -> Value?) -> Value? {
        var passed: [Int] = []
        var found: Value?
        var next: Int? = start
        while let index = next {
            if let value = known[index] {
                found = value
                break
            }
            passed.append(index)
            found = own(index)
            next = found == nil ? classes[index].superclassIndex : nil
        }
        for index in passed { known[index] = .some(found) }
        return found
    }
}

// MARK: - Foundation's classes

/// The classes of Foundation with a known form in sequential archives.
///
/// docs/typedstream-format.md describes their contents. A subclass has the form of its superclass. One that adds values is read
/// as its superclass if no value is left over.
enum SequentialFoundationClass: String {
    case string = "NSString"
    case data = "NSData"
    case date = "NSDate"
    case url = "NSURL"
    case number = "NSNumber"
    case value = "NSValue"
    case null = "NSNull"
    case array = "NSArray"
    case set = "NSSet"
    case dictionary = "NSDictionary"
    case attributedString = "NSAttributedString"

    var chain: [(name: String, version: Int)] {
        switch self {
        case .string: [(rawValue, 1), ("NSObject", 0)]
        case .number: [(rawValue, 0), ("NSValue", 0), ("NSObject", 0)]
        default: [(rawValue, 0), ("NSObject", 0)]
        }
    }
}
