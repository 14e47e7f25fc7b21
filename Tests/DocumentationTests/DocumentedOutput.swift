import Foundation
import Testing

/// A suite whose tests are the code of a document, as it stands there.
///
/// What that code prints is what the comment beside it says:
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
    func print(_ items: Any..., file: String = #filePath, line: Int = #line, column: Int = #column) {
        let printed = items.map { "\($0)" }.joined(separator: " ")
        let place = SourceLocation(
            fileID: "DocumentationTests/\(URL(filePath: file).lastPathComponent)", filePath: file, line: line,
            column: column)
        guard let source = try? String(contentsOf: URL(filePath: file), encoding: .utf8) else {
            Issue.record("The test does not find its own source", sourceLocation: place)
            return
        }
        let text = source.split(separator: "\n", omittingEmptySubsequences: false)[line - 1]
        guard let comment = text.range(of: "  // ").map({ String(text[$0.upperBound...]) }),
            !remarks.contains(comment)
        else { return }
        #expect(
            comment == printed || comment.hasPrefix("\(printed): "), "This is printed: \(printed)",
            sourceLocation: place)
    }
}
