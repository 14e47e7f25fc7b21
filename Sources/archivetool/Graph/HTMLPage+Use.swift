// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension HTMLPage {
    /// The search, the panel, the selection, pointers and keys.
    static let useScript = #"""
        /** The places of a pattern in a text: pairs of a position and a length. */
        function occurrences(text, pattern) {
            return pattern ? [...text.matchAll(pattern)].map(match => [match.index, match[0].length]) : [];
        }
        /** All hits of a query in the boxes. They are numbered by boxes, then names, keys and values; a box lists its own on request. */
        class Hits {
            constructor(query) {
                this.pattern = query ? new RegExp(query.replace(/[\\^$.*+?()[\]{}|\/]/g, "\\$&"), "giu") : null;
                this.total = 0;
                this.boxes = [];
                // The number of hits before each of `boxes`.
                this.starts = [];
                this.counts = new Map();
                if (!query) return;
                const counts = S.map(text => occurrences(text, this.pattern).length);
                for (let i = 0; i < count; i++) {
                    let found = occurrences(name(i), this.pattern).length;
                    // References are not hits: the name of the other box is one.
                    for (let p = 5; p < B[i].length; p += 3) found += counts[B[i][p]] + (B[i][p + 2] < 0 ? counts[B[i][p + 1]] : 0);
                    if (!found) continue;
                    this.boxes.push(i);
                    this.starts.push(this.total);
                    this.counts.set(i, found);
                    this.total += found;
                }
            }
            isHit(i) { return this.counts.has(i); }
            inName(i) { return occurrences(name(i), this.pattern).length > 0; }
            /** The hits in a box: the row, -1 for the name; the part of the row; the position and the length. */
            inBox(i) {
                if (!this.isHit(i)) return [];
                if (this.last?.i === i) return this.last.list;
                const list = [], add = (r, part, text) => {
                    for (const [at, length] of occurrences(text, this.pattern)) list.push({i, r, part, at, length});
                };
                add(-1, "name", name(i));
                for (let r = 0; r < rowCount(i); r++) {
                    add(r, "key", keyOf(i, r));
                    if (targetOf(i, r) < 0) add(r, "value", valueOf(i, r));
                }
                // Several calls in order are for the same box, which may be large.
                this.last = {i, list};
                return list;
            }
            /** The hits with the numbers from `from` on. */
            list(from, limit) {
                let low = 0, high = this.boxes.length;
                while (high - low > 1) {
                    const middle = (low + high) >> 1;
                    if (this.starts[middle] <= from) low = middle; else high = middle;
                }
                const list = [];
                for (let b = low; b < this.boxes.length && list.length < limit; b++) {
                    const own = this.inBox(this.boxes[b]), skipped = Math.max(0, from - this.starts[b]);
                    list.push(...own.slice(skipped, skipped + limit - list.length));
                }
                return list;
            }
            /** The number of the first hit in box `i`, or in one after it. */
            next(i) {
                const b = this.boxes.findIndex(box => box >= i);
                return b < 0 ? 0 : this.starts[b];
            }
        }
        let hits = new Hits(""), lastQuery = "", hit = -1, current;
        const currentHit = () => current;
        const NO_HITS = new Map();
        /** The first hit in the key and in the value of each row of a box; the current one before others. */
        function hitRows(i) {
            if (!hits.isHit(i)) return NO_HITS;
            const rows = new Map();
            for (const found of hits.inBox(i)) {
                if (found.r < 0) continue;
                const row = rows.get(found.r) ?? {};
                const isCurrent = current && current.i === i && current.r === found.r && current.part === found.part && current.at === found.at;
                if (!row[found.part] || isCurrent) row[found.part] = [found.at, found.length];
                rows.set(found.r, row);
            }
            return rows;
        }
        function search(query) {
            hits = new Hits(lastQuery = query);
            hit = -1;
            current = undefined;
            showCount();
            keepInView(selected);
            if (query) listHits(); else if (selected >= 0) show(selected); else closePanel();
            if (query) say(hits.total ? counted(hits.total, "hit") + " in " + counted(hits.boxes.length, "object") : "No hits");
        }
        /** Shows another hit. */
        function step(by) {
            if (!hits.total) return;
            // The first step begins at the selected box.
            goTo(hit < 0 ? (by > 0 ? (selected < 0 ? 0 : hits.next(selected)) : hits.total - 1) : (hit + by + hits.total) % hits.total);
        }
        function goTo(number) {
            hit = number;
            [current] = hits.list(number, 1);
            const {i, r} = current, t = r < 0 ? -1 : targetOf(i, r);
            // A row of similar siblings shows only the first of their keys.
            if (t > 0 && t !== i && parent(t) === i && first[t] !== t) single(t);
            showCount();
            reveal(i, {row: r});
            say(hitLabel() + ": " + name(i) + (r < 0 ? "" : ", " + keyOf(i, r) + ": " + valueOf(i, r)));
        }
        const hitLabel = () => digits(hit + 1) + " of " + digits(hits.total);
        function showCount() {
            element("hits").textContent = !hits.pattern ? "" : hit >= 0 ? hitLabel() : hits.total ? digits(hits.total) : "none";
            for (const id of ["previous", "next"]) element(id).disabled = !hits.total;
        }

        const LINES = 300;
        function add(above, tag, text, action) {
            const node = document.createElement(tag);
            if (text !== undefined) node.textContent = text;
            if (action) {
                node.type = "button";
                node.addEventListener("click", action);
            }
            return above.appendChild(node);
        }
        /** A text from the file, with a writing direction of its own and marks at hits. */
        function addText(above, text, marked = -1) {
            const node = add(above, "bdi");
            let end = 0;
            for (const [at, length] of occurrences(text, hits.pattern)) {
                node.append(text.slice(end, at));
                const mark = add(node, "mark", text.slice(at, end = at + length));
                if (at === marked) mark.className = "now";
            }
            node.append(text.slice(end));
            return node;
        }
        /** A link to a box, which can be opened in another window. */
        function addLink(above, text, i, action = () => reveal(i)) {
            const link = add(above, "a");
            link.href = address(i);
            addText(link, text);
            link.addEventListener("click", event => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                action();
            });
            return link;
        }
        function openPanel(title) {
            const hadFocus = panel.contains(document.activeElement);
            panel.replaceChildren();
            panel.hidden = false;
            panel.scrollTop = 0;
            const close = add(panel, "button", "×", deselect), heading = add(panel, "h2");
            close.className = "close";
            close.setAttribute("aria-label", "Close");
            addText(heading, title);
            heading.tabIndex = -1;
            if (hadFocus) heading.focus({preventScroll: true});
        }
        function closePanel() {
            if (panel.contains(document.activeElement)) canvas.focus({preventScroll: true});
            panel.hidden = true;
            panel.replaceChildren();
        }
        function show(i) {
            openPanel(name(i));
            if (data.retained[i]) {
                const line = add(panel, "p", "Retains " + counted(data.retained[i], "object") + (data.bytes ? ", " + counted(data.bytes[i], "byte") : ""));
                line.id = "retained";
                line.title = "The objects that nothing else refers to, itself included";
            }
            const actions = add(panel, "p"), many = crowdSize(i), hidden = isOpen(i) ? hiddenChildren(i).length : 0;
            const change = (text, action) => { add(actions, "button", text, () => { action(); keepInView(i); select(i); }); };
            if (many > PAGE + 1) change("Show " + PAGE + " of the " + digits(many) + " that are alike", () => separate(i, PAGE));
            if (many > 1) change("Show each of the " + digits(many) + " that are alike", () => separate(i, count));
            if (hidden > STEP) change("Unfold " + STEP + " of " + digits(hidden) + " more", () => unfold(i, STEP));
            if (hidden) change("Unfold " + (hidden > 1 ? "all " : "") + digits(hidden) + " more", () => unfold(i, count));
            if (!actions.childNodes.length) actions.remove();
            addPath(i);
            const at = current?.i === i ? current.r : -1;
            add(panel, "h3", counted(rowCount(i), "value"));
            const list = add(panel, "dl"), start = Math.max(0, Math.floor(at / LINES) * LINES);
            listRows(i, list, start, start + LINES);
            if (at >= 0) list.querySelector(".now")?.scrollIntoView({block: "nearest"});
            listSources(references(i), 0);
        }
        function addPath(i) {
            add(panel, "h3", "Path from the root");
            const list = add(panel, "ol"), steps = path(i);
            list.id = "path";
            steps.forEach(([box, row], position) => {
                if (position > 5 && position < steps.length - 20) {
                    if (position === 6) add(list, "li", "… " + digits(steps.length - 26) + " more");
                    return;
                }
                const item = add(list, "li");
                if (row >= 0) { addText(item, keyOf(parent(box), row)); item.append(" → "); }
                if (box === i) addText(item, name(box)); else addLink(item, name(box), box);
            });
        }
        /** Lists rows of a box; a button lists those before, another one those after. */
        function listRows(i, list, from, to) {
            const page = (start, end, text) => {
                if (start >= end) return;
                const button = add(add(list, "dd"), "button", text + digits(end - start) + " more", () => {
                    list.replaceChildren();
                    listRows(i, list, text.startsWith("↑") ? Math.max(0, from - LINES) : from, text.startsWith("↑") ? to : to + LINES);
                });
                button.className = "more";
            };
            page(0, from, "↑ ");
            for (let r = from; r < Math.min(to, rowCount(i)); r++) {
                const now = current?.i === i && current.r === r ? current : {};
                addText(add(list, "dt"), keyOf(i, r), now.part === "key" ? now.at : -1);
                const line = add(list, "dd"), t = targetOf(i, r);
                if (t >= 0) { line.append("→ "); addLink(line, valueOf(i, r), t); } else addText(line, valueOf(i, r), now.part === "value" ? now.at : -1);
            }
            page(to, rowCount(i), "↓ ");
        }
        function listSources(rows, from) {
            if (!from && rows.length) add(panel, "h3", counted(rows.length, "reference") + " to it");
            const list = add(panel, "dl");
            for (const [s, r] of rows.slice(from, from + PAGE)) {
                const line = add(list, "dd");
                addLink(line, name(s), s);
                line.append(" ");
                addText(line, keyOf(s, r));
            }
            if (rows.length > from + PAGE) {
                const more = add(panel, "button", "↓ " + digits(rows.length - from - PAGE) + " more", () => { more.remove(); listSources(rows, from + PAGE); });
                more.className = "more";
            }
        }
        function listHits(from = 0) {
            if (!from) openPanel(hits.total ? counted(hits.total, "hit") + " in " + counted(hits.boxes.length, "object") : "No hits");
            const list = add(panel, "dl");
            hits.list(from, PAGE).forEach(({i, r, part, at, length}, position) => {
                const line = add(list, "dd");
                addLink(line, name(i), i, () => goTo(from + position));
                if (r < 0) return;
                line.append(" ");
                addText(line, excerpt(keyOf(i, r), 60, ...(part === "key" ? [at, length] : [])).text);
                if (part === "value") { line.append(": "); addText(line, excerpt(valueOf(i, r), 80, at, length).text); }
            });
            if (hits.total > from + PAGE) {
                const more = add(panel, "button", "↓ " + digits(hits.total - from - PAGE) + " more", () => { more.remove(); listHits(from + PAGE); });
                more.className = "more";
            }
        }

        // MARK: Selection
        /** The text that screen readers say. */
        function say(text) { element("spoken").textContent = text; }
        function described(i) {
            const targets = B[i].filter((t, p) => p >= 5 && p % 3 === 1 && t >= 0).length;
            const fold = children[i].length ? (isOpen(i) ? ", unfolded" : ", folded") : "";
            return name(i) + (crowdSize(i) > 1 ? ", one of " + digits(crowdSize(i)) + " that are alike" : "") + ", "
                + counted(rowCount(i), "value") + ", " + counted(targets, "reference") + fold;
        }
        function select(i, {isRepeated = false, isFollowing = false, row = -1} = {}) {
            selected = i;
            show(i);
            if (places.has(i)) {
                // The panel can change the size of the window.
                const position = row < 0 ? -1 : places.get(i).rows.findIndex(r => r.r === row);
                bringIntoView(i, position);
            }
            if (!isFollowing) remember(isRepeated);
            say(described(i));
        }
        /** Unfolds the boxes above `i`, and selects it. */
        function reveal(i, options) {
            const anchor = places.has(selected) ? selected : 0;
            // Rows depend on the current hit.
            if (unfoldTo(i) || hits.total) keepInView(anchor);
            select(i, options);
        }
        function deselect() {
            const was = selected;
            selected = -1;
            closePanel();
            remember(false);
            if (was >= 0) say("Nothing is selected");
            draw();
        }

        // MARK: The address
        /** `#12` for the object #12; a box without a number is `#:5`, by its position. */
        const address = i => encodeURI(S[B[i][1]] || "#:" + i);
        const numbers = new Map();
        for (let i = count - 1; i >= 0; i--) if (S[B[i][1]]) numbers.set(S[B[i][1]], i);
        /** The box or the query of an address. */
        function wanted(hash) {
            let text = hash;
            try { text = decodeURIComponent(hash); } catch { /* It has a % that is no escape. */ }
            if (text.length < 2) return {};
            if (numbers.has(text)) return {i: numbers.get(text)};
            const position = /^#:(\d{1,9})$/.exec(text)?.[1];
            return position < count ? {i: Number(position)} : {query: text.slice(1)};
        }
        /** Writes the selection into the address. A key that is held down changes one entry of the history. */
        function remember(isRepeated) {
            const hash = selected < 0 ? "" : address(selected);
            if (location.hash === hash) return;
            try {
                history[isRepeated ? "replaceState" : "pushState"](null, "", hash || location.pathname + location.search);
            } catch { /* Browsers limit the number of calls, and the pages with a history. */ }
        }
        function follow() {
            const {i, query} = wanted(location.hash);
            if (i !== undefined) {
                if (i !== selected) reveal(i, {isFollowing: true});
            } else {
                selected = -1;
                if (query === undefined) closePanel(); else { field.value = query; search(query); }
                draw();
            }
        }
        addEventListener("hashchange", follow);

        // MARK: Pointers
        const pointers = new Map();
        let moved = 0, origin = [0, 0];
        const boxAt = (x, y) => boxes.find(b => x >= b.x && x <= b.x + b.width && y >= b.y && y <= b.y + b.height);
        const middleOf = list => [list.reduce((sum, p) => sum + p[0], 0) / list.length, list.reduce((sum, p) => sum + p[1], 0) / list.length];
        const spread = list => list.length < 2 ? 1 : Math.hypot(list[0][0] - list[1][0], list[0][1] - list[1][1]) || 1;
        canvas.addEventListener("pointerdown", event => {
            try { canvas.setPointerCapture(event.pointerId); } catch { /* The pointer is gone. */ }
            moved = pointers.size ? Infinity : 0;
            origin = [event.offsetX, event.offsetY];
            pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
            canvas.style.cursor = "grabbing";
        });
        canvas.addEventListener("pointermove", event => {
            if (!pointers.has(event.pointerId)) {
                const isOver = boxAt(event.offsetX / scale + left, event.offsetY / scale + top_);
                canvas.style.cursor = isOver ? "pointer" : "grab";
                return;
            }
            const before = [...pointers.values()];
            pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
            const after = [...pointers.values()], [x, y] = middleOf(before), [newX, newY] = middleOf(after);
            moved = Math.max(moved, Math.hypot(event.offsetX - origin[0], event.offsetY - origin[1]));
            if (moved < 5) return;
            pan(x - newX, y - newY);
            if (after.length > 1) zoom(spread(after) / spread(before), newX, newY);
        });
        for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, event => {
            pointers.delete(event.pointerId);
            canvas.style.cursor = "grab";
            if (end === "pointerup" && moved < 5) click(event.offsetX / scale + left, event.offsetY / scale + top_);
        });
        function click(x, y) {
            const box = boxAt(x, y);
            if (!box) return deselect();
            const row = y < box.y + HEAD ? undefined : box.rows[Math.floor((y - box.y - HEAD - 3) / ROW)];
            if (y < box.y + HEAD && x > box.x + box.width - 34) { toggle(box.i); select(box.i); return; }
            if (row?.kind === "more") { rowLimits.set(box.i, (rowLimits.get(box.i) ?? ROWS) + PAGE); keepInView(box.i); return; }
            if (row?.kind === "fold" || row?.kind === "stub") reveal(row.t); else select(box.i);
        }
        canvas.addEventListener("wheel", event => {
            event.preventDefault();
            const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? canvas.clientHeight : 1;
            let [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
            // A pinch on a trackpad has small steps, a wheel large ones.
            if (event.ctrlKey || event.metaKey) return zoom(Math.exp(-Math.max(-40, Math.min(40, dy)) / 120), event.offsetX, event.offsetY);
            if (event.shiftKey && !dx) [dx, dy] = [dy, 0];
            pan(dx, dy);
        }, {passive: false});
        // Safari reports a pinch on a trackpad as a gesture.
        let pinch = 1;
        for (const kind of ["gesturestart", "gesturechange", "gestureend"]) canvas.addEventListener(kind, event => {
            event.preventDefault();
            if (pointers.size) return;
            const [box, from] = [canvas.getBoundingClientRect(), kind === "gesturestart" ? event.scale : pinch];
            zoom(event.scale / from, event.clientX - box.left, event.clientY - box.top);
            pinch = event.scale;
        });

        // MARK: Buttons and keys
        const zoomMiddle = factor => zoom(factor, canvas.clientWidth / 2, canvas.clientHeight / 2);
        element("in").addEventListener("click", () => zoomMiddle(1.3));
        element("out").addEventListener("click", () => zoomMiddle(1 / 1.3));
        element("all").addEventListener("click", whole);
        element("fold").addEventListener("click", () => { reset(); layout(); home(); });
        element("next").addEventListener("click", () => { searchNow(); step(1); });
        element("previous").addEventListener("click", () => { searchNow(); step(-1); });
        let timer;
        function searchNow() {
            clearTimeout(timer);
            if (field.value === lastQuery) return;
            search(field.value);
        }
        field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(searchNow, 150); });
        field.addEventListener("keydown", event => {
            if (event.key === "Enter") { event.preventDefault(); searchNow(); step(event.shiftKey ? -1 : 1); }
        });
        /** Leaves the panel and the selection, or then the search. */
        function escape() {
            if (document.activeElement === field || selected < 0 && panel.hidden || selected < 0 && hits.pattern) {
                field.value = "";
                searchNow();
                canvas.focus({preventScroll: true});
            }
            deselect();
        }
        const steps = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
        addEventListener("keydown", event => {
            if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
            if (event.key === "Escape") { event.preventDefault(); return escape(); }
            if (event.target === field) return;
            const isPicture = event.target === canvas || event.target === document.body, direction = steps[event.key];
            if (event.key === "/") { event.preventDefault(); field.focus(); field.select(); }
            else if (event.key === "+") zoomMiddle(1.3);
            else if (event.key === "-") zoomMiddle(1 / 1.3);
            else if (event.key === "0") whole();
            else if (!isPicture) return;
            else if (direction) {
                event.preventDefault();
                if (event.shiftKey) pan(80 * direction[0], 80 * direction[1]); else move(direction, event.repeat);
            } else if (event.key === "Enter" && selected >= 0) { toggle(selected); select(selected); }
            else if (event.key === "Home") select(0);
        });
        addEventListener("resize", draw);
        new ResizeObserver(draw).observe(canvas);
        dark.addEventListener("change", draw);

        // MARK: Start
        document.title = data.name;
        element("name").textContent = data.name;
        showCount();
        reset();
        layout();
        home();
        // page.html#12 shows the object #12, page.html#name the results of a search.
        follow();

        """#
}
