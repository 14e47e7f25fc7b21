// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// A view that is read without publishing itself: the way back is a reference that waits.
private final class WaitingView: Coding {
    let title: String
    let subviews: [WaitingView]
    let waitingSuperview: WeakReference<WaitingView>
    var superview: WaitingView? { waitingSuperview.wrappedValue }

    init(coder: KeyedUnarchiver) throws {
        title = try coder.decode(String.self, forKey: "title")
        waitingSuperview = try coder.decode(WeakReference<WaitingView>.self, forKey: "superview")
        subviews = try coder.decode([WaitingView].self, forKey: "subviews")
    }

    func encode(with coder: KeyedArchiver) throws {}
}

extension `GNUstep and Coding classes` {
    @Test func `items come out as one where they were one`() throws {
        let items = try unarchiver("items.archive").decode([PeerItem].self, forKey: "root")
        #expect(items.map(\.name) == ["Rusty Spork ☃", "Shiny Mac", "Rusty Spork ☃"])
        #expect(items.map(\.serialNumber) == [nil, "1A2B3C4D", nil])
        #expect(items.map(\.valueInDollars) == [42, -9_000_000_000, 42])
        #expect(items.map(\.dateCreated) == [Self.date, Self.date, Self.date])
        #expect(items[0] === items[2] && items[0] !== items[1])
    }

    @Test func `views come out with their superviews`() throws {
        let root = try unarchiver("views.archive").decode(PeerView.self, forKey: "root")
        #expect(root.title == "root" && root.alpha == 1 && !root.hidden && root.superview == nil)
        #expect(root.subviews.map(\.title) == ["child 0", "child 1", "child 2"])
        #expect(root.subviews.map(\.alpha) == [0, 0.25, 0.5])
        #expect(root.subviews.map(\.hidden) == [false, true, false])
        #expect(root.subviews.allSatisfy { $0.superview === root && $0.subviews.isEmpty })
    }

    @Test func `views come out with superviews that they wait for`() throws {
        let data = try GNUstepPeers.archive("views.archive")
        let classes = ClassRegistry(["View": WaitingView.self])
        let root = try KeyedUnarchiver.unarchivedObject(of: WaitingView.self, from: data, classes: classes)
        #expect(root.superview == nil && root.subviews.map(\.title) == ["child 0", "child 1", "child 2"])
        #expect(root.subviews.allSatisfy { $0.superview === root })
    }

    @Test func `a superview without an unconditional reference is nil`() throws {
        let unarchiver = try unarchiver("orphan.archive")
        let orphan = try unarchiver.decode(PeerView.self, forKey: "root")
        #expect(orphan.title == "child 1" && orphan.superview == nil)
        #expect(unarchiver.archivedClassName(forKey: "root") == "View")
    }

    @Test func `several keys of an XML archive refer to their objects`() throws {
        let unarchiver = try unarchiver("multi.xml.archive")
        let first = try unarchiver.decode(PeerItem.self, forKey: "first")
        let second = try unarchiver.decode(PeerItem.self, forKey: "second")
        #expect(first.name == "Rusty Spork ☃" && second.serialNumber == "1A2B3C4D")
        // GNUstep writes a date of the property list, and one in XML has no fraction.
        #expect(first.dateCreated == Date(timeIntervalSinceReferenceDate: 531_000_000))
        #expect(try unarchiver.decodeInteger(forKey: "count") == 5)
        #expect(try unarchiver.decode(PeerItem.self, forKey: "$dollar") === first)
        #expect(Set(unarchiver.allKeys) == ["first", "second", "count", "$dollar"])
        #expect(!unarchiver.containsValue(forKey: "root"))
    }

    /// Every value of the dictionary at the root becomes a top-level object of its own.
    private func values() throws -> KeyedUnarchiver {
        guard case .dictionary(var archive) = try PropertyList(GNUstepPeers.archive("values.archive")),
            case .uid(let root)? = archive["$top"]?["root"], let dictionary = archive["$objects"]?[Int(root)],
            case .array(let keys)? = dictionary["NS.keys"], case .array(let values)? = dictionary["NS.objects"]
        else { throw CocoaError(.coderReadCorrupt) }
        let names = keys.map { key -> String in
            guard case .uid(let uid) = key, case .string(let name)? = archive["$objects"]?[Int(uid)] else { return "?" }
            return name
        }
        archive["$top"] = .dictionary(.init(zip(names, values).map { (key: $0, value: $1) }))
        return try KeyedUnarchiver(forReadingFrom: PropertyList.dictionary(archive).data())
    }

    @Test func `values of Foundation's classes come out as Swift's`() throws {
        let values = try values()
        #expect(try values.decodeIfPresent(String.self, forKey: "s") == "text")
        #expect(try values.decodeIfPresent(String.self, forKey: "ms") == "mut")
        #expect(values.archivedClassName(forKey: "s") == nil)
        #expect(values.archivedClassName(forKey: "ms") == "NSMutableString")
        #expect(try values.decodeInteger(forKey: "i") == 7)
        #expect(try values.decodeDouble(forKey: "d") == 2.5)
        #expect(try values.decodeBool(forKey: "b"))
        // GNUstep writes 64 bits with a sign: what was UInt64.max is -1, and no UInt64.
        #expect(try values.decodeIfPresent(Int64.self, forKey: "u64") == -1)
        #expect(throws: ArchivingError.self) { try values.decode(UInt64.self, forKey: "u64") }
        #expect(try values.decodeIfPresent(Data.self, forKey: "data") == Data([0, 1, 2, 255]))
        #expect(try values.decodeIfPresent(Date.self, forKey: "date") == Date(timeIntervalSinceReferenceDate: 1e9))
        #expect(try values.decode(URL.self, forKey: "url") == URL(string: "https://example.org/a?b=c"))
        #expect(
            try values.decode(UUID.self, forKey: "uuid") == UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        #expect(values.archivedClassName(forKey: "dec") == "NSDecimalNumber")
        #expect(try values.decode(Decimal.self, forKey: "dec") == Decimal(string: "12345.6789"))
        #expect(try values.decode(Set<String>.self, forKey: "set") == ["x", "y"])
        #expect(values.archivedClassName(forKey: "null") == "NSNull")
        #expect(values.archivedClassName(forKey: "empty") == "NSArray")
        let empty = try values.decodeObject(of: [[Any].self, [AnyHashable: Any].self], forKey: "empty") as? [Any]
        #expect((empty?.first as? [Any])?.isEmpty == true && (empty?.last as? [AnyHashable: Any])?.isEmpty == true)
    }
}
