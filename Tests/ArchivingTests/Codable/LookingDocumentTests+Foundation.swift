import Archiving
import Foundation
import Testing

extension LookingDocumentTests {
    @Test("gives Foundation's objects as Swift values")
    func foundationValues() throws {
        let archive = try openArchive(
            [
                "born": .uid(2), "frame": .uid(3), "title": .uid(4), "table": .uid(5), "name": "Bella",
                "other": .uid(6),
                "$class": .uid(7),
            ], ["NS.time": 1.5, "$class": .uid(8)],
            ["NS.special": 3, "NS.rectval": "{{1, 2}, {30, 40}}", "$class": .uid(9)],
            ["NSString": "bold", "NSAttributes": .uid(12), "$class": .uid(10)],
            ["NS.keys": ["a"], "NS.objects": [1], "$class": .uid(11)], ["x": 1, "$class": .uid(7)], classEntry("Thing"),
            classEntry("NSDate"), classEntry("NSValue"), classEntry("NSAttributedString"), classEntry("NSDictionary"),
            ["NS.keys": ["NSFont"], "NS.objects": [.uid(13)], "$class": .uid(11)],
            ["NSName": "Helvetica", "$class": .uid(14)],
            classEntry("NSFont"))
        var found: [String: String] = [:]
        for (key, value) in archive.root.fields {
            switch try value.foundationValue() {
            case .date(let date)?: found[key] = "\(date.timeIntervalSinceReferenceDate)"
            case .rect(let x, let y, let width, let height)?: found[key] = "\(width) × \(height) at \(x), \(y)"
            case .attributedString(let text)?:
                for run in text.runs {
                    found[key] = text.string[run.range] + " " + (run.attributes["NSFont"]?["NSName"]?.string ?? "")
                }
            case .dictionary(let entries)?: found[key] = "\(entries.map { $0.key.string ?? "?" })"
            case .string(let text)?: found[key] = text
            case .some: found[key] = "another"
            case nil: found[key] = value.className ?? "no object"
            }
        }
        #expect(
            found == [
                "born": "1.5", "frame": "30.0 × 40.0 at 1.0, 2.0", "title": "bold Helvetica", "table": #"["a"]"#,
                "name": "Bella", "other": "Thing",
            ])
    }
}
