#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The contents of a typedstream, the file that `NSArchiver` and NeXT's typed streams write: groups of typed values, and
/// the objects that these refer to.
///
/// ```swift
/// let stream = try TypedStream(data)
/// print(stream)                                         // a readable tree
/// let object = stream.objects[0]
/// stream.className(of: object)                          // "NSMutableString"
/// object.groups[0].values[0].bytes                      // its text, in UTF-8
/// try stream.data() == data                             // true for what Apple's writer made
/// ```
///
/// Nothing in such a file has a name: a program reads its values in the order in which they were written.
/// `SequentialUnarchiver` does that; a `TypedStream` is for looking at a file, for changing one, and for objects whose
/// classes nobody knows any more.
///
/// It is a value without references: an object, a class or a C string is in a list, and values have its position there. So
/// cycles are nothing special. Where each is written in full is where it is met first in the file.
///
/// docs/typedstream-format.md describes the format.
public struct TypedStream: Sendable, Equatable {
    /// Which byte of a number is the first one in the file.
    public enum ByteOrder: Sendable, Hashable {
        /// The lowest: files of Intel's and Apple's own processors.
        case littleEndian
        /// The highest: files of NeXT's and IBM's processors.
        case bigEndian
    }

    /// The version of the format: 4, or 3 in files of the first NeXT systems, which are read and written as 4 is.
    public var streamerVersion = 4
    /// Which byte of a number is the first one in the file.
    public var byteOrder: ByteOrder
    /// The version of the system that wrote the file: 1000 on macOS, 930 and less on NeXT's systems.
    public var systemVersion = 1000
    /// The groups at the top: what each call to an archiver encoded.
    public var groups: [Group] = []
    /// The objects that values refer to, in the order of the file.
    public var objects: [Object] = []
    /// The classes that objects and values refer to, in the order of the file.
    public var classes: [Class] = []
    /// The C strings that values refer to, in the order of the file. Which encoding they are in is up to the program that
    /// wrote them.
    public var cStrings: [[UInt8]] = []

    /// A typedstream without contents.
    public init(byteOrder: ByteOrder = .littleEndian) { self.byteOrder = byteOrder }

    /// The typedstream in `data`.
    ///
    /// - Throws: `TypedStreamError` where the bytes are none, or are damaged.
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    public init(_ data: Data) throws(TypedStreamError) {
        let bytes = [UInt8](data)
        var reader = TypedStreamReader(bytes)
        self = try reader.stream()
    }

    /// The file.
    ///
    /// What Apple's writer wrote, and has been read and not changed since, becomes the same bytes again.
    ///
    /// - Throws: `TypedStreamError` where a value is not what its type says, or refers to something that is not there.
    /// - Complexity: O(*n*), where *n* is the number of values.
    public func data() throws(TypedStreamError) -> Data {
        var writer = TypedStreamWriter(self)
        return Data(try writer.bytes())
    }
}

// MARK: - Contents

extension TypedStream {
    /// The values that one call to an archiver encoded, with their types.
    public struct Group: Sendable {
        /// A type for each value.
        public var types: [TypeEncoding]
        /// The values.
        public var values: [Value]
        /// Where the group begins in the file that it was read from, in bytes from the start; nil for one that was made
        /// otherwise. Groups that differ in nothing else are equal.
        public internal(set) var byteOffset: Int?

        /// A group of values.
        public init(_ types: [TypeEncoding], _ values: [Value]) {
            self.types = types
            self.values = values
        }
    }

    /// An object: its class, and what its `encodeWithCoder:` encoded, that of the superclass first.
    public struct Object: Sendable, Equatable {
        /// The position of its class in `classes`.
        public var classIndex: Int
        /// What it consists of.
        public var groups: [Group]

        /// An object of the class at the position `classIndex`.
        public init(classIndex: Int, groups: [Group] = []) {
            self.classIndex = classIndex
            self.groups = groups
        }
    }

    /// A class with its version, and with its superclass.
    public struct Class: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The version that the class had when the file was written.
        public var version: Int
        /// The position of its superclass in `classes`; nil for a root class.
        public var superclassIndex: Int?

        /// A class.
        public init(_ name: String, version: Int = 0, superclassIndex: Int? = nil) {
            self.name = name
            self.version = version
            self.superclassIndex = superclassIndex
        }
    }

    /// A value. Which of them it is depends on its type.
    public enum Value: Sendable {
        /// A number of a type with a sign: `c`, `s`, `i`, `l`, `q`.
        case integer(Int64)
        /// A number of a type without one: `C`, `S`, `I`, `L`, `Q`, `B`.
        case unsigned(UInt64)
        /// A number of the type `f`.
        case float(Float)
        /// A number of the type `d`.
        case double(Double)
        /// `*`: the position in `cStrings`, or none.
        case cString(Int?)
        /// `%` and `:`: the bytes of an atom, or of the name of a method, or none.
        case name([UInt8]?)
        /// `+`, and arrays of `c` and `C`: bytes, or none.
        case bytes([UInt8]?)
        /// `#`: the position in `classes`, or none.
        case `class`(Int?)
        /// `@`: the position in `objects`, or nil.
        case object(Int?)
        /// The elements of an array.
        case array([Value])
        /// The fields of a struct.
        case structure([Value])
        /// `!`: nothing.
        case ignored
    }
}

// MARK: - Equality

extension TypedStream.Group: Equatable {
    /// Whether both have the same types and values, wherever they were read.
    public static func == (left: Self, right: Self) -> Bool {
        left.types == right.types && left.values == right.values
    }
}

extension TypedStream.Value: Equatable {
    /// Whether both are the same value: of numbers with a fraction, all bits.
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
}

// MARK: - Looking

extension TypedStream.Value {
    /// The integer, if it is one that fits.
    public var integer: Int? {
        switch self {
        case .integer(let value): Int(exactly: value)
        case .unsigned(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The number with a fraction, if it is one.
    public var real: Double? {
        switch self {
        case .float(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// The bytes, if it has any.
    public var bytes: [UInt8]? {
        switch self {
        case .bytes(let bytes), .name(let bytes): bytes
        default: nil
        }
    }
}

extension TypedStream {
    /// The name of the class of `object`.
    public func className(of object: Object) -> String { classes[object.classIndex].name }

    /// The classes of `object`, its own first.
    ///
    /// - Complexity: O(*n*), where *n* is the number of classes.
    public func classChain(of object: Object) -> [Class] {
        var chain: [Class] = []
        var next: Int? = object.classIndex
        // A stream that a program has made may lead in a circle.
        while let index = next, chain.count < classes.count {
            chain.append(classes[index])
            next = classes[index].superclassIndex
        }
        return chain
    }

    /// Whether `data` begins like a typedstream.
    public static func isTypedStream(_ data: Data) -> Bool {
        let start = [UInt8](data.prefix(13))
        return start.count == 13 && TypedStreamHeader.byteOrder(ofSignature: start[2...]) != nil
    }
}
