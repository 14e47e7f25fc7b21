import Archiving
import Foundation
import Testing

private protocol Shape: Codable { var area: Double { get } }
private struct Square: Shape, Equatable { var side: Double; var area: Double { side * side } }
private enum Unit: String, Shape { case one, two; var area: Double { self == .one ? 1 : 2 } }
private enum Sum: Shape { case of(Double, Double), none; var area: Double { if case .of(let a, let b) = self { a + b } else { 0 } } }
private final class Blob: Shape { var area: Double; init(_ area: Double) { self.area = area } }
extension Int: Shape { fileprivate var area: Double { Double(self) } }
extension Date: Shape { fileprivate var area: Double { timeIntervalSinceReferenceDate } }
private struct Drawing: Codable {
    @Polymorphic var background: any Shape
    @Polymorphic var frame: (any Shape)?
    @Polymorphic var shapes: [any Shape]
    @Polymorphic var named: [String: [any Shape]]
}
private struct Person: Codable, ArchivedOnce, Equatable, ArchiveVersioned { static let archiveVersion = 3; let id: Int; var name: String }
private class Animal: Codable { var name = "a" ; init() {} }
private final class Dog: Animal { }

struct PolymorphicTests {
    @Test func all() throws {
        let blob = Blob(7)
        let drawing = Drawing(background: blob, frame: nil, shapes: [Square(side: 2), Unit.two, Sum.of(1, 3), blob, 12, Date(timeIntervalSinceReferenceDate: 5), Sum.none], named: ["x": [blob]])
        let data = try ArchiveEncoder().encode(drawing)
        var decoder = ArchiveDecoder()
        for type in [Square.self, Unit.self, Sum.self, Blob.self, Int.self, Date.self] as [any Any.Type] { decoder.classes.register(type) }
        let copy = try decoder.decode(Drawing.self, from: data)
        #expect(copy.shapes.map(\.area) == [4, 2, 4, 7, 12, 5, 0])
        #expect(copy.shapes[3] as? Blob === copy.background as? Blob)
        #expect(copy.named["x"]?[0] as? Blob === copy.background as? Blob)
        #expect(throws: DecodingError.self) { try ArchiveDecoder().decode(Drawing.self, from: data) }
        let twin = try deepCopy(of: drawing)
        #expect(twin.shapes.map(\.area) == [4, 2, 4, 7, 12, 5, 0])
        #expect(twin.shapes[3] as? Blob === twin.background as? Blob)
        #expect(twin.background as? Blob !== blob)
        let json = JSONDecoder()
        json.userInfo[ClassRegistry.userInfoKey] = decoder.classes
        let third = try json.decode(Drawing.self, from: JSONEncoder().encode(drawing))
        #expect(third.shapes.map(\.area) == [4, 2, 4, 7, 12, 5, 0])
        let p = [Person(id: 1, name: "x"), Person(id: 2, name: "x"), Person(id: 1, name: "y")]
        #expect(try roundTrip(p).map(\.name) == ["x", "x", "x"])
        let animals = [Animal(), Dog()]
        #expect(try deepCopy(of: animals)[1] is Dog)
        print(try PropertyList(ArchiveEncoder().encode(p)))
    }
}
