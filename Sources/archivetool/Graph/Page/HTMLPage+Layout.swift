// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension HTMLPage {
    /// The part of the script that places the boxes as `PictureLayout` does.
    static let layoutScript = #"""
        const HEAD = 27, ROW = 17, PAD = 10, GAP = 16, LAYER = 74, FAR = 700, KEY = 28, VALUE = 32;
        const FONT = 'px ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace';
        let boxes = [], places = new Map(), edges = [], size = [0, 0];

        /** A part of `text` of at most `limit` units, with what is `length` long at `at`; and the number of units before it. */
        function excerpt(text, limit, at = 0, length = 0) {
            if (text.length <= limit) return {text, skipped: 0};
            const isInside = p => text.charCodeAt(p) >= 0xDC00 && text.charCodeAt(p) < 0xE000;
            let start = at + length < limit ? 0 : Math.max(0, Math.min(at - 8, text.length - limit + 1));
            if (isInside(start)) start++;
            let end = start + limit - (start ? 2 : 1);
            if (end >= text.length) end = text.length;
            else if (isInside(end)) end--;
            return {text: (start ? "…" : "") + text.slice(start, end) + (end < text.length ? "…" : ""), skipped: start ? start - 1 : 0};
        }
        const cut = (text, limit) => excerpt(text, limit).text;
        /** `text` with a writing direction of its own. */
        const isolated = text => /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFE\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u.test(text)
            ? "\u2068" + text + "\u2069" : text;

        function rows(i, visible, arrows) {
            const known = new Set(), found = hitRows(i);
            let all = [], own = 0;
            for (let r = 0; r < rowCount(i); r++) {
                const t = targetOf(i, r), hit = found.get(r);
                const k = excerpt(keyOf(i, r), KEY, hit?.key?.[0], hit?.key?.[1]);
                const v = excerpt(valueOf(i, r), VALUE, hit?.value?.[0], hit?.value?.[1]);
                const row = {r, key: k.text, keySkipped: k.skipped, value: v.text, skipped: v.skipped, t: -1, sign: "", more: "", kind: "", child: false};
                const f = t < 0 ? t : first[t], child = t > 0 && f !== i && parent(f) === i, many = child ? crowdSize(f) : 1;
                if (many > 1) { if (known.has(f)) continue; known.add(f); row.key += " … × " + digits(many); }
                all.push(row);
                if (t < 0) { row.kind = t === -2 ? "null" : "value"; continue; }
                row.t = f;
                row.sign = "→ ";
                if (visible.has(f)) {
                    const near = Math.abs(layers[f] - layers[i]) < 2 && own < 4 && (arrows.get(f) ?? 0) < 8;
                    if (child || near) {
                        if (!child) { own++; arrows.set(f, (arrows.get(f) ?? 0) + 1); }
                        row.kind = "arrow";
                        row.child = child;
                    } else row.kind = "stub";
                } else {
                    row.kind = "fold";
                    row.sign = "▸ ";
                    if (child && sizes[f] > 1) row.more = " … " + digits(sizes[f]);
                }
            }
            // Elements stay in order. Other boxes have values first, and the beginnings of arrows together.
            const rank = ({kind, child}) => isList(i) ? 0 : kind === "arrow" ? 2 + child : kind === "stub" ? 1 : 0;
            all.sort((a, b) => rank(a) - rank(b));
            const plain = all.filter(row => row.kind !== "arrow"), limit = rowLimits.get(i) ?? ROWS;
            if (plain.length > limit) {
                // Rows with hits are never left out, within reason.
                const current = currentHit(), isCurrent = row => current?.i === i && row.r === current.r;
                const found_ = plain.slice(limit).filter(row => found.has(row.r)).slice(0, ROWS);
                const kept = new Set([...plain.slice(0, limit), ...found_, ...plain.filter(isCurrent)]);
                all = all.filter(row => row.kind === "arrow" || kept.has(row));
                const more = plain.length - kept.size, end = isList(i) ? all.length : kept.size;
                if (more) all.splice(end, 0, {r: -1, key: "", t: -1, kind: "more", sign: "", value: "… " + digits(more) + " more", more: ""});
            }
            return all;
        }
        /** Places the unfolded boxes as `PictureLayout` does. */
        function layout() {
            const visible = new Map(), stack = [0];
            boxes = [];
            while (stack.length) {
                const i = stack.pop();
                const box = {i, y: 0, below: 0};
                visible.set(i, box);
                boxes.push(box);
                for (let c = children[i].length - 1; c >= 0; c--) {
                    const k = children[i][c];
                    if (shown[k] && first[k] === k) stack.push(k);
                }
            }
            const arrows = new Map(), widths = [];
            context.font = "12" + FONT;
            const cell = context.measureText("0").width;
            const wide = text => /^[\x20-\x7e…→▸×•]*$/.test(text) ? text.length * cell : context.measureText(text).width;
            for (const box of boxes) {
                box.rows = rows(box.i, visible, arrows);
                box.title = cut(S[B[box.i][0]], 40) + (crowdSize(box.i) > 1 ? " × " + digits(crowdSize(box.i)) : "");
                box.height = HEAD + box.rows.length * ROW + 6;
            }
            for (let b = boxes.length - 1; b >= 0; b--) {
                const box = boxes[b];
                box.band = Math.max(box.height + GAP, box.below);
                if (box.i) visible.get(parent(box.i)).below += box.band;
            }
            for (const box of boxes) {
                const above = box.i ? visible.get(parent(box.i)) : null;
                box.y = box.next = above ? above.next : 0;
                if (above) above.next += box.band;
            }
            edges = [];
            for (const box of boxes) {
                box.rows.forEach((row, r) => {
                    if (row.kind !== "arrow") return;
                    const to = visible.get(row.t), y = box.y + HEAD + 3 + (r + 0.5) * ROW;
                    if (!row.child && Math.abs(to.y - y) > FAR) { row.kind = "stub"; return; }
                    edges.push({from: box, to, y});
                });
                        const head = wide(box.title) * 13 / 12 + wide(S[B[box.i][1]]) + 50;
                let widest = Math.max(90, head);
                for (const {kind, key, sign, value, more} of box.rows) {
                    widest = Math.max(widest, 2 * PAD + wide(kind === "arrow" ? key : (key ? key + ": " : "") + sign + value + more));
                }
                box.width = Math.ceil(widest);
                widths[layers[box.i]] = Math.max(widths[layers[box.i]] ?? 0, box.width);
            }
            const starts = [0];
            widths.forEach((width, l) => starts.push(starts[l] + width + LAYER));
            for (const box of boxes) box.x = starts[layers[box.i]];
            size = [starts[starts.length - 1], boxes[0].band];
            places = visible;
            element("state").textContent = digits(boxes.length) + " of " + counted(count, "object")
                + (data.omitted ? ", " + digits(data.omitted) + " left out" : "");
            draw();
        }

        """#
}
