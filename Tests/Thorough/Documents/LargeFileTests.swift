// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

/// Files whose offsets need five bytes. What makes them large are holes, which take no room on the disk.
@Suite(.inTurn, .needs(.room))
struct `An archive of more than 4 GiB` {
    final class Volume: Codable {
        var name = "Large"
        @Deferred var scans: [Data]
        @Deferred var notes: [String]
        var last: Data

        init() {
            scans = (0..<3).map { Data(repeating: $0, count: SparseArchive.placeholderSize) }
            notes = ["first", "second", "third"]
            last = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 * $0) })
        }
    }

    private struct Cover: Decodable {
        var name: String
        var last: Data
    }

    private func withArchive(_ body: (URL) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            let url = folder["volume"]
            try SparseArchive.write(try ArchiveEncoder().encode(Volume()), to: url)
            let size = try #require(try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int)
            try #require(size > 1 << 32)
            try body(url)
        }
    }

    /// Runs `body`, and expects that it reads at most a few pages.
    private func expectSmallReads(_ body: () throws -> Void) throws {
        let before = SparseArchive.bytesRead
        try body()
        let after = SparseArchive.bytesRead
        #if os(Linux)
            #expect(try #require(after) - #require(before) < 2 << 20)
        #else
            #expect(before == nil && after == nil, "The system counts the bytes that are read: compare them here")
        #endif
    }

    @Test func `is opened, and read in small parts`() throws {
        try withArchive { url in
            try expectSmallReads {
                let archive = try KeyedArchive(contentsOf: url)
                #expect(archive.root["name"]?.string == "Large")
                #expect(archive.root["notes"]?[2].string == "third")
                #expect(archive.root["scans"]?.count == 3)
                #expect(archive.root["last"]?.data == Volume().last)
                let cover = try ArchiveDecoder().decode(Cover.self, from: url)
                #expect(cover.name == "Large" && cover.last == Volume().last)
            }
        }
    }

    @Test func `is decoded without what is deferred`() throws {
        try withArchive { url in
            try expectSmallReads {
                let volume = try ArchiveDecoder().decode(Volume.self, from: url)
                #expect(volume.name == "Large" && volume.last == Volume().last)
                #expect(volume.notes == ["first", "second", "third"])
                #expect(!volume.$scans.isLoaded)
            }
        }
    }

    /// It copies 5 GB, so it runs only if `ARCHIVING_LARGE_FILES=1` requests it.
    @Test(.needs(.largeFiles))
    func `is a document, which is saved and compacted`() throws {
        try withArchive { url in
            let document = try ArchiveDocument<Volume>(contentsOf: url)
            document.root.name = "Larger"
            document.root.notes.append("fourth")
            let report = try document.save()
            #expect(report.objectsWritten == 1 && report.bytesWritten < 1 << 20)
            #expect(!document.root.$scans.isLoaded)
            // The bytes of an offset are in the trailer, 26 bytes before the end.
            let file = try FileHandle(forReadingFrom: url)
            let size = try file.seekToEnd()
            try file.seek(toOffset: size - 26)
            #expect(try file.read(upToCount: 1) == Data([5]))
            try file.close()
            try expectSmallReads {
                let volume = try ArchiveDecoder().decode(Volume.self, from: url)
                #expect(volume.name == "Larger" && volume.last == Volume().last)
                #expect(volume.notes == ["first", "second", "third", "fourth"])
                #expect(try KeyedArchive(contentsOf: url).root["scans"]?.count == 3)
            }
            document.root.scans = [Data([1, 2, 3])]
            try document.compact()
            let small = try Data(contentsOf: url)
            #expect(small.count < 1 << 20)
            let volume = try ArchiveDecoder().decode(Volume.self, from: small)
            #expect(volume.name == "Larger" && volume.scans == [Data([1, 2, 3])] && volume.notes.count == 4)
        }
    }
}

extension Need {
    fileprivate static let room = Need("room", "16 GiB for temporary files") { SparseArchive.isPossible }
    fileprivate static let largeFiles = Need("request", "set ARCHIVING_LARGE_FILES to 1") {
        ProcessInfo.processInfo.environment["ARCHIVING_LARGE_FILES"] == "1"
    }
}

/// A file with large pieces of data that are holes.
enum SparseArchive {
    /// The bytes of data that represents a large piece.
    static let placeholderSize = 40
    private static let pieceSize = 3 << 29

    /// Whether the disk has room for two files, should its file system have no holes.
    static var isPossible: Bool {
        let folder = FileManager.default.temporaryDirectory.path
        let room = try? FileManager.default.attributesOfFileSystem(forPath: folder)[.systemFreeSize] as? NSNumber
        return (room?.int64Value ?? 0) > 16 << 30
    }

    /// The bytes that this thread has read; nil where the system does not count them.
    static var bytesRead: Int? {
        guard let text = try? String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("rchar:") })
        else { return nil }
        return Int(line.filter(\.isNumber))
    }

    /// Writes `archive` to the file at `url`: as it is, but for data of `placeholderSize` bytes, which becomes large, and
    /// for offsets of five bytes.
    static func write(_ archive: Data, to url: URL) throws {
        let bytes = Array(archive)
        func number(_ start: Int, _ size: Int) -> Int {
            bytes[start..<start + size].reduce(0) { $0 << 8 | Int($1) }
        }
        let trailer = bytes.count - 32
        let offsetSize = Int(bytes[trailer + 6])
        let table = number(trailer + 24, 8)
        let offsets = (0..<number(trailer + 8, 8)).map { number(table + $0 * offsetSize, offsetSize) }
        // In the order of the file, in which an object ends where the next one begins.
        let order = offsets.indices.sorted { offsets[$0] < offsets[$1] }
        let ends = order.dropFirst().map { offsets[$0] } + [table]

        try Data(bytes[..<8]).write(to: url)
        let file = try FileHandle(forWritingTo: url)
        var position = try file.seekToEnd()
        var newOffsets = [UInt64](repeating: 0, count: offsets.count)
        for (object, end) in zip(order, ends) {
            newOffsets[object] = position
            // The marker of data, and its count in one byte.
            if bytes[offsets[object]...].starts(with: [0x4F, 0x10, UInt8(placeholderSize)]) {
                let head = [0x4F, 0x12] + BinaryFile.number(UInt64(pieceSize), size: 4)
                try file.write(contentsOf: Data(head))
                position += UInt64(head.count + pieceSize)
                try file.seek(toOffset: position)
            } else {
                try file.write(contentsOf: Data(bytes[offsets[object]..<end]))
                position += UInt64(end - offsets[object])
            }
        }
        for offset in newOffsets { try file.write(contentsOf: Data(BinaryFile.number(offset, size: 5))) }
        var end = Array(bytes[trailer...])
        end[6] = 5
        end.replaceSubrange(24..., with: BinaryFile.number(position, size: 8))
        try file.write(contentsOf: Data(end))
        try file.close()
    }
}
