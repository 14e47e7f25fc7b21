// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// The code that pages do not have: see `PageProgram`. Each section is a part of another program.
// swift-format-ignore-file: OrderedImports, NeverForceUnwrap

// MARK: - README.md

// block
// block
expect(loaded.friends[0].friends[0] === loaded)
// block
func classEntry(_ name: String) -> PropertyList {
    ["$classname": .string(name), "$classes": [.string(name), "NSObject"]]
}
let cocoa: PropertyList = [
    "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
    "$objects": [
        "$null", ["NS.objects": [.uid(2)], "$class": .uid(6)],
        ["name": .uid(3), "valueInDollars": 12, "serialNumber": .uid(0), "dateCreated": .uid(4), "$class": .uid(7)],
        "Rusty Spork", ["NS.time": 86_400.0, "$class": .uid(5)], classEntry("NSDate"), classEntry("NSArray"),
        classEntry("LOItem"),
    ],
]
try cocoa.data().write(to: url)
// block
expect(items.map(\.name) == ["Rusty Spork"] && items[0].valueInDollars == 12 && items[0].serialNumber == nil)
expect(items[0].dateCreated == Date(timeIntervalSinceReferenceDate: 86_400))
