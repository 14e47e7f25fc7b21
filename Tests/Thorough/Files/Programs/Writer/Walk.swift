// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Dispatch
import FileFaultContent
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Visits an archive while another program changes it. The contents may be anything; the test is that the visit continues.
struct Walk {
    let file: URL

    /// What there is to do with an archive that is open.
    enum Way: CaseIterable, Sendable {
        case objects, paths, dump, validation, parts, reach, whole, bytes
    }

    /// The number of passes that succeeded, and of those that failed.
    struct Outcome: Sendable {
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

        mutating func count(_ value: KeyedArchive.Value) {
            if value.damage == nil {
                values += 1
            } else {
                errors += 1
            }
        }
    }

    /// Opens the archive for each pass, and goes three ways at once, other ones in each. There are as many passes as said,
    /// and more until there is a file at `end`.
    func run(passes: Int, until end: String?) {
        say("ready")
        var pass = 0
        while pass < passes || end.map({ !FileManager.default.fileExists(atPath: $0) }) == true {
            let first = pass
            let total = Mutex(Outcome())
            if let archive = try? KeyedArchive(contentsOf: file) {
                DispatchQueue.concurrentPerform(iterations: 3) { index in
                    let outcome = go(Way.allCases[(first + index) % Way.allCases.count], archive)
                    total.withLock {
                        $0.values += outcome.values
                        $0.errors += outcome.errors
                    }
                }
            } else {
                total.withLock { $0.errors += 1 }
            }
            pass += 1
            total.withLock { say("pass \(first) values \($0.values) errors \($0.errors)") }
        }
    }

    private func go(_ way: Way, _ archive: KeyedArchive) -> Outcome {
        var outcome = Outcome()
        switch way {
        case .objects:
            // Not all: there are changes to be met.
            for uid in stride(from: 0, to: archive.objects.count, by: 10) {
                let object = archive.objects[uid]
                outcome.count(object)
                for field in object.fields { outcome.count(field.value) }
                for element in object.elements { outcome.count(element) }
                _ = (object.className, object.string, object.data, object.integer, object.double)
            }
        case .paths:
            for index in stride(from: 0, to: archive.root["items"]?.count ?? 0, by: 10) {
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
            let items = archive.root["items"]?.elements ?? archive.top.elements
            for index in stride(from: 0, to: items.count, by: 10) {
                let item = items[index]
                outcome.count { _ = try item["owner"]?.decode(Catalogue.Owner.self) }
                outcome.count { _ = try item["tags"]?.decode([String: Double].self) }
            }
        case .reach:
            outcome.values += archive.root.reachableObjects.count + archive.unreachableObjects.count
            outcome.count { _ = try archive.references() }
        case .whole:
            outcome.count { _ = try ArchiveDecoder().decode(Catalogue.self, from: file) }
            outcome.count { _ = try archive.root.decode(Catalogue.self) }
        case .bytes:
            outcome.count { _ = try archive.data(format: .binary).reduce(0) { $0 ^ $1 } }
            outcome.count { _ = try archive.data(format: .xml) }
            outcome.count { _ = try KeyedArchiveEditor(archive).propertyList.data() }
        }
        return outcome
    }

    /// Counts text, and forgets it.
    private struct Discarding: TextOutputStream {
        var count = 0

        mutating func write(_ string: String) { count += string.utf8.count }
    }
}
