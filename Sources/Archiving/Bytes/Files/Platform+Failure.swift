// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

extension Platform {
    /// The error number of a failed system call.
    package struct Failure: Error, Equatable {
        package let number: CInt

        /// Reads the number from `errno`. Call it immediately after the system call.
        init() { number = errno }

        init(_ number: CInt) { self.number = number }

        static let badPath = Failure(EINVAL)
        /// The failure of a file that cannot be read completely.
        static let unreadable = Failure(EIO)
        static let cancelled = Failure(ECANCELED)
        /// The failure of a file that is neither a regular file nor a folder.
        static let notRegular = Failure(ESPIPE)
        /// The failure of a descriptor that is not open for the operation.
        static let notOpen = Failure(EBADF)
        static let missing = Failure(ENOENT)
        static let exists = Failure(EEXIST)
        static let isFolder = Failure(EISDIR)
        static let linksInCircle = Failure(ELOOP)
        static let full = Failure(ENOSPC)
        static let nameTooLong = Failure(ENAMETOOLONG)
        static let forbidden = Failure(EACCES)
        static let readOnly = Failure(EROFS)
        /// The failure of a rename to another volume.
        static let otherVolume = Failure(EXDEV)

        /// The kind of the failure.
        enum Reason { case missing, forbidden, full, readOnly, badName, other }

        var reason: Reason {
            switch number {
            case ENOENT, ENOTDIR: .missing
            case EACCES, EPERM: .forbidden
            case ENOSPC, EFBIG, EDQUOT: .full
            case EROFS: .readOnly
            case ENAMETOOLONG, EINVAL: .badName
            default: .other
            }
        }
    }
}
