// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

enum MeasurementForm<Value: Codable>: CodedShape {
    static func write(
        _ value: Value, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        guard case .measurement(let unit)? = UnnamedType(Value.self),
            let (number, symbol, converter) = try PlainFields(of: value).measurement
        else { throw EncodingError.unknownParts(value) }
        let superclasses = converter == nil ? ["NSUnit"] : ["NSDimension", "NSUnit"]
        let unitClass = ArchivedClass(unit, inheritingFrom: superclasses.filter { $0 != unit })
        return encoding.graph.measurement(number, unit: unitClass, symbol: symbol, converter: converter)
    }

    static func read(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Value {
        let measurement = try decoder.undamaged(decoder.archive.measurement(value), at: step)
        guard let measurement else {
            return try decoder.otherForm(of: Value.self, value, at: step) { try Value(from: $0) }
        }
        guard case .measurement(let unit)? = UnnamedType(Value.self), unit == measurement.unitName else {
            let found = "a measurement in \(ArchivingError.shown(measurement.unitName)) (uid \(value.uid))"
            throw DecodingError(.mismatch(Value.self, found: found, path: decoder.path(step)))
        }
        guard let result = try? PlainFields(measurement).value(of: Value.self) else {
            throw DecodingError.invalid(path: decoder.path(step)) { _ in
                "Found a measurement in the unit \"\(measurement.symbol.prefix(40))\" without a linear converter, which a"
                    + " Measurement needs"
            }
        }
        return result
    }
}

// MARK: - The parts of a Measurement

extension PlainFields {
    private static var coefficient: String { "coefficient" }
    private static var constant: String { "constant" }

    /// The parts of a Measurement, or nil if the fields belong to another type.
    var measurement: (value: Double, symbol: String, converter: (coefficient: Double, constant: Double)?)? {
        guard let value = reals.first, let symbol = texts.first, texts.count == 1, list.count == reals.count + 1 else {
            return nil
        }
        switch reals.count {
        case 1: return (value, symbol, nil)
        case 3: return (value, symbol, (reals[1], reals[2]))
        default: return nil
        }
    }

    /// Creates the fields from which a Measurement decodes itself.
    init(_ measurement: ArchivedMeasurement) {
        list = []
        append("value", measurement.value)
        append("symbol", measurement.symbol)
        guard let converter = measurement.converter else { return }
        append(Self.coefficient, converter.coefficient)
        append(Self.constant, converter.constant)
    }
}
