#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reading one value, by either rule for what is missing.
extension KeyedUnarchiver {
    /// What `read` makes of the value under `name`; `fallback` where there is none, or nil.
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

    /// What `read` makes of the value under `name`.
    @inline(never)
    func required<Result>(_ name: String, _ read: (ArchivedValue, String) throws -> Result) throws -> Result {
        if let error, try isOver() { throw error }
        guard let value = try field(name) else { throw notFound(name) }
        return try read(value, name)
    }

    /// What `read` makes of the next value without a key; `fallback` where there is none, or nil.
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

    /// What `read` makes of the next value without a key.
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
            let exact = Integer(exactly: shared.pointee.archive.list.objects.shortInteger(value.node))
        {
            return exact
        }
        return try otherInteger(value, name)
    }

    @inline(never)
    private func otherInteger<Integer: FixedWidthInteger>(_ value: ArchivedValue, _ name: String) throws -> Integer {
        let number = try number(value, name)
        let objects = shared.pointee.archive.list.objects
        switch number.node.kind {
        case .integer:
            if let exact = Integer(exactly: objects.integer(number.node)) { return exact }
            throw outOfRange(Integer.self, number, name)
        case .ascii where !number.isNull:
            // An integer that no integer of the format can hold is written as its digits.
            if number.node.count <= UInt128.digitLimit, let wide = UInt128(objects.string(number.node)),
                wide > UInt128(Int128.max)
            {
                guard let exact = Integer(exactly: wide) else { throw outOfRange(Integer.self, number, name) }
                return exact
            }
        default: break
        }
        throw mismatch(Integer.self, number, name)
    }

    @inline(__always)
    func real<Real: BinaryFloatingPoint>(_ value: ArchivedValue, _ name: String) throws -> Real {
        let objects = shared.pointee.archive.list.objects
        let number = try value.node.kind == .dictionary ? number(value, name) : value
        let wide: Double
        switch number.node.kind {
        case .real64: wide = objects.real64(number.node)
        case .real32: wide = Double(objects.real32(number.node))
        default: throw mismatch(Real.self, number, name)
        }
        let result = Real(wide)
        guard result.isFinite || !wide.isFinite else { throw outOfRange(Real.self, number, name) }
        return result
    }

    func bool(_ value: ArchivedValue, _ name: String) throws -> Bool {
        let number = try number(value, name)
        let objects = shared.pointee.archive.list.objects
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
            return try shared.pointee.archive.string(value.node)
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

    private func rawBytes(_ value: ArchivedValue, _ name: String, _ type: any Any.Type) throws -> UnsafeRawBufferPointer
    {
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

    /// The next `count` numbers without a key, or those in the next value where that is a text; 0 where there are none.
    func nextNumbers(_ count: Int) throws -> [Double] {
        let zero = Array(repeating: 0.0, count: count)
        return try nextScalar(else: zero) { value, name in
            switch value.node.kind {
            case .real64, .real32: break
            default: return try numbers(value, name, key: count == 4 ? "NS.rectval" : "NS.pointval", count: count)
            }
            let first: Double = try real(value, name)
            return try [first] + (1..<count).map { _ in try decode(Double.self) }
        }
    }

    func point(_ value: ArchivedValue, _ name: String) throws -> (x: Double, y: Double) {
        let numbers = try numbers(value, name, key: "NS.pointval", count: 2)
        return (numbers[0], numbers[1])
    }

    func size(_ value: ArchivedValue, _ name: String) throws -> (width: Double, height: Double) {
        let numbers = try numbers(value, name, key: "NS.sizeval", count: 2)
        return (numbers[0], numbers[1])
    }

    func rect(_ value: ArchivedValue, _ name: String) throws -> (x: Double, y: Double, width: Double, height: Double) {
        let numbers = try numbers(value, name, key: "NS.rectval", count: 4)
        return (numbers[0], numbers[1], numbers[2], numbers[3])
    }

    /// The numbers in a text, or in the text that an NSValue has under `key`.
    private func numbers(
        _ value: ArchivedValue, _ name: String, key: StaticString, count: Int
    ) throws -> [Double] {
        let text = try read(name) { contents throws(KeyedArchiveError) in
            if value.node.kind == .dictionary, let inner = try contents.value(of: key, in: value.node) {
                return try contents.text(inner)
            }
            return try contents.text(value)
        }
        guard let text else { throw mismatch(String.self, value, name) }
        let numbers =
            count == 2
            ? Geometry.pair(in: text).map { [$0.0, $0.1] }
            : Geometry.pairs(in: text).map { [$0.0, $0.1, $0.2, $0.3] }
        guard let numbers else {
            throw UnarchivingError(
                .typeMismatch, path: path(name),
                "Found the string \"\(text.prefix(40))\" at \(path(name).pathDescription), where \(count) numbers in braces"
                    + " are wanted")
        }
        return numbers
    }
}

// MARK: - Errors

extension KeyedUnarchiver {
    @inline(__always)
    private func read<Result>(
        _ name: String, _ body: (ArchiveContents) throws(KeyedArchiveError) -> Result
    ) throws -> Result {
        do throws(KeyedArchiveError) {
            return try body(shared.pointee.archive)
        } catch {
            throw damaged(error, name)
        }
    }

    @inline(never)
    private func mismatch(_ type: any Any.Type, _ value: ArchivedValue, _ name: String) -> UnarchivingError {
        .mismatch(type, found: value, in: shared.pointee.archive, path: path(name))
    }

    @inline(never)
    private func outOfRange(_ type: any Any.Type, _ value: ArchivedValue, _ name: String) -> UnarchivingError {
        .outOfRange(type, found: value, in: shared.pointee.archive, path: path(name))
    }
}
