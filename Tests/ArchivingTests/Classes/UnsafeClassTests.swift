import Archiving
import Foundation
import TestSupport
import Testing

private class Unsafe: Coding {
    class var supportsSecureCoding: Bool { false }

    init() {}
    required init(coder: KeyedUnarchiver) throws { CreationLog.note(Self.self, coder.userInfo) }
    func encode(with coder: KeyedArchiver) throws {}
}

private final class Safe: Unsafe {
    override class var supportsSecureCoding: Bool { true }
}

@Suite(.inTurn) struct `A class that does not support secure coding` {
    /// An unarchiver, and what it makes.
    private func open(_ data: Data, requiringSecureCoding: Bool = true) throws -> (KeyedUnarchiver, CreationLog) {
        let unarchiver = try keyedUnarchiver(
            data, requiringSecureCoding: requiringSecureCoding, registering: [Safe.self, Unsafe.self])
        let log = CreationLog()
        unarchiver.userInfo[CreationLog.key] = log
        return (unarchiver, log)
    }

    @Test func `is not archived beside a subclass that does, nor in a Codable value`() throws {
        struct Box: Codable {
            @Coded var unsafe: [Unsafe]
        }
        let error = try archivingError { try KeyedArchiver().encode([Safe(), Unsafe()], forKey: "all") }
        #expect(error.code == .notSecure && error.codingPath.text == "all[1]" && "\(error)".contains("Unsafe"))
        let box = Box(unsafe: [Unsafe()])
        #expect(try archivingError { try KeyedArchiver().encode(box, forKey: "box") }.code == .notSecure)
    }

    @Test(arguments: [false, true])
    func `is not archived in the place of another, also where conditional references came first`(
        conditionalFirst: Bool
    ) throws {
        final class Original: Coding {
            let unsafe = Unsafe()
            init() {}
            init(coder: KeyedUnarchiver) throws {}
            func encode(with coder: KeyedArchiver) throws {}
            func replacementObject(for coder: KeyedArchiver) -> (any Coding)? { unsafe }
        }
        let original = Original()
        let error = try archivingError {
            try keyedArchive {
                if conditionalFirst { try $0.encodeConditional(original, forKey: "weak") }
                try $0.encode(original, forKey: "one")
            }
        }
        #expect(error.code == .notSecure)
        let direct = try archivingError {
            try keyedArchive {
                if conditionalFirst { try $0.encodeConditional(original, forKey: "weak") }
                try $0.encode(original.unsafe, forKey: "one")
            }
        }
        #expect(direct.code == .notSecure)
    }

    @Test func `is not made, unless that is allowed`() throws {
        let data = try keyedArchive(requiringSecureCoding: false) {
            try $0.encode(Unsafe(), forKey: "one")
            try $0.encode([Safe(), Unsafe()], forKey: "all")
        }
        let (unarchiver, log) = try open(data)
        let error = try unarchivingError { try unarchiver.decode(Unsafe.self, forKey: "one") }
        #expect(error.code == .notSecure && error.codingPath.text == "one" && "\(error)".contains("Unsafe"))
        #expect(
            try unarchivingError { try unarchiver.decodeObject(of: [Unsafe.self], forKey: "one") }.code == .notSecure)
        #expect(log.all.isEmpty)
        #expect(try unarchivingError { try unarchiver.decode([Unsafe].self, forKey: "all") }.code == .notSecure)
        #expect(log.all == ["Safe"])
        let (trusting, made) = try open(data, requiringSecureCoding: false)
        #expect(try trusting.decode([Unsafe].self, forKey: "all").count == 2 && made.all == ["Safe", "Unsafe"])
    }
}
