import Foundation
import Testing

/// What Foundation makes of the archive of a `Farm`.
class FarmObject: NSObject, NSSecureCoding {
    class var supportsSecureCoding: Bool { true }

    private let name: String
    private let location: LocationObject
    private let animals: [Int]

    required init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: "name"),
            let location = coder.decodeObject(of: LocationObject.self, forKey: "location"),
            let animals = coder.decodeObject(of: [NSArray.self, NSNumber.self], forKey: "animals") as? [Int]
        else { return nil }
        self.name = String(describing: name)
        self.location = location
        self.animals = animals
    }

    func encode(with coder: NSCoder) {}

    /// The farm that this is.
    var farm: Farm {
        Farm(
            name: name, location: Location(latitude: location.latitude, longitude: location.longitude),
            animals: animals.compactMap { Animal(rawValue: $0) })
    }

    /// The root object of `data`, a "Farm" with a "Location", as Foundation reads it with secure coding.
    ///
    /// - Parameter classes: The classes of what else is in it, by the name in the archive.
    static func unarchived(from data: Data, _ classes: [String: AnyClass] = [:]) throws -> Self {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
        unarchiver.requiresSecureCoding = true
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        unarchiver.setClass(self, forClassName: "Farm")
        unarchiver.setClass(LocationObject.self, forClassName: "Location")
        for entry in classes { unarchiver.setClass(entry.value, forClassName: entry.key) }
        let object = unarchiver.decodeObject(of: self, forKey: NSKeyedArchiveRootObjectKey)
        #expect(unarchiver.error == nil)
        unarchiver.finishDecoding()
        return try #require(object)
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
