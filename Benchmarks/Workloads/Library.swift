// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A large document: sections by name, each with many small instances that share their owners.
final class Library: Codable {
    var sections: [String: Section] = [:]

    final class Section: Codable {
        let name: String
        var records: [Record]

        init(name: String, records: [Record]) {
            self.name = name
            self.records = records
        }
    }

    final class Record: Codable {
        struct Price: Codable {
            var amount: Double
            var currency: String
        }

        let number: Int
        let title: String
        let price: Price
        let owner: Owner

        init(number: Int, title: String, price: Price, owner: Owner) {
            self.number = number
            self.title = title
            self.price = price
            self.owner = owner
        }
    }

    final class Owner: Codable {
        let name: String
        let city: String

        init(name: String, city: String) {
            self.name = name
            self.city = city
        }
    }
}

extension Library {
    /// Creates a library of `sectionCount` sections with `recordCount` records each.
    static func example(sectionCount: Int, recordCount: Int, seed: UInt64) -> Library {
        var random = SplitMix64(seed: seed)
        let owners = (0..<1_000).map { Owner(name: "Owner \($0)", city: "City \($0 % 50)") }
        let currencies = ["EUR", "CHF", "USD", "JPY"]
        let library = Library()
        for section in 0..<sectionCount {
            let records = (0..<recordCount).map { position in
                Record(
                    number: section * recordCount + position, title: "Record \(section)/\(position)",
                    price: Record.Price(
                        amount: random.decimal(in: 1..<1_000), currency: random.choice(currencies)),
                    owner: random.choice(owners))
            }
            let name = sectionName(section)
            library.sections[name] = Section(name: name, records: records)
        }
        return library
    }

    static func sectionName(_ number: Int) -> String { "section \(number)" }
}
