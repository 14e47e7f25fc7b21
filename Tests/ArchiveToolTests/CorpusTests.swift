import Archiving
import Foundation
import Testing

@testable import archivetool

/// Files of Apple's programs and of others, which are not a part of this package.
enum Corpus {
    static let folder: URL? = {
        if let path = ProcessInfo.processInfo.environment["ARCHIVING_CORPUS"] {
            return existing(URL(fileURLWithPath: path))
        }
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return existing(root.appendingPathComponent("../shared/corpus"))
    }()

    private static func existing(_ url: URL) -> URL? {
        FileManager.default.fileExists(atPath: url.path) ? url.standardizedFileURL : nil
    }

    static let paths: [String] = {
        guard let archives = folder?.appendingPathComponent("archives") else { return [] }
        return ((try? FileManager.default.contentsOfDirectory(atPath: archives.path)) ?? []).sorted()
            .map { archives.appendingPathComponent($0).path }
    }()

    /// The first program of that name in the search path; nil where there is none.
    static func program(_ name: String) -> URL? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}

@Suite(.enabled(if: !Corpus.paths.isEmpty, "No corpus: set ARCHIVING_CORPUS to its folder"))
struct `Files of the corpus` {
    /// What a file is, as the library has it.
    private enum Kind { case archive, list, typedStream, other }

    private func kind(_ data: Data) -> Kind {
        if (try? TypedStream(data)) != nil { return .typedStream }
        if (try? KeyedArchive(data)) != nil { return .archive }
        return (try? PropertyList(data)) != nil ? .list : .other
    }

    @Test(arguments: Corpus.paths)
    func `are shown, counted and checked`(path: String) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let kind = kind(data)
        let shown = ToolRun.inProcess(["show", path])
        #expect(shown.status == (kind == .other ? 3 : 0), "\(shown.errors)")
        if kind == .archive { #expect(try shown.output == KeyedArchive(data).description + "\n") }
        if kind == .typedStream { #expect(try shown.output == TypedStream(data).description + "\n") }
        let nested = ToolRun.inProcess(["show", "--nested", "--color", "always", path])
        #expect(nested.status == shown.status)
        for scalar in nested.output.withoutColors.unicodeScalars where scalar != "\n" {
            #expect(!VisibleText.isInvisible(scalar))
        }
        let stats = ToolRun.inProcess(["stats", "--json", path])
        #expect(stats.status == shown.status)
        if kind != .other {
            let found = try #require(JSONSerialization.jsonObject(with: stats.bytes) as? [String: Any])
            if kind == .archive {
                #expect(try found["objects"] as? Int == KeyedArchive(data).objects.count)
                let rows = ["byClass", "byKind", "parts"].compactMap { found[$0] as? [[String: Any]] }.joined()
                #expect(rows.reduce(0) { $0 + ($1["bytes"] as? Int ?? 0) } == found["bytes"] as? Int)
            }
        }
        let check = ToolRun.inProcess(["check", path])
        if kind == .archive {
            #expect(
                try (check.status == 0) || !check.output.contains("nothing is wrong")
                    || !KeyedArchive(data).problems().isEmpty)
        }
        if kind == .typedStream { #expect(check.status == 0, "\(check.output)") }
        if kind == .list {
            // What has the keys of an archive and is none is damaged.
            let list = try PropertyList(data)
            let isMeant = ["$archiver", "$top", "$objects"].contains { list[$0] != nil }
            #expect(check.status == (isMeant ? 1 : 0), "\(check.output)")
        }
        if kind == .other { #expect(check.status == 1 || check.status == 3) }
    }

    @Test(arguments: Corpus.paths)
    func `come back from all forms`(path: String) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let json = ToolRun.inProcess(["convert", "--to", "json", path])
        let kind = kind(data)
        #expect(json.status == (kind == .other ? 3 : 0), "\(json.errors)")
        if kind != .other { #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: json.bytes) } }
        guard kind == .archive || kind == .list, let list = try? PropertyList(data) else { return }
        try Scratch.with { folder in
            for form in ["json-lossless", "xml"] {
                let there = ToolRun.inProcess(["convert", "--to", form, path])
                if form == "xml", there.status == 3 { continue }  // null, sets
                #expect(there.status == 0, "\(there.errors)")
                let back = ToolRun.inProcess(["convert", "--to", "binary", try folder.write(there.bytes)])
                #expect(back.status == 0, "\(back.errors)")
                // Only where a note said so may it be another list.
                if there.errors.contains("XML does not hold") { continue }
                #expect(try PropertyList(back.bytes) == list)
                if form == "json-lossless" {
                    #expect(try PropertyList(back.bytes).description == list.description)
                }
            }
        }
    }

    /// Python's plistlib reads the files, their conversions to XML and binary, and the lossless JSON by a reader that was
    /// written from its description.
    @Test(.enabled("python3 is not in the search path") { Corpus.program("python3") != nil })
    func `are the same to plistlib`() throws {
        try Scratch.with { folder in
            var lines: [String] = []
            for (number, path) in Corpus.paths.enumerated() where !path.hasSuffix(".typedstream") {
                var forms: [String] = []
                for form in ["json-lossless", "xml", "binary"] {
                    let run = ToolRun.inProcess(["convert", "--to", form, path])
                    guard run.status == 0, run.errors.isEmpty else { continue }
                    forms.append(try folder.write(run.bytes, to: "\(number)-\(form)"))
                }
                if !forms.isEmpty { lines.append(([path] + forms).joined(separator: "\t")) }
            }
            try lines.joined(separator: "\n").write(to: folder["files"], atomically: true, encoding: .utf8)
            try Self.script.write(to: folder["compare.py"], atomically: true, encoding: .utf8)
            let process = Process()
            let output = Pipe()
            process.executableURL = Corpus.program("python3")
            process.arguments = [folder["compare.py"].path, folder["files"].path]
            process.standardOutput = output
            process.standardError = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0, "\(text)")
            // Most files can be read by plistlib, so that something was compared.
            let count = try #require(Int(text.split(separator: " ").last?.trimmingCharacters(in: .newlines) ?? ""))
            #expect(count > lines.count, "\(text)")
        }
    }

    private static let script = #"""
        import base64, datetime, json, math, plistlib, sys
        from plistlib import UID

        def read_lossless(value):
            if isinstance(value, list):
                return [read_lossless(element) for element in value]
            if not isinstance(value, dict):
                return value
            (tag, content), = value.items()
            if tag == "dict":
                result = {}
                for key, inner in content:
                    result.setdefault(key, read_lossless(inner))
                return result
            if tag == "int":
                return int(content)
            if tag in ("real", "real32"):
                return float("nan") if content.startswith("nan") else float(content)
            if tag == "date":
                return ("date", float(content))
            if tag == "data":
                return base64.b64decode(content)
            if tag == "uid":
                return UID(content)
            raise ValueError(tag)

        def with_uids(value):
            # plistlib leaves those of XML as they are written there.
            if isinstance(value, list):
                return [with_uids(element) for element in value]
            if isinstance(value, dict):
                if list(value) == ["CF$UID"] and type(value["CF$UID"]) is int:
                    return UID(value["CF$UID"])
                return {key: with_uids(inner) for key, inner in value.items()}
            return value

        def same(left, right):
            if isinstance(left, datetime.datetime) and isinstance(right, tuple):
                seconds = (left - datetime.datetime(2001, 1, 1)).total_seconds()
                return abs(seconds - right[1]) < 1
            if type(left) is not type(right):
                return False
            if isinstance(left, dict):
                return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
            if isinstance(left, list):
                return len(left) == len(right) and all(map(same, left, right))
            if isinstance(left, float):
                return left == right or abs(left - right) <= abs(left) * 1e-6 or math.isnan(left) and math.isnan(right)
            return left == right

        compared = 0
        failed = 0
        for line in open(sys.argv[1]):
            original, *forms = line.rstrip("\n").split("\t")
            try:
                expected = with_uids(plistlib.load(open(original, "rb")))
            except Exception:
                continue
            for form in forms:
                try:
                    if form.endswith("json-lossless"):
                        found = read_lossless(json.load(open(form))["value"])
                    else:
                        found = with_uids(plistlib.load(open(form, "rb")))
                except Exception as error:
                    found = error
                compared += 1
                if not same(expected, found):
                    failed += 1
                    print(form.split("-", 1)[1], "differs for", original, str(found)[:200])
        print("compared", compared)
        sys.exit(1 if failed else 0)
        """#
}
