// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The classes of Foundation with a known form in sequential archives.
///
/// docs/typedstream-format.md describes their contents. A subclass has the form of its superclass. One that adds values is read
/// as its superclass if no value is left over.
enum SequentialFoundationClass: String {
    case string = "NSString"
    case data = "NSData"
    case date = "NSDate"
    case url = "NSURL"
    case number = "NSNumber"
    case value = "NSValue"
    case null = "NSNull"
    case array = "NSArray"
    case set = "NSSet"
    case dictionary = "NSDictionary"
    case attributedString = "NSAttributedString"

    /// The class and its superclasses with their versions.
    var chain: [(name: String, version: Int)] {
        switch self {
        case .string: [(rawValue, 1), ("NSObject", 0)]
        case .number: [(rawValue, 0), ("NSValue", 0), ("NSObject", 0)]
        default: [(rawValue, 0), ("NSObject", 0)]
        }
    }
}
