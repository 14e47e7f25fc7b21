// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What the system is to refuse this process. All of it holds for a whole process, which is why tests that need it start
/// one.
struct Restrictions {
    private var umask: mode_t?
    private var user: uid_t?
    private var fileSize: rlim_t?
    private var isSignalled: Bool
    private var hidesProcesses: Bool

    struct Refused: Error {
        let call: String
        let number = errno
    }

    init(_ options: [String: String]) {
        umask = options["umask"].flatMap { mode_t($0, radix: 8) }
        user = options["user"].flatMap { uid_t($0) }
        fileSize = options["limit"].flatMap { rlim_t($0) }
        isSignalled = options["signal"] == "yes"
        hidesProcesses = options["proc"] == "no"
    }

    func apply() throws {
        #if os(Linux)
            if hidesProcesses {
                guard mount("tmpfs", "/proc", "tmpfs", 0, nil) == 0 else { throw Refused(call: "mount") }
            }
        #endif
        if let umask { setUmask(umask) }
        if let fileSize {
            // Unless it is ignored, the signal ends the process.
            signal(SIGXFSZ, isSignalled ? SIG_DFL : SIG_IGN)
            var limit = rlimit(rlim_cur: fileSize, rlim_max: fileSize)
            #if canImport(Glibc)
                let result = setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            #else
                let result = setrlimit(RLIMIT_FSIZE, &limit)
            #endif
            guard result == 0 else { throw Refused(call: "setrlimit") }
        }
        if let user {
            guard setgroups(0, nil) == 0, setgid(user) == 0, setuid(user) == 0 else { throw Refused(call: "setuid") }
        }
    }
}

private func setUmask(_ mask: mode_t) { _ = umask(mask) }

extension ReplacementFolders {
    /// Folders in `place`. A file that cannot be renamed is copied, as the system of a sandbox could do it.
    init(in place: String) {
        self.init { _ in
            let folder = place + "/" + UUID().uuidString
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            return folder
        } replaceFile: { path, new in
            let contents = try Data(contentsOf: URL(fileURLWithPath: new))
            try contents.write(to: URL(fileURLWithPath: path))
        }
    }
}
