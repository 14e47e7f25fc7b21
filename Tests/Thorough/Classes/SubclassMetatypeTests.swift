// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `The metatype of a subclass` {
    class Person: Codable {
        var name = "Anna"
    }

    final class Employee: Person {
        var salary = 5

        private enum CodingKeys: CodingKey { case salary }

        init(salary: Int) {
            self.salary = salary
            super.init()
        }

        required init(from decoder: any Decoder) throws {
            salary = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .salary)
            try super.init(from: decoder)
        }

        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(salary, forKey: .salary)
        }
    }

    private static let asked: Person.Type = Employee.self

    @Test func `makes an instance of the subclass at the top, as JSON does`() throws {
        let employee = Employee(salary: 9)
        let json = try JSONDecoder().decode(Self.asked, from: JSONEncoder().encode(employee))
        #expect((json as? Employee)?.salary == 9)
        let again = try ArchiveDecoder().decode(Self.asked, from: ArchiveEncoder().encode(employee))
        #expect((again as? Employee)?.salary == 9)
        #expect(again.name == "Anna")
        // The process knows the class itself as well.
        #expect(try type(of: roundTrip(Person())) == Person.self)
        #expect(try type(of: roundTrip(employee)) == Employee.self)
    }

    @Test func `makes one in unkeyed and single value containers, once for each object`() throws {
        let employee = Employee(salary: 9)
        try decoding(archiveOf: [employee, employee]) { decoder in
            var container = try decoder.unkeyedContainer()
            let first = try container.decode(Self.asked)
            let second = try container.decodeIfPresent(Self.asked)
            #expect((first as? Employee)?.salary == 9)
            #expect(first === second)
        }
        try decoding(archiveOf: employee) { decoder in
            let value = try decoder.singleValueContainer().decode(Self.asked)
            #expect((value as? Employee)?.salary == 9)
        }
    }

    @Test func `refuses an object of the superclass`() throws {
        let data = try ArchiveEncoder().encode(Person())
        #expect(throws: DecodingError.self) { try ArchiveDecoder().decode(Self.asked, from: data) }
    }
}
