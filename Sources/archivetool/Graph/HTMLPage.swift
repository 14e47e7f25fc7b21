// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Writes a page that shows a graph in a browser, with a search. It loads no other files.
///
/// The graph is JSON in a block of its own, which the script writes only with `fillText` and `textContent`, so that no text from a
/// file becomes markup or script.
enum HTMLPage {
    /// The number of scalars of keys and strings.
    static let textLimit = 200
    /// The size of the picture at first.
    static let firstSize = 2400.0

    /// Writes a page of the nearest `limit` boxes of `maker`, of which `shown` are unfolded at first.
    static func write(_ maker: PictureMaker, shown: [Int], limit: Int, name: String, to output: Output) {
        output.write(start)
        // Only `<` could end the block.
        let escape = Array("\\u003c".utf8)
        let data = Output { bytes in
            for part in bytes.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false).enumerated() {
                if part.offset > 0 { output.write(bytes: escape) }
                output.write(bytes: part.element)
            }
        }
        write(maker, shown, limit, name, JSONWriter(to: data, isCompact: true))
        data.flush()
        output.write("</script>\n<script>\n\(script)</script>\n</body>\n</html>\n")
    }

    private static func write(_ maker: PictureMaker, _ shown: [Int], _ limit: Int, _ name: String, _ writer: JSONWriter)
    {
        var writer = writer
        var strings: [String] = []
        var positions: [String: Int] = [:]
        func position(of text: String) -> Int {
            if let known = positions[text] { return known }
            positions[text] = strings.count
            strings.append(text)
            return strings.count - 1
        }
        func list(_ numbers: some Sequence<Int>, _ key: String? = nil) {
            if let key { writer.key(key) }
            writer.beginArray()
            for number in numbers { writer.literal("\(number)") }
            writer.end()
        }
        let count = min(limit, maker.tree.nodes.count)
        writer.beginObject()
        writer.key("name")
        writer.string(name)
        writer.key("omitted")
        writer.literal("\(maker.tree.nodes.count - count)")
        list(shown, "shown")
        writer.key("colours")
        writer.beginArray()
        for colour in Picture.colours + [Picture.plainColour] {
            writer.beginArray()
            for part in [colour.fill, colour.stroke, colour.darkFill, colour.darkStroke] { writer.string(part) }
            writer.end()
        }
        writer.end()
        // A box: title, number, whether it has a colour, parent, the sibling that represents it, and three numbers for
        // each row: key, value, and the referenced box, -1 for none and -2 for nil.
        writer.key("boxes")
        writer.beginArray()
        for box in 0..<count {
            let draft = maker.draft(of: box)
            let head = [
                position(of: draft.title), position(of: draft.number), draft.className == nil ? 0 : 1,
                maker.tree.parents[box], maker.firsts[box],
            ]
            let rows = draft.rows.flatMap { row in
                let target = row.target.flatMap { $0 < count ? $0 : nil } ?? (row.isNull ? -2 : -1)
                return [position(of: row.key), position(of: row.value), target]
            }
            list(head + rows)
        }
        writer.end()
        writer.key("strings")
        writer.beginArray()
        for text in strings { writer.string(text) }
        writer.end()
        writer.end()
    }

    private static let start = #"""
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>archivetool</title>
        <style>
        :root{color-scheme:light dark;--back:#fff;--text:#1f2328;--soft:#59636e;--line:#d1d9e0;--field:#f6f8fa;--link:#0969da}
        @media (prefers-color-scheme:dark){:root{--back:#0d1117;--text:#e6edf3;--soft:#9aa4af;--line:#3d444d;--field:#151b23;--link:#4493f8}}
        *{box-sizing:border-box}
        body{margin:0;height:100vh;display:grid;grid:auto 1fr/1fr auto;font:14px system-ui,sans-serif;color:var(--text);background:var(--back)}
        header{grid-column:1/3;display:flex;gap:8px;align-items:center;padding:8px 12px;border-bottom:1px solid var(--line)}
        h1{font-size:14px;margin:0 auto 0 0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
        button,input{font:inherit;color:inherit;background:var(--field);border:1px solid var(--line);border-radius:6px;padding:4px 10px}
        canvas{width:100%;height:100%;display:block;cursor:grab;touch-action:none;min-width:0;min-height:0}
        main{position:relative;overflow:hidden}
        canvas{position:absolute}
        aside{width:340px;overflow:auto;border-left:1px solid var(--line);padding:10px 14px;overflow-wrap:anywhere}
        aside:empty{display:none}
        h2{font-size:15px;margin:4px 0 8px}
        h3{font-size:13px;margin:14px 0 4px;color:var(--soft)}
        dl{margin:0;font:12px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}
        dt{color:var(--soft)}
        dd{margin:0 0 5px 12px}
        a{color:var(--link);cursor:pointer;text-decoration:none}
        a:hover,a:focus{text-decoration:underline}
        </style>
        </head>
        <body>
        <header><h1 id="name"></h1><span id="state"></span><input id="search" type="search" placeholder="Search (/)" aria-label="Search">
        <button id="fold">Fold</button><button id="all">Whole</button><button id="in">+</button><button id="out">−</button></header>
        <main><canvas id="picture" tabindex="0" role="img" aria-label="The objects, and what refers to what"></canvas></main>
        <aside id="panel" aria-live="polite"></aside>
        <script type="application/json" id="data">
        """#
}
