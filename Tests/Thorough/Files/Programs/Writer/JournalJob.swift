// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import FileFaultCalls
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

/// What the program does with a document that may have a journal.
struct JournalJob {
    typealias Document = ArchiveDocument<TokenDocument>

    let file: URL

    // MARK: - Several programs

    /// Opens a document that other programs save as well, adds tokens, and does it again until the program is killed. Says of
    /// each token that it tries to save it, and whether it was saved or refused.
    func share(name: String, isJournaled: Bool?) -> Never {
        for session in 1... {
            do {
                let document = try Document(
                    contentsOf: file, journal: isJournaled ?? Bool.random() ? .enabled : .disabled)
                for number in 1...Int.random(in: 1...6) {
                    let token = "\(name)-\(session)-\(number)"
                    document.root.tokens.append(token)
                    say("trying \(token)")
                    do {
                        switch Int.random(in: 0..<8) {
                        case 0: try document.compact()
                        case 1: try document.snapshot().write()
                        default: try document.save()
                        }
                    } catch let error as ArchiveDocumentError {
                        say("refused \(token)")
                        throw error
                    }
                    say("saved \(token)")
                    if try document.hasChanges() { try document.revert() }
                }
                if Bool.random() { document.close() }
            } catch let error as ArchiveDocumentError
                where [.fileChanged, .unreadJournal, .documentInUse].contains(error.code)
            {
                usleep(UInt32.random(in: 0..<2000))
            } catch {
                say("wrong \(error)")
            }
        }
        fatalError("There is no last session")
    }

    // MARK: - Failing calls

    /// Opens a document with a journal again and again, with another failing call each time, until none fails. Says what became
    /// of it.
    func open() throws {
        if !FileManager.default.fileExists(atPath: file.path) {
            try ArchiveEncoder().encode(TokenDocument(byteCount: 100), to: file)
        }
        var (number, count) = (0, 0)
        repeat {
            number += 1
            begin_file_faults(Int32(number), file_fault_input_output, 0)
            let result = Result { try Document(contentsOf: file, journal: .enabled) }
            count = Int(end_file_faults())
            switch result {
            case .success: say("opened")
            case .failure(let error as ArchiveDocumentError): say("\(error.code)")
            case .failure(let error): say(description(of: error))
            }
        } while count >= number
    }

    /// What is done while calls fail.
    enum Step: String, CaseIterable {
        /// The first save to a journal, and the next one.
        case first, next
        case checkpoint, compact, snapshot
        /// A save without a journal replaces the file and the journal.
        case plain
        /// The document is opened with a journal that is obsolete.
        case obsolete
    }

    /// Does each step again and again, with another failing call each time, until none fails. The next save has to succeed, and
    /// the next document to have everything that was saved.
    func fail() throws {
        for step in Step.allCases {
            for fault in [file_fault_input_output, file_fault_no_space, file_fault_short_write] {
                for isLasting in [false, true] {
                    var (number, failures) = (0, 0)
                    while true {
                        number += 1
                        let (count, hasFailed) = try fail(step, number, fault, isLasting)
                        failures += hasFailed ? 1 : 0
                        if count < number { break }
                    }
                    say("\(step.rawValue) \(fault.rawValue) \(isLasting) calls \(number - 1) failures \(failures)")
                }
            }
        }
    }

    private func fail(
        _ step: Step, _ number: Int, _ fault: file_fault, _ isLasting: Bool
    ) throws -> (count: Int, hasFailed: Bool) {
        let journal = URL(fileURLWithPath: file.path + ".journal")
        for url in [file, journal] { try? FileManager.default.removeItem(at: url) }
        try ArchiveEncoder().encode(TokenDocument(byteCount: 100), to: file)
        var saved: [String] = []
        func save(_ document: Document, _ token: String, _ body: () throws -> Void) throws {
            document.root.tokens.append(token)
            try body()
            saved = document.root.tokens
        }
        if step != .first {
            let document = try Document(contentsOf: file, journal: .enabled)
            try save(document, "before") { try document.save() }
            if step == .obsolete {
                // Another name keeps it.
                let kept = URL(fileURLWithPath: file.path + ".kept")
                try FileManager.default.linkItem(at: journal, to: kept)
                try document.checkpoint()
                try FileManager.default.moveItem(at: kept, to: journal)
            }
        }
        var document: Document?
        if step != .obsolete {
            document = try Document(contentsOf: file, journal: step == .plain ? .disabled : .enabled)
        }
        var hasFailed = false
        begin_file_faults(Int32(number), fault, isLasting ? 1 : 0)
        do {
            if document == nil { document = try Document(contentsOf: file, journal: .enabled) }
            if let document {
                try save(document, "during") {
                    switch step {
                    case .compact: try document.compact()
                    case .snapshot:
                        let snapshot = try document.snapshot()
                        try snapshot.write()
                        try document.didSave(snapshot)
                    case .checkpoint:
                        try document.save()
                        saved = document.root.tokens
                        try document.checkpoint()
                    default: try document.save()
                    }
                }
            }
        } catch {
            hasFailed = true
        }
        let count = Int(end_file_faults())
        let place = "\(step.rawValue), call \(number), \(fault.rawValue), \(isLasting)"
        // What another program would find now. A save that has failed is the old state or the new one.
        let found = try? Document(contentsOf: file).root.tokens
        if found != saved, !hasFailed || found != document?.root.tokens {
            say("wrong \(place): \(found ?? []) instead of \(saved)")
        }
        do {
            let next = try document ?? Document(contentsOf: file, journal: .enabled)
            do { try save(next, "after") { try next.save() } } catch let error as ArchiveDocumentError {
                // The snapshot was written, and the program does not know it.
                guard step == .snapshot, hasFailed, error.code == .fileChanged else { throw error }
                try next.revert()
                try save(next, "after") { try next.save() }
            }
        } catch {
            say("wrong \(place): the next save throws \(error)")
        }
        document = nil
        let end = try? Document(contentsOf: file, journal: .enabled).root.tokens
        if end != saved { say("wrong \(place): \(end ?? []) instead of \(saved) at the end") }
        return (count, hasFailed)
    }
}
