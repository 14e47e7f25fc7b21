// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Decodes scalars and strings.
///
/// `NumberConversion` defines the conversions between number types. A Bool is never a number.
extension DecodingFrame {
    @inline(__always)
    func integer<Integer: FixedWidthInteger>(
        _ value: ArchivedValue, at step: @autoclosure () -> CodingPathStep
    ) throws -> Integer {
        do throws(ValueFailure) { return try archive.requiredInteger(value) } catch { throw unread(error, step()) }
    }

    @inline(__always)
    func double(_ value: ArchivedValue, at step: @autoclosure () -> CodingPathStep) throws -> Double {
        if value.node.kind == .real64 { return archive.list.real64(value.node) }
        do throws(ValueFailure) { return try archive.requiredReal(value) } catch { throw unread(error, step()) }
    }

    @inline(__always)
    func float(_ value: ArchivedValue, at step: @autoclosure () -> CodingPathStep) throws -> Float {
        if value.node.kind == .real32 { return archive.list.real32(value.node) }
        do throws(ValueFailure) { return try archive.requiredReal(value) } catch { throw unread(error, step()) }
    }

    func boolean(_ value: ArchivedValue, at step: @autoclosure () -> CodingPathStep) throws -> Bool {
        do throws(ValueFailure) { return try archive.requiredBool(value) } catch { throw unread(error, step()) }
    }

    @inline(__always)
    func string(_ value: ArchivedValue, at step: @autoclosure () -> CodingPathStep) throws -> String {
        do throws(ValueFailure) { return try archive.requiredText(value) } catch { throw unread(error, step()) }
    }

    /// Returns whether `value` is nil, or the NSNull that represents nil in Foundation's containers.
    @inline(__always)
    func isNil(_ value: ArchivedValue) -> Bool {
        if value.isNull { return true }
        guard value.node.kind == .dictionary, value.node.count == 1 else { return false }
        return archive.isNil(value)
    }
}

// MARK: - Objects that represent values

extension DecodingFrame {
    /// Returns the result of `read`, an expression that reads the archive, with its error converted to a
    /// `DecodingError`.
    @inline(__always)
    func undamaged<Result>(
        _ read: @autoclosure () throws(KeyedArchiveError) -> Result, at step: @autoclosure () -> CodingPathStep
    ) throws -> Result {
        do throws(KeyedArchiveError) { return try read() } catch { throw damaged(error, step()) }
    }

    /// The same for several steps.
    @inline(__always)
    func contents<Result>(
        at step: @autoclosure () -> CodingPathStep,
        _ read: (ArchiveContents) throws(KeyedArchiveError) -> Result
    ) throws -> Result {
        try undamaged(read(archive), at: step())
    }

    /// Calls `body` to read an object of another class than the one for `type`, in the form of other encoders.
    func otherForm<Result>(
        of type: any Any.Type, _ value: ArchivedValue, at step: CodingPathStep,
        _ body: (ProgramDecoder) throws -> Result
    ) throws -> Result {
        guard value.node.kind == .dictionary else {
            throw mismatch(type, value, step)
        }
        return try withDecoder(nil, value, step, body)
    }

    /// Returns the error of `value`, which cannot be decoded as `type`.
    @inline(never)
    func mismatch(_ type: any Any.Type, _ value: ArchivedValue, _ step: CodingPathStep) -> DecodingError {
        unread(.mismatch(type, value), step)
    }

    /// Returns the error of a value that cannot be decoded as requested. Functions that create errors are out of line:
    /// inlined, they would enlarge the stack frames of nested decoding.
    @inline(never)
    func unread(_ failure: ValueFailure, _ step: CodingPathStep) -> DecodingError {
        forgetRequest(at: step)
        return DecodingError(.value(failure, in: session, path: path(step)))
    }
}
