// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A way to damage a file.
public struct Mutation: Sendable {
    /// What a mutation works on.
    public enum Level: Sendable {
        /// The bytes of a binary property list.
        case bytes
        /// The values of a property list.
        case tree
        /// The objects of a keyed archive.
        case archive
        /// The text of an XML property list.
        case text
        /// What a typedstream consists of.
        case stream
    }

    /// What is done, in a few words.
    public let name: String
    /// What it works on.
    public let level: Level
    private let body: @Sendable ([UInt8], inout Generator) -> [UInt8]?

    init(
        _ name: String, _ level: Level, _ body: @escaping @Sendable ([UInt8], inout Generator) -> [UInt8]?
    ) {
        self.name = name
        self.level = level
        self.body = body
    }

    /// The mutated bytes; nil where the mutation has nothing to work on in `bytes`.
    public func apply(to bytes: [UInt8], using generator: inout Generator) -> [UInt8]? { body(bytes, &generator) }
}

/// Mutates files with an eye on what they are.
public enum Mutator {
    /// All mutations there are.
    public static let mutations: [Mutation] =
        byteMutations + figureMutations + treeMutations + archiveMutations + shapeMutations + textMutations
        + streamMutations

    private static let levels: [Mutation.Level: [Mutation]] = Dictionary(grouping: mutations, by: \.level)

    /// Bytes that differ from `bytes` by one mutation, or a few.
    ///
    /// Those of the bytes, or the text, are the most frequent: they cost the least.
    public static func mutate(_ bytes: [UInt8], using generator: inout Generator) -> [UInt8] {
        var result = bytes
        repeat {
            let isXML = result.first == UInt8(ascii: "<")
            let isStream = StreamLayout.isStream(result)
            for _ in 0..<4 {
                let level: Mutation.Level =
                    isStream
                    ? (generator.once(in: 4) ? .bytes : .stream)
                    : !generator.once(in: 3) ? (isXML ? .text : .bytes) : generator.once(in: 2) ? .tree : .archive
                let choices = levels[level] ?? []
                guard let mutant = generator.pick(choices).apply(to: result, using: &generator) else { continue }
                result = mutant
                break
            }
        } while generator.once(in: 4)
        return result
    }
}

// MARK: - All of them

/// A file that differs from a seed in a way that has a name.
public struct Mutant: Sendable {
    /// The mutation, with the number that distinguishes it from others of its kind.
    public let name: String
    /// The bytes of the file.
    public let bytes: [UInt8]
}

extension Mutator {
    /// The file cut off at every length, and with a byte more.
    public static func truncations(of bytes: [UInt8]) -> some Sequence<Mutant> {
        (0...bytes.count).lazy.map { length in
            length == bytes.count
                ? Mutant(name: "a byte more", bytes: bytes + [0])
                : Mutant(name: "cut off at \(length)", bytes: Array(bytes[..<length]))
        }
    }

    /// The file with every single bit flipped, or every one of `step` bits.
    public static func bitFlips(of bytes: [UInt8], step: Int = 1) -> some Sequence<Mutant> {
        stride(from: 0, to: 8 * bytes.count, by: step).lazy.map { bit in
            var mutant = bytes
            mutant[bit / 8] ^= 1 << UInt8(bit % 8)
            return Mutant(name: "bit \(bit % 8) of byte \(bit / 8) flipped", bytes: mutant)
        }
    }

    /// Every figure of a binary property list's trailer as every number at some boundary.
    public static func trailers(of bytes: [UInt8]) -> [Mutant] {
        guard bytes.count > BinaryLayout.trailerSize else { return [] }
        let trailer = bytes.count - BinaryLayout.trailerSize
        var mutants: [Mutant] = []
        for (name, offset, size) in BinaryLayout.figures {
            for number in BinaryLayout.boundaries(fileSize: bytes.count) {
                var mutant = bytes
                mutant.store(number: number, size: size, at: trailer + offset)
                guard mutant != bytes else { continue }
                mutants.append(Mutant(name: "\(name) is \(number)", bytes: mutant))
            }
        }
        return mutants
    }

    /// `count` mutants by each of the mutations that have something to work on, the same ones for the same `seed`.
    public static func named(of bytes: [UInt8], count: Int, seed: UInt64) -> some Sequence<Mutant> {
        mutations.lazy.flatMap { mutation in
            (0..<count).lazy.compactMap { number in
                var generator = Generator(seed: seed &+ UInt64(number) &* 7919)
                return mutation.apply(to: bytes, using: &generator).map {
                    Mutant(name: "\(mutation.name), \(number)", bytes: $0)
                }
            }
        }
    }
}
