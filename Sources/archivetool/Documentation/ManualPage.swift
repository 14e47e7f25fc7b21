// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

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

/// Writes the help of all commands in the macros of man(7).
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
