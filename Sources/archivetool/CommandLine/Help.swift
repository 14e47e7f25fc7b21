// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

struct Help {
    let commands: [Command]
    let width: Int

    static let introduction = """
        Shows, converts, compares and changes keyed archives (of NSKeyedArchiver and ArchiveEncoder), property lists, and \
        typedstreams (of NSArchiver). It creates no instances of the classes in a file, so files of any origin are safe.
        """

    static let exitStatuses: [(String, String)] = [
        ("0", "Success."),
        (
            "1",
            "“check” found damage, “diff” found differences, “merge” found conflicts, or “find” or --where found nothing."
        ),
        ("2", "The command line is wrong."),
        ("3", "The input cannot be read, or is of the wrong kind."),
        ("4", "The output cannot be written."),
    ]

    var overview: String {
        var text = "archivetool shows and changes archives and property lists.\n\n"
        text += heading("Usage")
        text += "    archivetool COMMAND [OPTIONS] [FILE]\n    archivetool help COMMAND\n    archivetool --version\n\n"
        text += paragraphs(Self.introduction)
        text += "\n" + heading("Commands") + table(commands.map { ($0.name, $0.summary) })
        text += "\n" + heading("Options of all commands") + options(Option.common)
        text += "\n" + heading("Exit status") + table(Self.exitStatuses)
        text += "\n" + paragraphs("“archivetool help COMMAND” describes a command.")
        return text
    }

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

extension Command {
    static let manual = Command(
        name: "manual",
        summary: "Write the manual page, for man.",
        discussion: "Writes the help of all commands as a manual page.",
        examples: [
            .init("archivetool manual > /usr/local/share/man/man1/archivetool.1", "For “man archivetool”.")
        ],
        run: { _, session in
            session.output.write(ManualPage(commands: ArchiveTool.commands).text)
            return .success
        })
}

struct ManualPage {
    let commands: [Command]

    var text: String {
        var page = ".TH ARCHIVETOOL 1 \"\" \"archivetool \(roff(ArchiveTool.version))\"\n"
        page += ".SH NAME\narchivetool \\- shows and changes archives and property lists\n"
        page += ".SH SYNOPSIS\n.B archivetool\n.I COMMAND\n[\\fIOPTIONS\\fR] [\\fIFILE\\fR]\n.br\n"
        page += ".B archivetool help\n.I COMMAND\n.br\n.B archivetool \\-\\-version\n"
        page += ".SH DESCRIPTION\n" + roff(Help.introduction) + "\n"
        page += ".SH OPTIONS OF ALL COMMANDS\n" + options(Option.common)
        page += ".SH COMMANDS\n"
        for command in commands { page += section(command) }
        page += ".SH EXIT STATUS\n"
        for (status, help) in Help.exitStatuses { page += item("\\fB\(status)\\fR", help) }
        return page
    }

    private func section(_ command: Command) -> String {
        var text = ".SS \(roff(command.usage))\n\(roff(command.summary))\n"
        for paragraph in command.discussion.split(separator: "\n\n") { text += ".PP\n" + lines(paragraph) }
        for operand in command.operands { text += item("\\fI\(roff(operand.name))\\fR", operand.help) }
        text += options(command.options)
        for example in command.examples {
            text += ".PP\n\(roff(example.help))\n.PP\n.RS 4\n.nf\n\(roff(example.line))\n.fi\n.RE\n"
        }
        return text
    }

    private func options(_ options: [Option]) -> String {
        options.map { option in
            let letter = option.letter.map { "\\fB\\-\($0)\\fR, " } ?? ""
            let value = option.value.map { " \\fI\(roff($0))\\fR" } ?? ""
            return item("\(letter)\\fB\(roff(option.spelling))\\fR\(value)", option.help)
        }
        .joined()
    }

    private func item(_ tag: String, _ text: String) -> String { ".TP\n\(tag)\n\(roff(text))\n" }

    /// The lines of a paragraph. Indented ones keep their ends.
    private func lines(_ paragraph: Substring) -> String {
        let lines = paragraph.split(separator: "\n")
        guard lines.first?.hasPrefix(" ") == true else { return lines.map { roff($0) + "\n" }.joined() }
        return ".nf\n" + lines.map { roff($0) + "\n" }.joined() + ".fi\n"
    }

    /// `text` without the meaning of backslashes, hyphens, and dots and apostrophes at the beginning of a line.
    private func roff(_ text: some StringProtocol) -> String {
        let escaped = String(text).replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }
}
