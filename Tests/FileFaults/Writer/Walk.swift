import Archiving
import FileFaultContent

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Looks at all of an archive that somebody else changes meanwhile. What is in it may be anything; that this goes on is the
/// point.
struct Walk {
    let file: URL

    /// What there is to do with an archive that is open.
    enum Way: CaseIterable {
        case objects, paths, dump, validation, parts, reach, whole, bytes
    }

    /// How often a pass has had what it asked for, and how often an error.
    struct Outcome {
        var values = 0
        var errors = 0

        mutating func count(_ body: () throws -> Void) {
            do {
                try body()
                values += 1
            } catch {
                errors += 1
            }
        }

        mutating func count(_ value: KeyedArchive.Value) { value.damage == nil ? (values += 1) : (errors += 1) }
    }

    /// Opens the archive for each pass, and goes all ways at once.
    func run(passes: Int) async {
        say("ready")
        for pass in 0..<passes {
            var total = Outcome()
            do {
                let archive = try KeyedArchive(contentsOf: file)
                await withTaskGroup(of: Outcome.self) { group in
                    for way in Way.allCases { group.addTask { go(way, archive) } }
                    for await outcome in group {
                        total.values += outcome.values
                        total.errors += outcome.errors
                    }
                }
            } catch {
                total.errors += 1
            }
            say("pass \(pass) values \(total.values) errors \(total.errors)")
        }
    }

    private func go(_ way: Way, _ archive: KeyedArchive) -> Outcome {
        var outcome = Outcome()
        switch way {
        case .objects:
            for object in archive.objects {
                outcome.count(object)
                for field in object.fields { outcome.count(field.value) }
                for element in object.elements { outcome.count(element) }
                _ = (object.className, object.string, object.data, object.integer, object.double)
            }
        case .paths:
            for index in archive.root["items"]?.elements.indices ?? 0..<0 {
                guard let item = archive["root", "items", .index(index), "owner", "name"] else { continue }
                outcome.count(item)
            }
        case .dump:
            var text = Discarding()
            archive.dump(to: &text)
            outcome.values += text.count
        case .validation:
            outcome.count { try archive.validate() }
            outcome.errors += archive.problems().count
        case .parts:
            for item in archive.root["items"]?.elements ?? archive.top.elements {
                outcome.count { _ = try item["owner"]?.decode(Catalogue.Owner.self) }
                outcome.count { _ = try item["tags"]?.decode([String: Double].self) }
            }
        case .reach:
            outcome.values += archive.root.reach.objects.count + archive.unreachableObjects.count
            outcome.count { _ = try archive.references() }
        case .whole:
            outcome.count { _ = try ArchiveDecoder().decode(Catalogue.self, from: file) }
            outcome.count { _ = try archive.root.decode(Catalogue.self) }
        case .bytes:
            outcome.count { _ = try archive.data(format: .binary).reduce(0) { $0 ^ $1 } }
            outcome.count { _ = try archive.data(format: .xml) }
            outcome.count { _ = try KeyedArchiveEditor(archive).data() }
        }
        return outcome
    }

    /// Counts text, and forgets it.
    private struct Discarding: TextOutputStream {
        var count = 0

        mutating func write(_ string: String) { count += string.utf8.count }
    }
}
