// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

/// Names, and objects that take the place of others.
extension `The guide to coding` {
    // MARK: Names

    @Test func `gives classes other names for one archive`() throws {
        let archiver = KeyedArchiver()
        let own = try KeyedArchive(KeyedArchiver.archivedData(withRootObject: Vehicle()))
        var editor = try KeyedArchiveEditor(own)
        try editor.renameClass(ClassRegistry().name(for: Vehicle.self), to: "LOVehicle")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: editor.propertyList.data())
        archiver.classes.register(Vehicle.self, name: "LOVehicle")  // in this archive
        unarchiver.classes.register(Vehicle.self, aliases: ["LOVehicle"])  // in this one
        try archiver.encode(Vehicle(), forKey: "root")
        #expect(try InspectedArchive(archiver.finishEncoding()).classNames.contains("LOVehicle"))
        #expect(try unarchiver.decode(Vehicle.self, forKey: "root").wheelCount == 4)
    }

    @Test func `uses no unknown name for another class, unless it is configured to`() throws {
        let data = try handmadeArchive(["name": .uid(3), "$class": .uid(2)], ["$classname": "LOOwner"], "Anna")
        let error = #expect(throws: UnarchivingError.self) {
            try KeyedUnarchiver.unarchivedObject(of: Owner.self, from: data)
        }
        #expect(error?.code == .classNotAllowed)
        #expect(error?.description.contains("LOOwner") == true)
        var classes = ClassRegistry()
        classes.unknownClasses = .decodeAsRequested
        #expect(try KeyedUnarchiver.unarchivedObject(of: Owner.self, from: data, classes: classes).name == "Anna")
    }

    final class Tram: Vehicle, ArchiveDescribing {
        static let archiveFallbacks = ["Tramway", "Vehicle"]
    }

    @Test func `reads an unknown class by its fallback names`() throws {
        let tram = Tram()
        tram.wheelCount = 8
        let data = try KeyedArchiver.archivedData(withRootObject: tram)
        #expect(try InspectedArchive(data).objects.compactMap { $0["$classhints"] } == [["Tramway", "Vehicle"]])

        var classes = ClassRegistry()
        classes.register(Vehicle.self, name: "Vehicle")
        let vehicle = try KeyedUnarchiver.unarchivedObject(of: Vehicle.self, from: data, classes: classes)
        #expect(type(of: vehicle) == Vehicle.self)
        #expect(vehicle.wheelCount == 8)
        // The best comes first.
        classes.register(Truck.self, name: "Tramway")
        let other = try KeyedUnarchiver.unarchivedObject(of: Vehicle.self, from: data, classes: classes)
        #expect(other is Truck)
    }

    // MARK: Replacing objects

    final class Draft: Coding {
        var song: Song?

        init(song: Song?) { self.song = song }

        init(coder: KeyedUnarchiver) throws { throw CocoaError(.coderReadCorrupt) }  // no archive has one

        func encode(with coder: KeyedArchiver) throws {}

        func replacementObject(for coder: KeyedArchiver) -> (any Coding)? { song }
    }

    @Test func `archives other objects in the place of some, or nothing`() throws {
        let song = Song(title: "La mer")
        let draft = Draft(song: song)
        let archiver = KeyedArchiver()
        try archiver.encodeObject([draft, Draft(song: nil), draft, song] as [any Coding], forKey: "all")
        let archive = try InspectedArchive(archiver.finishEncoding())
        let all = archive.text(of: archive.list["$top"]?["all"] ?? .null)
        #expect(all == #"NSArray[#1=Song{SongTitle: @"La mer"}, NSNull{}, #1, #1]"#)
    }

    final class Currency: Coding, Sendable {
        let code: String
        static let known = ["EUR": Currency(code: "EUR"), "CHF": Currency(code: "CHF")]

        private init(code: String) { self.code = code }

        init(coder: KeyedUnarchiver) throws {
            code = try coder.decode(String.self, forKey: "code")
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(code, forKey: "code")
        }

        func awakeAfter(using coder: KeyedUnarchiver) throws -> any Coding {
            Currency.known[code] ?? self
        }
    }

    /// Refers to a currency in every way there is.
    final class Account: Coding {
        @Reference var reference: Currency?
        @WeakReference var weakReference: Currency?
        let plain: Currency?
        let price: Price?

        struct Price: Codable {
            @Coded var currency: Currency
            @Coded var others: [Currency]
        }

        init(_ currency: Currency) {
            plain = currency
            price = Price(currency: currency, others: [currency])
            reference = currency
            weakReference = currency
        }

        init(coder: KeyedUnarchiver) throws {
            _reference = try coder.decode(Reference<Currency>.self, forKey: "reference")
            _weakReference = try coder.decode(WeakReference<Currency>.self, forKey: "reference")
            price = try coder.decodeIfPresent(Price.self, forKey: "price")
            plain = try coder.decodeIfPresent(Currency.self, forKey: "plain")
        }

        func encode(with coder: KeyedArchiver) throws {
            try coder.encode(reference, forKey: "reference")
            try coder.encode(price, forKey: "price")
            try coder.encode(plain, forKey: "plain")
        }
    }

    @Test func `gives the replacement to all references`() throws {
        let franc = try #require(Currency.known["CHF"])
        let again = try KeyedUnarchiver.unarchivedObject(
            of: Account.self, from: KeyedArchiver.archivedData(withRootObject: Account(franc)))
        #expect(again.reference === franc)
        #expect(again.weakReference === franc)
        #expect(again.plain === franc)
        #expect(again.price?.currency === franc)
        #expect(again.price?.others[0] === franc)
    }

    /// Replaces a song by another, or by nothing, and adds something at the end.
    private final class Censor: KeyedArchiverDelegate, KeyedUnarchiverDelegate {
        let substitute: Song?
        var late: Int?
        init(substitute: Song?) { self.substitute = substitute }

        func archiver(_ archiver: KeyedArchiver, willEncode object: any Coding) -> (any Coding)? {
            object is Song ? substitute : object
        }
        func archiverWillFinish(_ archiver: KeyedArchiver) { archiver.encode(7, forKey: "late") }
        func unarchiverWillFinish(_ unarchiver: KeyedUnarchiver) {
            late = try? unarchiver.decodeInteger(forKey: "late")
        }
    }

    struct Album: Codable {
        @Coded var song: Song?
    }

    @Test(arguments: [true, false], [true, false])
    func `replaces what any reference meets first`(conditionalFirst: Bool, isReplaced: Bool) throws {
        let song = Song(title: "Je t'aime")
        let substitute = isReplaced ? Song(title: "La mer") : nil
        let censor = Censor(substitute: substitute)
        let archiver = KeyedArchiver()
        archiver.delegate = censor
        if conditionalFirst { try archiver.encodeConditional(song, forKey: "maybe") }
        try archiver.encode(Album(song: song), forKey: "album")
        try archiver.encode(Owner(name: "Serge"), forKey: "owner")
        if !conditionalFirst { try archiver.encodeConditional(song, forKey: "maybe") }
        let coder = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        let title = isReplaced ? "La mer" : nil
        #expect(try coder.decode(Album.self, forKey: "album").song?.title == title)
        #expect(try coder.decodeIfPresent(Song.self, forKey: "maybe")?.title == title)
        #expect(try coder.decode(Owner.self, forKey: "owner").name == "Serge")
        coder.delegate = censor
        coder.finishDecoding()
        #expect(censor.late == 7)
    }

    /// Writes down everything that is called, in order.
    private final class Diary: KeyedArchiverDelegate, KeyedUnarchiverDelegate {
        nonisolated(unsafe) static var lines: [String] = []

        static func name(_ object: (any Coding)?) -> String { object.map { "\(type(of: $0))" } ?? "nil" }

        func archiver(_ archiver: KeyedArchiver, willEncode object: any Coding) -> (any Coding)? {
            Self.lines.append("willEncode \(Self.name(object))")
            return object is Second ? Third() : object
        }

        func archiver(_ archiver: KeyedArchiver, didEncode object: any Coding) {
            Self.lines.append("didEncode \(Self.name(object))")
        }

        func archiver(
            _ archiver: KeyedArchiver, willReplace object: any Coding, with replacement: (any Coding)?
        ) {
            Self.lines.append("willReplace \(Self.name(object)) with \(Self.name(replacement))")
        }

        func unarchiver(
            _ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses: [String]
        ) -> (any Any.Type)? {
            Self.lines.append("cannotDecode")
            return First.self
        }

        func unarchiver(_ unarchiver: KeyedUnarchiver, didDecode object: any Coding) -> (any Coding)? {
            Self.lines.append("didDecode \(Self.name(object))")
            return Third()
        }

        func unarchiver(
            _ unarchiver: KeyedUnarchiver, willReplace object: any Coding, with replacement: any Coding
        ) {
            Self.lines.append("willReplace \(Self.name(object)) with \(Self.name(replacement))")
        }
    }

    /// The superclass of the others, so that they can replace each other.
    class First: Coding {
        init() {}
        required init(coder: KeyedUnarchiver) throws { Diary.lines.append("init \(type(of: self))") }
        func encode(with coder: KeyedArchiver) throws { Diary.lines.append("encode \(type(of: self))") }
        func replacementObject(for coder: KeyedArchiver) -> (any Coding)? {
            Diary.lines.append("replacementObject \(type(of: self))")
            return type(of: self) == First.self ? Second() : self
        }
        func awakeAfter(using coder: KeyedUnarchiver) throws -> any Coding {
            Diary.lines.append("awakeAfter \(type(of: self))")
            return Second()
        }
        var archivedClass: any Coding.Type {
            Diary.lines.append("archivedClass \(type(of: self))")
            return type(of: self)
        }
        class var unarchivedClass: any Coding.Type {
            // A class is asked when it is looked for, which may be more than once.
            let line = "unarchivedClass \(self)"
            if self == First.self, Diary.lines.last != line { Diary.lines.append(line) }
            return self == First.self ? Fourth.self : self
        }
    }

    final class Second: First {}
    final class Third: First {}
    final class Fourth: First {}

    @Test func `says what is called when`() throws {
        let diary = Diary()
        Diary.lines = []
        let archiver = KeyedArchiver()
        archiver.delegate = diary
        let first = First()
        try archiver.encode([first, first], forKey: "all")
        #expect(
            Diary.lines == [
                "replacementObject First", "willReplace First with Second", "willEncode Second",
                "willReplace Second with Third", "encode Third", "archivedClass Third", "didEncode Third",
            ])

        let data = try handmadeArchive(
            ["$class": .uid(2)], ["$classname": "Zeroth", "$classes": ["Zeroth", "NSObject"]])
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        unarchiver.delegate = diary
        Diary.lines = []
        let object = try unarchiver.decodeObject(of: [First.self], forKey: "root")
        #expect(object is Third)
        #expect(
            Diary.lines == [
                "cannotDecode", "unarchivedClass First", "init Fourth", "awakeAfter Fourth",
                "willReplace Fourth with Second", "didDecode Second", "willReplace Second with Third",
            ])
    }

    /// Publishes itself, lets another object refer to it, and is then replaced.
    final class Turncoat: Coding {
        var follower: Follower?
        init() {}
        init(coder: KeyedUnarchiver) throws {
            coder.publish(self)
            follower = try coder.decodeIfPresent(Follower.self, forKey: "follower")
        }
        func encode(with coder: KeyedArchiver) throws { try coder.encode(follower, forKey: "follower") }
        func awakeAfter(using coder: KeyedUnarchiver) throws -> any Coding { Turncoat() }
    }

    final class Follower: Coding {
        var leader: Turncoat?
        init() {}
        init(coder: KeyedUnarchiver) throws { leader = try coder.decodeIfPresent(Turncoat.self, forKey: "leader") }
        func encode(with coder: KeyedArchiver) throws { try coder.encode(leader, forKey: "leader") }
    }

    @Test(arguments: [true, false])
    func `does not replace existing references`(isHandedOut: Bool) throws {
        let turncoat = Turncoat()
        let follower = Follower()
        turncoat.follower = follower
        if isHandedOut { follower.leader = turncoat }
        defer { follower.leader = nil }
        let data = try KeyedArchiver.archivedData(withRootObject: turncoat)
        let result = Result { try KeyedUnarchiver.unarchivedObject(of: Turncoat.self, from: data) }
        if isHandedOut {
            #expect(throws: UnarchivingError.self) { try result.get() }
            guard case .failure(let error as UnarchivingError) = result else { return }
            #expect(error.code == .replaced)
        } else {
            #expect(try result.get().follower == nil)
        }
    }
}
