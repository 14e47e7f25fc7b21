// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An item of a program with Foundation, as courses have it. On Linux, Foundation archives no class that is private or lies
/// in another one.
package final class ItemObject: NSObject, NSSecureCoding {
    package static var supportsSecureCoding: Bool { true }

    package let name: String
    package let valueInDollars: Int
    package let serialNumber: String?
    package let dateCreated: Date
    private let nameKey: String

    /// - Parameter nameKey: The key under which the name is archived.
    package init(
        name: String, valueInDollars: Int, serialNumber: String?, dateCreated: Date, nameKey: String = "name"
    ) {
        self.name = name
        self.valueInDollars = valueInDollars
        self.serialNumber = serialNumber
        self.dateCreated = dateCreated
        self.nameKey = nameKey
    }

    package init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: "name"),
            let date = coder.decodeObject(of: NSDate.self, forKey: "dateCreated")
        else { return nil }
        self.name = "\(name)"
        valueInDollars = coder.decodeInteger(forKey: "valueInDollars")
        serialNumber = coder.decodeObject(of: NSString.self, forKey: "serialNumber").map { "\($0)" }
        dateCreated = Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
        nameKey = "name"
    }

    package func encode(with coder: NSCoder) {
        coder.encode(name as NSString, forKey: nameKey)
        coder.encode(valueInDollars, forKey: "valueInDollars")
        coder.encode(serialNumber as NSString?, forKey: "serialNumber")
        coder.encode(dateCreated as NSDate, forKey: "dateCreated")
    }
}
