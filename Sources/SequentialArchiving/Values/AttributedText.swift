import Archiving

/// A text with attributes of its parts: an NSAttributedString in a sequential archive, such as the `attributedBody` of a message.
///
/// ```swift
/// let text = try AttributedText(attributedBody)
/// print(text.string)
/// for link in text.links { print(text.string[link.range], link.value) }
/// ```
public struct AttributedText {
    /// A part of the text with the same attributes.
    public struct Run {
        /// The range of the run in the string. Runs are counted in UTF-16, so a boundary can be inside a character.
        public var range: Range<String.Index>
        /// The attributes by name. Their values have the types of `SequentialUnarchiver.decodeObject()`.
        public var attributes: [String: Any]

        /// Creates a part of a text.
        public init(range: Range<String.Index>, attributes: [String: Any]) {
            self.range = range
            self.attributes = attributes
        }
    }

    /// The value of an attribute and the part of the text that has it.
    public struct Part<Value> {
        /// The range of the part in the string.
        public var range: Range<String.Index>
        /// The value of the attribute.
        public var value: Value

        /// Creates a part with the value of an attribute.
        public init(range: Range<String.Index>, value: Value) {
            self.range = range
            self.value = value
        }
    }

    /// The text.
    public let string: String
    /// The runs in order. They cover the whole string, and none is empty.
    public let runs: [Run]

    /// Creates a text with attributes.
    ///
    /// Runs that overlap, or that do not cover the whole string, are a programming error and trap.
    ///
    /// - Parameters:
    ///   - string: The text.
    ///   - runs: Its parts, in order. Empty for a text without attributes.
    public init(_ string: String, runs: [Run] = []) {
        var end = string.startIndex
        for run in runs {
            require(run.range.lowerBound == end && !run.range.isEmpty, "The runs of a text must follow each other")
            end = run.range.upperBound
        }
        require(runs.isEmpty || end == string.endIndex, "The runs of a text must reach its end")
        self.string = string
        self.runs =
            runs.isEmpty && !string.isEmpty ? [Run(range: string.startIndex..<string.endIndex, attributes: [:])] : runs
    }

    /// Returns the parts of the text whose attribute `name` is a `Value`. Adjacent runs with equal values are one part.
    ///
    /// - Complexity: O(*n*), where *n* is the number of runs.
    public func parts<Value: Equatable>(with name: String, as type: Value.Type = Value.self) -> [Part<Value>] {
        var parts: [Part<Value>] = []
        for run in runs {
            guard let value = run.attributes[name] as? Value else { continue }
            if let last = parts.last, last.range.upperBound == run.range.lowerBound, last.value == value {
                parts[parts.count - 1].range = last.range.lowerBound..<run.range.upperBound
            } else {
                parts.append(Part(range: run.range, value: value))
            }
        }
        return parts
    }
}

// MARK: - Archives

extension AttributedText: SequentialValue {
    /// `@`: an NSAttributedString.
    public static var sequentialTypeEncoding: TypeEncoding { .object }

    /// Returns an NSAttributedString.
    ///
    /// - Throws: `SequentialCodingError.Code.notEncodable` if the type is not `@`, or an attribute cannot be encoded.
    public func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        guard type == .object else { throw coder.notEncodableError(self, as: type) }
        return .object(try coder.attributedText(self))
    }

    /// Returns the text of an NSAttributedString or NSMutableAttributedString, or of an NSString, which has no attributes.
    ///
    /// - Throws: `SequentialCodingError`: `.typeMismatch` for other values, `.valueNotFound` for nil, `.damaged` if the runs do
    ///   not match the text.
    public static func fromSequentialValue(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> AttributedText {
        guard case .object(let index?) = value else { throw coder.typeMismatchError(self, found: value, of: type) }
        return coder.foundationClass(at: index) == .string
            ? AttributedText(try coder.string(at: index)) : try coder.attributedText(at: index)
    }
}

extension SequentialUnarchiver {
    /// The NSAttributedString at a position: its text, then the number of its attributes and the length of each run. The
    /// attributes follow the first occurrence of their number.
    func attributedText(at index: Int) throws -> AttributedText {
        guard foundationClass(at: index) == .attributedString else {
            throw typeMismatchError(AttributedText.self, found: .object(index), of: .object)
        }
        return try shared(index) {
            try withObject(index) {
                let string = try decode(String.self)
                /// The attributes that have been read, with their cost. The cost counts for each run, since a caller that visits
                /// the runs visits the attributes each time.
                var known: [(attributes: [String: Any], work: Int)] = []
                var runs: [AttributedText.Run] = []
                var start = string.startIndex
                while start < string.endIndex {
                    let (number, length) = try decodeValues("iI", as: Int.self, Int.self)
                    guard length > 0, let end = string.utf16.index(start, offsetBy: length, limitedBy: string.endIndex),
                        number > 0, number <= known.count + 1
                    else {
                        throw error(.damaged, "Found a run of \(length) characters with the attributes \(number)")
                    }
                    if number > known.count {
                        let before = meter.work
                        known.append((try attributes(), 0))
                        known[number - 1].work = before - meter.work
                    } else {
                        try count(known[number - 1].work)
                    }
                    runs.append(AttributedText.Run(range: start..<end, attributes: known[number - 1].attributes))
                    start = end
                }
                return AttributedText(string, runs: runs)
            }
        }
    }

    private func attributes() throws -> [String: Any] {
        guard let entries = try decodeObject() as? [AnyHashable: Any] else {
            throw error(.damaged, "Found a run whose attributes are not a dictionary")
        }
        var attributes: [String: Any] = [:]
        for (key, value) in entries {
            guard let name = key.base as? String else {
                throw error(.damaged, "Found an attribute whose name is a \(Swift.type(of: key.base))")
            }
            attributes[name] = value
        }
        return attributes
    }
}

extension SequentialArchiver {
    /// Returns the position of an NSAttributedString.
    func attributedText(_ text: AttributedText) throws -> Int {
        var groups = [TypedStream.Group([.object], [.object(string(text.string))])]
        /// The numbers of attributes, by their keys and values as objects.
        var numbers: [[Int]: Int] = [:]
        for run in text.runs {
            let length = text.string.utf16.distance(from: run.range.lowerBound, to: run.range.upperBound)
            let names = run.attributes.keys.sorted()
            let contents = try names.flatMap { [string($0), try anyElement(run.attributes[$0] ?? "")] }
            let number = numbers[contents] ?? numbers.count + 1
            groups.append(
                TypedStream.Group([.int, .unsignedInt], [.integer(Int64(number)), .unsigned(UInt64(length))]))
            guard numbers[contents] == nil else { continue }
            numbers[contents] = number
            let dictionary = try container(.dictionary, count: names.count, .int, contents)
            groups.append(TypedStream.Group([.object], [.object(dictionary)]))
        }
        return add(.attributedString, groups)
    }
}
