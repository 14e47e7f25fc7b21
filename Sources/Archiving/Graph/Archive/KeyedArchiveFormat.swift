/// What every keyed archive says of itself.
package enum KeyedArchiveFormat {
    package static let version = 100_000
    package static let archiver = "NSKeyedArchiver"
    /// `NS.mantissa.bo`: Cocoa's `NSByteOrder`.
    static let littleEndian = 1
    static let bigEndian = 2
    /// The key of the root object in `$top`, Cocoa's `NSKeyedArchiveRootObjectKey`.
    static let rootKey = "root"
    /// Names in `$classes`, and bytes of a class name, that are read at most. No class has as many; an archive could have
    /// its whole length for each object.
    package static let superclassLimit = 128
    package static let classNameLimit = 16 << 10
}
