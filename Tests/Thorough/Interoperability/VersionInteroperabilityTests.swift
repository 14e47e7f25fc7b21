// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// A farm as other programs know it, with versions, and its location behind a protocol and archived once.
private struct VersionedFarm: Codable, ArchiveDescribing {
    static let archiveVersion = 3
    var name = SampleFarm.example.name
    @Polymorphic var location: any Place = VersionedLocation()
    var animals = SampleFarm.example.animals
    var again = VersionedLocation()
    var building: Building? = Barn()
}

private protocol Place: Codable {}

private struct VersionedLocation: Place, ArchivedOnce {
    static let archiveVersion = 70_000
    var id: String { "\(latitude) \(longitude)" }
    var latitude = SampleFarm.example.location.latitude
    var longitude = SampleFarm.example.location.longitude
}

private class Building: Codable, ArchiveDescribing {
    class var archiveVersion: Int { 1 }
    var floors = 2
    init() {}
}

private final class Barn: Building {
    override class var archiveVersion: Int { -4 }
}

private func farmEncoder(_ format: PropertyListFormat) -> ArchiveEncoder {
    var encoder = ArchiveEncoder()
    encoder.outputFormat = format
    encoder.classes.register(VersionedFarm.self, name: "Farm")
    encoder.classes.register(VersionedLocation.self, name: "Location")
    encoder.classes.register(Building.self, name: "Building")
    encoder.classes.register(Barn.self, name: "Barn")
    return encoder
}

/// What a decoder says of the version of its value.
private final class Versions: Decodable {
    let own: Int?
    let ofSelf: Int?

    init(from decoder: any Decoder) throws {
        own = decoder.archivedVersion()
        ofSelf = decoder.archivedVersion(of: Versions.self)
    }
}

@Suite(.inTurn) struct `Archives with versions` {
    @Test(arguments: PropertyListFormat.allCases)
    func `are read by Foundation`(format: PropertyListFormat) throws {
        let data = try farmEncoder(format).encode(VersionedFarm())
        #expect(try FarmObject.farm(in: data) == .example)
        let classes: [String: AnyClass] = ["Farm": BuiltFarmObject.self, "Barn": BuildingObject.self]
        let object = try withFoundationUnarchiver(of: data, classes: classes) {
            $0.decodeObject(of: BuiltFarmObject.self, forKey: NSKeyedArchiveRootObjectKey)
        }
        #expect(object?.building.floors == 2)
    }

    @Test func `of Foundation's classes have version 0`() throws {
        var decoder = ArchiveDecoder()
        decoder.classes.register(Versions.self, aliases: [NSStringFromClass(VersionlessObject.self)])
        let versions = try decoder.decode(Versions.self, from: foundationArchive(of: VersionlessObject()))
        #expect(versions.own == 0)
        #expect(versions.ofSelf == 0)
        #expect(try ArchiveDecoder().decode(Versions.self, from: foundationArchive(of: NSDate())).own == 0)
    }

    @Test(.needs(.tool("python3")), arguments: PropertyListFormat.allCases)
    func `are read by Python's plistlib`(format: PropertyListFormat) throws {
        let data = try farmEncoder(format).encode(VersionedFarm())
        let entries = "[each for each in objects if isinstance(each, dict) and '$classname' in each]"
        let versions = "sorted((each['$classname'], each.get('$classversions')) for each in \(entries))"
        #expect(
            try Plistlib.evaluate(versions, in: [data])
                == "[('Barn', [-4, 1]), ('Farm', [3]), ('Location', [70000]), ('NSArray', None)]")
    }

    @Test(.needs(.gnustep), arguments: PropertyListFormat.allCases)
    func `are read by GNUstep`(format: PropertyListFormat) throws {
        var farm = VersionedFarm()
        farm.building = nil
        let data = try farmEncoder(format).encode(farm)
        #expect(
            try GNUstepPeers.read(data).hasPrefix(
                "Farm(name=Old MacDonald’s Farm location=Location(51.621648 0.269273) animals=1,2,4,3,2,1,4,3,2)"))
    }

    @Test(.needs(.gnustep))
    func `of GNUstep's classes have version 0`() throws {
        let data = try GNUstepPeers.archive("items.archive")
        let versions = try ArchiveDecoder().decode([Versions].self, from: data)
        #expect(versions.map(\.own) == [0, 0, 0])
        // They are objects of another name.
        #expect(versions.map(\.ofSelf) == [nil, nil, nil])
    }
}

// MARK: - Twins

/// A farm that knows nothing but its building.
private final class BuiltFarmObject: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    let building: BuildingObject

    init?(coder: NSCoder) {
        guard let building = coder.decodeObject(of: BuildingObject.self, forKey: "building") else { return nil }
        self.building = building
    }

    func encode(with coder: NSCoder) {}
}

private final class BuildingObject: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    let floors: Int

    init?(coder: NSCoder) { floors = coder.decodeInteger(forKey: "floors") }

    func encode(with coder: NSCoder) {}
}

/// Foundation archives no private class.
final class VersionlessObject: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    override init() {}
    init?(coder: NSCoder) { nil }

    func encode(with coder: NSCoder) { coder.encode(1, forKey: "x") }
}
