import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One row of the table: a value that every contender encodes and decodes.
protocol Workload {
    /// The name that `--only` takes.
    var name: String { get }

    /// Verifies every contender by a round trip, then times them in turns.
    ///
    /// - Throws: `UnfaithfulRoundTrip` if a value came back changed, or what a coder throws.
    func compare(rounds: Int) throws -> Comparison
}

/// What all contenders needed for one workload.
struct Comparison {
    var name: String
    var encoding: [Contender: Samples] = [:]
    var decoding: [Contender: Samples] = [:]
    var sizes: [Contender: Int] = [:]
}

/// A workload of one type of value.
struct CodableWorkload<Value: Codable>: Workload {
    var name: String
    /// Calls per sample, for values too small for the clock.
    var calls = 1
    /// Makes the value: the same one every time. It is made when the workload runs, so that the others are not charged
    /// for its memory.
    var make: () -> Value
    /// Whether a decoded value is the original; told whether shared instances must still be shared.
    var isFaithful: (_ original: Value, _ decoded: Value, _ sharing: Bool) -> Bool

    func compare(rounds: Int) throws -> Comparison {
        let value = make()
        return try Comparison(
            name: name, calls: calls, rounds: rounds,
            encode: { try $0.encode(value) },
            decode: { try $0.decode(Value.self, from: $1) },
            verify: { contender, archive in
                let decoded = try contender.decode(Value.self, from: archive)
                return isFaithful(value, decoded, contender.keepsIdentity)
            })
    }
}

/// A class graph by hand, beside the same graph under Codable for everybody else.
struct CodingWorkload: Workload {
    var name: String
    var make: () -> (coding: CodingNode, codable: Node)

    func compare(rounds: Int) throws -> Comparison {
        let (coding, codable) = make()
        return try Comparison(
            name: name, calls: 1, rounds: rounds,
            encode: { contender in
                contender == .archive
                    ? try KeyedArchiver.archivedData(withRootObject: coding) : try contender.encode(codable)
            },
            decode: { contender, archive -> AnyObject in
                contender == .archive
                    ? try KeyedUnarchiver.unarchivedObject(of: CodingNode.self, from: archive)
                    : try contender.decode(Node.self, from: archive)
            },
            verify: { contender, archive in
                guard contender == .archive else {
                    let decoded = try contender.decode(Node.self, from: archive)
                    return Node.isFaithful(original: codable, decoded: decoded, sharing: contender.keepsIdentity)
                }
                let decoded = try KeyedUnarchiver.unarchivedObject(of: CodingNode.self, from: archive)
                return CodingNode.isFaithful(original: coding, decoded: decoded, sharing: true)
            })
    }
}

extension Comparison {
    /// Verifies every contender by a round trip, then times them in turns.
    init<Decoded>(
        name: String, calls: Int, rounds: Int, encode: (Contender) throws -> Data,
        decode: (Contender, Data) throws -> Decoded, verify: (Contender, Data) throws -> Bool
    ) throws {
        self.init(name: name)
        var archives: [Contender: Data] = [:]
        var roundsLeft: [Contender: Int] = [:]

        for contender in Contender.allCases {
            let start = processorTime()
            if contender.producesOutput {
                let archive = try encode(contender)
                guard try verify(contender, archive) else {
                    throw UnfaithfulRoundTrip(contender: contender, workload: name)
                }
                archives[contender] = archive
                sizes[contender] = archive.count
            }
            let seconds = Double(processorTime() - start) / 1e9
            roundsLeft[contender] = min(rounds, contender.roundLimit(forSecondsPerRound: seconds * Double(calls)))
        }

        for _ in 0..<rounds {
            // Encoding and decoding are interleaved too, so that a slow minute of the machine falls on everybody.
            let running = Contender.allCases.filter { roundsLeft[$0, default: 0] > 0 }
            for contender in running {
                let time = try timePerCall(calls: calls) { try encode(contender) }
                encoding[contender, default: Samples()].add(time)
                roundsLeft[contender, default: 0] -= 1
            }
            for contender in running {
                guard let archive = archives[contender] else { continue }
                let time = try timePerCall(calls: calls) { try decode(contender, archive) }
                decoding[contender, default: Samples()].add(time)
            }
        }
    }
}

extension CodableWorkload where Value: Equatable {
    init(name: String, calls: Int = 1, make: @escaping () -> Value) {
        self.init(name: name, calls: calls, make: make) { original, decoded, _ in original == decoded }
    }
}

extension Contender {
    /// How many rounds a contender gets at most.
    ///
    /// The property list coder is ten to two hundred times slower than the others. Two rounds show that; of a long one,
    /// one.
    fileprivate func roundLimit(forSecondsPerRound seconds: Double) -> Int {
        guard self == .propertyList else { return .max }
        return seconds > 1 ? 1 : 2
    }
}

/// A contender that does not give back what it was given; there is no point in timing it.
struct UnfaithfulRoundTrip: Error, CustomStringConvertible {
    var contender: Contender
    var workload: String

    var description: String { "\(contender.rawValue) did not bring back the value of '\(workload)' unchanged" }
}
