/// The help texts, in lines that fit a width.
struct Help {
    let commands: [Command]
    let width: Int

    private static let introduction = """
        Looks into keyed archives (what NSKeyedArchiver and ArchiveEncoder write), property lists, and typedstreams \
        (what NSArchiver writes), and converts, compares and changes them. Nothing that a file names is created, and \
        files of any origin may be read.
        """

    private static let exitStatuses: [(String, String)] = [
        ("0", "All is well."),
        ("1", "“check” found damage, “diff” found differences, or “find” found nothing."),
        ("2", "The command line says something that cannot be done."),
        ("3", "The input cannot be read, or is not what it has to be."),
        ("4", "The output cannot be written."),
    ]

    /// What `archivetool --help` says.
    var overview: String {
        var text = "archivetool looks into archives and property lists.\n\n"
        text += heading("Usage")
        text += "    archivetool COMMAND [OPTIONS] [FILE]\n    archivetool help COMMAND\n    archivetool --version\n\n"
        text += paragraphs(Self.introduction)
        text += "\n" + heading("Commands") + table(commands.map { ($0.name, $0.summary) })
        text += "\n" + heading("Options of all commands") + options(Option.common)
        text += "\n" + heading("Exit status") + table(Self.exitStatuses)
        text += "\n" + paragraphs("“archivetool help COMMAND” tells more of a command.")
        return text
    }

    /// What `archivetool help COMMAND` says.
    func text(of command: Command) -> String {
        var text = paragraphs("archivetool \(command.name): \(command.summary)")
        text += "\n" + heading("Usage") + "    \(command.usage)\n"
        text += "\n" + paragraphs(command.discussion)
        if !command.operands.isEmpty {
            text += "\n" + heading("Operands") + table(command.operands.map { ($0.name, $0.help) })
        }
        text += "\n" + heading("Options") + options(command.options + Option.common)
        if !command.examples.isEmpty {
            text += "\n" + heading("Examples")
            for example in command.examples {
                text += "    \(example.line)\n" + wrap(example.help, indentation: 8)
            }
        }
        text += "\n" + heading("Exit status") + table(Self.exitStatuses)
        return text
    }

    private func heading(_ text: String) -> String { text + ":\n" }

    private func options(_ options: [Option]) -> String {
        table(
            options.map { option in
                var name = option.letter.map { "-\($0), " } ?? "    "
                name += option.spelling + (option.value.map { " " + $0 } ?? "")
                return (name, option.help)
            })
    }

    // MARK: - Layout

    /// Names on the left, what they are on the right.
    private func table(_ rows: [(String, String)]) -> String {
        let column = min(28, (rows.map(\.0.count).max() ?? 0) + 6)
        var text = ""
        for (name, help) in rows {
            let start = "    " + name
            let lines = wrap(help, indentation: column)
            if start.count + 2 > column {
                text += start + "\n" + lines
            } else {
                text += start + String(lines.dropFirst(start.count))
            }
        }
        return text
    }

    /// Paragraphs that are wrapped; lines that are indented stay as they are.
    private func paragraphs(_ text: String) -> String {
        var result = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty || line.first == " " {
                result += line + "\n"
            } else {
                result += wrap(String(line), indentation: 0)
            }
        }
        return result
    }

    private func wrap(_ text: String, indentation: Int) -> String {
        var result = ""
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, indentation + line.count + 1 + word.count > width {
                result += String(repeating: " ", count: indentation) + line + "\n"
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return result + String(repeating: " ", count: indentation) + line + "\n"
    }
}
