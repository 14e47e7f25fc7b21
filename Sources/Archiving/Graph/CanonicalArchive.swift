enum CanonicalArchive {
    static func bytes(of list: BinaryPropertyListReader) throws(PropertyListError) -> UnsafeMutableRawBufferPointer {
        throw PropertyListError(.tooLarge, at: 0)
    }
}
