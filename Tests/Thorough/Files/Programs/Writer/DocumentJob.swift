// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import FileFaultContent

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the program does with a document.
struct DocumentJob {
    let file: URL

    /// How the file is written.
    enum Way: String {
        /// It is copied, and continued.
        case continued
        /// It is written once more without what nothing refers to.
        case compacted
        /// It gets wider references, since it has few objects in every other version.
        case widened
        /// The changes are appended to a journal, which becomes the file now and then.
        case journaled
    }

    /// Saves one version after the other.
    func loop(_ way: Way, from first: Int) throws -> Never {
        say("ready")
        var encoder = ArchiveEncoder()
        encoder.userInfo[VersionedDocument.encoded] = VersionedDocument.Notice { say("encoded \($0)") }
        var document = try ArchiveDocument<VersionedDocument>(
            contentsOf: file, journal: way == .journaled ? .enabled : .disabled, encoder: encoder)
        document.compaction = way == .journaled ? 0.5 : 1
        for version in first... {
            if way == .widened, version % 2 == 0 {
                let root = VersionedDocument(version: version)
                say("begin \(version)")
                document = ArchiveDocument(root: root, encoder: encoder)
                try document.save(to: file)
            } else {
                while document.root.version < version { document.root.advance() }
                say("begin \(version)")
                _ = try way == .compacted ? document.compact() : document.save()
            }
            say("done \(version)")
        }
        fatalError("There is no last version")
    }

    /// Saves a version, or to another file if that fails.
    func write(version: Int, orTo elsewhere: String?) throws {
        let document = try ArchiveDocument<VersionedContent>(contentsOf: file)
        document.root = VersionedContent(version: version)
        say("begin \(version)")
        do {
            try document.save()
            say("done \(version)")
        } catch {
            say(description(of: error))
            guard let elsewhere else { throw error }
            try save(document, to: elsewhere)
        }
    }

    /// Saves versions until there were 20, and says of each what became of it, and what is in the folder then.
    func fill(elsewhere: String?) throws {
        let job = Job(file: file, options: [:])
        let document = ArchiveDocument(root: VersionedContent(version: 0))
        for version in 1...20 {
            document.root = VersionedContent(version: version)
            say("begin \(version)")
            do {
                _ = try document.url == nil ? document.save(to: file) : document.save()
                say("done \(version)")
                // What the versions before have left would need the room. If there is none for that, nothing is lost.
                _ = try? document.compact()
            } catch {
                say(description(of: error))
            }
            do {
                try job.read()
                let names = try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
                say("files \(names.count)")
            } catch {
                say(description(of: error))
            }
        }
        if let elsewhere { try save(document, to: elsewhere) }
    }

    /// Adds tokens to a document that other programs save at the same time, until `count` of them are saved. Says of each
    /// whether it was saved or refused.
    func share(name: String, count: Int) throws {
        let document = try ArchiveDocument<TokenDocument>(contentsOf: file)
        var saved = 0
        for attempt in 1... {
            let token = "\(name)-\(attempt)"
            document.root.tokens.append(token)
            do {
                try document.save()
                say("saved \(token)")
                saved += 1
                if saved == count { return }
            } catch let error as ArchiveDocumentError where error.code == .fileChanged {
                say("refused \(token)")
                try document.revert()
            }
        }
    }

    private func save(_ document: ArchiveDocument<VersionedContent>, to path: String) throws {
        let other = URL(fileURLWithPath: path)
        try document.save(to: other)
        let content = try ArchiveDecoder().decode(VersionedContent.self, from: other)
        say(content.isWhole ? "elsewhere \(content.version)" : "damaged \(content.version)")
    }
}
