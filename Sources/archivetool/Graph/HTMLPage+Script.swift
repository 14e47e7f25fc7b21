// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension HTMLPage {
    /// The script of the page. It places unfolded boxes as `PictureLayout` does, and draws the visible ones.
    static let script = #"""
        "use strict";
        const data = JSON.parse(document.getElementById("data").textContent);
        const S = data.strings, B = data.boxes, count = B.length;
        const element = id => document.getElementById(id);
        const canvas = element("picture"), panel = element("panel"), context = canvas.getContext("2d");
        const dark = matchMedia("(prefers-color-scheme: dark)");
        const HEAD = 27, ROW = 17, PAD = 10, GAP = 16, LAYER = 74, ROWS = 12, FAR = 700;
        const FONT = 'px ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace';
        const name = i => S[B[i][0]] + (S[B[i][1]] ? " " + S[B[i][1]] : "");
        const parent = i => B[i][3];
        const cut = (text, limit) => text.length > limit ? text.slice(0, limit - 1) + "…" : text;

        // The children of each box, in the order of its rows; and the colours of classes.
        const layers = new Int32Array(count), first = new Int32Array(count), sizes = new Int32Array(count).fill(1);
        const children = B.map(() => []), crowds = new Map(), colours = new Map();
        for (let i = 0; i < count; i++) {
            layers[i] = i && layers[parent(i)] + 1;
            first[i] = B[i][4];
            if (!crowds.has(first[i])) crowds.set(first[i], []);
            crowds.get(first[i]).push(i);
            if (B[i][2] && !colours.has(B[i][0])) colours.set(B[i][0], colours.size % (data.colours.length - 1));
            const known = new Set();
            for (let r = 5; r < B[i].length; r += 3) {
                const t = B[i][r + 2];
                if (t > 0 && t !== i && parent(t) === i && !known.has(t)) { known.add(t); children[i].push(t); }
            }
        }
        for (let i = count - 1; i > 0; i--) sizes[parent(i)] += sizes[i];
        const colour = i => data.colours[colours.get(B[i][0]) ?? data.colours.length - 1];
        const crowdSizes = new Int32Array(count), crowdSize = i => crowdSizes[i];

        let shown, boxes = [], places = new Map(), edges = [], size = [0, 0], selected = -1, hits = new Set(), hitList = [], hit = -1;
        let scale = 1, left = 0, top_ = 0;
        function reset() {
            shown = new Uint8Array(count);
            for (const i of data.shown) shown[i] = 1;
            crowdSizes.fill(0);
            for (let i = 0; i < count; i++) crowdSizes[first[i] = B[i][4]]++;
        }
        /** Shows a box apart from its similar siblings. */
        function single(i) {
            if (first[i] !== i) { crowdSizes[first[i]]--; crowdSizes[first[i] = i] = 1; }
            shown[i] = 1;
        }

        // MARK: Layout
        function rows(i, visible, arrows) {
            const values = [], stubs = [], links = [], known = new Set();
            let own = 0;
            for (let r = 5; r < B[i].length; r += 3) {
                let [key, value, t] = [S[B[i][r]], S[B[i][r + 1]], B[i][r + 2]];
                key = cut(key, 28);
                const f = t < 0 ? t : first[t], child = t > 0 && f !== i && parent(f) === i, many = child ? crowdSize(f) : 1;
                if (many > 1) { if (known.has(f)) continue; known.add(f); key += " … × " + many; }
                if (t >= 0 && visible.has(f)) {
                    const near = Math.abs(layers[f] - layers[i]) < 2 && own < 4 && (arrows.get(f) ?? 0) < 8;
                    if (child || near) {
                        if (!child) { own++; arrows.set(f, (arrows.get(f) ?? 0) + 1); }
                        (child ? links : stubs).push({key, t: f, kind: "arrow", child, value: "→ " + cut(value, 32)});
                    } else stubs.push({key, t: f, kind: "stub", value: "→ " + cut(value, 32)});
                } else if (t >= 0) {
                    values.push({key, t: f, kind: "fold", value: "▸ " + cut(value, 32) + (child && sizes[f] > 1 ? " … " + sizes[f] : "")});
                } else values.push({key, t: -1, kind: t === -2 ? "null" : "value", value: cut(value, 32)});
            }
            const plain = [...values, ...stubs.filter(s => s.kind === "stub")];
            const list = plain.slice(0, ROWS);
            if (plain.length > ROWS) list.push({key: "", t: -1, kind: "more", value: "… " + (plain.length - ROWS) + " more"});
            return [...list, ...stubs.filter(s => s.kind === "arrow"), ...links];
        }
        function layout() {
            const visible = new Map(), stack = [0];
            boxes = [];
            while (stack.length) {
                const i = stack.pop();
                const box = {i, y: 0, below: 0, kids: []};
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
                box.title = cut(S[B[box.i][0]], 40) + (crowdSize(box.i) > 1 ? " × " + crowdSize(box.i) : "");
                box.height = HEAD + box.rows.length * ROW + 6;
            }
            for (let b = boxes.length - 1; b >= 0; b--) {
                const box = boxes[b];
                box.band = Math.max(box.height + GAP, box.below);
                if (box.i) visible.get(parent(box.i)).below += box.band;
            }
            for (const box of boxes) {
                const above = box.i ? visible.get(parent(box.i)) : null, start = above ? above.next : 0;
                if (above) above.next += box.band;
                box.y = start + (box.band - GAP - box.height) / 2;
                box.next = start + (box.band - box.below) / 2;
            }
            edges = [];
            for (const box of boxes) {
                box.rows.forEach((row, r) => {
                    if (row.kind !== "arrow") return;
                    const target = visible.get(row.t), y = box.y + HEAD + 3 + (r + 0.5) * ROW;
                    if (!row.child && Math.abs(target.y - y) > FAR) { row.kind = "stub"; return; }
                    edges.push({from: box, to: target, y});
                });
                const texts = box.rows.map(w => wide(w.kind === "arrow" ? w.key : (w.key ? w.key + ": " : "") + w.value));
                box.width = Math.ceil(Math.max(90, wide(box.title) * 13 / 12 + wide(S[B[box.i][1]]) + 50, ...texts.map(w => w + 2 * PAD)));
                widths[layers[box.i]] = Math.max(widths[layers[box.i]] ?? 0, box.width);
            }
            const starts = [0];
            widths.forEach((width, l) => starts.push(starts[l] + width + LAYER));
            for (const box of boxes) box.x = starts[layers[box.i]];
            size = [starts[starts.length - 1], boxes[0].band];
            places = visible;
            element("state").textContent = boxes.length + " of " + count + " objects" + (data.omitted ? ", " + data.omitted + " left out" : "");
            draw();
        }

        // MARK: Drawing
        let waiting = false;
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
            const isDark = dark.matches, shade = isDark ? 2 : 0;
            const [text, soft, back] = isDark ? ["#e6edf3", "#9aa4af", "#151b23"] : ["#1f2328", "#59636e", "#fff"];
            context.setTransform(ratio, 0, 0, ratio, 0, 0);
            context.clearRect(0, 0, width, height);
            context.setTransform(ratio * scale, 0, 0, ratio * scale, -left * scale * ratio, -top_ * scale * ratio);
            const [right, bottom] = [left + width / scale, top_ + height / scale];
            context.lineWidth = Math.max(1.5, 0.7 / scale);
            for (const {from, to, y} of edges) {
                const tip = to.y + HEAD / 2, ahead = layers[to.i] - layers[from.i];
                if (Math.max(y, tip) < top_ || Math.min(y, tip) > bottom) continue;
                if (Math.max(from.x + from.width, to.x + to.width) + LAYER < left || Math.min(from.x, to.x) > right) continue;
                const x = ahead < 0 ? from.x : from.x + from.width, end = ahead > 0 ? to.x : to.x + to.width;
                const head = end + (ahead > 0 ? -8 : 8), bendStart = ahead > 0 ? Math.max(x, head - 58) : x;
                const bend = ahead === 0 ? Math.max(x, end) + 34 + Math.min(24, Math.abs(y - tip) / 12) : (bendStart + head) / 2;
                context.strokeStyle = context.fillStyle = colour(to.i)[shade + 1];
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
            context.setLineDash([]);
            for (const box of boxes) {
                const {x, y, width, height, i} = box;
                if (x > right || y > bottom || x + width < left || y + height < top_) continue;
                const [fill, stroke] = colour(i).slice(shade, shade + 2);
                const isHit = hits.has(i);
                const frame = offset => { context.beginPath(); context.roundRect(x + offset, y + offset, width, height, 6); };
                context.lineWidth = i === selected || isHit ? 3 : 1.2;
                context.strokeStyle = isHit ? "#d4a72c" : stroke;
                context.fillStyle = back;
                for (const offset of crowdSize(i) > 1 ? [4, 0] : [0]) { frame(offset); context.fill(); context.stroke(); }
                context.fillStyle = fill;
                context.beginPath();
                context.roundRect(x + 0.6, y + 0.6, width - 1.2, HEAD - 0.6, [5, 5, 0, 0]);
                context.fill();
                context.textAlign = "left";
                context.fillStyle = text;
                if (scale < 0.3) {
                    // At this scale only a large title is legible.
                    const letter = Math.min(10 / scale, height - 4);
                    context.font = letter + FONT;
                    context.fillText(cut(box.title, Math.floor((width - 8) / (0.602 * letter))), x + 4, y + letter);
                    continue;
                }
                context.font = "600 13" + FONT;
                context.fillText(box.title, x + PAD, y + 18);
                context.font = "11" + FONT;
                context.fillStyle = soft;
                context.textAlign = "right";
                const sign = children[i].length || crowdSize(i) > 1 ? (isOpen(i) ? " −" : " +") : "";
                context.fillText(S[B[i][1]] + sign, x + width - PAD, y + 18);
                box.rows.forEach((row, r) => {
                    const baseline = y + HEAD + 3 + (r + 0.5) * ROW + 4;
                    const isRight = row.kind === "arrow" && layers[row.t] >= layers[i];
                    context.textAlign = isRight ? "right" : "left";
                    context.font = (row.kind === "arrow" ? "600 12" : "12") + FONT;
                    context.fillStyle = row.kind === "arrow" ? text : soft;
                    context.fillText(row.key + (row.key && row.kind !== "arrow" ? ": " : ""), isRight ? x + width - PAD : x + PAD, baseline);
                    if (row.kind === "arrow") return;
                    const start = row.key ? context.measureText(row.key + ": ").width : 0;
                    context.fillStyle = row.kind === "value" || row.kind === "stub" ? text : soft;
                    context.fillText(row.value, x + PAD + start, baseline);
                });
            }
        }
        function isAbove(a, i) {
            while (layers[i] > layers[a]) i = parent(i);
            return i === a;
        }

        // MARK: Folding
        const STEP = 40;
        const isOpen = i => children[i].some(k => shown[k] && first[k] === k);
        function toggle(i) {
            if (isOpen(i)) for (const k of children[i]) shown[k] = 0;
            else if (crowdSize(i) > 1) return each(i);
            else unfold(i);
            keepInView(i);
        }
        function unfold(i) {
            let left_ = STEP;
            for (const k of children[i]) if (first[k] === k && !shown[k] && left_-- > 0) shown[k] = 1;
        }
        function each(i) {
            for (const member of crowds.get(first[i]).slice(0, 2 * STEP)) single(member);
            keepInView(i);
            select(i);
        }
        function reveal(i) {
            for (let a = i; ; a = parent(a)) {
                single(a);
                if (!a) break;
            }
            layout();
            center(i);
            select(i);
        }
        /** Updates the layout; the box keeps its place on the screen. */
        function keepInView(i) {
            const before = places.get(i);
            layout();
            const after = places.get(i);
            if (before && after) { left += after.x - before.x; top_ += after.y - before.y; }
            draw();
        }
        function center(i) {
            const box = places.get(i);
            scale = Math.max(scale, 0.7);
            left = box.x + box.width / 2 - canvas.clientWidth / 2 / scale;
            top_ = box.y + Math.min(box.height, 300) / 2 - canvas.clientHeight / 2 / scale;
            draw();
        }
        function whole(least) {
            scale = Math.min(1, Math.max(least, Math.min(canvas.clientWidth / (size[0] + 40), canvas.clientHeight / (size[1] + 40))));
            left = -20;
            top_ = size[1] * scale > canvas.clientHeight
                ? places.get(0).y + places.get(0).height / 2 - canvas.clientHeight / 2 / scale : -20;
            draw();
        }

        // MARK: The panel
        function add(parent_, tag, text, action) {
            const node = document.createElement(tag);
            if (text !== undefined) node.textContent = text;
            if (action) {
                node.tabIndex = 0;
                node.addEventListener("click", action);
                node.addEventListener("keydown", event => { if (event.key === "Enter") action(); });
            }
            return parent_.appendChild(node);
        }
        function select(i) {
            selected = i;
            panel.replaceChildren();
            add(panel, "h2", name(i));
            if (crowdSize(i) > 1) add(panel, "a", "Show each of the " + crowdSize(i) + " that are alike", () => each(i));
            listRows(i, add(panel, "dl"), 0);
            const sources = [];
            for (let s = 0; s < count && sources.length < 100; s++) {
                for (let r = 5; r < B[s].length; r += 3) if (B[s][r + 2] === i) sources.push([s, S[B[s][r]]]);
            }
            if (sources.length) add(panel, "h3", "Referred to by");
            const list = add(panel, "dl");
            for (const [s, key] of sources) add(add(list, "dd"), "a", name(s) + " " + key, () => reveal(s));
            draw();
        }
        function listRows(i, list, from) {
            for (let r = 5 + 3 * from; r < B[i].length; r += 3) {
                const [key, value, t] = [S[B[i][r]], S[B[i][r + 1]], B[i][r + 2]];
                if (r >= 5 + 3 * (from + 300)) {
                    const more = add(list, "a", "… " + (B[i].length - r) / 3 + " more", () => { more.remove(); listRows(i, list, from + 300); });
                    return;
                }
                add(list, "dt", key);
                if (t >= 0) add(add(list, "dd"), "a", "→ " + value, () => reveal(t)); else add(list, "dd", value);
            }
        }
        function search(query) {
            const text = query.toLowerCase();
            hits = new Set();
            hitList = [];
            hit = -1;
            if (text) {
                const isHit = S.map(s => s.toLowerCase().includes(text));
                for (let i = 0; i < count && hitList.length < 1000; i++) {
                    let found = name(i).toLowerCase().includes(text);
                    for (let r = 5; r < B[i].length && !found; r += 3) {
                        found = isHit[B[i][r]] || B[i][r + 2] < 0 && isHit[B[i][r + 1]];
                    }
                    if (found) { hits.add(i); hitList.push(i); }
                }
                panel.replaceChildren();
                add(panel, "h2", (hitList.length < 1000 ? hitList.length : "The first 1000") + " found");
                const list = add(panel, "dl");
                for (const i of hitList.slice(0, 200)) add(add(list, "dd"), "a", name(i), () => reveal(i));
            } else panel.replaceChildren();
            draw();
        }

        // MARK: Mouse and keys
        const pointers = new Map();
        let moved = 0;
        canvas.addEventListener("pointerdown", event => {
            canvas.setPointerCapture(event.pointerId);
            pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
            moved = 0;
        });
        canvas.addEventListener("pointermove", event => {
            const before = pointers.get(event.pointerId);
            if (!before) return;
            const others = [...pointers].filter(([id]) => id !== event.pointerId);
            const [dx, dy] = [event.offsetX - before[0], event.offsetY - before[1]];
            moved += Math.abs(dx) + Math.abs(dy);
            if (others.length) {
                const [ox, oy] = others[0][1], far = (x, y) => Math.hypot(x - ox, y - oy) || 1;
                zoom(far(event.offsetX, event.offsetY) / far(...before), ox, oy);
            } else {
                left -= dx / scale;
                top_ -= dy / scale;
            }
            pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
            draw();
        });
        for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, event => {
            pointers.delete(event.pointerId);
            if (end === "pointerup" && moved < 5) click(event.offsetX / scale + left, event.offsetY / scale + top_);
        });
        function click(x, y) {
            const box = boxes.find(b => x >= b.x && x <= b.x + b.width && y >= b.y && y <= b.y + b.height);
            if (!box) { selected = -1; panel.replaceChildren(); draw(); return; }
            const row = y < box.y + HEAD ? undefined : box.rows[Math.floor((y - box.y - HEAD - 3) / ROW)];
            if (y < box.y + HEAD && x > box.x + box.width - 34) { toggle(box.i); select(box.i); return; }
            if (row?.kind === "fold") reveal(row.t); else if (row?.kind === "stub") reveal(row.t); else select(box.i);
        }
        function zoom(factor, x, y) {
            const before = scale;
            scale = Math.min(3, Math.max(0.02, scale * factor));
            left += x / before - x / scale;
            top_ += y / before - y / scale;
            draw();
        }
        canvas.addEventListener("wheel", event => {
            event.preventDefault();
            if (event.ctrlKey || !event.shiftKey && Math.abs(event.deltaY) >= 1 && !event.deltaX) {
                zoom(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY);
            } else {
                left += (event.deltaX || event.deltaY) / scale;
                draw();
            }
        }, {passive: false});
        const middle = factor => zoom(factor, canvas.clientWidth / 2, canvas.clientHeight / 2);
        element("in").addEventListener("click", () => middle(1.3));
        element("out").addEventListener("click", () => middle(1 / 1.3));
        element("all").addEventListener("click", () => whole(0));
        element("fold").addEventListener("click", () => { reset(); layout(); whole(0.4); });
        let timer;
        const field = element("search");
        field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(() => search(field.value), 150); });
        field.addEventListener("keydown", event => {
            if (event.key === "Enter" && hitList.length) {
                hit = (hit + (event.shiftKey ? hitList.length - 1 : 1)) % hitList.length;
                reveal(hitList[hit]);
            }
        });
        addEventListener("keydown", event => {
            if (event.target === field) return;
            const steps = {ArrowLeft: [-80, 0], ArrowRight: [80, 0], ArrowUp: [0, -80], ArrowDown: [0, 80]};
            if (event.key === "/") { event.preventDefault(); field.focus(); }
            else if (event.key === "+") middle(1.3);
            else if (event.key === "-") middle(1 / 1.3);
            else if (event.key === "0") whole(0);
            else if (steps[event.key] && event.target === canvas) {
                left += steps[event.key][0] / scale;
                top_ += steps[event.key][1] / scale;
                draw();
            }
        });
        addEventListener("resize", draw);
        new ResizeObserver(draw).observe(canvas);
        dark.addEventListener("change", draw);

        document.title = data.name;
        element("name").textContent = data.name;
        reset();
        layout();
        whole(0.4);
        // page.html#12 shows the object #12, page.html#name the results of a search.
        const wanted = decodeURIComponent(location.hash);
        if (wanted) {
            const i = B.findIndex(b => S[b[1]] === wanted);
            field.value = i < 0 ? wanted.slice(1) : "";
            if (i < 0) search(field.value); else reveal(i);
        }

        """#
}
