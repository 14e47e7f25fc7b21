// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What holds for all bytes, whatever is in them.
public struct Agreement: Sendable {
    /// What holds, in a few words.
    public let name: String
    private let body: @Sendable (Data) throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (Data) throws -> Void) {
        self.name = name
        self.body = body
    }

    /// A sentence on how `data` shows that it does not hold; nil where it does.
    public func violation(in data: Data) -> String? {
        do {
            try body(data)
            return nil
        } catch let violation as Violation {
            return "\(name): \(violation.sentence)"
        } catch {
            return "\(name): an error that nobody expected: \(error)"
        }
    }

    /// Everything that has to hold.
    public static let all = keyed + [streams, byteOrders, sequentialAgain]

    /// What has to hold for keyed archives.
    static let keyed = [opening, validity, decoders, formats, again, constructed]

    /// The first sentence on what `data` shows not to hold; nil where everything does.
    public static func violation(in data: Data) -> String? {
        for agreement in all {
            if let sentence = agreement.violation(in: data) { return sentence }
        }
        return nil
    }
}

// MARK: - Opening and validity

extension Agreement {
    /// Whatever one reader opens, all open.
    static let opening = Agreement("all readers open the same archives") { data in
        let archive = Result { try KeyedArchive(data) }
        let unarchiver = Result { try KeyedUnarchiver(forReadingFrom: data) }
        let decoder = outcome { UInt64(try Agreement.decoder.decode(UnknownObject.self, from: data).value.keys.count) }
        switch (archive, unarchiver) {
        case (.success, .failure(let error)):
            throw Violation("KeyedArchive opens it, and KeyedUnarchiver does not: \(error)")
        case (.failure(let error), .success):
            throw Violation("KeyedUnarchiver opens it, and KeyedArchive does not: \(error)")
        case (.success, .success):
            if decoder == .failure(.notAnArchive) {
                throw Violation("KeyedArchive opens it, and ArchiveDecoder finds no archive")
            }
        case (.failure(let first), .failure(let second)):
            let failure = Outcome.Failure(first)
            guard failure == Outcome.Failure(second) else {
                throw Violation("KeyedArchive says \"\(first)\", and KeyedUnarchiver \"\(second)\"")
            }
            guard decoder == .failure(failure) else {
                throw Violation("KeyedArchive says \"\(first)\", and ArchiveDecoder \(decoder)")
            }
        }
    }

    /// An archive without faults is not damaged for any reader.
    static let validity = Agreement("what passes validate() is damaged for no decoder") { data in
        guard let archive = try? KeyedArchive(data), archive.problems(limit: 1).isEmpty else { return }
        for subject in Subject.subjects(of: archive) {
            for (name, outcome) in subject.readings(data) where outcome == .failure(.damaged) {
                throw Violation("\(name) finds damage in a \(subject.name)")
            }
        }
        for object in archive.objects.prefix(100) where object.kind == .damaged {
            throw Violation("object \(object.uid ?? 0) is damaged: \(String(describing: object.damage))")
        }
        _ = try archive.references()
    }
}

// MARK: - Values

extension Agreement {
    /// Both decoders make the same of the same type. `KeyedArchive` finds its way to a root behind damage that they stop at.
    static let decoders = Agreement("both decoders read the same") { data in
        guard let archive = try? KeyedArchive(data) else { return }
        for subject in Subject.subjects(of: archive) {
            let readings = subject.readings(data)
            guard let first = readings.first else { continue }
            for reading in readings.dropFirst() where !first.outcome.agrees(with: reading.outcome) {
                if reading.name == "KeyedArchive", first.outcome == .failure(.damaged) { continue }
                throw Violation(
                    "\(first.name) makes \(first.outcome) of a \(subject.name), and \(reading.name) \(reading.outcome)")
            }
        }
    }

    /// An archive reads alike after it was written once more, in either format.
    static let formats = Agreement("both formats read alike") { data in
        guard let archive = try? KeyedArchive(data), let list = try? PropertyList(data) else { return }
        let subjects = Subject.subjects(of: archive).prefix(1)
        let binary = try? list.data(format: .binary)
        let xml = (try? list.data(format: .xml)).flatMap { (try? PropertyList($0)) == list ? $0 : nil }
        for subject in subjects {
            let outcome = subject.reading(data)
            for (name, written) in [("the binary", binary), ("the XML", xml)] {
                guard let written else { continue }
                let other = subject.reading(written)
                guard outcome.agrees(with: other) else {
                    throw Violation(
                        "a \(subject.name) is \(outcome), and \(other) in \(name) form that was written of it")
                }
            }
        }
    }

    /// What was decoded can be encoded, and decodes to itself.
    static let again = Agreement("a value decodes to itself") { data in
        guard let archive = try? KeyedArchive(data) else { return }
        for subject in Subject.subjects(of: archive) {
            if let sentence = subject.again(data) { throw Violation("a \(subject.name) \(sentence)") }
        }
    }

    /// No value was created that was not requested.
    static let constructed = Agreement("only what is asked for or registered is made") { _ in
        guard Forbidden.count == 0 else { throw Violation("\(Forbidden.count) instances of other types were made") }
    }

    static let decoder: ArchiveDecoder = {
        var decoder = ArchiveDecoder()
        decoder.classes = Registries.standard
        return decoder
    }()

    static let encoder: ArchiveEncoder = {
        var encoder = ArchiveEncoder()
        encoder.classes = Registries.standard
        encoder.outputFormatting = .sortedKeys
        return encoder
    }()
}

extension Outcome {
    /// Whether both are the same value, or both are none. What one refuses because of a limit the other may refuse
    /// because of something that it comes to first.
    func agrees(with other: Outcome) -> Bool {
        switch (self, other) {
        case (.value(let first), .value(let second)): first == second
        case (.failure, .failure): true
        // The limits grow with the bytes, which differ.
        case (.failure(.limit), _), (_, .failure(.limit)): true
        default: false
        }
    }
}
