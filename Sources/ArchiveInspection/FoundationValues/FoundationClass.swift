// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The class that determines how an object is read.
enum FoundationClass {
    /// A class that programs decode as well.
    case cocoa(CocoaClass)
    case cArray, countedSet
    case color, font
    /// A class whose objects are described by a table.
    case record(RecordForm)

    /// The modules in the names of some classes by Foundation on Linux.
    private static let modules = ["FoundationNetworking.", "Foundation."]

    init?(named name: String) {
        let module = Self.modules.first { name.hasPrefix($0) } ?? ""
        let name = String(name.dropFirst(module.count))
        if let form = RecordForm.named[name] {
            self = .record(form)
        } else if let known = CocoaClass(named: name) {
            self = .cocoa(known)
        } else if let known = Self.names[name] {
            self = known
        } else {
            return nil
        }
    }

    private static let names: [String: FoundationClass] = [
        "_NSKeyedCoderOldStyleArray": .cArray, "NSCountedSet": .countedSet,
        "NSColor": .color, "UIColor": .color, "NSFont": .font, "UIFont": .font,
    ]
}

extension FoundationClass {
    /// Returns the class of the object `value` if it is known, otherwise the nearest known one; nil if there is none, and for other
    /// values.
    static func find(
        _ value: ArchivedValue, in contents: ArchiveContents
    ) throws(KeyedArchiveError) -> (class: FoundationClass, name: String, isItself: Bool)? {
        guard value.node.kind == .dictionary, let uid = try contents.classUID(of: value.node) else { return nil }
        return try contents.nearestClass(uid, FoundationClass.init(named:))
    }
}
