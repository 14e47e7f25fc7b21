// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A browser without a window, in which tests run scripts.
enum Browser {
    static let program = ["chromium", "chromium-browser", "google-chrome"].lazy.compactMap(Program.installed).first
    static let need = Need("browser", "install chromium in the search path") { program != nil }

    /// Functions for scripts: pauses, keys, and points of the picture in the window.
    private static let functions = """
        const pause = (time = 50) => new Promise(done => setTimeout(done, time));
        const press = async (key, options = {}, target = document.activeElement) => {
            target.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true, ...options}));
            await pause();
        };
        const changed = () => new Promise(done => addEventListener("hashchange", done, {once: true}));
        const wheel = (x, y, options) => {
            const place = document.getElementById("picture").getBoundingClientRect();
            document.getElementById("picture").dispatchEvent(new WheelEvent("wheel", {
                clientX: place.left + x, clientY: place.top + y, bubbles: true, cancelable: true, ...options}));
        };
        const point = (kind, x, y, pointerId = 1) => {
            const place = document.getElementById("picture").getBoundingClientRect();
            document.getElementById("picture").dispatchEvent(new PointerEvent(kind, {
                clientX: place.left + x, clientY: place.top + y, pointerId, bubbles: true, cancelable: true}));
        };
        """

    /// Opens `page` in a frame of the given size, and runs `script` there, the body of an asynchronous function that returns texts.
    ///
    /// - Parameter name: The name of the file; it has the kind of the page.
    static func texts(
        of page: String, named name: String = "page.html", at fragment: String = "", width: Int = 1400,
        height: Int = 900,
        _ script: String
    ) throws -> [String] {
        let browser = try #require(program)
        let isHTML = name.hasSuffix(".html")
        let run = """
            <script>\(isHTML ? "" : "<![CDATA[")
            {
            \(functions)
            const send = (texts, error) => window.parent.postMessage({texts: texts?.map(String), error}, "*");
            addEventListener("load", () => (async () => { \(script) })().then(texts => send(texts), error => send(null, error.stack)));
            }
            \(isHTML ? "" : "]]>")</script>
            """
        let end = try #require(page.range(of: isHTML ? "</body>" : "</svg>", options: .backwards))
        let frame = """
            <!DOCTYPE html><meta charset="utf-8"><body><pre id="result"></pre><script>
            addEventListener("message", event => {
                document.getElementById("result").textContent = encodeURIComponent(JSON.stringify(event.data));
            });
            </script><iframe src="\(name)\(fragment)" width="\(width)" height="\(height)" style="border:0"></iframe></body>
            """
        return try TemporaryFolder.with { folder in
            var page = page
            page.insert(contentsOf: run, at: end.lowerBound)
            _ = try folder.write(Data(page.utf8), to: name)
            let file = try folder.write(Data(frame.utf8), to: "frame.html")
            let result = try browser.run([
                "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
                "--virtual-time-budget=20000",
                "--window-size=\(width + 100),\(height + 200)", "--user-data-dir=" + folder["profile"].path,
                "--dump-dom",
                "file://" + file,
            ])
            let match = try #require(
                result.output.firstMatch(of: #/<pre id="result">([^<]+)</pre>/#), "\(result.output) \(result.errors)")
            let answer = try JSONDecoder().decode(
                Answer.self, from: Data((String(match.1).removingPercentEncoding ?? "").utf8))
            return try #require(answer.texts, "\(answer.error ?? "")")
        }
    }

    private struct Answer: Decodable {
        let texts: [String]?
        let error: String?
    }
}
