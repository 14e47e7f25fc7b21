import Archiving

extension Command {
    /// The command `show`.
    static let show = Command(
        name: "show",
        summary: "Show what is in an archive, a property list or a typedstream, as a tree.",
        operands: [.input],
        discussion: "Shows it.",
        run: { arguments, session in
            let input = try Input(arguments.operands.first, in: session)
            switch input.content {
            case .archive(let archive): archive.dump(to: &session.output.stream)
            case .propertyList(let list, _, _): session.output.write(list.description)
            case .typedStream(let stream): session.output.write(stream.description)
            }
            session.output.write("\n")
            return .success
        })
}
