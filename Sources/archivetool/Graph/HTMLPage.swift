// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A page that shows a graph in a browser, with a search. It loads no other files.
///
/// The graph is JSON in a block of its own, which the script writes only with `fillText` and `textContent`, so that no text from a
/// file becomes markup or script.
struct HTMLPage {
    let maker: PictureMaker
    /// The boxes that are unfolded at first.
    let shown: [Int]
    let limit: Int
    let name: String
    let sizes: RetainedSizes

    static let textLimit = 1000
    static let firstSize = 2400.0

    static let script = pictureScript + "\n" + useScript

    func write(to output: Output) {
        output.write(Self.start)
        // Only `<` could end the block.
        let escape = Array("\\u003c".utf8)
        let data = Output { bytes in
            for part in bytes.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false).enumerated() {
                if part.offset > 0 { output.write(bytes: escape) }
                output.write(bytes: part.element)
            }
        }
        writeData(JSONWriter(to: data, isCompact: true))
        data.flush()
        output.write("</script>\n<script>\n\(Self.script)</script>\n</body>\n</html>\n")
    }

    private func writeData(_ writer: JSONWriter) {
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
        let colours = (Picture.colours + [Picture.plainColour]).map {
            [$0.fill, $0.stroke, $0.darkFill, $0.darkStroke]
        }
        writer.write(.array(colours.map { colour in .array(colour.map { .string($0) }) }))
        // A box: title, number, 1 for a colour plus 2 for a list, parent, the sibling that represents it, and three numbers for
        // each row: key, value, and the referenced box, -1 for none and -2 for nil.
        writer.key("boxes")
        writer.beginArray()
        for box in 0..<count {
            let draft = maker.draft(of: box)
            let head = [
                position(of: draft.title), position(of: draft.number),
                (draft.className == nil ? 0 : 1) + (maker.graph.nodes[maker.tree.nodes[box]].shape == .list ? 2 : 0),
                maker.tree.parents[box], maker.firsts[box],
            ]
            let rows = draft.rows.flatMap { row in
                let target = row.target.flatMap { $0 < count ? $0 : nil } ?? (row.isNull ? -2 : -1)
                return [position(of: row.key), position(of: row.value), target]
            }
            list(head + rows)
        }
        writer.end()
        // The retained objects and bytes of each box; 0 for boxes that are no objects.
        let nodes = maker.tree.nodes.prefix(count)
        list(nodes.map { sizes.counts[$0] }, "retained")
        if !sizes.byteCounts.isEmpty { list(nodes.map { sizes.byteCounts[$0] }, "bytes") }
        writer.key("strings")
        writer.write(.array(strings.map { .string($0) }))
        writer.end()
    }
}

extension HTMLPage {
    static let start = #"""
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>archivetool</title>
        <style>
        :root{color-scheme:light dark;--back:#fff;--text:#1f2328;--soft:#59636e;--line:#d1d9e0;--field:#f6f8fa;--link:#0969da;--hit:#fff3b0;--now:#ffb77c}
        @media (prefers-color-scheme:dark){:root{--back:#0d1117;--text:#e6edf3;--soft:#9aa4af;--line:#3d444d;--field:#151b23;--link:#4493f8;--hit:#6b5312;--now:#b4531d}}
        *{box-sizing:border-box}
        [hidden]{display:none!important}
        body{margin:0;height:100vh;height:100dvh;display:grid;grid:auto minmax(0,1fr)/minmax(0,1fr) auto;font:14px system-ui,sans-serif;color:var(--text);background:var(--back)}
        header{grid-column:1/3;display:flex;flex-wrap:wrap;gap:6px 8px;align-items:center;padding:8px 12px;border-bottom:1px solid var(--line)}
        h1{font-size:14px;margin:0;overflow-wrap:anywhere}
        #state{color:var(--soft);margin-right:auto}
        #find{display:flex;gap:4px;align-items:center}
        #find,#tools{flex:0 1 auto}
        #search{min-width:90px;flex:1 1 180px}
        #hits:empty{display:none}
        #hits{min-width:5.5em;text-align:center;color:var(--soft);font-variant-numeric:tabular-nums;white-space:nowrap}
        #tools{display:flex;gap:6px}
        button,input{font:inherit;color:inherit;background:var(--field);border:1px solid var(--line);border-radius:6px;padding:4px 10px}
        button{cursor:pointer}
        button:hover:enabled{border-color:var(--soft)}
        button:disabled{opacity:.5;cursor:default}
        :focus-visible{outline:2px solid var(--link);outline-offset:1px}
        main{position:relative;overflow:hidden}
        canvas{position:absolute;width:100%;height:100%;display:block;cursor:grab;touch-action:none}
        canvas:focus-visible{outline-offset:-2px}
        aside{width:340px;overflow:auto;overscroll-behavior:contain;border-left:1px solid var(--line);padding:10px 14px;overflow-wrap:anywhere}
        .close{position:sticky;top:0;float:right;margin-left:8px;font-size:18px;line-height:1;padding:4px 9px}
        h2{font-size:15px;margin:4px 0 8px}
        h2:focus{outline:none}
        h3{font-size:13px;margin:14px 0 4px;color:var(--soft)}
        aside p{margin:0 0 8px;display:flex;flex-wrap:wrap;gap:6px}
        dl,ol{margin:0;font:12px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}
        ol{padding:0;list-style:none;line-height:1.5}
        dt{color:var(--soft)}
        dd{margin:0 0 5px 12px}
        mark{background:var(--hit);color:inherit}
        mark.now{background:var(--now)}
        a{color:var(--link);text-decoration:none}
        a:hover,a:focus{text-decoration:underline}
        .spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap;margin:0}
        @media (max-width:700px){
        #find,#tools{flex:1 1 100%}
        #tools button{flex:1}
        button,input{min-height:36px}
        aside{grid-column:1/3;width:auto;max-height:45vh;max-height:45dvh;border-left:0;border-top:1px solid var(--line);box-shadow:0 -4px 16px #0003}
        }
        </style>
        </head>
        <body>
        <header><h1 id="name" dir="auto"></h1><span id="state"></span>
        <div id="find" role="search"><input id="search" type="search" placeholder="Search (/)" aria-label="Search" autocomplete="off"><span id="hits"></span>
        <button id="previous" aria-label="Previous hit" title="Previous hit (Shift+Enter)">↑</button><button id="next" aria-label="Next hit" title="Next hit (Enter)">↓</button></div>
        <div id="tools"><button id="fold" title="As at the start">Fold</button><button id="all" title="Show all (0)">Whole</button><button id="in" aria-label="Zoom in" title="Zoom in (+)">+</button><button id="out" aria-label="Zoom out" title="Zoom out (-)">−</button></div></header>
        <main><canvas id="picture" tabindex="0" role="application" aria-label="Graph of the objects: arrow keys select, Enter unfolds" aria-describedby="spoken"></canvas></main>
        <aside id="panel" aria-label="Selection" hidden></aside>
        <p id="spoken" class="spoken" role="status"></p>
        <script type="application/json" id="data">
        """#
}
