// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension HTMLPage {
    /// The graph, the places of its boxes, which are those of `PictureLayout`, and the drawing of the visible part.
    static let pictureScript = #"""
        "use strict";
        const data = JSON.parse(document.getElementById("data").textContent);
        const S = data.strings, B = data.boxes, count = B.length;
        const element = id => document.getElementById(id);
        const canvas = element("picture"), panel = element("panel"), field = element("search"), context = canvas.getContext("2d");
        const name = i => S[B[i][0]] + (S[B[i][1]] ? " " + S[B[i][1]] : "");
        const parent = i => B[i][3];
        // The rows of a box: keys, values, and the referenced boxes.
        const rowCount = i => (B[i].length - 5) / 3;
        const keyOf = (i, r) => S[B[i][5 + 3 * r]], valueOf = (i, r) => S[B[i][6 + 3 * r]], targetOf = (i, r) => B[i][7 + 3 * r];
        const isList = i => (B[i][2] & 2) > 0;
        const digits = n => n.toLocaleString("en");
        const counted = (n, one, many = one + "s") => digits(n) + " " + (n === 1 ? one : many);

        // The children of each box, in the order of its rows; and the colours of classes.
        const layers = new Int32Array(count), first = new Int32Array(count), sizes = new Int32Array(count).fill(1);
        const children = B.map(() => []), crowds = new Map(), colours = new Map();
        for (let i = 0; i < count; i++) {
            layers[i] = i && layers[parent(i)] + 1;
            first[i] = B[i][4];
            if (!crowds.has(first[i])) crowds.set(first[i], []);
            crowds.get(first[i]).push(i);
            if (B[i][2] & 1 && !colours.has(B[i][0])) colours.set(B[i][0], colours.size % (data.colours.length - 1));
            const known = new Set();
            for (let r = 0; r < rowCount(i); r++) {
                const t = targetOf(i, r);
                if (t > 0 && t !== i && parent(t) === i && !known.has(t)) { known.add(t); children[i].push(t); }
            }
        }
        for (let i = count - 1; i > 0; i--) sizes[parent(i)] += sizes[i];
        const colour = i => data.colours[colours.get(B[i][0]) ?? data.colours.length - 1];
        // The number of each box in preorder.
        const entries = new Int32Array(count), following = new Int32Array(count);
        for (let i = 0; i < count; i++) {
            if (i) { entries[i] = following[parent(i)]; following[parent(i)] += sizes[i]; }
            following[i] = entries[i] + 1;
        }
        /** Whether `i` is in the subtree of `a`. */
        const isAbove = (a, i) => entries[i] >= entries[a] && entries[i] < entries[a] + sizes[a];

        // The rows with references to each box: `sources.rows` has boxes and rows by turns.
        let sources;
        function references(i) {
            if (!sources) {
                const starts = new Int32Array(count + 1);
                const visit = action => {
                    for (let s = 0; s < count; s++) {
                        for (let r = 0; r < rowCount(s); r++) if (targetOf(s, r) >= 0) action(targetOf(s, r), s, r);
                    }
                };
                visit(t => starts[t + 1]++);
                for (let t = 0; t < count; t++) starts[t + 1] += starts[t];
                const next = starts.slice(), rows = new Int32Array(2 * starts[count]);
                visit((t, s, r) => { rows.set([s, r], 2 * next[t]++); });
                sources = {starts, rows};
            }
            const list = [];
            for (let p = sources.starts[i]; p < sources.starts[i + 1]; p++) list.push([sources.rows[2 * p], sources.rows[2 * p + 1]]);
            return list;
        }
        /** The boxes from the first one to `i`, each with the row of the box before. */
        function path(i) {
            const steps = [];
            for (; i; i = parent(i)) {
                const above = parent(i);
                let row = 0;
                while (row < rowCount(above) && targetOf(above, row) !== i) row++;
                steps.push([i, row]);
            }
            return [...steps, [0, -1]].reverse();
        }

        // MARK: Folding
        let shown, rowLimits, crowdSizes;
        const crowdSize = i => crowdSizes[i];
        const ROWS = 12, STEP = 40, PAGE = 100;
        function reset() {
            shown = new Uint8Array(count);
            for (const i of data.shown) shown[i] = 1;
            rowLimits = new Map();
            crowdSizes = new Int32Array(count);
            for (let i = 0; i < count; i++) crowdSizes[first[i] = B[i][4]]++;
        }
        /** Shows a box apart from its similar siblings. */
        function single(i) {
            if (first[i] !== i) { crowdSizes[first[i]]--; crowdSizes[first[i] = i] = 1; }
            shown[i] = 1;
        }
        const isOpen = i => children[i].some(k => shown[k] && first[k] === k);
        const hiddenChildren = i => children[i].filter(k => first[k] === k && !shown[k]);
        /** Folds a box, or unfolds it. */
        function toggle(i) {
            if (isOpen(i)) for (const k of children[i]) shown[k] = 0;
            else if (crowdSize(i) > 1) separate(i, PAGE);
            else unfold(i, STEP);
            keepInView(i);
        }
        function unfold(i, limit) { for (const k of hiddenChildren(i).slice(0, limit)) shown[k] = 1; }
        /** Shows `limit` of the siblings that `i` represents apart from it. */
        function separate(i, limit) {
            for (const member of crowds.get(B[i][4])) {
                if (member !== i && first[member] === i && limit-- > 0) single(member);
            }
        }
        /** Unfolds all boxes above `i`; returns whether one of them was folded. */
        function unfoldTo(i) {
            let isChanged = false;
            for (let a = i; ; a = parent(a)) {
                isChanged ||= first[a] !== a || !shown[a];
                single(a);
                if (!a) return isChanged;
            }
        }

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

        const dark = matchMedia("(prefers-color-scheme: dark)");
        let scale = 1, left = 0, top_ = 0, selected = -1, waiting = false;
        function draw() {
            if (waiting) return;
            waiting = true;
            requestAnimationFrame(() => { waiting = false; paint(); });
        }
        function paint() {
            const ratio = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
            if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
                canvas.width = Math.round(width * ratio);
                canvas.height = Math.round(height * ratio);
            }
            const view = {left, top: top_, right: left + width / scale, bottom: top_ + height / scale, current: currentHit()};
            const tones = dark.matches
                ? {shade: 2, text: "#e6edf3", soft: "#9aa4af", back: "#151b23", ring: "#4493f8", hit: "#6b5312", now: "#b4531d", frame: "#d4a72c", nowFrame: "#f0883e"}
                : {shade: 0, text: "#1f2328", soft: "#59636e", back: "#fff", ring: "#0969da", hit: "#fff3b0", now: "#ffb77c", frame: "#d4a72c", nowFrame: "#bc4c00"};
            context.setTransform(ratio, 0, 0, ratio, 0, 0);
            context.clearRect(0, 0, width, height);
            context.setTransform(ratio * scale, 0, 0, ratio * scale, -left * scale * ratio, -top_ * scale * ratio);
            context.lineWidth = Math.max(1.5, 0.7 / scale);
            for (const edge of edges) paintArrow(edge, view, tones);
            context.setLineDash([]);
            for (const box of boxes) {
                const {x, y} = box;
                if (x > view.right || y > view.bottom || x + box.width < view.left || y + box.height < view.top) continue;
                paintBox(box, view, tones);
            }
        }
        function paintArrow({from, to, y}, view, tones) {
            const tip = to.y + HEAD / 2, ahead = layers[to.i] - layers[from.i];
            if (Math.max(y, tip) < view.top || Math.min(y, tip) > view.bottom) return;
            if (Math.max(from.x + from.width, to.x + to.width) + LAYER < view.left || Math.min(from.x, to.x) > view.right) return;
            const x = ahead < 0 ? from.x : from.x + from.width, end = ahead > 0 ? to.x : to.x + to.width;
            const head = end + (ahead > 0 ? -8 : 8), bendStart = ahead > 0 ? Math.max(x, head - 58) : x;
            const bend = ahead === 0 ? Math.max(x, end) + 34 + Math.min(24, Math.abs(y - tip) / 12) : (bendStart + head) / 2;
            context.strokeStyle = context.fillStyle = colour(to.i)[tones.shade + 1];
            context.setLineDash(isAbove(to.i, from.i) ? [5, 4] : []);
            context.beginPath();
            context.moveTo(x, y);
            context.lineTo(bendStart, y);
            context.bezierCurveTo(bend, y, bend, tip, head, tip);
            context.stroke();
            context.beginPath();
            context.moveTo(end, tip);
            context.lineTo(head, tip - 4);
            context.lineTo(head, tip + 4);
            context.fill();
        }
        function paintBox(box, view, tones) {
            const {x, y, width, height, i} = box, [fill, stroke] = colour(i).slice(tones.shade, tones.shade + 2);
            const isHit = hits.isHit(i), isCurrent = view.current?.i === i;
            const frame = offset => {
                context.beginPath();
                context.roundRect(x + offset, y + offset, width, height, 6);
            };
            if (i === selected) {
                context.lineWidth = Math.max(3, 2 / scale);
                context.strokeStyle = tones.ring;
                context.beginPath();
                context.roundRect(x - 5, y - 5, width + 10, height + 10, 10);
                context.stroke();
            }
            context.lineWidth = isHit ? 3 : 1.2;
            context.strokeStyle = isCurrent ? tones.nowFrame : isHit ? tones.frame : stroke;
            context.fillStyle = tones.back;
            for (const offset of crowdSize(i) > 1 ? [4, 0] : [0]) { frame(offset); context.fill(); context.stroke(); }
            context.fillStyle = fill;
            context.beginPath();
            context.roundRect(x + 0.6, y + 0.6, width - 1.2, HEAD - 0.6, [5, 5, 0, 0]);
            context.fill();
            if (scale < 0.3) {
                // At this scale only a large title is legible.
                const letter = Math.min(10 / scale, height - 4);
                context.font = letter + FONT;
                context.textAlign = "left";
                context.fillStyle = tones.text;
                context.fillText(cut(box.title, Math.floor((width - 8) / (0.602 * letter))), x + 4, y + letter);
                return;
            }
            const sign = children[i].length || crowdSize(i) > 1 ? (isOpen(i) ? " −" : " +") : "";
            // A title is marked as a whole, since it may be cut, and have the number behind it.
            const named = isHit ? (isCurrent && view.current.r < 0 ? tones.now : hits.inName(i) ? tones.hit : "") : "";
            write(box.title, x + PAD, y + 18, {font: "600 13", fill: tones.text, mark: named});
            write(S[B[i][1]] + sign, x + width - PAD, y + 18, {font: "11", fill: tones.soft, align: "right"});
            box.rows.forEach((row, r) => {
                const baseline = y + HEAD + 3 + (r + 0.5) * ROW + 4;
                if (baseline < view.top || baseline - ROW > view.bottom) return;
                const isArrow = row.kind === "arrow", isRight = isArrow && layers[row.t] >= layers[i];
                const marks = (part, skipped) => isHit && row.r >= 0
                    ? {shift: skipped, now: isCurrent && view.current.r === row.r && view.current.part === part ? view.current.at : -1, tones} : {};
                const start = write(row.key, isRight ? x + width - PAD : x + PAD, baseline, {
                    font: isArrow ? "600 12" : "12", fill: isArrow ? tones.text : tones.soft, align: isRight ? "right" : "left",
                    ...marks("key", row.keySkipped),
                });
                if (isArrow) return;
                const at = x + PAD + (row.key ? start + write(": ", x + PAD + start, baseline, {font: "12", fill: tones.soft}) : 0);
                const fill = row.kind === "value" || row.kind === "stub" ? tones.text : row.kind === "more" ? tones.ring : tones.soft;
                const after = at + (row.sign ? write(row.sign, at, baseline, {font: "12", fill}) : 0);
                const end = after + write(row.value, after, baseline, {font: "12", fill, ...(row.t < 0 ? marks("value", row.skipped) : {})});
                if (row.more) write(row.more, end, baseline, {font: "12", fill: tones.soft});
            });
        }
        /** Draws a text, with marks behind hits in it; returns its width. */
        function write(text, x, y, {font, fill, align = "left", mark = "", tones, shift = 0, now = -1}) {
            const own = isolated(text);
            context.font = font + FONT;
            const width = context.measureText(own).width, start = align === "right" ? x - width : x;
            const box = (from, to, colour) => {
                context.fillStyle = colour;
                context.fillRect(start + from - 1, y - 12, to - from + 2, 16);
            };
            if (mark) box(0, width, mark);
            for (const [at, length] of tones ? occurrences(text, hits.pattern) : []) {
                const measure = end => context.measureText(text.slice(0, end)).width, colour = at + shift === now ? tones.now : tones.hit;
                // Parts of a text from right to left are anywhere in it.
                if (own === text) box(measure(at), measure(at + length), colour); else box(0, width, colour);
            }
            context.textAlign = align;
            context.fillStyle = fill;
            context.fillText(own, x, y);
            return width;
        }

        // MARK: The part that is visible
        const MARGIN = 20;
        /** Keeps some of the picture in the window. */
        function bound() {
            const [width, height] = [canvas.clientWidth / scale, canvas.clientHeight / scale], rest = 60 / scale;
            left = Math.min(size[0] - rest, Math.max(rest - width, left));
            top_ = Math.min(size[1] - rest, Math.max(rest - height, top_));
            draw();
        }
        function pan(dx, dy) {
            left += dx / scale;
            top_ += dy / scale;
            bound();
        }
        /** Changes the scale; the point at `x`, `y` of the window keeps its place. */
        function zoom(factor, x, y) {
            const before = scale;
            scale = Math.min(4, Math.max(0.02, scale * factor));
            left += x / before - x / scale;
            top_ += y / before - y / scale;
            bound();
        }
        /** The first box at the top left, in a scale at which all text is legible. */
        function home() {
            scale = 1;
            left = top_ = -MARGIN;
            draw();
        }
        function whole() {
            scale = Math.max(0.02, Math.min(1, (canvas.clientWidth - 2 * MARGIN) / size[0], (canvas.clientHeight - 2 * MARGIN) / size[1]));
            left = top_ = -MARGIN / scale;
            draw();
        }
        /** Updates the layout; the box keeps its place in the window. */
        function keepInView(i) {
            const before = places.get(i);
            layout();
            const after = places.get(i);
            if (before && after) { left += after.x - before.x; top_ += after.y - before.y; }
            bound();
        }
        /** Moves the window as little as possible, so that the box and its row at `position` are in it. */
        function bringIntoView(i, position = -1) {
            const box = places.get(i), row = position < 0 ? 0 : HEAD + 3 + position * ROW;
            if (scale < 0.7) scale = 1;
            const fit = (start, extent, from, to) => {
                const space = Math.min(MARGIN / scale, extent / 4);
                if (to - from > extent - 2 * space) return from - space;
                return Math.min(from - space, Math.max(to + space - extent, start));
            };
            left = fit(left, canvas.clientWidth / scale, box.x, box.x + box.width);
            const height = canvas.clientHeight / scale, isHigh = box.height > height - 60 / scale;
            if (isHigh && position < 0) top_ = fit(top_, height, box.y, box.y + HEAD + 4 * ROW);
            else top_ = fit(top_, height, box.y + (isHigh ? row : 0), isHigh ? box.y + row + ROW : box.y + box.height);
            draw();
        }

        /** The nearest of `list` in a direction, such as [1, 0] for the right. Boxes in `near` are preferred. */
        function nearest(list, from, [dx, dy], near = []) {
            const middle = box => [box.x + box.width / 2, box.y + Math.min(box.height, HEAD) / 2];
            const [x, y] = middle(from);
            let best, least = Infinity;
            for (const box of list) {
                if (box === from) continue;
                const [bx, by] = middle(box);
                // The distance between the sides of both boxes, and how far beside the other one it is.
                const ahead = dx > 0 ? box.x - from.x - from.width : dx < 0 ? from.x - box.x - box.width
                    : dy > 0 ? box.y - from.y - from.height : from.y - box.y - box.height;
                if (ahead < 0) continue;
                const beside = dx ? Math.abs(by - y)
                    : Math.max(0, box.x - from.x - from.width, from.x - box.x - box.width) + Math.abs(bx - x) / 100;
                const distance = ahead + 2 * beside - (near.includes(box) ? 1e6 : 0);
                if (distance < least) { least = distance; best = box; }
            }
            return best;
        }
        /** Selects the next box in a direction, along references to the right and back. */
        function move(direction, isRepeated) {
            const from = places.get(selected);
            if (!from) {
                let i = Math.max(selected, 0);
                while (!places.has(i)) i = parent(i);
                return select(i, {isRepeated});
            }
            const near = direction[0] > 0 ? edges.filter(e => e.from === from && e.to.x > from.x).map(e => e.to)
                : direction[0] < 0 && selected ? [places.get(parent(selected))] : [];
            const next = nearest(boxes, from, direction, near);
            if (next) select(next.i, {isRepeated});
        }

        """#
}
