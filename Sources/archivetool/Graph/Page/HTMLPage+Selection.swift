// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension HTMLPage {
    static let selectionScript = #"""
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

        """#
}
