// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@testable import archivetool

/// The page of `graph --format html` in a browser: pointers, keys, search, address and panel.
@Suite(.inTurn, .needs(Browser.need)) struct `Pages in use` {
    private func texts(
        _ list: PropertyList, at fragment: String = "", width: Int = 1400, height: Int = 900, _ script: String
    ) throws -> [String] {
        let run = try Tool.inProcess("graph", on: list.data(), ["--format", "html"])
        try #require(run.status == 0, "\(run.errors)")
        return try Browser.texts(of: run.output, at: fragment, width: width, height: height, script)
    }

    /// An array of `count` objects with numbers, and an object with values in which "cow" occurs.
    private func herd(_ count: Int) -> PropertyList {
        var fields: PropertyList.Dictionary = ["$class": .uid(4)]
        for number in 10..<40 { fields["field \(number)"] = .integer(Int128(number)) }
        fields["field 35"] = .string(String(repeating: "a", count: 300) + " cow " + String(repeating: "b", count: 100))
        fields["field 36"] = "Cow and cow"
        let numbers = (0..<count).map { UInt32($0 + 8) }
        return HandMade.archive(
            [
                "$null", ["$class": .uid(3), "list": .uid(6), "thing": .uid(7), "says": "cow"], .null,
                HandMade.classEntry("Root", "NSObject"), HandMade.classEntry("Thing", "NSObject"),
                HandMade.classEntry("NSArray", "NSObject"),
                ["$class": .uid(5), "NS.objects": .array(numbers.map { .uid($0) })], .dictionary(fields),
            ] + (0..<count).map { ["$class": .uid(4), "number": .integer(Int128($0))] })
    }

    // MARK: - The visible part

    @Test func `open with the first box at the top left, in letters of 12 pixels, however large they are`() throws {
        let script = """
            const box = places.get(0), before = [scale, (box.x - left) * scale, (box.y - top_) * scale];
            document.getElementById("all").click();
            const inside = boxes.every(b => b.x >= left && b.y >= top_ && (b.x + b.width - left) * scale <= canvas.clientWidth
                && (b.y + b.height - top_) * scale <= canvas.clientHeight);
            return [...before, inside, scale < 1];
            """
        #expect(try texts(HandMade.farm, script) == ["1", "20", "20", "true", "false"])
        #expect(try texts(HandMade.farm, width: 390, height: 400, script) == ["1", "20", "20", "true", "true"])
    }

    @Test func `move with a wheel in both directions, and zoom about the pointer`() throws {
        let found = try texts(
            herd(20),
            """
            const start = [left, top_], moves = () => [left - start[0], top_ - start[1], scale];
            wheel(200, 100, {deltaX: 30, deltaY: 50});
            const both = moves();
            wheel(200, 100, {deltaY: -20, shiftKey: true});
            const shifted = moves();
            const under = () => [200 / scale + left, 100 / scale + top_].map(v => v.toFixed(6)).join();
            const before = under();
            wheel(200, 100, {deltaY: -30, ctrlKey: true});
            const zoomed = [scale > 1.1, under() === before];
            wheel(200, 100, {deltaY: 30, metaKey: true});
            return [both, shifted, zoomed, scale.toFixed(6), under() === before];
            """)
        #expect(found == ["30,50,1", "10,50,1", "true,true", "1.000000", "true"])
    }

    @Test func `follow one finger, and two that move apart`() throws {
        let found = try texts(
            herd(20),
            """
            const start = [left, top_];
            point("pointerdown", 300, 300); point("pointermove", 280, 290); point("pointermove", 250, 260); point("pointerup", 250, 260);
            const one = [left - start[0], top_ - start[1]];
            const middle = [200 / scale + left, 200 / scale + top_];
            point("pointerdown", 150, 200, 1); point("pointerdown", 250, 200, 2);
            point("pointermove", 100, 200, 1); point("pointermove", 300, 200, 2);
            point("pointerup", 100, 200, 1); point("pointerup", 300, 200, 2);
            const two = [scale, (middle[0] - left) * scale, (middle[1] - top_) * scale].map(v => v.toFixed(3));
            return [one, two, getComputedStyle(canvas).touchAction, selected];
            """)
        #expect(found == ["50,40", "2.000,200.000,200.000", "none", "-1"])
    }

    // MARK: - Keys

    @Test func `select with arrow keys, unfold with Enter and leave with Escape`() throws {
        let found = try texts(
            HandMade.farm,
            """
            canvas.focus();
            const list = [], spoken = () => document.getElementById("spoken").textContent;
            for (const key of ["ArrowDown", "ArrowRight", "ArrowDown", "ArrowRight", "ArrowLeft", "ArrowUp", "ArrowLeft"]) {
                await press(key);
                list.push(name(selected));
            }
            await press("Enter");
            list.push(spoken(), boxes.length);
            await press("Enter");
            list.push(spoken());
            await press("Escape");
            list.push(selected, panel.hidden, spoken());
            await press("/");
            list.push(document.activeElement.id);
            field.value = "bella";
            await press("Enter");
            list.push(spoken());
            await press("Escape");
            list.push(document.activeElement.id, field.value === "", panel.hidden);
            return list;
            """)
        #expect(
            found == [
                "Farm #1", "Owner #3", "NSArray #5", "Farm.Cow #6", "NSArray #5", "Owner #3", "Farm #1",
                "Farm #1, 5 values, 2 references, folded", "1", "Farm #1, 5 values, 2 references, unfolded", "-1",
                "true",
                "Nothing is selected", "search", "1 of 1: Farm.Cow #6, name: \"Bella\"", "picture", "true", "true",
            ])
    }

    @Test func `go to the nearest box in a direction`() throws {
        let found = try texts(
            HandMade.farm,
            """
            const box = (id, x, y) => ({id, x, y, width: 100, height: 50});
            const list = [box("a", 0, 0), box("b", 200, 10), box("c", 150, 400), box("d", 0, 100), box("e", 0, 300), box("f", -300, 0)];
            const go = (direction, near) => nearest(list, list[0], direction, near)?.id;
            return [go([1, 0]), go([1, 0], [list[2]]), go([0, 1]), go([-1, 0]), go([0, -1])];
            """)
        #expect(found == ["b", "c", "d", "f", "undefined"])
    }

    // MARK: - Search

    @Test func `count every hit, and show the value of each`() throws {
        let found = try texts(
            herd(20),
            """
            const list = [], count = () => document.getElementById("hits").textContent;
            field.value = "COW";
            field.dispatchEvent(new Event("input"));
            await pause(400);
            list.push(count(), panel.querySelector("h2").textContent, panel.querySelectorAll("mark").length);
            document.getElementById("next").click();
            const shownRow = () => places.get(selected).rows.find(row => row.r === current.r).value;
            for (let k = 0; k < 4; k++) {
                list.push(count() + " " + keyOf(current.i, current.r) + " " + shownRow());
                list.push(panel.querySelectorAll("mark.now").length + " of " + panel.querySelectorAll("mark").length);
                document.getElementById("next").click();
            }
            document.getElementById("previous").click();
            list.push(count());
            field.focus();
            await press("Enter");
            list.push(count());
            await press("Enter", {shiftKey: true});
            list.push(count());
            field.value = "no such text";
            await press("Enter");
            list.push(count(), document.getElementById("next").disabled);
            return list;
            """)
        #expect(
            found == [
                // A value with two hits is listed twice, and has two marks each time.
                "4", "4 hits in 2 objects", "6",
                "1 of 4 says \"cow\"", "1 of 1", "2 of 4 field 35 …aaaaaaa cow bbbbbbbbbbbbbbbbbb…", "1 of 3",
                "3 of 4 field 36 \"Cow and cow\"", "1 of 3", "4 of 4 field 36 \"Cow and cow\"", "1 of 3",
                "4 of 4", "1 of 4", "4 of 4", "none", "true",
            ])
    }

    @Test func `find what is folded, and any characters`() throws {
        let found = try texts(
            herd(1000),
            """
            const found = query => { search(query); return hits.total; };
            const list = [found("number: 9"), found("number"), found("("), found("."), found("[9"), found("field 1")];
            search("987");
            step(1);
            return [...list, name(selected), places.has(selected), places.get(selected).rows.find(row => row.r === 987).key];
            """)
        // 1000 keys; the positions 9, 90 to 99 and 900 to 999; the keys from 10 to 19.
        #expect(found == ["0", "1000", "0", "0", "111", "10", "NSArray #6", "true", "[987]"])
    }

    // MARK: - The address

    @Test func `have an address of the selection, and go back and forward`() throws {
        let found = try texts(
            HandMade.farm, at: "#3",
            """
            const list = [name(selected)];
            select(0);
            reveal(3);
            list.push(location.hash);
            history.back();
            await changed();
            list.push(location.hash + " " + name(selected));
            history.back();
            await changed();
            list.push(location.hash + " " + name(selected));
            history.forward();
            await changed();
            list.push(location.hash + " " + name(selected));
            location.hash = "#Bella";
            await changed();
            list.push(field.value + " " + hits.total + " " + selected);
            const meant = hash => JSON.stringify(wanted(hash));
            return [...list, meant("#6"), meant("#7"), meant("#a%20b"), meant("#%"), meant("#:2"), meant("#:99"), meant("")];
            """)
        #expect(
            found == [
                "Owner #3", "#6", "#1 Farm #1", "#3 Owner #3", "#1 Farm #1", "Bella 1 -1",
                #"{"i":3}"#, #"{"query":"7"}"#, #"{"query":"a b"}"#, #"{"query":"%"}"#, #"{"i":2}"#,
                #"{"query":":99"}"#, "{}",
            ])
    }

    // MARK: - The panel

    @Test func `list the path from the root with links, and the retained size`() throws {
        let found = try texts(
            HandMade.farm, at: "#6",
            """
            const steps = [...document.querySelectorAll("#path li")].map(item => item.textContent);
            const size = document.getElementById("retained").textContent;
            document.querySelector("#path li:nth-child(2) a").click();
            return [...steps, size.split(",")[0], name(selected)];
            """)
        #expect(
            found == ["Farm #1", "animals → NSArray #5", "[0] → Farm.Cow #6", "Retains 2 objects", "NSArray #5"])
    }

    @Test func `show as many similar siblings as a button says`() throws {
        let found = try texts(
            herd(1083),
            """
            const button = text => [...panel.querySelectorAll("button")].find(b => b.textContent.includes(text));
            select(boxes.find(box => crowdSize(box.i) > 1).i);
            const list = [boxes.length], texts = () => [...panel.querySelectorAll("p button")].map(b => b.textContent).join();
            list.push(texts());
            button("Show 100").click();
            list.push(boxes.length, texts());
            button("Show each").click();
            return [...list, boxes.length];
            """)
        #expect(
            found == [
                "4", "Show 100 of the 1,083 that are alike,Show each of the 1,083 that are alike", "104",
                "Show 100 of the 983 that are alike,Show each of the 983 that are alike", "1086",
            ])
    }

    @Test func `have nothing beyond a narrow window, and a panel at the bottom that closes`() throws {
        let found = try texts(
            herd(20), at: "#7", width: 390, height: 800,
            """
            const outside = [...document.querySelectorAll("header *, aside, aside *")].filter(node => {
                const {left, right} = node.getBoundingClientRect();
                return left < 0 || right > innerWidth;
            });
            const panelPlace = panel.getBoundingClientRect(), place = canvas.getBoundingClientRect();
            const list = [innerWidth, outside.length, document.documentElement.scrollWidth, panelPlace.width, panelPlace.bottom];
            list.push(panelPlace.top >= place.bottom && place.height > 200);
            panel.querySelector(".close").click();
            return [...list, panel.hidden, canvas.getBoundingClientRect().bottom];
            """)
        #expect(found == ["390", "0", "390", "390", "800", "true", "true", "800"])
    }

    @Test func `isolate keys and values from right to left`() throws {
        let list = HandMade.archive([
            "$null", ["$class": .uid(2), "מפתח": "ערך 12"], HandMade.classEntry("Thing", "NSObject"),
        ])
        let found = try texts(
            list, at: "#1",
            """
            const drawn = [], own = context.fillText.bind(context);
            context.fillText = (text, ...rest) => { drawn.push(text); own(text, ...rest); };
            paint();
            return [...[...panel.querySelectorAll("dl:not(:last-child) bdi")].map(node => node.textContent), ...drawn];
            """)
        #expect(
            found == [
                "מפתח", "\"ערך 12\"", "Thing", "#1", "\u{2068}מפתח\u{2069}", ": ", "\u{2068}\"ערך 12\"\u{2069}",
            ])
    }
}
