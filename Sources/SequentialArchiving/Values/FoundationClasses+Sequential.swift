/// The classes of Foundation that have a form of their own in sequential archives.
///
/// What they consist of is described in docs/typedstream-format.md. What inherits from one of them has its form: subclasses that
/// add values are read as their superclass where nothing is left over.
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

    /// The class with its superclasses, and their versions.
    var chain: [(name: String, version: Int)] {
        switch self {
        case .string: [(rawValue, 1), ("NSObject", 0)]
        case .number: [(rawValue, 0), ("NSValue", 0), ("NSObject", 0)]
        default: [(rawValue, 0), ("NSObject", 0)]
        }
    }
}
