// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Writes the contents of the instances of one type. The layers above define a subclass for each way in which a class encodes
/// itself.
class InstanceWriter {
    /// The number of the writer in its writing.
    final let number: UInt32

    /// Creates a writer, which `writing` retains.
    init(in writing: GraphWriting) {
        number = writing.nextWriterNumber
        writing.enter(self)
    }

    /// Writes the contents of the next pending instances of `writing`, up to the first one that has another writer.
    ///
    /// - Parameter count: The number of instances that the call has written.
    func writePending(of writing: GraphWriting, _ count: inout Int) throws {
        while let instance = try writing.nextPendingInstance(of: number, &count) { try write(instance) }
    }

    /// Writes the contents of `instance` and fills its slot. A subclass that overrides `writePending` does not need it.
    func write(_ instance: PendingInstance) throws {
        preconditionFailure("InstanceWriter is abstract")
    }
}
