// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An archive that is put together object by object, as Cocoa's archiver lays it out.
struct HandmadeArchive {
    private var objects: [PropertyList] = ["$null"]
    private var classes: [String: UInt32] = [:]
    var top: PropertyList.Dictionary = [:]

    /// Adds an object without a class.
    mutating func add(_ value: PropertyList) -> PropertyList {
        objects.append(value)
        return .uid(UInt32(objects.count - 1))
    }

    /// Adds an object of a class, whose superclasses are given after its name.
    mutating func add(_ names: String..., fields: PropertyList.Dictionary = [:]) -> PropertyList {
        var fields = fields
        fields["$class"] = .uid(classUID(names))
        return add(.dictionary(fields))
    }

    private mutating func classUID(_ names: [String]) -> UInt32 {
        if let known = classes[names[0]] { return known }
        let chain = names.last == "NSObject" ? names : names + ["NSObject"]
        objects.append(["$classname": .string(names[0]), "$classes": .array(chain.map { .string($0) })])
        classes[names[0]] = UInt32(objects.count - 1)
        return UInt32(objects.count - 1)
    }

    /// The whole archive.
    var list: PropertyList {
        ["$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": .dictionary(top), "$objects": .array(objects)]
    }

    /// The whole archive in the binary format.
    var bytes: [UInt8] { RawWriter().bytes(of: list) }
}
