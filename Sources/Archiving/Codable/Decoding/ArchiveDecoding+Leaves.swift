/// Decodes scalars and strings.
///
/// `NumberConversion` defines the conversions between number types. A Bool is never a number.
extension ArchiveDecoding {
    @inline(__always)
    func integer<Integer: FixedWidthInteger>(
        _ value: ArchivedValue, at step: @autoclosure () -> CodingPathStep
    ) throws -> Integer {
        if value.node.kind == .integer, value.node.count <= 8,
            let exact = Integer(exactly: archive.list.objects.shortInteger(value.node))
        {
            return exact
        }
        return try otherInteger(value, at: step())
    }

    @inline(never)
    private func otherInteger<Integer: FixedWidthInteger>(
        _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> Integer {
        // Digits are an integer only for the type that may have been written in that form.
        guard value.node.kind != .ascii || Integer.self == UInt128.self else {
            throw mismatch(Integer.self, value, step)
        }
        let conversion = try contents(at: step) { contents throws(KeyedArchiveError) in
            try contents.integer(value, as: Integer.self)
        }
        return try converted(conversion, value, step)
    }

    private func converted<Number>(
        _ conversion: NumberConversion<Number>, _ value: ArchivedValue, _ step: CodingPathStep
    ) throws -> Number {
        if case .number(let number) = conversion { return number }
        let leaf = try number(value, at: step)
        if case .outOfRange = conversion {
            throw DecodingError(.outOfRange(Number.self, found: archive.describe(leaf), path: path(step)))
        }
        throw mismatch(Number.self, leaf, step)
    }

    @inline(__always)
    func double(_ value: ArchivedValue, at step: @autoclosure () -> CodingPathStep) throws -> Double {
        if value.node.kind == .real64 { return archive.list.objects.real64(value.node) }
        return try otherReal(value, at: step())
    }

    @inline(__always)
    func float(_ value: ArchivedValue, at step: @autoclosure () -> CodingPathStep) throws -> Float {
        if value.node.kind == .real32 { return archive.list.objects.real32(value.node) }
        return try otherReal(value, at: step())
    }

    @inline(never)
    private func otherReal<Real: BinaryFloatingPoint>(
        _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> Real {
        let conversion = try contents(at: step) { contents throws(KeyedArchiveError) in
            try contents.real(value, as: Real.self)
        }
        return try converted(conversion, value, step)
    }

    func boolean(_ value: ArchivedValue, at step: @autoclosure () -> CodingPathStep) throws -> Bool {
        switch value.node.kind {
        case .true: return true
        case .false: return false
        default:
            let leaf = try number(value, at: step())
            switch leaf.node.kind {
            case .true: return true
            case .false: return false
            default: throw DecodingError(.mismatch(Bool.self, found: archive.describe(leaf), path: path(step())))
            }
        }
    }

    @inline(__always)
    func string(_ value: ArchivedValue, at step: @autoclosure () -> CodingPathStep) throws -> String {
        guard value.node.kind == .ascii, !value.isNull else { return try otherString(value, at: step()) }
        do throws(KeyedArchiveError) {
            return try archive.string(value.node)
        } catch {
            throw damaged(error, step())
        }
    }

    @inline(never)
    private func otherString(_ value: ArchivedValue, at step: CodingPathStep) throws -> String {
        let text = try contents(at: step) { contents throws(KeyedArchiveError) in try contents.text(value) }
        guard let text else {
            throw DecodingError(.mismatch(String.self, found: value, in: archive, path: path(step)))
        }
        return text
    }
}

// MARK: - Leaves written as objects

extension ArchiveDecoding {
    /// Returns `value` if it is a number, or the number inside it if it is an object.
    @inline(never)
    private func number(_ value: ArchivedValue, at step: CodingPathStep) throws -> ArchivedValue {
        try contents(at: step) { contents throws(KeyedArchiveError) in try contents.number(value) }
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

extension ArchiveDecoding {
    /// Returns the result of `read`, with its error converted to a `DecodingError`.
    @inline(__always)
    func contents<Result>(
        at step: @autoclosure () -> CodingPathStep,
        _ read: (ArchiveContents) throws(KeyedArchiveError) -> Result
    ) throws -> Result {
        do throws(KeyedArchiveError) {
            return try read(archive)
        } catch {
            throw damaged(error, step())
        }
    }

    /// Calls `body` to read an object of another class than the one for `type`, in the form of other encoders.
    func otherForm<Result>(
        of type: any Any.Type, _ value: ArchivedValue, at step: CodingPathStep,
        _ body: (ProgramDecoder) throws -> Result
    ) throws -> Result {
        guard value.node.kind == .dictionary else {
            throw DecodingError(.mismatch(type, found: value, in: archive, path: path(step)))
        }
        return try withDecoder(nil, value, step, body)
    }

    /// Returns the error of `value`, which cannot be decoded as `type`.
    @inline(never)
    func mismatch(_ type: any Any.Type, _ value: ArchivedValue, _ step: CodingPathStep) -> DecodingError {
        DecodingError(.mismatch(type, found: value, in: archive, path: path(step)))
    }
}
