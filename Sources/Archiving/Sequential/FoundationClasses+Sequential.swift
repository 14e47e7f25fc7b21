/// The classes of Foundation that have a form of their own in sequential archives.
///
/// What they consist of is described in docs/typedstream-format.md.
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

    /// The first of the names that is that of a class of Foundation: what inherits from NSString has its form.
    ///
    /// Only the classes that the form of can be told by it: subclasses that add values are read as their superclass where
    /// nothing is left over.
    init?(chain: some Sequence<String>) {
        for name in chain {
            if let known = Self(rawValue: name) {
                self = known
                return
            }
        }
        return nil
    }
}
