// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// NSCoding, NSSecureCoding, and what NSObject adds.
extension `Cocoa's interface` {
    static let codingCases: [InterfaceCase] = [
        InterfaceCase("NSCoding.encode(with:)") {
            let text = try topText("bell") { try $0.encode(Bell("Big Ben", friend: Bell("Emmanuel")), forKey: "bell") }
            #expect(text == #"Bell{name: @"Big Ben", friend: Bell{name: @"Emmanuel"}}"#)
        },
        InterfaceCase("NSCoding.init?(coder:)") {
            let coder = try reread { try $0.encode(Bell("Big Ben", friend: Bell("Emmanuel")), forKey: "bell") }
            let bell = try coder.decode(Bell.self, forKey: "bell")
            #expect(bell.name == "Big Ben")
            #expect(bell.friend?.name == "Emmanuel")
            // Where Cocoa's initializer returns nil, this one throws.
            let data = try handmadeArchive(["pitch": 3, "$class": .uid(2)], ["$classname": "Bell"])
            let code = unarchivingCode { try KeyedUnarchiver.unarchivedObject(of: Bell.self, from: data) }
            #expect(code == .valueNotFound)
        },
        InterfaceCase("NSSecureCoding.supportsSecureCoding") {
            #expect(Bell.supportsSecureCoding)
            let archiver = KeyedArchiver()
            let refused = #expect(throws: ArchivingError.self) { try archiver.encode(Unsafe(), forKey: "one") }
            #expect(refused?.code == .notSecure)
            let data = try keyedArchive(requiringSecureCoding: false) { try $0.encode(Unsafe(), forKey: "root") }
            let code = unarchivingCode { try KeyedUnarchiver.unarchivedObject(of: Unsafe.self, from: data) }
            #expect(code == .notSecure)
        },
        InterfaceCase("NSObject.classForCoder") {
            let text = try topText("cluster") { try $0.encode(ConcreteCluster(), forKey: "cluster") }
            #expect(text == "Cluster{}")
        },
        InterfaceCase("NSObject.classForKeyedArchiver") {
            let data = try keyedArchive { try $0.encode(ConcreteCluster(), forKey: "root") }
            let archived = try InspectedArchive(data)
            #expect(archived.classNames == ["Cluster"])
            // The class that the archive names is the one that is made.
            let again = try KeyedUnarchiver.unarchivedObject(of: Cluster.self, from: data)
            #expect(type(of: again) == Cluster.self)
        },
        InterfaceCase("NSObject.classFallbacksForKeyedArchiver()") {
            let data = try keyedArchive { try $0.encode(NewBell(), forKey: "root") }
            let hints = try InspectedArchive(data).objects.compactMap { $0["$classhints"] }
            #expect(hints == [["Bell", "Whistle"]])
            // This program knows nothing of NewBell, and reads it by the first name that it knows.
            var classes = ClassRegistry()
            classes.register(Bell.self)
            let again = try KeyedUnarchiver.unarchivedObject(of: [Bell.self], from: data, classes: classes)
            #expect((again as? Bell)?.name == "new")
        },
        InterfaceCase("NSObject.classForKeyedUnarchiver()") {
            let data = try keyedArchive { try $0.encode(OldBell(name: "Big Ben"), forKey: "root") }
            var classes = ClassRegistry()
            classes.register(OldBell.self)
            let again = try KeyedUnarchiver.unarchivedObject(of: Bell.self, from: data, classes: classes)
            #expect(again.name == "Big Ben")
        },
        InterfaceCase("NSObject.replacementObject(for: NSCoder)") {
            let text = try topText("proxy") { try $0.encode(Proxy(stands: Bell("Big Ben")), forKey: "proxy") }
            #expect(text == #"Bell{name: @"Big Ben"}"#)
        },
        InterfaceCase("NSObject.replacementObject(for: NSKeyedArchiver)") {
            let bell = Bell("Big Ben")
            let proxy = Proxy(stands: bell)
            let text = try topText("$0") { try $0.encodeNextObject([proxy, Proxy(stands: nil), bell] as [any Coding]) }
            // The bell has one uid, whether it is met itself or in the place of the proxy.
            #expect(text == #"NSArray[#1=Bell{name: @"Big Ben"}, NSNull{}, #1]"#)
        },
        InterfaceCase("NSObject.awakeAfter(using:)") {
            let coder = try reread { try $0.encode([Singleton.shared, Singleton.shared], forKey: "all") }
            let all = try coder.decode([Singleton].self, forKey: "all")
            #expect(all.count == 2)
            #expect(all.allSatisfy { $0 === Singleton.shared })
        },
        InterfaceCase("NSObject.version()/setVersion(_:)") {
            let data = try keyedArchive { try $0.encode(Versioned(), forKey: "root") }
            #expect(try KeyedUnarchiver.unarchivedObject(of: Versioned.self, from: data).versionRead == 7)
        },
    ]
}

// MARK: - Classes for one hook each

extension `Cocoa's interface` {
    /// Says that it is not to be read from archives of strangers.
    final class Unsafe: Coding {
        static let supportsSecureCoding = false
        init() {}
        init(coder: KeyedUnarchiver) throws {}
        func encode(with coder: KeyedArchiver) throws {}
    }

    /// A class with private subclasses.
    class Cluster: Coding, ArchiveDescribing {
        class var archiveName: String { "Cluster" }
        init() {}
        required init(coder: KeyedUnarchiver) throws {}
        func encode(with coder: KeyedArchiver) throws {}
        var archivedClass: any Coding.Type { Cluster.self }
    }

    final class ConcreteCluster: Cluster {}

    /// A class that older programs may read as a `Bell`.
    final class NewBell: Coding, ArchiveDescribing {
        static let archiveName = "NewBell"
        static let archiveFallbacks = ["Bell", "Whistle"]
        init() {}
        init(coder: KeyedUnarchiver) throws {}
        func encode(with coder: KeyedArchiver) throws { coder.encode("new", forKey: "name") }
    }

    /// A class that has become `Bell`.
    final class OldBell: Coding, ArchiveDescribing {
        static let archiveName = "OldBell"
        static var unarchivedClass: any Coding.Type { Bell.self }
        let name: String
        init(name: String) { self.name = name }
        init(coder: KeyedUnarchiver) throws { name = "nobody makes one" }
        func encode(with coder: KeyedArchiver) throws { coder.encode(name, forKey: "name") }
    }

    /// A placeholder for another object, which is archived instead.
    final class Proxy: Coding {
        let stands: Bell?
        init(stands: Bell?) { self.stands = stands }
        init(coder: KeyedUnarchiver) throws { stands = nil }
        func encode(with coder: KeyedArchiver) throws { coder.encode("never", forKey: "proxy") }
        func replacementObject(for coder: KeyedArchiver) -> (any Coding)? { stands }
    }

    /// There is one of it, whatever is read.
    final class Singleton: Coding, Sendable {
        static let shared = Singleton()
        private init() {}
        init(coder: KeyedUnarchiver) throws {}
        func encode(with coder: KeyedArchiver) throws {}
        func awakeAfter(using coder: KeyedUnarchiver) throws -> any Coding { Singleton.shared }
    }

    /// Reads the version that it was written with.
    final class Versioned: Coding, ArchiveDescribing {
        static let archiveVersion = 7
        let versionRead: Int?
        init() { versionRead = nil }
        init(coder: KeyedUnarchiver) throws { versionRead = coder.archivedVersion(of: Versioned.self) }
        func encode(with coder: KeyedArchiver) throws {}
    }
}
