// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A comparison for git, which calls the program of an external diff with seven arguments: the path, and for each side a file,
/// the name of its object and its mode. For a renamed file, two more follow: the new path, and a text.
///
/// git ends if the program has another exit status than 0, so differences and unreadable versions have this one, too.
struct GitDiff {
    private let path: String
    private let newPath: String?
    private let files: Sides<String>
    private static let argumentCounts = [7, 9]
    private static let noFile = "/dev/null"

    /// - Returns: Nil if the number of arguments is another one.
    init?(_ arguments: [String]) {
        guard Self.argumentCounts.contains(arguments.count) else { return nil }
        path = arguments[0]
        files = Sides(arguments[1], arguments[4])
        newPath = arguments.count > 7 ? arguments[7] : nil
    }

    /// Writes the path, and then the differences that `compare` writes.
    func run(in session: Session, _ compare: (Input, Input) throws -> ExitStatus) -> ExitStatus {
        let name = VisibleText.escaped(path) + (newPath.map { " → " + VisibleText.escaped($0) } ?? "")
        session.output.write("diff \(name)\n", .heading)
        if files.left == Self.noFile {
            session.output.write("+ new file\n", .good)
        } else if files.right == Self.noFile {
            session.output.write("- deleted file\n", .damage)
        } else {
            do {
                _ = try compare(Input(files.left, in: session), Input(files.right, in: session))
            } catch {
                session.output.flush()
                _ = session.report(error)
            }
        }
        return .success
    }
}
