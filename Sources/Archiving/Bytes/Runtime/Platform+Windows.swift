#if os(Windows)
    import WinSDK
    import ucrt

    // The functions of `Platform+Files` for Windows, which has no files without a name and cannot flush folders.

    // MARK: - Files

    extension Platform {
        /// An open file, or the path of a folder: Windows cannot create files relative to an open folder.
        enum OpenFile: @unchecked Sendable {
            case handle(HANDLE)
            case folder(String)

            fileprivate var handle: HANDLE? {
                if case .handle(let handle) = self { handle } else { nil }
            }
        }

        /// Empty, since files get the permissions of their folder.
        struct FileAccess {}

        static func info(_ path: String, isLinkFollowed: Bool = true) throws(Failure) -> FileInfo {
            let file = try open(
                path, access: DWORD(FILE_READ_ATTRIBUTES), DWORD(OPEN_EXISTING),
                flags: DWORD(FILE_FLAG_BACKUP_SEMANTICS) | (isLinkFollowed ? 0 : DWORD(FILE_FLAG_OPEN_REPARSE_POINT)))
            defer { closeFile(file) }
            return try info(of: file)
        }

        static func info(of file: OpenFile) throws(Failure) -> FileInfo {
            var info = BY_HANDLE_FILE_INFORMATION()
            guard GetFileInformationByHandle(file.handle, &info) else { throw Failure(windows: GetLastError()) }
            func wide(_ high: DWORD, _ low: DWORD) -> UInt64 { UInt64(high) << 32 | UInt64(low) }
            let kind: FileInfo.Kind =
                if GetFileType(file.handle) != DWORD(FILE_TYPE_DISK) {
                    .other
                } else if info.dwFileAttributes & DWORD(FILE_ATTRIBUTE_REPARSE_POINT) != 0 {
                    .link
                } else {
                    info.dwFileAttributes & DWORD(FILE_ATTRIBUTE_DIRECTORY) != 0 ? .folder : .file
                }
            let byteCount = Int64(truncatingIfNeeded: wide(info.nFileSizeHigh, info.nFileSizeLow))
            // The unit is 100 nanoseconds.
            let changed = wide(info.ftLastWriteTime.dwHighDateTime, info.ftLastWriteTime.dwLowDateTime)
            return FileInfo(
                kind: kind, byteCount: byteCount,
                identity: FileIdentity(
                    device: UInt64(info.dwVolumeSerialNumber), number: wide(info.nFileIndexHigh, info.nFileIndexLow),
                    byteCount: byteCount, seconds: Int64(changed / 10_000_000),
                    nanoseconds: Int64(changed % 10_000_000) * 100),
                access: FileAccess())
        }

        static func info(_ name: String, in folder: OpenFile) throws(Failure) -> FileInfo {
            try info(path(name, in: folder), isLinkFollowed: false)
        }

        /// The absolute path of the file that the symbolic link at `path` refers to, all links followed.
        static func contents(ofLink path: String) throws(Failure) -> String {
            let file = try open(
                path, access: DWORD(FILE_READ_ATTRIBUTES), DWORD(OPEN_EXISTING),
                flags: DWORD(FILE_FLAG_BACKUP_SEMANTICS))
            defer { closeFile(file) }
            var units = [WCHAR](repeating: 0, count: 32768)
            let count = GetFinalPathNameByHandleW(file.handle, &units, DWORD(units.count), DWORD(FILE_NAME_NORMALIZED))
            guard count > 0 else { throw Failure(windows: GetLastError()) }
            guard count < units.count else { throw .nameTooLong }
            let found = String(decoding: units[..<Int(count)], as: UTF16.self)
            return (found.hasPrefix(#"\\?\UNC\"#) ? #"\\"# + found.dropFirst(8) : String(found.dropFirst(4)))
                .split(separator: #"\"#, omittingEmptySubsequences: false).joined(separator: "/")
        }

        static func isAbsolute(_ path: String) -> Bool { true }

        static func openFile(_ path: String, toWrite: Bool) throws(Failure) -> OpenFile {
            try open(path, access: toWrite ? DWORD(GENERIC_WRITE) : DWORD(GENERIC_READ), DWORD(OPEN_EXISTING))
        }

        static func openFile(_ name: String, in folder: OpenFile) throws(Failure) -> OpenFile {
            try openFile(path(name, in: folder), toWrite: false)
        }

        static func openFolder(_ path: String) throws(Failure) -> OpenFile { .folder(path) }

        static func closeFile(_ file: OpenFile) {
            if let handle = file.handle { CloseHandle(handle) }
        }

        static func readFile(
            _ file: OpenFile, at position: Int, into bytes: UnsafeMutableRawBufferPointer
        ) throws(Failure) -> Int {
            var place = OVERLAPPED()
            place.Offset = DWORD(truncatingIfNeeded: position)
            place.OffsetHigh = DWORD(truncatingIfNeeded: Int64(position) >> 32)
            var count: DWORD = 0
            if ReadFile(file.handle, bytes.baseAddress, DWORD(clamping: bytes.count), &count, &place) {
                return Int(count)
            }
            let error = GetLastError()
            if error == DWORD(ERROR_HANDLE_EOF) { return 0 }
            throw Failure(windows: error)
        }

        static func append(_ bytes: UnsafeRawBufferPointer, to file: OpenFile) throws(Failure) -> Int {
            var count: DWORD = 0
            guard WriteFile(file.handle, bytes.baseAddress, DWORD(clamping: bytes.count), &count, nil) else {
                throw Failure(windows: GetLastError())
            }
            guard count > 0 else { throw .full }
            return Int(count)
        }

        static func copy(from source: OpenFile, at position: Int, count: Int, to target: OpenFile) -> Int { 0 }

        static func flush(_ file: OpenFile) throws(Failure) {
            guard FlushFileBuffers(file.handle) else { throw Failure(windows: GetLastError()) }
        }

        static func flushFolder(_ folder: OpenFile) {}

        /// On Windows, locks of a file are not advisory.
        static func tryLock(_ file: OpenFile) -> LockOutcome { .impossible }

        static func pause(milliseconds: UInt32) { Sleep(DWORD(milliseconds)) }

        /// Opens a file. Other programs may read, write, rename and replace it meanwhile.
        private static func open(
            _ path: String, access: DWORD, _ disposition: DWORD, flags: DWORD = DWORD(FILE_ATTRIBUTE_NORMAL)
        ) throws(Failure) -> OpenFile {
            let sharing = DWORD(FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)
            let handle = path.withCString(encodedAs: UTF16.self) {
                CreateFileW($0, access, sharing, nil, disposition, flags, nil)
            }
            guard let handle, handle != INVALID_HANDLE_VALUE else { throw Failure(windows: GetLastError()) }
            return .handle(handle)
        }
    }

    // MARK: - New files

    extension Platform {
        static func makeUnnamedFile(in folder: OpenFile, _ access: FileAccess?) -> OpenFile? { nil }

        static func openUnnamedFile(_ file: OpenFile) throws(Failure) -> OpenFile { throw Failure(ENOTSUP) }

        static func nameFile(_ file: OpenFile, _ name: String, in folder: OpenFile) throws(Failure) {
            throw Failure(ENOTSUP)
        }

        static func makeFile(_ name: String, in folder: OpenFile, _ access: FileAccess?) throws(Failure) -> OpenFile {
            try open(path(name, in: folder), access: DWORD(GENERIC_WRITE) | DWORD(DELETE), DWORD(CREATE_NEW))
        }

        /// As on other systems, programs that have the replaced file open can continue to read it.
        static func renameFile(
            _ file: OpenFile, _ name: String, to target: String, in folder: OpenFile
        ) throws(Failure) {
            let units = Array(path(target, in: folder).utf16)
            let start = MemoryLayout<FILE_RENAME_INFO>.offset(of: \.FileName) ?? 0
            let byteCount = MemoryLayout<FILE_RENAME_INFO>.size + units.count * MemoryLayout<WCHAR>.size
            let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 8)
            defer { memory.deallocate() }
            memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
            let info = memory.assumingMemoryBound(to: FILE_RENAME_INFO.self)
            info.pointee.Flags = DWORD(FILE_RENAME_FLAG_REPLACE_IF_EXISTS | FILE_RENAME_FLAG_POSIX_SEMANTICS)
            info.pointee.FileNameLength = DWORD(units.count * MemoryLayout<WCHAR>.size)
            units.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(start: memory + start, count: $0.count).copyMemory(from: $0)
            }
            guard SetFileInformationByHandle(file.handle, FileRenameInfoEx, memory, DWORD(byteCount)) else {
                throw Failure(windows: GetLastError())
            }
        }

        static func removeFile(_ name: String, in folder: OpenFile) {
            _ = path(name, in: folder).withCString(encodedAs: UTF16.self) { DeleteFileW($0) }
        }

        static func setAccess(of file: OpenFile, to access: FileAccess) throws(Failure) {}

        private static func path(_ name: String, in folder: OpenFile) -> String {
            if case .folder(let path) = folder { path + "/" + name } else { name }
        }
    }

    /// Does nothing: on Windows a write to a pipe without a reader only fails.
    struct BrokenPipeSignal {
        init(blockedFor file: Platform.OpenFile) {}

        func unblock() {}
    }

    extension Platform.Failure {
        /// The failure with the corresponding error number of other systems.
        fileprivate init(windows error: DWORD) {
            let number =
                switch Int32(truncatingIfNeeded: error) {
                case ERROR_FILE_NOT_FOUND, ERROR_PATH_NOT_FOUND, ERROR_INVALID_DRIVE, ERROR_BAD_NETPATH: ENOENT
                case ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION: EACCES
                case ERROR_FILE_EXISTS, ERROR_ALREADY_EXISTS: EEXIST
                case ERROR_DISK_FULL, ERROR_HANDLE_DISK_FULL: ENOSPC
                case ERROR_WRITE_PROTECT: EROFS
                case ERROR_INVALID_NAME, ERROR_BAD_PATHNAME: EINVAL
                case ERROR_FILENAME_EXCED_RANGE: ENAMETOOLONG
                case ERROR_BROKEN_PIPE, ERROR_NO_DATA: EPIPE
                case ERROR_TOO_MANY_OPEN_FILES: EMFILE
                case ERROR_NOT_ENOUGH_MEMORY, ERROR_OUTOFMEMORY: ENOMEM
                default: EIO
                }
            self.init(number)
        }
    }
#endif
