// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension Command {
    static let completions = Command(
        name: "completions",
        summary: "Write the completions for a shell.",
        operands: [.init(name: "SHELL", help: "“bash”, “zsh” or “fish”.")],
        discussion: """
            Writes a file for a shell, which then completes the commands, the options, their values and the names of files.
            """,
        examples: [
            .init(
                "archivetool completions bash > ~/.local/share/bash-completion/completions/archivetool",
                "For bash with the package bash-completion."),
            .init("archivetool completions zsh > \"${fpath[1]}/_archivetool\"", "For zsh."),
            .init("archivetool completions fish > ~/.config/fish/completions/archivetool.fish", "For fish."),
        ],
        run: { arguments, session in
            let name = arguments.operands[0]
            guard let shell = Completions.Shell(rawValue: name) else {
                throw ToolError(.usage, "There are completions for “bash”, “zsh” and “fish”, and none for “\(name)”")
            }
            session.output.write(Completions(commands: ArchiveTool.commands).text(for: shell))
            return .success
        })
}

struct Completions {
    enum Shell: String, CaseIterable {
        case bash, zsh, fish
    }

    let commands: [Command]

    private var names: [String] { commands.map(\.name) + ["help"] }

    func text(for shell: Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    private func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }

    // MARK: - bash

    private var bash: String {
        var values = ""
        var options = ""
        for command in commands {
            options += "        \(command.name)) words='"
            options += command.allOptions.map(\.spelling).joined(separator: " ") + "' ;;\n"
            for option in command.allOptions where option.value != nil {
                var pattern = "\(command.name),\(option.spelling)"
                if let letter = option.letter { pattern += "|\(command.name),-\(letter)" }
                let words = option.isFile ? "" : "words='\(option.choices.joined(separator: " "))'; "
                values += "    \(pattern)) \(words)\(option.isFile ? "" : "isList=1; ")hasValue=1 ;;\n"
            }
        }
        return """
            # Completions of archivetool for bash, which “archivetool completions bash” writes.

            _archivetool() {
                local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD-1]}
                local command= words= isList= hasValue= index
                # The shell splits --option=value.
                if [[ $word == = ]]; then
                    word=
                elif [[ $last == = ]]; then
                    last=${COMP_WORDS[COMP_CWORD-2]}
                fi
                for ((index = 1; index < COMP_CWORD; index++)); do
                    if [[ ${COMP_WORDS[index]} != -* ]]; then
                        command=${COMP_WORDS[index]}
                        break
                    fi
                done
                COMPREPLY=()
                if [[ -z $command || $command == help ]]; then
                    words='\(names.joined(separator: " "))'
                    [[ -n $command ]] || words+=' --help --version'
                    COMPREPLY=($(compgen -W "$words" -- "$word"))
                    compopt +o default 2>/dev/null
                    return
                fi
                case $command,$last in
            \(values)    esac
                if [[ -z $hasValue && $word == -* ]]; then
                    isList=1
                    case $command in
            \(options)        esac
                elif [[ -z $hasValue && $command == completions ]]; then
                    isList=1 words='\(Shell.allCases.map(\.rawValue).joined(separator: " "))'
                fi
                # Without words, the shell completes the names of files.
                if [[ -n $isList ]]; then
                    COMPREPLY=($(compgen -W "$words" -- "$word"))
                    compopt +o default 2>/dev/null
                fi
            }
            complete -o default -F _archivetool archivetool

            """
    }

    // MARK: - zsh

    private var zsh: String {
        let descriptions = commands.map { "        \(quoted("\($0.name):\($0.summary)"))\n" }.joined()
        var cases = ""
        for command in commands {
            cases += "            \(command.name))\n                _arguments -s"
            for option in command.allOptions {
                cases += " \\\n                    " + zshOption(option)
            }
            for operand in command.operands {
                let position = operand.isRepeated ? "*" : ""
                let action =
                    operand.isFile
                    ? "_files"
                    : command.name == "completions" ? "(\(Shell.allCases.map(\.rawValue).joined(separator: " ")))" : " "
                cases += " \\\n                    " + quoted("\(position):\(zshText(operand.name)):\(action)")
            }
            cases += "\n                ;;\n"
        }
        return """
            #compdef archivetool
            # Completions of archivetool for zsh, which “archivetool completions zsh” writes.

            _archivetool() {
                local context state state_descr line
                local -A opt_args
                local -a commands=(
            \(descriptions)        'help:Describe a command.'
                )
                _arguments -C '(- *)'{-h,--help}'[Show the help.]' '(- *)--version[Show the version.]' \\
                    '1: :->command' '*:: :->arguments'
                case $state in
                command) _describe command commands ;;
                arguments)
                    case $words[1] in
                        help) _describe command commands ;;
            \(cases)        esac
                    ;;
                esac
            }
            _archivetool "$@"

            """
    }

    private func zshOption(_ option: Option) -> String {
        var value = ""
        if let name = option.value {
            let action =
                option.isFile ? "_files" : option.choices.isEmpty ? " " : "(\(option.choices.joined(separator: " ")))"
            value = ":\(zshText(name)):\(action)"
        }
        let help = quoted("[\(zshText(option.summary))]\(value)")
        // Only these may be given several times.
        let mark = option.isRepeatable ? "*" : ""
        guard let letter = option.letter else { return "'\(mark)\(option.spelling)'\(help)" }
        return "'(-\(letter) \(option.spelling))'{-\(letter),\(option.spelling)}\(help)"
    }

    /// `text` without the meaning of brackets and colons.
    private func zshText(_ text: String) -> String {
        var result = ""
        for character in text {
            if "[]:\\".contains(character) { result += "\\" }
            result.append(character)
        }
        return result
    }

    // MARK: - fish

    private var fish: String {
        var text = """
            # Completions of archivetool for fish, which “archivetool completions fish” writes.

            complete -c archivetool -f
            complete -c archivetool -n __fish_use_subcommand -s h -l help -d 'Show the help.'
            complete -c archivetool -n __fish_use_subcommand -l version -d 'Show the version.'
            complete -c archivetool -n __fish_use_subcommand -a help -d 'Describe a command.'

            """
        for command in commands {
            text +=
                "complete -c archivetool -n __fish_use_subcommand -a \(command.name) -d \(fishQuoted(command.summary))\n"
        }
        text += "complete -c archivetool -n '__fish_seen_subcommand_from help' -a '\(names.joined(separator: " "))'\n"
        for command in commands {
            let start = "complete -c archivetool -n '__fish_seen_subcommand_from \(command.name)'"
            if command.operands.contains(where: \.isFile) { text += start + " -F\n" }
            if command.name == "completions" {
                text += start + " -a '\(Shell.allCases.map(\.rawValue).joined(separator: " "))'\n"
            }
            for option in command.allOptions {
                text += start + " -l \(option.name)"
                if let letter = option.letter { text += " -s \(letter)" }
                if option.value != nil {
                    text += option.isFile ? " -r -F" : " -x"
                    if !option.choices.isEmpty { text += " -a '\(option.choices.joined(separator: " "))'" }
                }
                text += " -d \(fishQuoted(option.summary))\n"
            }
        }
        return text
    }

    private func fishQuoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}

extension Option {
    fileprivate var isFile: Bool { value == "FILE" }

    fileprivate var summary: String {
        help.split(separator: ". ").first.map { $0.hasSuffix(".") ? "\($0)" : "\($0)." } ?? help
    }
}
