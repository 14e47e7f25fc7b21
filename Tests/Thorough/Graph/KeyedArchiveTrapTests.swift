// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Programming errors with an archive` {
    enum Mistake: String, CaseIterable, Codable {
        case beyond, before, ofALeaf, ofADictionary, elements, entries, fields, objects, objectsBefore, ofDamage

        /// Requests absent values.
        func make(in archive: KeyedArchive) {
            switch self {
            case .beyond: _ = archive.root[2]
            case .before: _ = archive.root[-1]
            case .ofALeaf: _ = archive.root[0][0]
            case .ofADictionary: _ = archive[uid: 3][0]
            case .elements: _ = archive.root.elements[2]
            case .entries: _ = archive[uid: 3].entries[1]
            case .fields: _ = archive.root.fields[1]
            case .objects: _ = archive.objects[5]
            case .objectsBefore: _ = archive.objects[-1]
            case .ofDamage: _ = archive[uid: 77][0]
            }
        }

        var sentence: String {
            switch self {
            case .beyond, .elements: "Element 2 is out of range: count is 2"
            case .before: "Element -1 is out of range: count is 2"
            case .ofALeaf, .ofADictionary, .ofDamage: "Element 0 is out of range: count is 0"
            case .entries: "Entry 1 is out of range: count is 1"
            case .fields: "Field 1 is out of range: count is 1"
            case .objects: "Object 5 is out of range: count is 5"
            case .objectsBefore: "Object -1 is out of range: count is 5"
            }
        }
    }

    @Test(arguments: Mistake.allCases)
    func `stop the program, which describes the request`(mistake: Mistake) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [mistake] in
            mistake.make(
                in: try openArchive(
                    ["NS.objects": ["a", "b"], "$class": .uid(2)], classEntry("NSArray"),
                    ["NS.keys": ["a"], "NS.objects": [1], "$class": .uid(4)], classEntry("NSDictionary")))
            exit(0)
        }
        #expect(result.said(mistake.sentence))
    }
}
