import Archiving
import Foundation
import Testing

private let python = Surroundings.program("python3")
private let peers = Surroundings.folder("ARCHIVING_GNUSTEP_PEERS", or: ".build/gnustep-peers")

/// A farm as other programs know it, with versions, and its location behind a protocol and archived once.
private struct VersionedFarm: Codable, ArchiveVersioned {
    static let archiveVersion = 3
    var name = Farm.example.name
    @Polymorphic var location: any Place = VersionedLocation()
    var animals = Farm.example.animals
    var again = VersionedLocation()
    var building: Building? = Barn()
}

private protocol Place: Codable {}

private struct VersionedLocation: Place, ArchivedOnce, ArchiveVersioned {
    static let archiveVersion = 70_000
    var id: String { "\(latitude) \(longitude)" }
    var latitude = Farm.example.location.latitude
    var longitude = Farm.example.location.longitude
}

private class Building: Codable, ArchiveVersioned {
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
        own = decoder.archivedVersion
        ofSelf = decoder.archivedVersion(of: Versions.self)
    }
}

@Suite struct `Archives with versions` {
    @Test(arguments: PropertyListFormat.allCases)
    func `are read by Foundation`(format: PropertyListFormat) throws {
        let data = try farmEncoder(format).encode(VersionedFarm())
        let object = try BuiltFarmObject.unarchived(from: data, ["Barn": BuildingObject.self])
        #expect(object.farm == .example)
        #expect(object.building.floors == 2)
    }

    @Test func `of Foundation's classes have version 0`() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.encode(VersionlessObject(), forKey: NSKeyedArchiveRootObjectKey)
        var decoder = ArchiveDecoder()
        decoder.classes.register(Versions.self, aliases: [NSStringFromClass(VersionlessObject.self)])
        let versions = try decoder.decode(Versions.self, from: archiver.encodedData)
        #expect(versions.own == 0)
        #expect(versions.ofSelf == 0)
        let dates = try NSKeyedArchiver.archivedData(withRootObject: NSDate(), requiringSecureCoding: true)
        #expect(try ArchiveDecoder().decode(Versions.self, from: dates).own == 0)
    }

    /// Prints the versions of each class, by its name.
    private static let script = """
        import json, plistlib, sys
        with open(sys.argv[1], 'rb') as file:
            objects = plistlib.load(file)['$objects']
        entries = [entry for entry in objects if isinstance(entry, dict) and '$classname' in entry]
        print(json.dumps({entry['$classname']: entry.get('$classversions') for entry in entries}, sort_keys=True))
        """

    @Test(.enabled(if: python != nil, "There is no python3 in the search path"), arguments: PropertyListFormat.allCases)
    func `are read by Python's plistlib`(format: PropertyListFormat) throws {
        let data = try farmEncoder(format).encode(VersionedFarm())
        try withTemporaryFolder { folder in
            let archive = folder.appending(path: "archive.plist")
            try data.write(to: archive)
            let output = try ProgramOutput(try #require(python), "-c", Self.script, archive.path)
            try #require(output.status == 0, "\(output.text)")
            #expect(
                output.text.trimmingCharacters(in: .newlines)
                    == #"{"Barn": [-4, 1], "Farm": [3], "Location": [70000], "NSArray": null}"#)
        }
    }

    @Test(.enabled(if: peers != nil, "No peers of GNUstep's"), arguments: PropertyListFormat.allCases)
    func `are read by GNUstep`(format: PropertyListFormat) throws {
        var farm = VersionedFarm()
        farm.building = nil
        let data = try farmEncoder(format).encode(farm)
        try withTemporaryFolder { folder in
            let archive = folder.appending(path: "farm.archive")
            try data.write(to: archive)
            let program = try #require(peers).appending(path: "peer_read")
            let output = try ProgramOutput(program, archive.path, "Farm=Farm", "Location=Location")
            #expect(output.status == 0, "\(output.text)")
            #expect(
                output.text.hasPrefix(
                    "Farm(name=Old MacDonald’s Farm location=Location(51.621648 0.269273) animals=1,2,4,3,2,1,4,3,2)"))
        }
    }

    @Test(.enabled(if: peers != nil, "No peers of GNUstep's"))
    func `of GNUstep's classes have version 0`() throws {
        try withTemporaryFolder { folder in
            let output = try ProgramOutput(try #require(peers).appending(path: "peer_write"), folder.path)
            try #require(output.status == 0, "\(output.text)")
            let data = try Data(contentsOf: folder.appending(path: "items.archive"))
            let versions = try ArchiveDecoder().decode([Versions].self, from: data)
            #expect(versions.map(\.own) == [0, 0, 0])
            // They are objects of another name.
            #expect(versions.map(\.ofSelf) == [nil, nil, nil])
        }
    }
}

// MARK: - Twins

private final class BuiltFarmObject: FarmObject {
    let building: BuildingObject

    required init?(coder: NSCoder) {
        guard let building = coder.decodeObject(of: BuildingObject.self, forKey: "building") else { return nil }
        self.building = building
        super.init(coder: coder)
    }
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
