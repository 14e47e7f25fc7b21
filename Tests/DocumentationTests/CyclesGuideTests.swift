import Archiving
import Foundation
import Testing

/// The code of docs/cycles.md, as it stands there; what else the document says is tested in `CyclesDocumentTests`.
@Suite("The code of the guide to cycles")
struct CyclesGuideTests: DocumentedOutput {
    @Test("brings back friends and couples")
    func people() throws {
        final class Person: Codable {
            let name: String
            var spouse: Person?
            var friends: [Person] = []
            init(name: String) { self.name = name }
        }

        let anna = Person(name: "Anna")
        let bert = Person(name: "Bert")
        anna.spouse = bert
        bert.spouse = anna
        anna.friends = [bert, anna]

        let data = try ArchiveEncoder().encode(anna)
        let again = try ArchiveDecoder().decode(Person.self, from: data)
        print(again.spouse?.spouse === again)  // true
        print(again.friends[1] === again)  // true
        for person in [anna, bert, again, again.friends[0]] { (person.spouse, person.friends) = (nil, []) }
    }

    @Test("brings back a house and its room")
    func houses() throws {
        final class House: Codable {
            var rooms: [Room] = []
        }

        final class Room: Codable {
            unowned let house: House
            init(in house: House) {
                self.house = house
                house.rooms.append(self)
            }
        }

        let house = House()
        _ = Room(in: house)
        let copy = try ArchiveDecoder().decode(House.self, from: ArchiveEncoder().encode(house))
        print(copy.rooms[0].house === copy)  // true
    }

    @Test("brings back a line from its station if the line was archived")
    func stations() throws {
        final class Station: Codable {
            let name: String
            @Reference var next: Station?
            @References var neighbours: [Station]
            @WeakReference var line: Line?

            init(name: String) {
                self.name = name
                neighbours = []
            }
        }

        final class Line: Codable {
            var stations: [Station] = []
        }
        let line = Line()
        let station = Station(name: "Chancery Lane")
        station.line = line
        line.stations = [station]

        let whole = try ArchiveDecoder().decode(Line.self, from: ArchiveEncoder().encode(line))
        print(whole.stations[0].line === whole)  // true

        let part = try ArchiveDecoder().decode(Station.self, from: ArchiveEncoder().encode(station))
        print(part.line == nil)  // true: the line was not a part of what was archived
        #expect(part.name == "Chancery Lane")
    }
}
