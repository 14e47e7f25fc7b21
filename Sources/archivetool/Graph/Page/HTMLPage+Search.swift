// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension HTMLPage {
    static let searchScript = #"""
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

        """#
}
