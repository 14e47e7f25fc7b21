import Archiving
import Foundation
import Testing

/// Property lists that say more than they hold.
@Suite struct `A property list that is hostile` {
    /// `levels` lists, each of which has the one before it `width` times.
    private static func unfolding(_ levels: Int, _ width: Int) -> Data {
        RawArchive.data { archive in
            (0..<levels).reduce(archive.array([])) { inner, _ in archive.array(Array(repeating: inner, count: width)) }
        }
    }

    @Test(arguments: [(40, 2), (4, 2000)])
    func `unfolds to no more than 16 MiB, and 128 bytes for each of its own`(levels: Int, width: Int) {
        let data = Self.unfolding(levels, width)
        #expect(throws: PropertyListError.self) { try PropertyList(data) }
        do {
            _ = try PropertyList(data)
        } catch {
            #expect(error.code == .tooLarge && error.found == 16 << 20 + 128 * data.count)
        }
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `is 512 levels deep, and no more`(format: PropertyListFormat) throws {
        // The root is one of them, `$objects` another.
        for (levels, isRead) in [(509, true), (510, true), (511, false)] {
            var list: PropertyList = []
            for _ in 1..<levels { list = [list] }
            let data: Data
            switch format {
            case .binary:
                data = RawArchive.data { archive in
                    archive.object(
                        (1..<levels).reduce(archive.array([archive.integer(1)])) { inner, _ in archive.array([inner]) })
                }
            case .xml:
                let text =
                    String(repeating: "<array>", count: levels + 2)
                    + String(repeating: "</array>", count: levels + 2)
                data = Data("<plist>\(text)</plist>".utf8)
            }
            let outcome = Result { () throws(PropertyListError) in try PropertyList(data) }
            switch outcome {
            case .success: #expect(isRead, "\(levels)")
            case .failure(let error):
                #expect(!isRead && error.code == .nestedTooDeep && error.found == 512, "\(levels): \(error)")
            }
        }
    }

    private static func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    /// What stands in an XML property list.
    struct Text: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let isRead: Bool

        init(_ name: String, _ text: String, _ isRead: Bool) {
            testDescription = name
            self.text = text
            self.isRead = isRead
        }
    }

    /// Texts of which each part may be looked at once.
    static let texts: [Text] = [
        Text("an integer of many digits", "<integer>\(many("1", 100_000))</integer>", false),
        Text("an integer of many zeros", "<integer>\(many("0", 100_000))1</integer>", true),
        Text("a real of many digits", "<real>0.\(many("1234567890", 10_000))</real>", true),
        Text("a real of a large exponent", "<real>1e\(many("9", 100_000))</real>", true),
        Text("a date of many digits", "<date>2018-06-04T17:00:00.\(many("9", 100_000))Z</date>", true),
        Text("an entity of one's own", "<string>&a;</string>", false),
        Text("many entities", "<string>\(many("&amp;", 20_000))</string>", true),
        Text("many comments", many("<!---->", 20_000) + "<true/>", true),
        Text("a comment of dashes", "<!--\(many("-", 100_000))--><true/>", true),
        Text("a comment without an end", "<!--\(many("->", 50_000))", false),
        Text("sections of nothing", "<string>\(many("<![CDATA[]]>", 10_000))</string>", true),
        Text("a section of brackets", "<string><![CDATA[\(many("]", 100_000))]]></string>", true),
        Text("instructions without an end", many("<?", 50_000), false),
        Text("tags without an end", many("<", 100_000), false),
        Text("a tag with a long name", "<\(many("a", 100_000))>", false),
        Text("attributes", "<true \(many("a='b' ", 20_000))/>", true),
        Text("data of white space", "<data>\(many("A \n", 40_000))</data>", true),
    ]

    @Test(arguments: texts)
    func `in XML is an error or a value`(text: Text) {
        let declaration = "<!DOCTYPE plist [<!ENTITY a \"b\"><!ENTITY c \"&a;&a;\">]>"
        let data = Data("<?xml version=\"1.0\"?>\(declaration)<plist>\(text.text)</plist>".utf8)
        #expect(((try? PropertyList(data)) != nil) == text.isRead)
    }

    @Test func `is compared and hashed without stack`() throws {
        let (left, right) = try (PropertyList(Self.unfolding(12, 2)), PropertyList(Self.unfolding(12, 2)))
        #expect(left == right && Set([left, right]).count == 1)
    }

    // MARK: - Looking

    @Test func `as an archive is looked at in proportion to its bytes`() throws {
        let data = RawArchive.data { archive in
            let chain = archive.array(Array(repeating: archive.text("Ancestor"), count: 20_000))
            return archive.list(
                (0..<500).map { number in
                    let entry = archive.fields([("$classname", archive.text("C\(number)")), ("$classes", chain)])
                    return archive.object(archive.fields([("$class", archive.object(entry))]))
                })
        }
        let archive = try KeyedArchive(data)
        #expect(archive.description.utf8.count < 16 * data.count)
        #expect(archive.problems().count <= 100)
        #expect(archive.unreachableObjects.isEmpty)
    }

    @Test func `with archives in each other is opened one by one`() throws {
        var data = RawArchive.data { archive in archive.object(archive.text("innermost")) }
        for _ in 0..<200 {
            let inner = Array(data)
            data = RawArchive.data { archive in archive.object(archive.data(inner)) }
        }
        var archive = try KeyedArchive(data)
        for _ in 0..<200 { archive = try archive.root.openArchive() }
        #expect(archive.root.string == "innermost")
    }
}
