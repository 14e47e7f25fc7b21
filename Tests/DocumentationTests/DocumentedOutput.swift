// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A suite whose tests are the code of a document, unchanged.
///
/// The output of that code is the comment beside it:
///
/// ```
/// print(again.owner === again.tenant)  // true: still one owner
/// ```
protocol DocumentedOutput {
    /// Comments behind `print` that say something else than what is printed.
    var remarks: Set<String> { get }
}

extension DocumentedOutput {
    var remarks: Set<String> { [] }

    /// Found before Swift's own, since it is a member. The comment is in the test as well, since tests have the lines of the
    /// document.
    func print(_ items: Any..., file: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation) {
        let printed = items.map { "\($0)" }.joined(separator: " ")
        guard let source = try? String(contentsOf: URL(filePath: file), encoding: .utf8) else {
            Issue.record("The test does not find its own source", sourceLocation: sourceLocation)
            return
        }
        let text = source.split(separator: "\n", omittingEmptySubsequences: false)[sourceLocation.line - 1]
        guard let comment = text.range(of: "  // ").map({ String(text[$0.upperBound...]) }),
            !remarks.contains(comment)
        else { return }
        #expect(
            comment == printed || comment.hasPrefix("\(printed): "), "This is printed: \(printed)",
            sourceLocation: sourceLocation)
    }
}
