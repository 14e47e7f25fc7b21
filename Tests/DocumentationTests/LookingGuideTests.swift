import Archiving
import Foundation
import Testing

/// The code of docs/looking-into-archives.md, as it stands there; what else it says is tested in `LookingDocumentTests`.
@Suite("The code of the guide to looking into archives")
struct LookingGuideTests: DocumentedOutput {
    final class Owner: Codable {
        var name: String
        @WeakReference var farm: Farm?
    }

    final class Animal: Codable {
        var name: String
        var weight: Float
        var owner: Owner
    }

    final class Farm: Codable {
        var name: String
        var owner: Owner
        var animals: [Animal]
        var prices: [String: Double]
        var photo: Data
    }

    /// A farm as the document has it, put together by hand; sixteen objects, and a reference to one more if it is damaged.
    private static func data(owner: UInt32 = 3, photo: PropertyList = .data(Data([1, 2, 3]))) throws -> Data {
        func entry(_ name: PropertyList) -> PropertyList { ["$classname": name, "$classes": [name, "NSObject"]] }
        let list: PropertyList = [
            "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
            "$objects": [
                "$null",
                [
                    "name": .uid(2), "owner": .uid(owner), "animals": .uid(6), "prices": .uid(10), "photo": photo,
                    "document": .uid(14), "$class": .uid(13),
                ], "Green Hill", ["name": .uid(4), "farm": .uid(1), "$class": .uid(5)], "Ann", entry("Owner"),
                ["NS.objects": [.uid(7), .uid(8)], "$class": .uid(9)],
                ["name": "Bella", "weight": 612.5, "owner": .uid(3), "$class": .uid(12)],
                ["name": "Daisy", "weight": 480.25, "owner": .uid(3), "$class": .uid(12)], entry("NSArray"),
                ["NS.keys": ["milk"], "NS.objects": [1.5], "$class": .uid(11)], entry("NSDictionary"),
                entry("Animal"), entry("Farm"), .data(try ArchiveEncoder().encode(["title": "Inside"])), "unused",
            ],
        ]
        return try list.data()
    }

    private static func temporaryFile() throws -> URL {
        let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).archive")
        try data().write(to: url)
        return url
    }

    @Test("opens a file, and prints it")
    func beginning() throws {
        let url = try Self.temporaryFile()
        defer { try? FileManager.default.removeItem(at: url) }
        do {
            let archive = try KeyedArchive(contentsOf: url)

            print(archive.root.className ?? "no class")  // Farm
            print(archive.root["animals"]?[1]["name"]?.string ?? "no name")  // Daisy

            let owner = try archive.root["owner"]?.decode(Owner.self)
            #expect(owner?.name == "Ann")
        }
        do {
            let archive = try KeyedArchive(contentsOf: url)
            print(archive)
        }
        do {
            let archive = try KeyedArchive(contentsOf: url)
            for (key, value) in archive.root.fields {
                switch try value.foundationValue() {
                case .date(let date)?: print(key, date)
                case .rect(let x, let y, let width, let height)?: print(key, "\(width) × \(height) at \(x), \(y)")
                case .attributedString(let text)?:
                    for run in text.runs {
                        print(text.string[run.range], run.attributes["NSFont"]?["NSName"]?.string ?? "")
                    }
                case .dictionary(let entries)?: print(key, entries.map { $0.key.string ?? "?" })
                case let other?: print(key, other)
                case nil: print(key, value.className ?? "no object")
                }
            }
        }
    }

    @Test("walks, and finds leaves")
    func walking() throws {
        let archive = try KeyedArchive(Self.data())
        _ = archive.format  // .binary
        _ = archive.archiver  // "NSKeyedArchiver"; other programs have other names
        _ = archive.objects.count  // uids are below this
        _ = archive.classes.map(\.name)  // the classes that are described in it
        let animals = archive.root["animals"]  // by key: nil where there is none
        let bella = archive.root["animals"]?[0]  // by position: traps where there is none, as in an array; see count

        for animal in archive.root["animals"]?.elements ?? archive.root.elements {
            print(animal["name"]?.string ?? "")
        }
        for (key, price) in archive.root["prices"]?.entries ?? archive.root.entries {
            print(key.string ?? "", price.double ?? 0)
        }
        for (key, value) in archive.root.fields {
            print(key, value.kind)
        }
        #expect(animals?.count == 2 && bella?["name"]?.string == "Bella")
        _ = archive["root", "animals", 1, "name"]?.string  // "Daisy"

        if let daisy = archive.root["animals"]?[1], let path = archive.path(to: daisy) {
            print(path)  // root.animals[1]
            print(archive[path] == daisy)  // true
        }
        _ = archive.root["name"]?.string  // "Green Hill"
        _ = archive.root["animals"]?[0]["weight"]?.float  // 612.5
        _ = archive.root["name"]?.integer  // nil
        _ = archive.root["owner"] == archive.root["animals"]?[0]["owner"]  // true: one owner
        _ = archive.root["owner"]?.uid  // its number, 3 perhaps
        _ = archive.root["owner"]?["farm"] == archive.root  // true: cycles are no trouble
        do {
            let references = try archive.references()
            if let owner = archive.root["owner"] {
                print(references.count(of: owner))  // 3
                print(references.owners(of: owner).map { $0.className ?? "" })  // ["Farm", "Animal", "Animal"]
                print(owner.reach.objects.count, owner.reach.byteCount)
            }
        }
        let owner = try archive.root["owner"]?.decode(Owner.self)
        let weights = try archive.root["animals"]?.elements.map { try $0["weight"]?.decode(Float.self) }
        let prices = try archive.root["prices"]?.decode([String: Double].self)
        #expect(owner?.name == "Ann" && weights == [612.5, 480.25] && prices == ["milk": 1.5])
        if let data = archive.root["document"], data.mayBeArchive {
            let document = try data.openArchive()
            print(document.root["title"]?.string ?? "")
        }
    }

    @Test("says what is damaged")
    func damage() throws {
        let archive = try KeyedArchive(Self.data(owner: 99))
        let owner = archive.root["owner"]
        if let damage = owner?.damage {
            print(damage)  // The keyed archive is damaged: uid 99 is referenced, but there are only 16 objects
        }
        #expect(owner?.damage != nil)
    }

    @Test("prints with options, to a stream of one's own")
    func dumping() throws {
        struct StandardOutput: TextOutputStream {
            var text = ""
            mutating func write(_ string: String) { text += string }
        }
        let archive = try KeyedArchive(Self.data())
        var output = StandardOutput()  // a TextOutputStream of yours
        archive.dump(to: &output, options: KeyedArchive.DumpOptions(byteLimit: 64, depthLimit: 3, listsClasses: true))
        #expect(output.text.hasPrefix("Keyed archive by NSKeyedArchiver, binary, 16 objects"))
        archive.dump(to: &output, textOfData: { data in (try? KeyedArchive(data))?.description })
        #expect(output.text.contains("\"Inside\""))
    }
}
