// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing
import ThoroughSupport

@testable import archivetool

@Suite(.inTurn, .needs(.corpus))
struct `Files of the corpus` {
    /// What a file is, as the library has it.
    private enum Kind { case archive, list, typedStream, other }

    private func kind(_ data: Data) -> Kind {
        if (try? TypedStream(data)) != nil { return .typedStream }
        if (try? KeyedArchive(data)) != nil { return .archive }
        return (try? PropertyList(data)) != nil ? .list : .other
    }

    @Test(arguments: Corpus.names)
    func `are shown, counted and checked`(name: String) throws {
        let (path, data) = try (Corpus.url(name).path, Corpus.data(name))
        let kind = kind(data)
        let shown = Tool.inProcess(["show", path])
        #expect(shown.status == (kind == .other ? 3 : 0), "\(shown.errors)")
        if kind == .archive { #expect(try shown.output == KeyedArchive(data).tree + "\n") }
        if kind == .typedStream { #expect(try shown.output == TypedStream(data).description + "\n") }
        let nested = Tool.inProcess(["show", "--nested", path])
        #expect(nested.status == shown.status)
        for line in nested.output.utf8.split(separator: UInt8(ascii: "\n")) {
            if line.allSatisfy({ (0x20..<0x7F).contains($0) }) { continue }
            #expect(!Substring(line).unicodeScalars.contains { ReadableText.isInvisible($0) })
        }
        let stats = Tool.inProcess(["stats", "--json", path])
        #expect(stats.status == shown.status)
        if kind != .other {
            let found = try #require(JSONSerialization.jsonObject(with: stats.bytes) as? [String: Any])
            if kind == .archive {
                #expect(try found["objects"] as? Int == KeyedArchive(data).objects.count)
                #expect(Tool.byteCount(ofRowsIn: found) == found["bytes"] as? Int)
            }
        }
        let check = Tool.inProcess(["check", path])
        if kind == .archive {
            #expect(
                try (check.status == 0) || !check.output.contains("no problems")
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

    @Test(arguments: Corpus.names)
    func `come back from all forms`(name: String) async throws {
        let (path, data) = try (Corpus.url(name).path, Corpus.data(name))
        let json = Tool.inProcess(["convert", "--to", "json", path])
        let kind = kind(data)
        #expect(json.status == (kind == .other ? 3 : 0), "\(json.errors)")
        if kind != .other { #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: json.bytes) } }
        guard kind == .archive || kind == .list, let list = try? PropertyList(data) else { return }
        for form in ["json-lossless", "xml"] {
            let there = try await Conversions.shared.run(name, to: form)
            if form == "xml", there.status == 3 { continue }  // null, sets
            #expect(there.status == 0, "\(there.errors)")
            let back = try Tool.inProcess("convert", on: there.bytes, ["--to", "binary"])
            #expect(back.status == 0, "\(back.errors)")
            // Only where a note said so may it be another list.
            if there.errors.contains("XML does not hold") { continue }
            let found = try PropertyList(back.bytes)
            #expect(found == list)
            if form == "json-lossless" { #expect(found.description == list.description) }
        }
    }

    /// Python's plistlib reads the files, their conversions to XML and binary, and the lossless JSON by a reader that was
    /// written from its description.
    @Test(.needs(.tool("python3")))
    func `are the same to plistlib`() async throws {
        var runs: [(name: String, form: String, run: Program.Run)] = []
        for name in Corpus.names where !name.hasSuffix(".typedstream") {
            for form in ["json-lossless", "xml", "binary"] {
                runs.append((name, form, try await Conversions.shared.run(name, to: form)))
            }
        }
        try TemporaryFolder.with { folder in
            var forms: [String: [String]] = [:]
            for (name, form, run) in runs where run.status == 0 && run.errors.isEmpty {
                forms[name, default: []].append(try folder.write(run.bytes, to: "\(name)-\(form)"))
            }
            let lines = try forms.map { ([try Corpus.url($0).path] + $1).joined(separator: "\t") }
            try lines.joined(separator: "\n").write(to: folder["files"], atomically: true, encoding: .utf8)
            let text = try Plistlib.run(Self.script, folder["files"].path)
            // Most files can be read by plistlib, so that something was compared.
            let count = try #require(Int(text.split(separator: " ").last ?? ""))
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
                    print(form.rsplit("/", 1)[1], "differs for", original, str(found)[:200])
        print("compared", compared)
        sys.exit(1 if failed else 0)
        """#
}
