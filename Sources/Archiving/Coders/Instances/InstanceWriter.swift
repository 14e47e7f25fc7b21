// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Writes the contents of the instances of one type. There is a subclass for each way in which a class encodes
/// itself.
class InstanceWriter {
    /// The number of the writer in its session.
    final let number: UInt32

    /// Creates a writer, which `session` retains.
    init(in session: EncodingSession) {
        number = session.nextWriterNumber
        session.enter(self)
    }

    /// Writes the contents of the next pending instances of `session`, up to the first one that has another writer.
    ///
    /// - Parameter count: The number of instances that the call has written.
    func writePending(of session: EncodingSession, _ count: inout Int) throws {
        while let instance = try session.nextPendingInstance(of: number, &count) { try write(instance) }
    }

    /// Writes the contents of `instance` and fills its slot. A subclass that overrides `writePending` does not need it.
    func write(_ instance: PendingInstance) throws {
        preconditionFailure("InstanceWriter is abstract")
    }
}
