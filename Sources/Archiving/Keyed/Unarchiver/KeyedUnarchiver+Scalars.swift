#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Decodes single values, with either rule for absent values.
extension KeyedUnarchiver {
    /// Decodes the leaf for the key `name`, or the next value without a key if `name` is nil.
    ///
    /// - Parameters:
    ///   - fast: Returns the leaf at an offset if it has its usual form.
    ///   - read: Returns the leaf of a value.
    @inline(__always)
    func decodeLeaf<Leaf>(
        _ name: String?, fast: (Int, ArchiveContents) -> Leaf? = { _, _ in nil },
        _ read: (ArchivedValue, String) throws -> Leaf
    ) throws -> Leaf {
        guard let name else { return try nextRequired(read) }
        return try leaf(name, fast) ?? required(name, read)
    }

    /// The same for a leaf that may be absent or nil.
    @inline(__always)
    func decodeLeafIfPresent<Leaf>(
        _ name: String?, fast: (Int, ArchiveContents) -> Leaf? = { _, _ in nil },
        _ read: (ArchivedValue, String) throws -> Leaf
    ) throws -> Leaf? {
        guard let name else { return try nextScalar(else: nil) { try read($0, $1) } }
        return try leaf(name, fast) ?? scalar(name, else: nil) { try read($0, $1) }
    }

    /// Returns the result of `read` for the value under `name`, or `fallback` if the key is absent or holds nil.
    @inline(never)
    func scalar<Result>(
        _ name: String, else fallback: Result, _ read: (ArchivedValue, String) throws -> Result
    ) throws -> Result {
        if error != nil, try isOver() { return fallback }
        do {
            guard let value = try field(name), !value.isNull else { return fallback }
            return try read(value, name)
        } catch {
            return try handle(error, else: fallback)
        }
    }

    /// Returns the result of `read` for the value under `name`.
    @inline(never)
    func required<Result>(_ name: String, _ read: (ArchivedValue, String) throws -> Result) throws -> Result {
        if let error, try isOver() { throw error }
        guard let value = try field(name) else { throw notFound(name) }
        return try read(value, name)
    }

    /// Returns the result of `read` for the next value without a key, or `fallback` if there is none or it is nil.
    func nextScalar<Result>(
        else fallback: Result, _ read: (ArchivedValue, String) throws -> Result
    ) throws -> Result {
        if error != nil, try isOver() { return fallback }
        do {
            let (name, value) = try nextField()
            guard let value, !value.isNull else { return fallback }
            return try read(value, name)
        } catch {
            return try handle(error, else: fallback)
        }
    }

    /// Returns the result of `read` for the next value without a key.
    func nextRequired<Result>(_ read: (ArchivedValue, String) throws -> Result) throws -> Result {
        if let error, try isOver() { throw error }
        let (name, value) = try nextField()
        guard let value else { throw notFound(name) }
        return try read(value, name)
    }
}

// MARK: - Numbers

extension KeyedUnarchiver {
    @inline(__always)
    func integer<Integer: FixedWidthInteger>(_ value: ArchivedValue, _ name: String) throws -> Integer {
        if value.node.kind == .integer, value.node.count <= 8,
            let exact = Integer(exactly: archive.list.objects.shortInteger(value.node))
        {
            return exact
        }
        return try otherInteger(value, name)
    }

    @inline(never)
    private func otherInteger<Integer: FixedWidthInteger>(_ value: ArchivedValue, _ name: String) throws -> Integer {
        let conversion = try read(name) { contents throws(KeyedArchiveError) in
            try contents.integer(value, as: Integer.self)
        }
        return try converted(conversion, value, name)
    }

    func real<Real: BinaryFloatingPoint>(
        _ value: ArchivedValue, _ name: String
    ) throws -> Real {
        let conversion = try read(name) { contents throws(KeyedArchiveError) in
            try contents.real(value, as: Real.self)
        }
        return try converted(conversion, value, name)
    }

    private func converted<Number>(
        _ conversion: NumberConversion<Number>, _ value: ArchivedValue, _ name: String
    ) throws -> Number {
        if case .number(let number) = conversion { return number }
        let leaf = try number(value, name)
        if case .outOfRange = conversion { throw outOfRange(Number.self, leaf, name) }
        throw mismatch(Number.self, leaf, name)
    }

    func bool(_ value: ArchivedValue, _ name: String) throws -> Bool {
        let number = try number(value, name)
        let objects = archive.list.objects
        switch number.node.kind {
        case .true: return true
        case .false: return false
        case .integer:
            let integer = objects.integer(number.node)
            if integer == 0 || integer == 1 { return integer == 1 }
            throw mismatch(Bool.self, number, name)
        default: throw mismatch(Bool.self, number, name)
        }
    }

    private func number(_ value: ArchivedValue, _ name: String) throws -> ArchivedValue {
        try read(name) { contents throws(KeyedArchiveError) in try contents.number(value) }
    }
}

// MARK: - Strings, data and dates

extension KeyedUnarchiver {
    @inline(__always)
    func string(_ value: ArchivedValue, _ name: String) throws -> String {
        guard value.node.kind == .ascii, !value.isNull else { return try otherString(value, name) }
        do throws(KeyedArchiveError) {
            return try archive.string(value.node)
        } catch {
            throw damaged(error, name)
        }
    }

    @inline(never)
    private func otherString(_ value: ArchivedValue, _ name: String) throws -> String {
        let text = try read(name) { contents throws(KeyedArchiveError) in try contents.text(value) }
        guard let text else { throw mismatch(String.self, value, name) }
        return text
    }

    func data(_ value: ArchivedValue, _ name: String) throws -> Data { Data(try rawBytes(value, name, Data.self)) }

    func bytes(_ value: ArchivedValue, _ name: String, minimumLength: Int) throws -> [UInt8] {
        let bytes = try rawBytes(value, name, [UInt8].self)
        guard bytes.count >= minimumLength else {
            throw UnarchivingError(
                .damaged, path: path(name),
                "Found \(bytes.count) bytes at \(path(name).pathDescription), where \(minimumLength) are needed")
        }
        return Array(bytes)
    }

    private func rawBytes(_ value: ArchivedValue, _ name: String, _ type: any Any.Type) throws -> StoredBytes {
        let bytes = try read(name) { contents throws(KeyedArchiveError) in
            value.isNull ? nil : try contents.data(value)
        }
        guard let bytes else { throw mismatch(type, value, name) }
        return bytes
    }

    func date(_ value: ArchivedValue, _ name: String) throws -> Date {
        let seconds = try read(name) { contents throws(KeyedArchiveError) in
            value.isNull ? nil : try contents.date(value)
        }
        guard let seconds else { throw mismatch(Date.self, value, name) }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    /// The next `count` numbers without a key, or those in the next value if that is a string; 0 if there are none.
    func nextNumbers(_ count: Int) throws -> [Double] {
        let zero = Array(repeating: 0.0, count: count)
        return try nextScalar(else: zero) { value, name in
            switch value.node.kind {
            case .real64, .real32: break
            default: return try numbers(value, name, of: count == 4 ? .rect : .point)
            }
            let first: Double = try real(value, name)
            return try [first] + (1..<count).map { _ in try decode(Double.self) }
        }
    }

    /// The numbers of `value`, which represents the struct `kind`.
    func numbers(_ value: ArchivedValue, _ name: String, of kind: Geometry.Kind) throws -> [Double] {
        let numbers = try read(name) { contents throws(KeyedArchiveError) in
            try contents.numbers(value, of: kind)
        }
        if let numbers { return numbers }
        let found = archive.describe(value)
        throw UnarchivingError(
            .typeMismatch, path: path(name),
            "Found \(found) at \(path(name).pathDescription), where a \(kind) is expected: \(kind.count) numbers in braces"
        )
    }
}

// MARK: - Errors

extension KeyedUnarchiver {
    @inline(__always)
    private func read<Result>(
        _ name: String, _ body: (ArchiveContents) throws(KeyedArchiveError) -> Result
    ) throws -> Result {
        do throws(KeyedArchiveError) {
            return try body(archive)
        } catch {
            throw damaged(error, name)
        }
    }

    @inline(never)
    private func mismatch(_ type: any Any.Type, _ value: ArchivedValue, _ name: String) -> UnarchivingError {
        UnarchivingError(.mismatch(type, found: value, in: archive, path: path(name)))
    }

    @inline(never)
    private func outOfRange(_ type: any Any.Type, _ value: ArchivedValue, _ name: String) -> UnarchivingError {
        UnarchivingError(.outOfRange(type, found: archive.describe(value), path: path(name)))
    }
}
