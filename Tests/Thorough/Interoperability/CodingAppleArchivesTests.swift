// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// Archives that programs on Apple's systems wrote, read by classes that know the keys of what is in them.
///
/// What is expected is what Python's plistlib finds in the same files.
@Suite(.inTurn, .needs(.corpus))
struct `Coding reads archives by Apple's frameworks` {
    /// An unarchiver of the file whose name starts with `prefix`.
    func unarchiver(
        _ prefix: String, _ classes: [String: any Any.Type] = [:]
    ) throws -> KeyedUnarchiver {
        let unarchiver = try KeyedUnarchiver(contentsOf: Corpus.url(Corpus.name(prefix)))
        unarchiver.classes = ClassRegistry(classes)
        return unarchiver
    }

    /// The root of such a file, as an object of a class that is registered under `name`.
    private func root<Object: Coding>(
        _ type: Object.Type, for name: String, and others: [String: any Any.Type] = [:], of prefix: String
    ) throws -> Object {
        var classes = others
        classes[name] = type
        let unarchiver = try unarchiver(prefix, classes)
        #expect(unarchiver.archivedClassName(forKey: "root") == name)
        return try unarchiver.decode(type, forKey: "root")
    }
}

// MARK: - Foundation's classes

extension `Coding reads archives by Apple's frameworks` {
    @Test func `counted sets and ordered sets`() throws {
        let counted = try root(CountedSetStandIn.self, for: "NSCountedSet", of: "fa1c0b396f")
        #expect(counted.counts == [1: 5, 2: 5, 3: 5, 4: 5, 5: 5])
        #expect(try root(CountedSetStandIn.self, for: "NSCountedSet", of: "9c2b09699c").counts.isEmpty)
        let ordered = try root(OrderedSetStandIn.self, for: "NSOrderedSet", of: "5d97dd8004")
        #expect(ordered.elements == [1, 2, 3, 4, 5])
        let mutable = try root(OrderedSetStandIn.self, for: "NSMutableOrderedSet", of: "e1a3b4eb7b")
        #expect(mutable.elements == [1, 2, 3, 4, 5])
        #expect(try root(OrderedSetStandIn.self, for: "NSMutableOrderedSet", of: "2177cdb547").elements.isEmpty)
    }

    @Test func `measurements`() throws {
        let angle = try root(
            MeasurementStandIn.self, for: "NSMeasurement",
            and: ["NSUnitAngle": UnitStandIn.self, "NSUnitConverterLinear": ConverterStandIn.self], of: "595dcd5ab8")
        #expect(angle.value == 90 && angle.unit.symbol == "°" && angle.unit.converter?.coefficient == 1)
        let frequency = try root(
            MeasurementStandIn.self, for: "NSMeasurement",
            and: ["NSUnitFrequency": UnitStandIn.self, "NSUnitConverterLinear": ConverterStandIn.self], of: "ee948ac31b"
        )
        #expect(frequency.value == 1400 && frequency.unit.symbol == "MHz")
        #expect(frequency.unit.converter?.coefficient == 1e6 && frequency.unit.converter?.constant == 0)
        let zero = try root(
            MeasurementStandIn.self, for: "NSMeasurement", and: ["NSUnit": UnitStandIn.self], of: "ea4a67ee2a")
        #expect(zero.value == 0 && zero.unit.symbol == "" && zero.unit.converter == nil)
    }

    @Test func `ranges, rectangles and insets`() throws {
        #expect(
            try root(ValueStandIn.self, for: "NSValue", of: "cfe09fa388").contents
                == .range(location: 97_345, length: 98_345))
        #expect(
            try root(ValueStandIn.self, for: "NSValue", of: "851d2b82f5").contents
                == .rect(x: 400, y: 300, width: 200, height: 300))
        #expect(
            try root(ValueStandIn.self, for: "NSValue", of: "845208baa7").contents
                == .insets(top: 1, left: 2, bottom: 3, right: 4))
    }

    @Test func `a text with attributes`() throws {
        let text = try root(AttributedStringStandIn.self, for: "NSMutableAttributedString", of: "ee2623346b")
        let large: [String: AnyHashable] = ["Size": 456, "Font": "Times"]
        #expect(
            text.runs == [
                .init(text: "0", attributes: [:]), .init(text: "1", attributes: ["Size": 123, "Font": "Helvetica"]),
                .init(text: "2345", attributes: large),
                .init(text: "67", attributes: ["Size": 123, "Font": "Helvetica"]),
                .init(text: "8", attributes: large), .init(text: "9", attributes: [:]),
            ])
    }

    @Test func `a notification`() throws {
        let notification = try root(NotificationStandIn.self, for: "NSNotification", of: "79d4f9aa56")
        #expect(notification.name == "notification-name" && notification.object == "notification-object")
        #expect(notification.userInfo as? [String: String] == ["notification-key": "notification-val"])
    }

    /// Groups of a regular expression, whose numbers the ranges share.
    @Test func `what a regular expression matched`() throws {
        final class Expression: StandIn {
            let pattern: String

            init(coder: KeyedUnarchiver) throws { pattern = try coder.decode(String.self, forKey: "NSPattern") }
        }
        final class Match: StandIn {
            let expression: Expression
            let length: Int
            let ranges: [ValueStandIn]

            init(coder: KeyedUnarchiver) throws {
                expression = try coder.decode(Expression.self, forKey: "NSRegularExpression")
                length = try coder.decodeInteger(forKey: "NSRangeLength")
                ranges = try coder.decode([ValueStandIn].self, forKey: "NSRangeArray")
            }
        }
        let match = try root(
            Match.self, for: "NSComplexRegularExpressionCheckingResult",
            and: ["NSRegularExpression": Expression.self, "NSValue": ValueStandIn.self], of: "73863c51bc")
        #expect(match.expression.pattern == "a(a(a(a(a(a(a(a(a))))))))" && match.length == 9)
        #expect(match.ranges.map(\.contents) == (0..<9).map { .range(location: $0, length: 9 - $0) })
    }
}

extension `Coding reads archives by Apple's frameworks` {
    @Test func `a dictionary of values of all kinds`() throws {
        let unarchiver = try unarchiver("46225acbbb")
        let types: [any Any.Type] = [
            [AnyHashable: Any].self, [Any].self, String.self, Int.self, URL.self, UUID.self,
        ]
        let values = try #require(try unarchiver.decodeObject(of: types, forKey: "root") as? [String: Any])
        #expect(values["string"] as? String == "hello")
        #expect(values["url"] as? URL == URL(string: "index.xml", relativeTo: URL(string: "https://www.swift.org")))
        #expect(values["uuid"] as? UUID == UUID(uuidString: "71DC068E-3420-45FF-919E-3A267D55EC22"))
        let array = try #require(values["array"] as? [Any])
        #expect(array.count == 4 && array[1] as? String == "hello" && array[2] as? Int == 34_545)
        #expect(array[3] as? [String: String] == ["key": "val"])
        #expect(throws: ArchivingError.self) { try unarchiver.decodeObject(of: types.dropLast(), forKey: "root") }
    }

    /// PyObjC's classes, which fall back to Foundation's.
    @Test func `values whose classes fall back`() throws {
        let unarchiver = try unarchiver("79665a0afd")
        #expect(try unarchiver.decodeIfPresent(String.self, forKey: "root") == "KeyArchive UID Test")
        #expect(unarchiver.archivedClassName(forKey: "root") == "OC_BuiltinPythonUnicode")
        let types: [any Any.Type] = [
            [AnyHashable: Any].self, [Any].self, String.self, Int.self, Double.self, Bool.self, Data.self, Date.self,
        ]
        let root = try self.unarchiver("bc3d3875c3").decodeObject(of: types, forKey: "root")
        let values = try #require(root as? [String: Any])
        #expect((values["MyArray"] as? [Any])?.isEmpty == true && values["MyBool"] as? Bool == true)
        #expect((values["MyDictionary"] as? [AnyHashable: Any])?.isEmpty == true)
        #expect(values["MyData"] as? Data == Data("DATA\n".utf8))
        #expect(values["MyDate"] as? Date == Date(timeIntervalSinceReferenceDate: 729_452_449))
        #expect(values["MyFloat"] as? Double == 2.7 && values["MyInteger"] as? Int == 98)
        #expect(values["MyString"] as? String == "Some string")
    }
}

// MARK: - Classes of programs

extension `Coding reads archives by Apple's frameworks` {
    @Test func `an object with a scalar, a text and a rectangle`() throws {
        final class Archivable: StandIn {
            let float: Float
            let text: String?
            let rect: [Double]

            init(coder: KeyedUnarchiver) throws {
                float = try coder.decodeFloat(forKey: "float")
                text = try coder.decodeIfPresent(String.self, forKey: "string")
                let rect = try coder.decodeRect(forKey: "rect")
                self.rect = [rect.x, rect.y, rect.width, rect.height]
            }
        }
        let object = try root(Archivable.self, for: "ArchivableClass", of: "ab4eb44ab2")
        #expect(object.float == 17.5 && object.text == "string" && object.rect == [0, 0, 100, 100])
    }

    @Test func `an object with values of Foundation's`() throws {
        final class Activity: StandIn {
            let uuid: UUID
            let start: Date
            let finish: Date?
            let title: String
            let attachments: [Leaf]

            init(coder: KeyedUnarchiver) throws {
                uuid = try coder.decode(UUID.self, forKey: "uuid")
                start = try coder.decode(Date.self, forKey: "start")
                finish = try coder.decodeIfPresent(Date.self, forKey: "finish")
                title = try coder.decode(String.self, forKey: "title")
                attachments = try coder.decode([Leaf].self, forKey: "attachments")
            }
        }
        let activity = try root(Activity.self, for: "XCActivityRecord", of: "c2fef40df5")
        #expect(activity.uuid == UUID(uuidString: "A8F5C718-D234-49B0-A891-136F94C41213"))
        #expect(activity.start == Date(timeIntervalSinceReferenceDate: 625_945_468.42794))
        #expect(activity.finish == nil && activity.title == "Suite Set Up" && activity.attachments.isEmpty)
    }

    /// Foundation on Linux overflows the stack here.
    @Test func `an object that refers to itself`() throws {
        final class Foo: StandIn {
            let title: String
            private(set) weak var next: Foo?
            private(set) var nextTitle: String?

            init(coder: KeyedUnarchiver) throws {
                title = try coder.decode(String.self, forKey: "title")
                coder.publish(self)
                next = try coder.decodeIfPresent(Foo.self, forKey: "recursive")
                nextTitle = next?.title
            }
        }
        let circle = try root(Foo.self, for: "crap.Foo", of: "290f4ac20a")
        #expect(circle.title == "hello" && circle.next === circle)
        let line = try root(Foo.self, for: "crap.Foo", of: "32bc6fadb1")
        #expect(line.title == "hello" && line.nextTitle == "yo")
    }

    @Test func `a subclass and its superclass`() throws {
        class Message: Coding {
            let contents: [String: Any]

            required init(coder: KeyedUnarchiver) throws {
                let contents = try coder.decodeObject(
                    of: [[AnyHashable: Any].self, String.self, Int.self, Double.self], forKey: "DTTapMessagePlist")
                self.contents = contents as? [String: Any] ?? [:]
            }

            func encode(with coder: KeyedArchiver) throws {}
        }
        final class StatusMessage: Message {}
        let names = ["DTTapMessage": Message.self, "DTTapStatusMessage": StatusMessage.self]
        let message = try unarchiver("d500e300f5", names).decode(Message.self, forKey: "root")
        #expect(message.contents as? [String: Int] == ["k": 5] && !(message is StatusMessage))
        let status = try unarchiver("310c20948d", names).decode(Message.self, forKey: "root")
        #expect(status is StatusMessage && status.contents["notice"] as? String == "Time Mapping")
        #expect(status.contents["ts"] as? Int == 28_483_226_158_811)
        let info = status.contents["info"] as? [String: Any]
        #expect(info?["DTActivityTraceTapDeviceTimeIntervalSince1970Key"] as? Double == 1_650_826_866.105329)
    }
}
