// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing

@Suite(.inTurn)
struct `Programming errors with sequential coders` {
    enum Mistake: String, CaseIterable, Codable {
        case late, finishWithin, secondRoot, publishAtTop, publishOther, tooFewValues, tooManyTypes, badLiteral,
            gapInRuns

        /// What is said of it.
        var sentence: String {
            switch self {
            case .late: "after finishEncoding()"
            case .finishWithin: "within encode(with:)"
            case .secondRoot: "encodeRootObject(_:) was called twice"
            case .publishAtTop: "outside of init(coder:)"
            case .publishOther: "another instance"
            case .tooFewValues: "1 values, but 2 types in \"ii\""
            case .tooManyTypes: "2 values, but 1 types in \"i\""
            case .badLiteral: "pointers"
            case .gapInRuns: "The runs of a text must reach its end"
            }
        }

        func make() throws {
            let archiver = SequentialArchiver()
            switch self {
            case .late:
                _ = try archiver.finishEncoding()
                try archiver.encode(1)
            case .finishWithin: try archiver.encode(Finisher())
            case .secondRoot:
                try archiver.encodeRootObject("a")
                try archiver.encodeRootObject("b")
            case .publishAtTop:
                let unarchiver = try SequentialUnarchiver(
                    forReadingFrom: SequentialArchiver.archivedData(withRootObject: "a"))
                unarchiver.publish(SequentialItem(name: "", count: 0))
            case .publishOther:
                let data = try SequentialArchiver.archivedData(withRootObject: Publisher())
                _ = try SequentialUnarchiver.unarchivedObject(of: Publisher.self, from: data)
            case .tooFewValues: try archiver.encodeValues("ii", 1)
            case .tooManyTypes:
                let unarchiver = try SequentialUnarchiver(
                    forReadingFrom: SequentialArchiver.archivedData(withRootObject: "a"))
                _ = try unarchiver.decodeValues("i", as: Int.self, Int.self)
            case .badLiteral: try archiver.encode(1, as: "^i")
            case .gapInRuns:
                let text = "ab"
                let end = text.index(after: text.startIndex)
                _ = AttributedText(text, runs: [(text.startIndex..<end, [:])])
            }
        }
    }

    final class Finisher: SequentialCoding {
        init() {}
        init(coder: SequentialUnarchiver) throws {}
        func encode(with coder: SequentialArchiver) throws { _ = try coder.finishEncoding() }
    }

    final class Publisher: SequentialCoding {
        init() {}
        init(coder: SequentialUnarchiver) throws { coder.publish(Publisher()) }
        func encode(with coder: SequentialArchiver) throws {}
    }

    @Test(arguments: Mistake.allCases)
    func `stop the program`(mistake: Mistake) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [mistake] in
            // An error would end the process as well.
            try? mistake.make()
            exit(0)
        }
        #expect(result.said(mistake.sentence))
    }
}
