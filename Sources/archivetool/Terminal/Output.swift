// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The destination of the output of a command: standard output, or a file that is replaced when the command is done.
///
/// Text streams cannot throw, so `finish` reports failures.
final class Output: TextOutputStream {
    /// Whether `write(_:_:)` adds colours.
    var hasColor = false

    /// Called before bytes are sent to standard output.
    var beforeWriting: () -> Void = {}

    private var buffer: [UInt8] = []
    private var destination: Destination
    private var failure: Platform.Failure?

    private static let bufferSize = 1 << 16

    private enum Destination {
        case stream(CInt, name: String)
        /// A file, which is written by `finish`.
        case file(path: String, name: String)
        case function((ArraySlice<UInt8>) -> Void)
    }

    init() { destination = .stream(Platform.standardOutput, name: "standard output") }

    init(_ function: @escaping (ArraySlice<UInt8>) -> Void) { destination = .function(function) }

    /// Sends all further output to the file `name`.
    func redirect(to name: String) throws(ToolError) {
        let path = Platform.resolved(name)
        switch try? Platform.kind(of: path) {
        case .folder: throw ToolError(.unwritable, "“\(name)” is a folder; --output takes the path of a file")
        case .other:
            do throws(Platform.Failure) {
                destination = .stream(try Platform.openForWriting(path), name: "“\(name)”")
            } catch {
                throw ToolError(.unwritable, "“\(name)” cannot be written: \(error.description)")
            }
        case .file, nil: destination = .file(path: path, name: "“\(name)”")
        }
    }

    /// Writes `text` unchanged. `VisibleText` prepares text from files.
    func write(_ text: String) {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= Self.bufferSize { flush() }
    }

    func write(_ text: String, _ style: Style) { write(hasColor ? style.applied(to: text) : text) }

    func write(bytes: some Sequence<UInt8>) {
        buffer += bytes
        if buffer.count >= Self.bufferSize { flush() }
    }

    /// Sends the buffered bytes, unless the destination is a file.
    func flush() {
        guard !buffer.isEmpty else { return }
        switch destination {
        case .file: return
        case .function(let function): function(buffer[...])
        case .stream(let file, _):
            beforeWriting()
            do throws(Platform.Failure) {
                if failure == nil { try Platform.write(buffer, to: file) }
            } catch {
                failure = error
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }

    /// Sends the remaining bytes, or replaces the file.
    ///
    /// - Throws: `ToolError` if something could not be written. The old file stays then.
    func finish() throws(ToolError) {
        flush()
        switch destination {
        case .function: break
        case .stream(_, let name):
            guard let failure, !failure.isBrokenPipe else { break }
            throw ToolError(.unwritable, "\(name) cannot be written: \(failure.description)")
        case .file(let path, let name):
            do throws(Platform.Failure) {
                try Platform.replaceFile(at: path, with: buffer)
            } catch {
                throw ToolError(.unwritable, "\(name) cannot be written: \(error.description)")
            }
        }
    }
}
