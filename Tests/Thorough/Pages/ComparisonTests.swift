// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// What docs/comparison.md says of Foundation, and of this library beside it, as far as it can be tried here.
@Suite(.inTurn)
struct `The comparison` {
    private final class Link: Codable {
        var name = "link"
        @Reference var next: Link?
    }

    private class Animal: Codable {}
    private final class Dog: Animal {}

    @Test func `says that JSON and property lists make two of one instance`() throws {
        let link = Link()
        let json = try JSONDecoder().decode([Link].self, from: JSONEncoder().encode([link, link]))
        #expect(json[0] !== json[1])
        let list = try PropertyListDecoder().decode([Link].self, from: PropertyListEncoder().encode([link, link]))
        #expect(list[0] !== list[1])
        let archive = try ArchiveDecoder().decode([Link].self, from: ArchiveEncoder().encode([link, link]))
        #expect(archive[0] === archive[1])
    }

    @Test func `says that an archive is smaller than JSON if long strings repeat`() throws {
        let texts = Array(repeating: String(repeating: "text", count: 100), count: 100)
        #expect(try ArchiveEncoder().encode(texts).count < JSONEncoder().encode(texts).count)
    }

    @Test func `says that JSON and property lists make an animal of a dog`() throws {
        let animals: [Animal] = [Dog()]
        let json = try JSONDecoder().decode([Animal].self, from: JSONEncoder().encode(animals))
        #expect(!(json[0] is Dog))
        let list = try PropertyListDecoder().decode([Animal].self, from: PropertyListEncoder().encode(animals))
        #expect(!(list[0] is Dog))
        var decoder = ArchiveDecoder()
        decoder.classes.register(Dog.self)
        #expect(try decoder.decode([Animal].self, from: ArchiveEncoder().encode(animals))[0] is Dog)
    }

    @Test func `says that JSON wants a strategy for infinity, and property lists a collection at the top`() throws {
        #expect(throws: EncodingError.self) { try JSONEncoder().encode([Double.infinity]) }
        #expect(throws: EncodingError.self) { try PropertyListEncoder().encode(3) }
        let archive = try ArchiveEncoder().encode(Double.infinity)
        #expect(try ArchiveDecoder().decode(Double.self, from: archive) == .infinity)
    }

    @Test func `says that a cycle ends a process that encodes it as JSON or as a property list`() async throws {
        await #expect(processExitsWith: .failure) {
            let link = Link()
            link.next = link
            _ = try JSONEncoder().encode(link)
        }
        await #expect(processExitsWith: .failure) {
            let link = Link()
            link.next = link
            _ = try PropertyListEncoder().encode(link)
        }
        let link = Link()
        link.next = link
        let again = try ArchiveDecoder().decode(Link.self, from: ArchiveEncoder().encode(link))
        #expect(again.next === again)
        (link.next, again.next) = (nil, nil)
    }

    @Test func `says that JSON that is nested too deep is an error, and an archive as well`() throws {
        indirect enum Nested: Codable {
            case list([Nested])
            init(from decoder: any Decoder) throws {
                var (container, list) = (try decoder.unkeyedContainer(), [Nested]())
                while !container.isAtEnd { list.append(try container.decode(Nested.self)) }
                self = .list(list)
            }
        }
        let json = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Nested.self, from: Data(json.utf8)) }

        let deep = (1...20_000).map {
            PropertyList.dictionary(["NS.objects": [.uid(UInt32($0) + 1)], "$class": .uid(20_002)])
        }
        let end: [PropertyList] = [["NS.objects": [], "$class": .uid(20_002)], classEntry("NSArray")]
        let archive = try handmadeArchive(objects: deep + end)
        #expect(throws: DecodingError.self) { try ArchiveDecoder().decode(Nested.self, from: archive) }
    }

    @Test func `says that NSKeyedArchiver keeps a shared instance, and that its files are read here`() throws {
        let badge = Badge(label: "New")
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: NSArray(array: [badge, badge]), requiringSecureCoding: true)
        let again = try NSKeyedUnarchiver.unarchivedObject(ofClasses: [NSArray.self, Badge.self], from: data)
        let badges = try #require(again as? [Badge])
        #expect(badges[0] === badges[1])
        // The same file here.
        let here = try KeyedUnarchiver.unarchivedObject(of: [Badge].self, from: data)
        #expect(here[0] === here[1] && here[0].label == "New")
    }

    @Test func `has the figures of speed and size of docs/performance.md`() throws {
        let figures = try Repository.text(of: "docs/performance.md")
        let comparison = try Repository.text(of: "docs/comparison.md")
        #expect(figures.contains("from 1.5 times") && figures.contains("43 to\n85 times"))
        #expect(comparison.contains("1.5 to 85 times faster"))
        // The smallest and the largest of the last column of the first table.
        let table = try #require(figures.firstRange(of: "| workload   |   encode | json ÷"))
        let rows = figures[table.lowerBound...].split(separator: "\n").prefix { $0.hasPrefix("|") }
        let sizes = rows.dropFirst(2).compactMap { row in
            row.split(separator: "|").last.flatMap { Double($0.trimmingCharacters(in: .whitespaces)) }
        }
        #expect(sizes.count == 33)
        let (smallest, largest) = (try #require(sizes.min()), try #require(sizes.max()))
        #expect(comparison.contains("from \(smallest) (") && comparison.contains("to \(largest) ("))
    }
}

/// `NSKeyedArchiver` needs a class with a name of its own.
final class Badge: NSObject, NSSecureCoding, Coding {
    static let supportsSecureCoding = true
    let label: String

    init(label: String) { self.label = label }

    init?(coder: NSCoder) {
        guard let label = coder.decodeObject(of: NSString.self, forKey: "label") else { return nil }
        self.label = label as String
    }

    func encode(with coder: NSCoder) { coder.encode(label as NSString, forKey: "label") }

    init(coder: KeyedUnarchiver) throws { label = try coder.decode(String.self, forKey: "label") }

    func encode(with coder: KeyedArchiver) throws { coder.encode(label, forKey: "label") }
}
