// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension HTMLPage {
    static let inputScript = #"""
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
