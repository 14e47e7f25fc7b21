/// Where the result of a command goes: standard output, or a file that is replaced as a whole when the command is done.
///
/// It is a class, so that whatever holds it writes to the same place. Failures are kept, and thrown by `check` and `finish`:
/// a text stream cannot throw.
final class Output: TextOutputStream {
    /// Whether pieces get their colours.
    var hasColor = false
    /// Called before bytes go out, so that a line of progress is out of the way.
    var willWrite: () -> Void = {}

    private var buffer: [UInt8] = []
    private var destination: Destination
    private var failure: Platform.Failure?

    private static let bufferSize = 1 << 16

    private enum Destination {
        case file(CInt, name: String)
        case replacement(path: String, name: String, temporary: (file: CInt, path: String))
        /// For tests: gets what is written.
        case function((ArraySlice<UInt8>) -> Void)
        case none
    }

    /// The output as what `print` and `dump` take, which want a variable.
    var stream: Output {
        get { self }
        set {}
    }

    /// Output to standard output.
    init() { destination = .file(Platform.standardOutput, name: "standard output") }

    /// Output to a function.
    init(_ function: @escaping (ArraySlice<UInt8>) -> Void) { destination = .function(function) }

    /// Sends what is written from here on to the file `name`, which is replaced when all is written.
    func redirect(to name: String) throws {
        do {
            let path = Platform.resolved(name)
            switch try? Platform.kind(of: path) {
            case .folder: throw ToolError(.unwritable, "“\(name)” is a folder; --output takes the path of a file")
            case .other: destination = .file(try Platform.openForWriting(path), name: "“\(name)”")
            case .file, nil:
                destination = .replacement(
                    path: path, name: "“\(name)”", temporary: try Platform.makeTemporary(beside: path))
            }
        } catch let failure as Platform.Failure {
            throw ToolError(.unwritable, "“\(name)” cannot be written: \(failure.description)")
        }
    }
}

// MARK: - Writing

extension Output {
    /// Writes `text` as it is. What comes from a file has to go through `VisibleText` first.
    func write(_ text: String) {
        buffer += text.utf8
        if buffer.count >= Self.bufferSize { flush() }
    }

    /// Writes `text` in the colour of `style`, where there are colours.
    func write(_ text: String, _ style: Style) {
        write(hasColor ? style.applied(to: text) : text)
    }

    /// Writes `bytes` as they are: those of a file.
    func write(bytes: some Sequence<UInt8>) {
        buffer += bytes
        if buffer.count >= Self.bufferSize { flush() }
    }

    /// Whether there is still somebody who gets what is written. Long output may stop early where nobody does.
    var isOpen: Bool { failure == nil }

    /// Sends what is in the buffer.
    func flush() {
        guard !buffer.isEmpty, failure == nil else { return buffer.removeAll(keepingCapacity: true) }
        willWrite()
        do throws(Platform.Failure) {
            switch destination {
            case .file(let file, _): try send(to: file)
            case .replacement(_, _, let temporary): try send(to: temporary.file)
            case .function(let function): function(buffer[...])
            case .none: break
            }
        } catch {
            failure = error
        }
        buffer.removeAll(keepingCapacity: true)
    }

    private func send(to file: CInt) throws(Platform.Failure) {
        let result = buffer.withUnsafeBytes { bytes in
            Result { () throws(Platform.Failure) in try Platform.write(bytes, to: file) }
        }
        try result.get()
    }
}

// MARK: - The end

extension Output {
    /// Sends what is left, and puts the file in its place.
    ///
    /// - Throws: Where something could not be written.
    func finish() throws(ToolError) {
        flush()
        let name: String
        switch destination {
        case .file(_, let file): name = file
        case .replacement(let path, let file, let temporary):
            name = file
            if failure == nil {
                do throws(Platform.Failure) {
                    try Platform.replace(path, by: temporary)
                    Platform.close(temporary.file)
                    destination = .none
                } catch {
                    failure = error
                }
            }
        case .function, .none: return
        }
        guard let failure, !failure.isBrokenPipe else { return }
        abandon()
        throw ToolError(.unwritable, "\(name) cannot be written: \(failure.description)")
    }

    /// Gives up a file that is not complete; what was written to standard output stays there.
    func abandon() {
        flush()
        if case .replacement(_, _, let temporary) = destination {
            Platform.close(temporary.file)
            Platform.remove(temporary.path)
        }
        destination = .none
    }
}
