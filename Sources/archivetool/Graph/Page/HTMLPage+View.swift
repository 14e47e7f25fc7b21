// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension HTMLPage {
    static let viewScript = #"""
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
