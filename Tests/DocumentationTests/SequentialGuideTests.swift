import Archiving
import Foundation
import Testing

/// The code of docs/sequential-archives.md and docs/typedstream-format.md, as it stands there; what else they say is tested
/// in `SequentialDocumentTests` and `TypedStreamDocumentTests`.
@Suite("The code of the guides to sequential archives")
struct SequentialGuideTests: DocumentedOutput {
    @Test("reads the text of a message")
    func message() throws {
        let attributedBody = try SequentialSamples.attributedBody()
        let text = try AttributedText(attributedBody)
        print(text.string)
        for mention in text.mentions { print(text.string[mention.range], mention.value) }  // Bo bo@example.com
        for link in text.links { print(link.value) }  // https://example.com
        for file in text.attachments { print(file.value) }  // at_0_1
    }

    @Test("has a landmark with versions")
    func landmark() throws {
        class Landmark: SequentialCoding {
            var name: String
            var height: Double

            class var classVersion: Int { 2 }

            required init(coder: SequentialUnarchiver) throws {
                name = try coder.decode(String.self)
                // Version 1 had whole metres.
                height =
                    coder.version(of: Landmark.self) == 1
                    ? Double(try coder.decode(Int32.self)) : try coder.decode(Double.self)
            }

            func encode(with coder: SequentialArchiver) throws {
                try coder.encode(name)
                try coder.encode(height)
            }
        }
        /// Landmarks as they were in version 1.
        final class OldLandmark: SequentialCoding, ArchiveNamed {
            static let archiveName = "Landmark"
            class var classVersion: Int { 1 }
            init() {}
            init(coder: SequentialUnarchiver) throws { throw CocoaError(.coderReadCorrupt) }
            func encode(with coder: SequentialArchiver) throws {
                try coder.encode("tower")
                try coder.encode(Int32(12))
            }
        }
        let old = try SequentialArchiver.archivedData(withRootObject: OldLandmark())
        let landmark = try SequentialUnarchiver.unarchivedObject(of: Landmark.self, from: old)
        #expect(landmark.name == "tower" && landmark.height == 12)
        let new = try SequentialArchiver.archivedData(withRootObject: landmark)
        #expect(try SequentialUnarchiver.unarchivedObject(of: Landmark.self, from: new).height == 12)
    }

    final class View: SequentialCoding {
        var title: String
        var subviews: [View] = []
        weak var superview: View?

        init(title: String) { self.title = title }

        func encode(with coder: SequentialArchiver) throws {
            try coder.encode(title)
            try coder.encode(subviews)
            try coder.encodeConditional(superview)
        }

        required init(coder: SequentialUnarchiver) throws {
            title = try coder.decode(String.self)
            coder.publish(self)  // all stored properties have a value
            subviews = try coder.decode([View].self)  // each of them refers to this one
            superview = try coder.decode(View?.self)
        }
    }

    @Test("publishes a view before its subviews are there")
    func views() throws {
        let view = View(title: "all")
        view.subviews = [View(title: "one"), View(title: "two")]
        for subview in view.subviews { subview.superview = view }
        let data = try SequentialArchiver.archivedData(withRootObject: view)
        let again = try SequentialUnarchiver.unarchivedObject(of: View.self, from: data)
        #expect(again.subviews.map(\.title) == ["one", "two"])
        #expect(again.subviews.allSatisfy { $0.superview === again })
    }

    @Test("prints, searches and changes a typedstream")
    func typedStream() throws {
        let data = SequentialSamples.hello
        do {
            let stream = try TypedStream(data)
            print(stream)
            let shown = try MarkdownPage(path: "docs/typedstream-format.md").blocks.first {
                $0.lines.first?.hasPrefix("Typedstream of version") == true
            }
            #expect(stream.description == shown?.lines.joined(separator: "\n"))
        }
        do {
            let stream = try TypedStream(data)
            for object in stream.objects where stream.className(of: object) == "NSMutableString" {
                let text = String(decoding: object.groups[0].values[0].bytes ?? [], as: UTF8.self)
                print(text)
            }
        } catch {
            print(error.code == .truncated, error.byteOffset ?? 0)
        }
        do {
            var stream = try TypedStream(data)
            stream.objects[0].groups[0].values[0] = .bytes(Array("Goodbye".utf8))
            let changed = try stream.data()
            let expected = Data(data.dropLast(7)) + Data([0x07]) + Data("Goodbye".utf8) + Data([0x86])
            #expect(changed == expected)
        }
    }

    @Test("has a place that is read from an old file and saved with keys")
    func places() throws {
        /// What wrote the old file.
        final class OldPlace: SequentialCoding, ArchiveNamed {
            static let archiveName = "Place"
            init() {}
            init(coder: SequentialUnarchiver) throws { throw CocoaError(.coderReadCorrupt) }
            func encode(with coder: SequentialArchiver) throws {
                try coder.encode("lake")
                try coder.encode(Int32(3))
            }
        }
        let oldFile = try SequentialArchiver.archivedData(withRootObject: [OldPlace()])
        final class Place: SequentialCoding, Coding {
            var name: String
            var visits: Int

            // The old files.
            init(coder: SequentialUnarchiver) throws {
                name = try coder.decode(String.self)
                visits = try coder.decode(Int.self)
            }

            func encode(with coder: SequentialArchiver) throws {
                try coder.encode(name)
                try coder.encode(Int32(visits))
            }

            // The new ones.
            init(coder: KeyedUnarchiver) throws {
                name = try coder.decode(String.self, forKey: "name")
                visits = try coder.decodeInteger(forKey: "visits")
            }

            func encode(with coder: KeyedArchiver) throws {
                coder.encode(name, forKey: "name")
                coder.encode(visits, forKey: "visits")
            }
        }

        let places = try SequentialUnarchiver.unarchivedObject(of: [Place].self, from: oldFile)
        let archiver = KeyedArchiver()
        try archiver.encode(places, forKey: "places")
        let newFile = try archiver.finishEncoding()
        #expect(places.map(\.name) == ["lake"])
        #expect(try KeyedArchive(newFile).top["places"]?[0]["visits"]?.integer == 3)
    }
}
