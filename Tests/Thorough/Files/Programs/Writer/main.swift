// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import FileFaultContent

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

// The program that the fault tests start, and kill, and let run out of space. It says what it does, a line each.

let usage = """
    usage: file-writer loop PATH from=VERSION     writes one version after the other, until it is killed
           file-writer once PATH version=VERSION  writes one
           file-writer fill PATH                  writes versions of all sizes, whatever becomes of them
           file-writer read PATH                  says which version is there
           file-writer open PATH                  says the same, without decoding it
           file-writer document PATH from=VERSION way=WAY
                                                  saves a document again and again, until it is killed; the way is
                                                  "continued", "compacted" or "widened"
           file-writer document-once PATH version=VERSION
                                                  saves a document once, or, with elsewhere=FILE, to that file
           file-writer document-fill PATH         saves versions of all sizes, whatever becomes of them, and, with
                                                  elsewhere=FILE, the last one to that file
           file-writer share PATH name=NAME count=COUNT
                                                  adds tokens to a document that others save as well, until so many are
                                                  saved
           file-writer share-journal PATH name=NAME
                                                  does that until it is killed, with journals, without them (journal=yes
                                                  or no), or with both
           file-writer fail PATH                  saves a document while calls of the system fail, one after the other
           file-writer open-journal PATH          opens a document with a journal, also while calls fail, and says what became
                                                  of it
           file-writer walk PATH passes=COUNT     looks at all of a catalogue, in every way there is, again and again,
                                                  and, with until=FILE, until that file is there
    Each with umask=077 (octal), user=65534 (for the superuser only), limit=BYTES (the size a file may have), signal=yes
    (to be ended by the system at that size), proc=no (without /proc, which needs a namespace) and replacement=FOLDER (for
    new files, if the folder of the file is refused), where wanted.

    """

// What the system does by itself, whatever the one who started the program has asked it for.
signal(SIGPIPE, SIG_DFL)

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2 else {
    say(usage)
    exit(64)
}
var options: [String: String] = [:]
for argument in arguments.dropFirst(2) {
    let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
    options[parts[0]] = parts.count == 2 ? parts[1] : ""
}
do {
    try Restrictions(options).apply()
    let job = Job(file: URL(fileURLWithPath: arguments[1]), options: options)
    if let place = options["replacement"] {
        try ReplacementFolders(in: place).use { try job.run(arguments[0]) }
    } else {
        try job.run(arguments[0])
    }
} catch {
    say(description(of: error))
    exit(1)
}
