// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The contents of a typedstream, the file format of `NSArchiver` and NeXT's typed streams: groups of typed values, and the
/// objects that these refer to.
///
/// ```swift
/// let stream = try TypedStream(data)
/// print(stream)
/// let object = stream.objects[0]
/// stream.className(of: object)                          // "NSMutableString"
/// if case .bytes(let text?) = object.groups[0].values[0] {
///     print(String(decoding: text, as: UTF8.self))
/// }
/// try stream.data() == data                             // true for what Apple's writer made
/// ```
///
/// The values in a typedstream have no names: a program reads them in the order in which they were written, with
/// `SequentialUnarchiver`. Use a `TypedStream` to inspect or change a file, or to read objects of unknown classes.
///
/// A `TypedStream` is a value without references, so cycles need no special handling. Objects, classes and C strings are in
/// lists, and values contain their positions there. The file contains each in full at its first occurrence.
///
/// docs/typedstream-format.md describes the format.
public struct TypedStream: Sendable, Equatable {
    package enum ByteOrder: Sendable, Hashable {
        /// Lowest byte first: files from Intel's and Apple's own processors.
        case littleEndian
        /// Highest byte first: files from NeXT's and IBM's processors.
        case bigEndian
    }

    /// The version of the format: 4, or 3 in files of the first NeXT systems. Both have the same form.
    package var streamerVersion = 4
    package var byteOrder: ByteOrder
    /// The version of the system that wrote the file: 1000 on macOS, 930 and less on NeXT's systems.
    public var systemVersion = 1000
    /// The top-level groups, one for each encoding call to an archiver.
    public var groups: [Group] = []
    /// The objects that values refer to, in the order of the file.
    public var objects: [Object] = []
    /// The classes that objects and values refer to, in the order of the file.
    public var classes: [Class] = []
    /// The C strings that values refer to, in the order of the file. Their encoding depends on the program that wrote them.
    public var cStrings: [[UInt8]] = []

    package init(byteOrder: ByteOrder = .littleEndian) { self.byteOrder = byteOrder }

    /// Reads the typedstream in `data`.
    ///
    /// - Throws: `TypedStreamError` if the bytes are not a typedstream or are damaged.
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    public init(_ data: Data) throws(TypedStreamError) {
        let bytes = [UInt8](data)
        var reader = TypedStreamReader(bytes)
        self = try reader.stream()
    }

    /// Returns the contents of the file.
    ///
    /// An unchanged file of Apple's writer results in the same bytes.
    ///
    /// - Throws: `TypedStreamError` if a value does not match its type or has an invalid reference.
    /// - Complexity: O(*n*), where *n* is the number of values.
    public func data() throws(TypedStreamError) -> Data {
        var writer = TypedStreamWriter(self)
        return Data(try writer.bytes())
    }
}

// MARK: - Contents

extension TypedStream {
    /// The values of one encoding call, with their types.
    public struct Group: Sendable {
        /// A type for each value.
        public var types: [TypeEncoding]
        /// The values.
        public var values: [Value]
        /// The offset of the group in the file that it was read from, in bytes; nil if it was not read from a file. Equality
        /// ignores it.
        package internal(set) var byteOffset: Int?

        package init(_ types: [TypeEncoding], _ values: [Value]) {
            self.types = types
            self.values = values
        }
    }

    /// An object: its class, and the groups that its `encodeWithCoder:` encoded, superclasses first.
    public struct Object: Sendable, Equatable {
        package var classIndex: Int
        /// The contents of the object.
        public var groups: [Group]

        package init(classIndex: Int, groups: [Group] = []) {
            self.classIndex = classIndex
            self.groups = groups
        }
    }

    /// A class with its version and superclass.
    public struct Class: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The version that the class had when the file was written.
        public var version: Int
        /// The position of its superclass in `classes`; nil for a root class.
        package var superclassIndex: Int?

        package init(_ name: String, version: Int = 0, superclassIndex: Int? = nil) {
            self.name = name
            self.version = version
            self.superclassIndex = superclassIndex
        }
    }

    /// A value. The case depends on its type.
    public enum Value: Sendable {
        /// A number of a signed type: `c`, `s`, `i`, `l`, `q`.
        case integer(Int64)
        /// A number of an unsigned type: `C`, `S`, `I`, `L`, `Q`, `B`.
        case unsigned(UInt64)
        /// A number of the type `f`.
        case float(Float)
        /// A number of the type `d`.
        case double(Double)
        /// `*`: the position in `cStrings`, or null.
        case cString(Int?)
        /// `%` and `:`: the bytes of an atom, or of the name of a method, or null.
        case name([UInt8]?)
        /// `+`, and arrays of `c` and `C`: bytes, or null.
        case bytes([UInt8]?)
        /// `#`: the position in `classes`, or null.
        case `class`(Int?)
        /// `@`: the position in `objects`, or nil.
        case object(Int?)
        /// The elements of an array.
        case array([Value])
        /// The fields of a struct.
        case structure([Value])
        /// `!`: a value that is not stored.
        case ignored
    }
}

// MARK: - Equality

extension TypedStream.Group: Hashable {
    /// Returns whether both groups have the same types and values. Their offsets may differ.
    public static func == (left: Self, right: Self) -> Bool {
        left.types == right.types && left.values == right.values
    }

    /// Hashes the types and the values into `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(types)
        hasher.combine(values)
    }
}

extension TypedStream.Value: Hashable {
    /// Returns whether both values are equal. Floating-point numbers are compared by their bits.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): left == right
        case (.unsigned(let left), .unsigned(let right)): left == right
        case (.float(let left), .float(let right)): left.bitPattern == right.bitPattern
        case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
        case (.cString(let left), .cString(let right)): left == right
        case (.name(let left), .name(let right)): left == right
        case (.bytes(let left), .bytes(let right)): left == right
        case (.class(let left), .class(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.structure(let left), .structure(let right)): left == right
        case (.ignored, .ignored): true
        default: false
        }
    }

    /// Hashes the start of the value into `hasher`: its description.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

// MARK: - Accessors

extension TypedStream.Value {
    package var integer: Int? {
        switch self {
        case .integer(let value): Int(exactly: value)
        case .unsigned(let value): Int(exactly: value)
        default: nil
        }
    }

    package var real: Double? {
        switch self {
        case .float(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    package var bytes: [UInt8]? {
        switch self {
        case .bytes(let bytes), .name(let bytes): bytes
        default: nil
        }
    }
}

extension TypedStream {
    /// Returns the name of the class of `object`.
    public func className(of object: Object) -> String { classes[object.classIndex].name }

    /// Returns the classes of `object`, its own first.
    ///
    /// - Complexity: O(*n*), where *n* is the number of classes.
    public func classChain(of object: Object) -> [Class] {
        var chain: [Class] = []
        var next: Int? = object.classIndex
        // In a stream that a program created, superclasses can form a cycle.
        while let index = next, chain.count < classes.count {
            chain.append(classes[index])
            next = classes[index].superclassIndex
        }
        return chain
    }

    package static func isTypedStream(_ data: Data) -> Bool {
        let start = [UInt8](data.prefix(13))
        return start.count == 13 && TypedStreamHeader.byteOrder(ofSignature: start[2...]) != nil
    }
}

extension TypedStream.Value {
    /// Whether the value refers to an object, a class or a C string by its position.
    var isReferring: Bool {
        switch self {
        case .object(_?), .class(_?), .cString(_?): true
        case .array(let values), .structure(let values): values.contains { $0.isReferring }
        default: false
        }
    }

    /// The value with mapped positions. The recursion is bounded by the nesting of types.
    func mapping(
        objects: (Int) -> Int?, classes: (Int) -> Int? = { $0 }, cStrings: (Int) -> Int? = { $0 }
    ) -> TypedStream.Value {
        switch self {
        case .object(let index?): .object(objects(index))
        case .class(let index?): .class(classes(index))
        case .cString(let index?): .cString(cStrings(index))
        case .array(let values):
            .array(values.map { $0.mapping(objects: objects, classes: classes, cStrings: cStrings) })
        case .structure(let values):
            .structure(values.map { $0.mapping(objects: objects, classes: classes, cStrings: cStrings) })
        default: self
        }
    }
}

extension TypedStream {
    /// Removes the objects for which `isKept` is false. References to removed objects become nil.
    ///
    /// - Complexity: O(*n*), where *n* is the number of values.
    mutating func keepObjects(_ isKept: [Bool]) {
        var count = 0
        let moved = isKept.map { isKept -> Int? in
            guard isKept else { return nil }
            count += 1
            return count - 1
        }
        guard count < objects.count else { return }
        objects = zip(objects, isKept).compactMap { object, isKept in isKept ? object : nil }
        // A value that a program created can refer to an object that never existed.
        func map(_ groups: inout [Group]) {
            for index in groups.indices {
                groups[index].values = groups[index].values.map { value in
                    value.mapping { moved.indices.contains($0) ? moved[$0] : $0 }
                }
            }
        }
        map(&groups)
        for index in objects.indices { map(&objects[index].groups) }
    }
}

/// An error in the bytes of a typedstream, or in values that cannot be written as one. It describes the finding and its position.
public struct TypedStreamError: Error, Equatable, Sendable {
    /// The offset in the input in bytes; nil if the error is not about input.
    public let byteOffset: Int?
    package let defect: Defect
    let sentence: String

    init(_ defect: Defect, at byteOffset: Int? = nil, _ sentence: String) {
        self.defect = defect
        self.byteOffset = byteOffset
        self.sentence = sentence
    }

    func at(_ byteOffset: Int) -> TypedStreamError { TypedStreamError(defect, at: byteOffset, sentence) }
}

extension TypedStreamError {
    package enum Defect: Sendable {
        case notATypedStream, unknownVersion
        /// The bytes end early.
        case truncated
        /// A type encoding is invalid, or not possible in a typedstream.
        case badType
        /// A reference is invalid, or refers to a value of another kind.
        case badReference
        /// A value does not match its type.
        case badValue
        /// A count is too large for the file.
        case badCount
        /// The class of an object is missing or invalid, or its superclasses form a cycle or are too many.
        case badClass
    }
}

extension TypedStreamError: CustomStringConvertible {
    /// The finding and its position.
    public var description: String {
        guard let byteOffset else { return sentence }
        return "\(sentence) (byte \(byteOffset) of the typedstream)"
    }
}

// MARK: - For people

extension TypedStreamError: LocalizedError {
    /// A sentence for a person.
    public var errorDescription: String? {
        switch defect {
        case .notATypedStream: "The file is not a typedstream."
        case .unknownVersion: "The typedstream has an unknown version."
        default: byteOffset == nil ? "The values cannot be written as a typedstream." : "The typedstream is damaged."
        }
    }

    /// The finding and its place: the ``description``.
    public var failureReason: String? { description }

    /// The remedy.
    public var recoverySuggestion: String? {
        switch defect {
        case .notATypedStream, .unknownVersion: "Choose a file that a sequential archiver wrote."
        default:
            byteOffset == nil ? "Report the error to the author of the program." : "Restore the file from a backup."
        }
    }
}
