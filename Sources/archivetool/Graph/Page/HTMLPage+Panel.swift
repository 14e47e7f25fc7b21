// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension HTMLPage {
    static let panelScript = #"""
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

        """#
}
