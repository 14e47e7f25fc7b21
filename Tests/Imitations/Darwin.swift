// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file

// What the library uses of the C library of Apple's systems, with the types that Swift imports it with on 64-bit ones. No
// function does anything: `scripts/check-apple` compiles the library against these declarations. A name that is not here does
// not compile, so a call that only Linux has is found.

@_exported import DarwinStatus

// MARK: - Types

public typealias mode_t = UInt16
public typealias uid_t = UInt32
public typealias gid_t = UInt32
public typealias off_t = Int64
public typealias u_short = UInt16
public typealias useconds_t = UInt32
public typealias nfds_t = UInt32
public typealias attrgroup_t = UInt32
public typealias copyfile_flags_t = UInt32
public typealias copyfile_state_t = OpaquePointer
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>

public struct _opaque_pthread_t {
    public var __sig: Int
}

public struct attrlist {
    public var bitmapcount: u_short = 0
    public var reserved: UInt16 = 0
    public var commonattr: attrgroup_t = 0
    public var volattr: attrgroup_t = 0
    public var dirattr: attrgroup_t = 0
    public var fileattr: attrgroup_t = 0
    public var forkattr: attrgroup_t = 0
    public init() {}
}

public struct winsize {
    public var ws_row: UInt16 = 0
    public var ws_col: UInt16 = 0
    public init() {}
}

public struct pollfd {
    public var fd: Int32
    public var events: Int16
    public var revents: Int16
    public init(fd: Int32, events: Int16, revents: Int16) { (self.fd, self.events, self.revents) = (fd, events, revents) }
}

// MARK: - Constants

public var EPERM: Int32 { 1 }
public var ENOENT: Int32 { 2 }
public var EINTR: Int32 { 4 }
public var EIO: Int32 { 5 }
public var EBADF: Int32 { 9 }
public var EACCES: Int32 { 13 }
public var EEXIST: Int32 { 17 }
public var EXDEV: Int32 { 18 }
public var ENOTDIR: Int32 { 20 }
public var EISDIR: Int32 { 21 }
public var EINVAL: Int32 { 22 }
public var EFBIG: Int32 { 27 }
public var ENOSPC: Int32 { 28 }
public var ESPIPE: Int32 { 29 }
public var EROFS: Int32 { 30 }
public var EPIPE: Int32 { 32 }
public var EAGAIN: Int32 { 35 }
public var EWOULDBLOCK: Int32 { 35 }
public var ENOTSUP: Int32 { 45 }
public var ELOOP: Int32 { 62 }
public var ENAMETOOLONG: Int32 { 63 }
public var EDQUOT: Int32 { 69 }
public var ENOSYS: Int32 { 78 }
public var ECANCELED: Int32 { 89 }

public var O_RDONLY: Int32 { 0 }
public var O_WRONLY: Int32 { 1 }
public var O_NONBLOCK: Int32 { 0x4 }
public var O_NOFOLLOW: Int32 { 0x100 }
public var O_CREAT: Int32 { 0x200 }
public var O_EXCL: Int32 { 0x800 }
public var O_RDWR: Int32 { 0x2 }
public var O_APPEND: Int32 { 0x8 }
public var O_DIRECTORY: Int32 { 0x100000 }
public var O_CLOEXEC: Int32 { 0x1000000 }
public var AT_FDCWD: Int32 { -2 }
public var AT_SYMLINK_NOFOLLOW: Int32 { 0x20 }
public var AT_SYMLINK_FOLLOW: Int32 { 0x40 }
public var W_OK: Int32 { 2 }
public var LOCK_EX: Int32 { 2 }
public var LOCK_NB: Int32 { 4 }
public var F_FULLFSYNC: Int32 { 51 }
public var F_GETPROTECTIONCLASS: Int32 { 63 }
public var F_SETPROTECTIONCLASS: Int32 { 64 }
public var F_SETNOSIGPIPE: Int32 { 73 }
public var S_IFMT: mode_t { 0o170000 }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IFREG: mode_t { 0o100000 }
public var S_IFLNK: mode_t { 0o120000 }
public var ATTR_BIT_MAP_COUNT: Int32 { 5 }
public var ATTR_CMN_CRTIME: Int32 { 0x200 }
public var COPYFILE_ACL: Int32 { 1 }
public var COPYFILE_XATTR: Int32 { 4 }
public var MAP_PRIVATE: Int32 { 0x2 }
public var MAP_NORESERVE: Int32 { 0x40 }
public var MAP_ANON: Int32 { 0x1000 }
public var PROT_READ: Int32 { 1 }
public var PROT_WRITE: Int32 { 2 }
public var POLLIN: Int32 { 1 }
public var POLLOUT: Int32 { 4 }
public var TIOCGWINSZ: UInt { 0x4008_7468 }
public var SIGPIPE: Int32 { 13 }
public var SIG_DFL: (@convention(c) (Int32) -> Void)? { nil }

// MARK: - Functions
// Those whose result C marks as one that may be ignored is so for all of them: Swift imports every C function like that.

public var errno: Int32 {
    get { 0 }
    set {}
}

private func none() -> Never { fatalError("An imitation") }

// Memory and threads
public func calloc(_: Int, _: Int) -> UnsafeMutableRawPointer! { none() }
public func realloc(_: UnsafeMutableRawPointer!, _: Int) -> UnsafeMutableRawPointer! { none() }
public func free(_: UnsafeMutableRawPointer!) { none() }
@discardableResult
public func mmap(_: UnsafeMutableRawPointer!, _: Int, _: Int32, _: Int32, _: Int32, _: off_t) -> UnsafeMutableRawPointer! { none() }
@discardableResult public func munmap(_: UnsafeMutableRawPointer!, _: Int) -> Int32 { none() }
public func pthread_self() -> pthread_t { none() }
public typealias pthread_key_t = UInt
public func pthread_key_create(
    _: UnsafeMutablePointer<pthread_key_t>!, _: (@convention(c) (UnsafeMutableRawPointer) -> Void)!
) -> CInt { none() }
public func pthread_getspecific(_: pthread_key_t) -> UnsafeMutableRawPointer? { none() }
@discardableResult public func pthread_setspecific(_: pthread_key_t, _: UnsafeRawPointer?) -> CInt { none() }
public func pthread_get_stackaddr_np(_: pthread_t) -> UnsafeMutableRawPointer { none() }
public func pthread_get_stacksize_np(_: pthread_t) -> Int { none() }
public func dlsym(_: UnsafeMutableRawPointer!, _: UnsafePointer<CChar>!) -> UnsafeMutableRawPointer! { none() }
@discardableResult public func usleep(_: useconds_t) -> Int32 { none() }
public func exit(_: Int32) -> Never { none() }
@discardableResult public func signal(_: Int32, _: (@convention(c) (Int32) -> Void)!) -> (@convention(c) (Int32) -> Void)! { none() }
public func getenv(_: UnsafePointer<CChar>!) -> UnsafeMutablePointer<CChar>! { none() }
public func strerror(_: Int32) -> UnsafeMutablePointer<CChar>! { none() }

// Files
@discardableResult public func open(_: UnsafePointer<CChar>, _: Int32) -> Int32 { none() }
@discardableResult public func open(_: UnsafePointer<CChar>, _: Int32, _: mode_t) -> Int32 { none() }
@discardableResult public func openat(_: Int32, _: UnsafePointer<CChar>, _: Int32) -> Int32 { none() }
@discardableResult public func openat(_: Int32, _: UnsafePointer<CChar>, _: Int32, _: mode_t) -> Int32 { none() }
@discardableResult public func close(_: Int32) -> Int32 { none() }
@discardableResult public func read(_: Int32, _: UnsafeMutableRawPointer!, _: Int) -> Int { none() }
@discardableResult public func pread(_: Int32, _: UnsafeMutableRawPointer!, _: Int, _: off_t) -> Int { none() }
@discardableResult public func pwrite(_: Int32, _: UnsafeRawPointer!, _: Int, _: off_t) -> Int { none() }
@discardableResult public func write(_: Int32, _: UnsafeRawPointer!, _: Int) -> Int { none() }
@discardableResult public func fsync(_: Int32) -> Int32 { none() }
@discardableResult public func ftruncate(_: Int32, _: off_t) -> Int32 { none() }
@discardableResult public func fcntl(_: Int32, _: Int32) -> Int32 { none() }
@discardableResult public func fcntl(_: Int32, _: Int32, _: Int32) -> Int32 { none() }
@discardableResult public func flock(_: Int32, _: Int32) -> Int32 { none() }
@discardableResult public func ioctl(_: Int32, _: UInt, _: UnsafeMutableRawPointer) -> Int32 { none() }
@discardableResult public func isatty(_: Int32) -> Int32 { none() }
@discardableResult public func poll(_: UnsafeMutablePointer<pollfd>!, _: nfds_t, _: Int32) -> Int32 { none() }
@discardableResult public func lstat(_: UnsafePointer<CChar>!, _: UnsafeMutablePointer<stat>!) -> Int32 { none() }
@discardableResult public func fstat(_: Int32, _: UnsafeMutablePointer<stat>!) -> Int32 { none() }
@discardableResult
public func fstatat(_: Int32, _: UnsafePointer<CChar>!, _: UnsafeMutablePointer<stat>!, _: Int32) -> Int32 { none() }
@discardableResult public func fchmod(_: Int32, _: mode_t) -> Int32 { none() }
@discardableResult public func fchown(_: Int32, _: uid_t, _: gid_t) -> Int32 { none() }
@discardableResult public func umask(_: mode_t) -> mode_t { none() }
@discardableResult public func readlink(_: UnsafePointer<CChar>!, _: UnsafeMutablePointer<CChar>!, _: Int) -> Int { none() }
@discardableResult public func rename(_: UnsafePointer<CChar>!, _: UnsafePointer<CChar>!) -> Int32 { none() }
@discardableResult
public func renameat(_: Int32, _: UnsafePointer<CChar>!, _: Int32, _: UnsafePointer<CChar>!) -> Int32 { none() }
@discardableResult
public func linkat(_: Int32, _: UnsafePointer<CChar>!, _: Int32, _: UnsafePointer<CChar>!, _: Int32) -> Int32 { none() }
@discardableResult public func faccessat(_: Int32, _: UnsafePointer<CChar>!, _: Int32, _: Int32) -> Int32 { none() }
@discardableResult public func unlink(_: UnsafePointer<CChar>!) -> Int32 { none() }
@discardableResult public func unlinkat(_: Int32, _: UnsafePointer<CChar>!, _: Int32) -> Int32 { none() }
@discardableResult public func mkstemp(_: UnsafeMutablePointer<CChar>!) -> Int32 { none() }
public func realpath(_: UnsafePointer<CChar>!, _: UnsafeMutablePointer<CChar>!) -> UnsafeMutablePointer<CChar>! { none() }
@discardableResult
public func fcopyfile(_: Int32, _: Int32, _: copyfile_state_t!, _: copyfile_flags_t) -> Int32 { none() }
@discardableResult
public func fsetattrlist(_: Int32, _: UnsafeMutableRawPointer!, _: UnsafeMutableRawPointer!, _: Int, _: UInt32) -> Int32 { none() }
