// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The farm and its location as classes by `Coding`.
final class CodingFarm: Coding {
    let name: String
    let location: CodingLocation
    let animals: [Animal]

    init(_ value: Farm) {
        name = value.name
        location = CodingLocation(value.location)
        animals = value.animals
    }

    init(coder: KeyedUnarchiver) throws {
        name = try coder.decode(String.self, forKey: "name")
        location = try coder.decode(CodingLocation.self, forKey: "location")
        animals = try coder.decode([Animal].self, forKey: "animals")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(name, forKey: "name")
        try coder.encode(location, forKey: "location")
        try coder.encode(animals, forKey: "animals")
    }

    /// Returns whether two farms have equal contents.
    static func isFaithful(original: CodingFarm, decoded: CodingFarm, sharing: Bool) -> Bool {
        contents(of: original) == contents(of: decoded)
    }
}

/// The location of a farm.
final class CodingLocation: Coding {
    let latitude: Double
    let longitude: Double

    init(_ value: Location) {
        latitude = value.latitude
        longitude = value.longitude
    }

    init(coder: KeyedUnarchiver) throws {
        latitude = try coder.decodeDouble(forKey: "latitude")
        longitude = try coder.decodeDouble(forKey: "longitude")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(latitude, forKey: "latitude")
        coder.encode(longitude, forKey: "longitude")
    }
}

/// Returns everything that `object` references, as text.
func contents(of object: AnyObject) -> String {
    var text = ""
    dump(object, to: &text)
    return text
}
