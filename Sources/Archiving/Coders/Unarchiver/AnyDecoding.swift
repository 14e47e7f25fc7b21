// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Lists of types

/// Objects of dynamic types. An allow-list names the accepted types:
///
/// - A `Coding` class or a `Decodable` type accepts objects with its name in the archive. Subclasses of a listed class
///   have to be registered in `classes`.
/// - Leaf types accept leaves: `String`, `Bool`, `Int` (and the other integer types), `Double`, `Float`, `Data`,
///   `Date`, `URL`, `UUID`, `Decimal`. A number is decoded as `Int` if it fits, otherwise as a listed type that it fits.
/// - `AttributedText`, of the module `AttributedTexts`, accepts an NSAttributedString. It has to be listed, or registered in
///   `classes`.
/// - `UnknownObject` accepts an object of any class, including Foundation's, that no other listed type accepts.
/// - Container types accept containers: `[Any].self`, `Set<AnyHashable>.self`, `[AnyHashable: Any].self`. A container type with
///   other contents also accepts these: `[String: Any].self` accepts dictionaries and strings. The list applies to the contents
///   of all containers. nil in them is `Optional<Any>.none`.
///
/// The list applies to all nested calls that name no type: an `init(coder:)` that calls `decodeObject(forKey:)` gets
/// the types of the surrounding call. It is checked at every access, even to an instance that is already decoded.
extension KeyedUnarchiver {
    /// Decodes the object for a key as one of `types`. Returns `nil` if there is no value or it is nil.
    ///
    /// - Throws: `ArchivingError.Code.classNotAllowed` for an object of another type, which is not created; otherwise
    ///   the errors of `decode(_:forKey:)`.
    public func decodeObject(of types: [any Any.Type], forKey name: String) throws -> Any? {
        try object(name, allowed(types))
    }

    /// Decodes the next object without a key as one of `types`. Returns `nil` if there is no value or it is nil.
    ///
    /// - Throws: The errors of `decodeObject(of:forKey:)`.
    public func decodeNextObject(of types: [any Any.Type]) throws -> Any? { try object(nil, allowed(types)) }

    /// Decodes the object for a key as a type that the surrounding call allows. Returns `nil` if there is no value or it
    /// is nil.
    ///
    /// Without secure coding, all types in `classes`, leaves and containers are allowed.
    ///
    /// - Throws: `ArchivingError.Code.classNotAllowed` if no surrounding call has an allow-list, and the errors of
    ///   `decodeObject(of:forKey:)`.
    public func decodeObject(forKey name: String) throws -> Any? { try object(name, inherited()) }

    /// Decodes the next object without a key as a type that the surrounding call allows. Returns `nil` if there is no
    /// value or it is nil.
    ///
    /// - Throws: The errors of `decodeObject(forKey:)`.
    public func decodeNextObject() throws -> Any? { try object(nil, inherited()) }

    private func object(_ name: String?, _ allowed: AllowedTypes) throws -> Any? {
        try readIfPresent(name) {
            try AnyDecoding($0, list(allowed, for: $1, in: $0, at: $2), at: $2).valueIfPresent($1)
        }
    }

    /// Decodes the array for a key, with elements of `types`. Returns `nil` if there is no value or it is nil.
    ///
    /// - Throws: The errors of `decodeObject(of:forKey:)`.
    public func decodeArray(of types: [any Any.Type], forKey name: String) throws -> [Any]? {
        try readIfPresent(name) {
            try $0.archive.isNil($1) ? nil : AnyDecoding($0, AllowedTypeList(types), at: $2).elements($1)
        }
    }

    /// Decodes the dictionary for a key, with keys and values of the listed types. Returns `nil` if there is no value or
    /// it is nil.
    ///
    /// - Throws: The errors of `decodeObject(of:forKey:)`.
    public func decodeDictionary(
        keysOf keyTypes: [any Any.Type], valuesOf valueTypes: [any Any.Type], forKey name: String
    ) throws -> [AnyHashable: Any]? {
        try readIfPresent(name) {
            guard !$0.archive.isNil($1) else { return nil }
            let decoding = AnyDecoding($0, AllowedTypeList(valueTypes), at: $2)
            return try decoding.dictionary($1, keys: AllowedTypeList(keyTypes))
        }
    }

    private func inherited() -> AllowedTypes { requiresSecureCoding ? allowed : .unlisted }

    private func list(
        _ allowed: AllowedTypes, for value: ArchivedValue, in frame: DecodingFrame, at step: CodingPathStep
    ) throws -> AllowedTypeList {
        switch allowed {
        case .list(let number): return allowedTypes(number)
        case .type(let type): return AllowedTypeList([type])
        case .unlisted:
            guard !requiresSecureCoding else {
                throw ArchivingError.noList(frame.archive.describe(value), path: frame.path(step))
            }
            return AllowedTypeList(session.settings.knownTypes, .everything)
        }
    }
}

package struct AllowedTypeList {
    enum Extent {
        case listed
        /// Those listed, but only for objects that are written again as objects of the same class or its immutable superclass:
        /// an object of a class that a Swift value does not represent, such as an NSOrderedSet, is an `UnknownObject`.
        case exact
        /// Those listed, and all leaves and containers.
        case everything
    }

    let given: [any Any.Type]
    /// The given types, and those of the contents of containers among them.
    private(set) var types: [any Any.Type]
    let extent: Extent
    private var identifiers: Set<ObjectIdentifier>

    init(_ types: [any Any.Type], _ extent: Extent = .listed) {
        (given, self.types, self.extent) = (types, types, extent)
        identifiers = []
        guard extent != .everything else { return }
        identifiers = Set(types.map { ObjectIdentifier($0) })
        var containers = types.compactMap { $0 as? any ListedContainer.Type }
        while let container = containers.popLast() {
            for type in container.listed {
                let inner = type as? any ListedContainer.Type
                guard inner != nil || type is any Decodable.Type || type is any Coding.Type,
                    identifiers.insert(ObjectIdentifier(type)).inserted
                else { continue }
                self.types.append(type)
                if let inner { containers.append(inner) }
            }
        }
    }

    func contains(_ type: any Any.Type) -> Bool { extent == .everything || contains(listed: type) }

    func contains(listed type: any Any.Type) -> Bool { identifiers.contains(ObjectIdentifier(type)) }
}

/// A container type in a list: the type that accepts containers of this kind, and the types of the contents.
private protocol ListedContainer {
    static var listed: [any Any.Type] { get }
}

extension Array: ListedContainer {
    fileprivate static var listed: [any Any.Type] { [[Any].self, Element.self] }
}

extension Set: ListedContainer {
    fileprivate static var listed: [any Any.Type] { [Set<AnyHashable>.self, Element.self] }
}

extension Dictionary: ListedContainer {
    fileprivate static var listed: [any Any.Type] { [[AnyHashable: Any].self, Key.self, Value.self] }
}

extension AllowedTypeList {
    /// Leaves, containers, objects of unknown classes, `types`, and unless coding is secure the registered types, each only for
    /// objects that are written again as objects of the same class.
    package static func exact(_ types: [any Decodable.Type], in frame: DecodingFrame) -> AllowedTypeList {
        let leaves: [any Any.Type] = [
            String.self, Bool.self, Double.self, Float.self, Data.self, Date.self, URL.self, UUID.self, Decimal.self,
            [Any].self, [AnyHashable: Any].self, Set<AnyHashable>.self, UnknownObject.self,
        ]
        let settings = frame.session.settings
        let known = settings.requiresSecureCoding ? [] : settings.knownTypes
        return AllowedTypeList(leaves + AnyDecoding.integers + types + known, .exact)
    }

    package func hasType(named name: String, in frame: DecodingFrame) -> Bool {
        let classes = frame.session.settings.classes
        return types.contains { classes.isName(name, of: $0) }
    }
}

extension DecodingFrame {
    /// Decodes `value` as a type in `list`. Returns nil if it is nil or skipped.
    package func object(_ value: ArchivedValue, of list: AllowedTypeList, at step: CodingPathStep) throws -> Any? {
        try AnyDecoding(self, list, at: step).valueIfPresent(value)
    }
}

// MARK: - Values

/// The error for a skipped object. The request for its value catches it.
struct SkippedObject: Error {}

struct AnyDecoding {
    private let frame: DecodingFrame
    private let list: AllowedTypeList
    private let step: CodingPathStep

    init(_ frame: DecodingFrame, _ list: AllowedTypeList, at step: CodingPathStep) {
        self.frame = frame
        self.list = list
        self.step = step
    }

    private var archive: ArchiveContents { frame.archive }
    private var session: DecodingSession { frame.session }

    func valueIfPresent(_ value: ArchivedValue) throws -> Any? {
        do {
            return isNil(value) ? nil : try self.value(value)
        } catch is SkippedObject {
            return nil
        }
    }

    func value(_ value: ArchivedValue) throws -> Any {
        switch value.node.kind {
        case .true, .false: return try leaf(Bool.self, value)
        case .ascii, .utf16:
            // Integers outside the range of the format's integers are written as decimal digits.
            if !list.contains(String.self), list.contains(UInt128.self) { return try leaf(UInt128.self, value) }
            return try leaf(String.self, value)
        case .data where !list.contains(Data.self) && list.contains([Any].self): return try array(value)
        case .data: return try leaf(Data.self, value)
        case .date: return try leaf(Date.self, value)
        case .real64: return try number(value, [Double.self, Float.self])
        case .real32: return try number(value, [Float.self, Double.self])
        case .integer: return try number(value, Self.integers)
        case .array: return try array(value)
        case .set: return try listedSet(value)
        case .dictionary: return try object(value)
        case .null, .uid: throw notAllowed(value)
        }
    }

    static var integers: [any Decodable.Type] {
        [
            Int.self, Int64.self, Int32.self, Int16.self, Int8.self, UInt.self, UInt64.self, UInt32.self,
            UInt16.self, UInt8.self, Int128.self, UInt128.self,
        ]
    }

    /// Decodes `value` as `type`. The type is dynamic, so that the function is compiled once.
    @inline(never)
    private func leaf(_ type: any Decodable.Type, _ value: ArchivedValue) throws -> Any {
        guard list.contains(type) else { return try unlisted(value) }
        return try frame.decode(type, from: value, at: step)
    }

    private func number(_ value: ArchivedValue, _ types: [any Decodable.Type]) throws -> Any {
        var failure: (any Error)?
        for type in types where list.contains(type) {
            do {
                return try leaf(type, value)
            } catch {
                failure = failure ?? error
            }
        }
        throw failure ?? notAllowed(value)
    }

    /// Decodes `value`, whose type is not in the list: as an `UnknownObject`, if the list has that and `value` is an
    /// object of a class. Otherwise throws an error.
    private func unlisted(_ value: ArchivedValue) throws -> Any {
        guard list.contains(listed: UnknownObject.self), value.node.kind == .dictionary,
            try undamaged(archive.classUID(of: value.node)) != nil
        else { throw notAllowed(value) }
        return try made(UnknownObject.self, value)
    }

    private func notAllowed(_ value: ArchivedValue) -> ArchivingError {
        let uid = value.node.kind == .dictionary ? (try? archive.classUID(of: value.node)) ?? nil : nil
        let isText = uid.flatMap { try? archive.cocoaClass($0) } == .attributedString
        return .notAllowed(
            archive.describe(value), allowed: list.given, path: frame.path(step),
            advice: isText ? "Import AttributedTexts and list AttributedText.self" : nil)
    }
}

// MARK: - Objects

extension AnyDecoding {
    /// Returns the type of the values of a Foundation class, or nil if no single type fits all of them.
    private static func type(of known: CocoaClass) -> (any Decodable.Type)? {
        switch known {
        case .string: String.self
        case .data: Data.self
        case .date: Date.self
        case .url: URL.self
        case .uuid: UUID.self
        case .decimalNumber: Decimal.self
        case .indexPath: IndexPath.self
        case .dateInterval: DateInterval.self
        case .locale: Locale.self
        case .timeZone: TimeZone.self
        case .calendar: Calendar.self
        case .dateComponents: DateComponents.self
        default: nil
        }
    }

    /// The classes whose objects are no more than the Swift values that represent them.
    private static let exactNames: Set<String> = [
        "NSString", "NSMutableString", "NSNumber", "NSData", "NSMutableData", "NSDate", "NSURL", "NSUUID", "NSArray",
        "NSMutableArray", "NSDictionary", "NSMutableDictionary", "NSSet", "NSMutableSet", "NSDecimalNumber",
        "NSDecimalNumberPlaceholder", "NSAttributedString", "NSMutableAttributedString",
    ]

    /// Returns the type in the list for `value`, an object of the class `known`, if that is a type of the full
    /// Foundation or of another product.
    private func unnamedType(_ known: CocoaClass, _ value: ArchivedValue) throws -> (any Decodable.Type)? {
        let types = list.types.lazy.compactMap { $0 as? any FrameDecodable.Type }
        if let type = types.first(where: { $0.cocoaClass == known }) { return type }
        for case let type as any Codable.Type in list.types {
            guard let parts = CocoaClass.parts(of: type), parts.cocoaClass == known else { continue }
            if try frame.reading(value, as: type, at: step, { try parts.match(value, as: type, in: archive) }) {
                return type
            }
        }
        return nil
    }

    private func object(_ value: ArchivedValue) throws -> Any {
        let entry = try contents { archive throws(KeyedArchiveError) in
            let uid = try archive.classUID(of: value.node)
            return try uid.map { uid throws(KeyedArchiveError) in (uid, try archive.className(uid)) }
        }
        guard let (uid, name) = entry else { throw notAllowed(value) }
        if let type = try type(uid, name) { return try made(type, value) }
        guard list.extent != .exact || Self.exactNames.contains(name) else { return try unlisted(value) }
        let fallbacks = try undamaged(archive.classFallbacks(uid))
        for name in [name] + fallbacks {
            guard let known = CocoaClass(named: name) else { continue }
            if let type = Self.type(of: known) { return try leaf(type, value) }
            switch known {
            case .number: return try foundationNumber(value)
            case .indexSet, .value, .measurement, .characterSet, .personName, .affineTransform, .attributedString:
                if let type = try unnamedType(known, value) { return try leaf(type, value) }
            case .array: return try array(value)
            case .set: return try listedSet(value)
            case .dictionary: return try listedDictionary(value)
            default: break
            }
        }
        switch try undamaged(archive.classKind(uid)) {
        case .dictionary: return try listedDictionary(value)
        case .elements:
            let isSet = name.hasSuffix("Set") && !name.hasSuffix("OrderedSet")
            return try isSet ? listedSet(value) : array(value)
        case .fields, .value:
            if let type = try suppliedType(uid, name) { return try made(type, value) }
            return try unknown(value)
        }
    }

    private func unknown(_ value: ArchivedValue) throws -> Any {
        let isKept = list.contains(listed: UnknownObject.self)
        guard !isKept, try isUnknown(value) else { return try unlisted(value) }
        switch session.settings.classes.unknownClasses {
        case .placeholder: return try instance(UnknownObject.self, value)
        case .skip: throw SkippedObject()
        case .fail, .decodeAsRequested: throw notAllowed(value)
        }
    }

    /// Returns whether the class of `value` is unknown. A class that is registered but not allowed is known.
    private func isUnknown(_ value: ArchivedValue) throws -> Bool {
        try contents { archive throws(KeyedArchiveError) in
            guard let uid = try archive.classUID(of: value.node) else { return false }
            return session.type(ofClass: uid, named: try archive.className(uid)) == nil
        }
    }

    private func array(_ value: ArchivedValue) throws -> Any {
        try list.contains([Any].self) ? elements(value) : unlisted(value)
    }

    private func listedSet(_ value: ArchivedValue) throws -> Any {
        try list.contains(Set<AnyHashable>.self) ? set(value) : unlisted(value)
    }

    private func listedDictionary(_ value: ArchivedValue) throws -> Any {
        try list.contains([AnyHashable: Any].self) ? dictionary(value, keys: list) : unlisted(value)
    }

    /// Returns whether `value` is nil. An NSNull is nil unless a type is registered for it.
    func isNil(_ value: ArchivedValue) -> Bool {
        guard !value.isNull else { return true }
        return archive.isNil(value)
            && list.types.allSatisfy { !session.settings.classes.isName("NSNull", of: $0) }
    }

    /// Returns the type that is created for objects with the class entry `uid`: a type in the list, or a registered
    /// subclass of one. Returns nil if there is none.
    private func type(_ uid: UInt32, _ name: String) throws -> (any Any.Type)? {
        try undamaged(session.type(ofClass: uid, named: name, allowedBy: list.types))
    }

    private func made(_ type: any Any.Type) -> (any Any.Type)? { session.made(type, asOneOf: list.types) }

    /// Returns the delegate's type for objects with the class entry `uid`, if the list allows it. The delegate is
    /// called once.
    private func suppliedType(_ uid: UInt32, _ name: String) throws -> (any Any.Type)? {
        let unarchiver = session.unarchiver
        guard let delegate = unarchiver.delegate else { return nil }
        if let known = unarchiver.supplied[uid] { return known.flatMap { made($0) } }
        let chain = try undamaged(archive.classChain(uid))
        let type = delegate.unarchiver(unarchiver, cannotDecodeObjectOfClassName: name, originalClasses: chain)
        unarchiver.supplied[uid] = .some(type)
        return type.flatMap { made($0) }
    }

    private var allowed: AllowedTypes {
        list.extent == .everything ? .unlisted : session.unarchiver.allowed(list.given)
    }

    private func instance<Object: Coding>(_ type: Object.Type, _ value: ArchivedValue) throws -> AnyObject {
        try session.unarchiver.instance(as: session.type(coding: type), value, allowed, in: frame, at: step)
    }

    private func made(_ type: any Any.Type, _ value: ArchivedValue) throws -> Any {
        if let type = conformance(of: type, to: (any Coding.Type).self) {
            let object = try instance(type, value)
            // The object may have replaced itself with another one.
            let failure = session.replacementFailure(object, allowedBy: list.types) { frame.path(step) }
            if let failure { throw failure }
            return object
        }
        guard let type = type as? any Decodable.Type else {
            throw ArchivingError(.classNotAllowed, path: frame.path(step)) {
                "The type for the object at \($0) is \(type), which is neither Coding nor Decodable"
            }
        }
        return try frame.decodeObject(type, value, at: step)
    }

    private func foundationNumber(_ value: ArchivedValue) throws -> Any {
        let number = try undamaged(archive.number(value))
        let types = Self.integers + [Bool.self, Double.self, Float.self]
        guard number.node.kind != .dictionary, types.contains(where: { list.contains($0) }) else {
            return try unlisted(value)
        }
        return try self.value(number)
    }

    private func contents<Result>(_ read: (ArchiveContents) throws(KeyedArchiveError) -> Result) throws -> Result {
        try undamaged(read(archive))
    }

    private func undamaged<Result>(_ read: @autoclosure () throws(KeyedArchiveError) -> Result) throws -> Result {
        try frame.undamaged(read(), at: step)
    }
}

// MARK: - Containers

extension AnyDecoding {
    func elements(_ value: ArchivedValue) throws -> [Any] {
        let elements = try self.elements(of: value, as: [Any].self)
        return try frame.with(nil, value, step) { frame in
            try frame.countVisits(elements.count)
            return try (0..<elements.count).map { index in
                try AnyDecoding(frame, list, at: .index(index)).element(elements.reference(index, in: archive))
            }
        }
    }

    private func set(_ value: ArchivedValue) throws -> Any {
        let found = try elements(of: value, as: Set<AnyHashable>.self)
        // Everything that the hashes of the elements depend on is decoded before the set is created.
        return try frame.with(nil, value, step) { frame in
            try frame.countVisits(DecodingMeter.stepsPerEntry * found.count)
            let elements: [AnyHashable] = try frame.resolved(value, at: .root) {
                try (0..<found.count).compactMap { index in
                    try AnyDecoding(frame, list, at: .index(index)).hashableElement(found.reference(index, in: archive))
                }
            }
            return Set(elements)
        }
    }

    private func elements(of value: ArchivedValue, as type: any Any.Type) throws -> ArchivedElements {
        guard let elements = try undamaged(archive.elements(of: value)) else {
            throw frame.mismatch(type, value, step)
        }
        return elements
    }

    /// Returns the entries of the dictionary `value`.
    ///
    /// - Parameter keyTypes: The types of its keys.
    func dictionary(_ value: ArchivedValue, keys keyTypes: AllowedTypeList) throws -> [AnyHashable: Any] {
        guard let (keys, values) = try undamaged(archive.dictionary(value)) else {
            throw frame.mismatch([AnyHashable: Any].self, value, step)
        }
        return try frame.with(nil, value, step) { frame in
            try frame.countVisits(DecodingMeter.stepsPerEntry * keys.count)
            var result: [AnyHashable: Any] = [:]
            for index in 0..<keys.count {
                let reference = keys.reference(index, in: archive)
                let stored = try frame.key(reference, ofEntry: index)
                guard let key = try AnyDecoding(frame, keyTypes, at: stored.step).hashableElement(reference)
                else { continue }
                let step = stored.valueStep
                result[key] = try AnyDecoding(frame, list, at: step).element(values.reference(index, in: archive))
            }
            return result
        }
    }

    /// Returns the decoded object for `reference`; nil, and a skipped object, is `Optional<Any>.none`.
    private func element(_ reference: Int) throws -> Any {
        try valueIfPresent(undamaged(archive.value(reference))) ?? (Any?.none as Any)
    }

    private func hashableElement(_ reference: Int) throws -> AnyHashable? {
        let value = try undamaged(archive.value(reference))
        do {
            return try hashable(isNil(value) ? Any?.none as Any : self.value(value))
        } catch is SkippedObject {
            return nil
        }
    }

    private func hashable(_ value: Any) throws -> AnyHashable {
        if let text = value as? String, !HashedText.isSafe(text) {
            throw frame.damaged(ArchiveContents.unsafeText(text), step)
        }
        if HashedSets.areTooDeep(value) {
            throw ArchivingError(.limit, path: frame.path(step)) { "Found \(HashedSets.sentence), at \($0)" }
        }
        guard let hashable = value as? AnyHashable else {
            let type = Swift.type(of: value)
            throw ArchivingError(.typeMismatch, path: frame.path(step)) {
                "Found a \(type) at \($0), which is not Hashable, as an element of a set or a key of a dictionary"
            }
        }
        return hashable
    }
}
