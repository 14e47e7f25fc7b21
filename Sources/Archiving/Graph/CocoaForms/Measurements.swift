// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The parts of an NSMeasurement.
struct ArchivedMeasurement {
    let value: Double
    /// The name of the unit's class, which determines the dimension: "NSUnitLength".
    let unitName: String
    let symbol: String
    /// The conversion of values to the base unit; `nil` if the unit has no dimension, or another kind of converter.
    let converter: (coefficient: Double, constant: Double)?
}

extension ArchiveGraph {
    /// Writes an NSMeasurement and returns its uid.
    ///
    /// - Parameter converter: The conversion of values to the base unit; `nil` for a unit without a dimension.
    func measurement(
        _ value: Double, unit: ArchivedClass, symbol: String, converter: (coefficient: Double, constant: Double)?
    ) -> Reference {
        var entries = [("NS.symbol", string(symbol))]
        if let converter {
            let reference = object(
                .linearConverter,
                [
                    ("NS.coefficient", real(converter.coefficient, inline: true)),
                    ("NS.constant", real(converter.constant, inline: true)),
                ])
            entries.append(("NS.converter", reference))
        }
        let unit = object(unit, entries)
        return object(.measurement, [("NS.value", real(value, inline: true)), ("NS.unit", unit)])
    }
}

extension ArchiveContents {
    /// Returns the parts of an NSMeasurement; `nil` if `value` is not a measurement.
    func measurement(_ value: ArchivedValue) throws(KeyedArchiveError) -> ArchivedMeasurement? {
        var entries = entries(of: value)
        guard let unit = try entries["NS.unit"], let number = try entries.real("NS.value") else { return nil }
        var unitEntries = self.entries(of: unit)
        guard let classUID = try classUID(of: unit.node), let symbol = try unitEntries.text("NS.symbol") else {
            throw entries.damaged("NS.unit", "a unit")
        }
        var converter: (coefficient: Double, constant: Double)?
        if let found = try unitEntries["NS.converter"] {
            var converterEntries = self.entries(of: found)
            if let coefficient = try converterEntries.real("NS.coefficient") {
                converter = (coefficient, try converterEntries.real("NS.constant") ?? 0)
            }
        }
        return ArchivedMeasurement(
            value: number, unitName: try className(classUID), symbol: symbol, converter: converter)
    }
}
