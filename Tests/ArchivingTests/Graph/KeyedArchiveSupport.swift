import Archiving
import Foundation
import Testing

/// A binary archive of which every byte is chosen.
///
/// The objects 0 to 11 of its property list are the root, its keys "$archiver", "$objects", "$top" and "$version", the
/// values of those in this order from 5 to 8 ($objects is 6, $top is 7), "$null" (9), "root" (10) and uid 1 (11). The
/// objects of the tests begin at 12. References take one byte.
struct ByteArchive {
    /// The objects from 12 on.
    var objects: [[UInt8]]
    /// What `$objects` refers to behind "$null".
    var slots: [UInt8]
    /// `$top`: root is uid 1, unless something else is set.
    var top: [UInt8] = hex("D1 0A 0B")

    init(slots: [UInt8], _ objects: [UInt8]...) {
        self.objects = objects
        self.slots = slots
    }

    var file: BinaryFile {
        var file = BinaryFile(
            hex("D4 01 02 03 04 05 06 07 08"), ascii("$archiver"), ascii("$objects"), ascii("$top"), ascii("$version"),
            ascii("NSKeyedArchiver"), container(0xA0, count: slots.count + 1) + [9] + slots, top, hex("12 00 01 86 A0"),
            ascii("$null"), ascii("root"), hex("80 01"))
        file.objects += objects
        file.offsetSize = 4
        return file
    }

    func open() throws -> KeyedArchive { try KeyedArchive(Data(file.bytes)) }
}

/// The object of the string `text`.
func ascii(_ text: String) -> [UInt8] { container(0x50, count: text.utf8.count) + Array(text.utf8) }

/// The marker of an object of `count` elements, and the count.
func container(_ marker: UInt8, count: Int) -> [UInt8] {
    count < 15 ? [marker | UInt8(count)] : [marker | 15, 0x12] + BinaryFile.number(UInt64(count), size: 4)
}

/// Everything that can be asked of an archive, asked of every value in it.
struct ArchiveSurvey {
    /// All values that were met.
    private(set) var values: [KeyedArchive.Value] = []
    /// What is wrong with those that are damaged.
    private(set) var damage: [KeyedArchiveError] = []
    /// Values of which one accessor says something else than another.
    private(set) var contradictions: [KeyedArchive.Value] = []

    init(_ archive: KeyedArchive) {
        var known: Set<KeyedArchive.Value> = []
        var remaining = [archive.top, archive.root] + archive.objects
        while let value = remaining.popLast() {
            guard known.insert(value).inserted else { continue }
            values.append(value)
            remaining += Self.parts(of: value)
            askForLeaves(value)
            if let error = value.damage { damage.append(error) }
            if !Self.isConsistent(value) { contradictions.append(value) }
        }
        askAbout(archive)
    }

    /// What is inside `value`, by every way that leads there.
    private static func parts(of value: KeyedArchive.Value) -> [KeyedArchive.Value] {
        var parts = value.fields.map(\.value) + value.elements
        for (position, entry) in value.entries.enumerated() {
            parts += [entry.key, entry.value, value.entries[position].value]
        }
        for key in value.keys { parts += value[key].map { [$0] } ?? [] }
        return parts
    }

    private static func isConsistent(_ value: KeyedArchive.Value) -> Bool {
        let counts = Set([value.elements.count, value.entries.count, value.fields.count].filter { $0 > 0 })
        return (value.damage != nil) == (value.kind == .damaged) && (value.isNull == (value.kind == .null))
            && (value.elements.isEmpty || value.entries.isEmpty && value.count == value.elements.count)
            && (value.entries.isEmpty || value.count == value.entries.count)
            && (value.count == 0 || counts.contains(value.count))
            && (value.className == nil) == (value.class == nil)
            && value.keys.allSatisfy { value[$0] != nil || $0.contains("\u{FFFD}") }
            && (value.kind == .object || value.className == nil)
    }

    private func askForLeaves(_ value: KeyedArchive.Value) {
        _ = (value.boolean, value.integer, value.wideInteger, value.double, value.float, value.string, value.date)
        _ = (value.isNull, value.uid, value.class, value.className, value.classChain, value.describedClass)
        _ = (value.data, value.mayBeArchive, try? value.openArchive(), value.reach)
    }

    private func askAbout(_ archive: KeyedArchive) {
        _ = (archive.format, archive.archiver, archive.classes, archive.unreachableObjects, archive.problems())
        _ = (try? archive.data(format: .xml), try? archive.data(format: .binary))
        guard let references = try? archive.references() else { return }
        for object in archive.objects {
            #expect(references.owners(of: object).count <= references.count(of: object))
        }
        if let last = values.last { _ = archive.path(to: last) }
    }
}
