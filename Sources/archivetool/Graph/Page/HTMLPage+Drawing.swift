// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension HTMLPage {
    static let drawingScript = #"""
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

        """#
}
