// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The archive that Foundation's `NSKeyedArchiver` makes of `object`.
package func foundationArchive(
    of object: Any, forKey key: String = NSKeyedArchiveRootObjectKey,
    format: PropertyListSerialization.PropertyListFormat = .binary
) -> Data {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.outputFormat = format
    archiver.encode(object, forKey: key)
    archiver.finishEncoding()
    return archiver.encodedData
}

/// What `body` gets out of `data` by Foundation's `NSKeyedUnarchiver`, which requires secure coding and may meet no error.
///
/// - Parameter classes: The classes of the objects, by their names in the archive.
package func withFoundationUnarchiver<Value>(
    of data: Data, classes: [String: AnyClass] = [:], sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (NSKeyedUnarchiver) throws -> Value
) throws -> Value {
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
    unarchiver.requiresSecureCoding = true
    unarchiver.decodingFailurePolicy = .setErrorAndReturn
    for (name, type): (String, AnyClass) in classes { unarchiver.setClass(type, forClassName: name) }
    defer { unarchiver.finishDecoding() }
    let value = try body(unarchiver)
    #expect(unarchiver.error == nil, sourceLocation: sourceLocation)
    return value
}

// MARK: - The farm

/// What Foundation makes of the archive of a `SampleFarm`.
package final class FarmObject: NSObject, NSSecureCoding {
    package static var supportsSecureCoding: Bool { true }

    private let name: String
    private let location: LocationObject
    private let animals: [Int]

    package init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: "name"),
            let location = coder.decodeObject(of: LocationObject.self, forKey: "location"),
            let animals = coder.decodeObject(of: [NSArray.self, NSNumber.self], forKey: "animals") as? [Int]
        else { return nil }
        self.name = String(describing: name)
        self.location = location
        self.animals = animals
    }

    package func encode(with coder: NSCoder) {}

    /// The farm that Foundation finds at the root of `data`, a "Farm" with a "Location".
    package static func farm(in data: Data, sourceLocation: SourceLocation = #_sourceLocation) throws -> SampleFarm {
        let classes: [String: AnyClass] = ["Farm": FarmObject.self, "Location": LocationObject.self]
        let object = try withFoundationUnarchiver(of: data, classes: classes, sourceLocation: sourceLocation) {
            $0.decodeObject(of: FarmObject.self, forKey: NSKeyedArchiveRootObjectKey)
        }
        let farm = try #require(object, sourceLocation: sourceLocation)
        return SampleFarm(
            name: farm.name,
            location: FarmLocation(latitude: farm.location.latitude, longitude: farm.location.longitude),
            animals: farm.animals.compactMap { FarmAnimal(rawValue: $0) })
    }
}

private final class LocationObject: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    let latitude: Double
    let longitude: Double

    init?(coder: NSCoder) {
        latitude = coder.decodeDouble(forKey: "latitude")
        longitude = coder.decodeDouble(forKey: "longitude")
    }

    func encode(with coder: NSCoder) {}
}
