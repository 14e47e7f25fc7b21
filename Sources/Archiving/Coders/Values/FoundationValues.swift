// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Data

extension Data: EncodableLeaf {
    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference {
        withBytes { graph.data($0) }
    }
}

extension Data: DecodableLeaf {
    @inline(__always)
    static func leaf(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: @autoclosure () -> CodingPathStep
    ) throws -> Data {
        let bytes = try decoder.undamaged(decoder.archive.data(value), at: step())
        guard let bytes else { return try elements(of: value, in: decoder, at: step()) }
        return Data(bytes)
    }

    @inline(never)
    private static func elements(
        of value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Data {
        guard value.node.kind == .array || value.node.kind == .dictionary else {
            throw decoder.mismatch(Data.self, value, step)
        }
        return Data(try UInt8.ArrayForm.read(value, in: decoder, at: step))
    }
}

// MARK: - Dates

extension Date: EncodableLeaf {
    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference {
        graph.date(timeIntervalSinceReferenceDate)
    }
}

extension Date: DecodableLeaf {
    @inline(__always)
    static func leaf(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: @autoclosure () -> CodingPathStep
    ) throws -> Date {
        let seconds = try decoder.undamaged(decoder.archive.date(value), at: step())
        guard let seconds else { return try number(value, in: decoder, at: step()) }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    @inline(never)
    private static func number(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Date {
        switch value.node.kind {
        case .real64, .real32, .integer:
            Date(timeIntervalSinceReferenceDate: try decoder.double(value, at: step))
        default: throw decoder.mismatch(Date.self, value, step)
        }
    }
}

// MARK: - UUIDs

extension UUID: EncodableLeaf {
    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference {
        withBytes { graph.uuid($0) }
    }
}

extension UUID: DecodableLeaf {
    @inline(__always)
    static func leaf(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: @autoclosure () -> CodingPathStep
    ) throws -> UUID {
        let bytes = try decoder.undamaged(decoder.archive.uuid(value), at: step())
        guard let bytes else { return try string(value, in: decoder, at: step()) }
        return UUID(bytes)
    }

    @inline(never)
    private static func string(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> UUID {
        guard !value.isNull, value.node.kind == .ascii else { throw decoder.mismatch(UUID.self, value, step) }
        let text = try decoder.string(value, at: step)
        guard let uuid = UUID(uuidString: text) else {
            throw DecodingError.invalid(path: decoder.path(step)) { _ in
                "Found the string \"\(text.prefix(40))\", which is not a UUID"
            }
        }
        return uuid
    }
}

// MARK: - URLs

extension URL: EncodableLeaf {
    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference {
        guard let base = baseURL else {
            return graph.url(relativeString, base: ArchiveGraph.null)
        }
        // Foundation keeps a base URL in its absolute form, without a base of its own.
        let baseUID = graph.url(base.absoluteString, base: ArchiveGraph.null)
        return graph.url(relativeString, base: baseUID)
    }
}

extension URL: DecodableLeaf {
    @inline(__always)
    static func leaf(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: @autoclosure () -> CodingPathStep
    ) throws -> URL {
        let parts = try decoder.undamaged(decoder.archive.url(value), at: step())
        guard let (relative, base) = parts else { return try otherURL(value, in: decoder, at: step()) }
        if base.isNull, let url = URL(string: relative) { return url }
        guard let url = try decoder.undamaged(decoder.archive.foundationURL(value), at: step()) else {
            throw decoder.mismatch(URL.self, value, step())
        }
        return url
    }

    @inline(never)
    private static func otherURL(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> URL {
        let text = try decoder.undamaged(decoder.archive.text(value), at: step)
        guard let text else { return try decoder.otherForm(of: URL.self, value, at: step) { try URL(from: $0) } }
        guard let url = URL(string: text) else {
            throw DecodingError.invalid(path: decoder.path(step)) { _ in
                "Found the string \"\(text.prefix(80))\", which is not a URL"
            }
        }
        return url
    }
}

// MARK: - Other types of FoundationEssentials

/// A type whose values are objects of a Cocoa class in `Graph/Forms`.
protocol CocoaLeaf: NativelyEncodable, DecodableLeaf, CocoaValue, Codable where Encoded == Self {}

extension CocoaLeaf {
    static var nestsNothing: Bool { true }

    static func write(
        _ value: Self, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        try value.object(in: encoding.graph)
    }

    static func leaf(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: @autoclosure () -> CodingPathStep
    ) throws -> Self {
        try decoder.object(value, at: step()) { (found: Self) in found }
    }
}

extension Decimal: CocoaLeaf {}
extension DateInterval: CocoaLeaf {}
extension DateComponents: CocoaLeaf {}
extension Calendar: CocoaLeaf {}
extension TimeZone: CocoaLeaf {}
extension Locale: CocoaLeaf {}
extension IndexPath: CocoaLeaf {}

// MARK: - Types of only the full Foundation

/// Writes and reads values of `Value`, a type that is not named here, by their parts.
enum PartsShape<Parts: CocoaParts, Value: Codable>: CodedShape {
    static func write(
        _ value: Value, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        do {
            let parts = try Parts(of: value)
            return try inline ? parts.objectUnderKey(in: encoding.graph) : parts.object(in: encoding.graph)
        } catch let error as UnwritableValue {
            throw EncodingError.invalid(value, path: encoding.keys(step)) { error.sentence($1) }
        }
    }

    static func read(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) throws -> Value {
        try decoder.object(value, at: step) { (parts: Parts) in try parts.value(as: Value.self) }
    }
}

extension NativeTypes {
    /// Returns the form of the values of `type`, if only the full Foundation has it.
    static func unnamed(_ type: any Any.Type) -> (any CodedShape.Type)? {
        func shape<Parts: CocoaParts, Value: Codable>(
            _ parts: Parts.Type, _ type: Value.Type
        ) -> any CodedShape.Type { PartsShape<Parts, Value>.self }
        guard let parts = CocoaClass.parts(of: type), let type = type as? any Codable.Type else { return nil }
        return shape(parts, type)
    }
}

// MARK: - Reading

extension DecodingFrame {
    fileprivate func object<Form: CocoaValue, Value: Decodable>(
        _ value: ArchivedValue, at step: CodingPathStep, _ make: (Form) throws -> Value?
    ) throws -> Value {
        func made(_ form: Form) throws -> Value {
            try countVisits(form.visits)
            guard let made = try make(form) else { throw ValueFailure.mismatch(Value.self, value) }
            return made
        }
        let found = try reading(value, as: Value.self, at: step) { () -> Value? in
            if let form = try Form.read(value, in: archive) { return try made(form) }
            if let parts = Form.self as? any CocoaParts.Type, parts.cocoaClass == .value,
                let uid = try archive.classUID(of: value.node), try archive.cocoaClass(uid) == .value
            {
                // An NSValue of another kind.
                throw ValueFailure.mismatch(Value.self, value)
            }
            return nil
        }
        if let found { return found }
        return try otherForm(of: Value.self, value, at: step) { program in
            let found = try program.decoding.reading(value, as: Value.self, at: .root) {
                try Form.ownForm(from: program).map(made)
            }
            return try found ?? Value(from: program)
        }
    }

    /// Returns the result of `read`, with the errors of forms as those of decoders.
    func reading<Result>(
        _ value: ArchivedValue, as type: any Any.Type, at step: CodingPathStep, _ read: () throws -> Result
    ) throws -> Result {
        do { return try read() } catch let error as KeyedArchiveError {
            throw damaged(error, step)
        } catch let failure as ValueFailure {
            throw unread(failure, step)
        } catch let other as OtherContents {
            throw DecodingError(.mismatch(type, found: "\(other.found) (uid \(value.uid))", path: path(step)))
        }
    }
}
