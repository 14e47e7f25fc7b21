// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension HTMLPage {
    static let modelScript = #"""
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

        """#
}
