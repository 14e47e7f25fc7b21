// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Numbers for the keys of an archive and of the program that reads it, so that a key is compared as text only once.
///
/// A file may store the same key several times; all copies have one number. Keys of other bytes have other numbers, also if they are
/// equal by Unicode's rules.
final class KeyNames {
    typealias Number = UInt32

    private var numbers: [ExactText: Number] = [:]
    /// The first of the keys that are equal by Unicode's rules. Empty as long as all keys are ASCII.
    private var firstEqual: [String: Number] = [:]
    /// The number of the first equal key, for each key that is not the first.
    private var groups: [Number: Number] = [:]
    /// Numbers by the reference of the key in the file; 0 for those that were not met.
    private let byReference = UnsetNumbers()

    /// Forgets all keys, and expects those of an archive with `objectCount` objects of its property list.
    func restart(objectCount: Int) {
        if !numbers.isEmpty { forgetNumbers() }
        byReference.restart(limit: objectCount)
    }

    /// The old numbers are released outside of the access to the property, which then needs no exclusivity check.
    private func forgetNumbers() {
        let old = (numbers, firstEqual, groups)
        numbers = [:]
        if !firstEqual.isEmpty { (firstEqual, groups) = ([:], [:]) }
        withExtendedLifetime(old) {}
    }

    /// The number of the key `name`, from 1 up.
    func number(of name: String) -> Number {
        let text = ExactText(name)
        if let known = numbers[text] { return known }
        let number = Number(truncatingIfNeeded: numbers.count + 1)
        // Changed outside of the property, so that accesses to it need no exclusivity check.
        var known = numbers
        numbers = [:]
        known[text] = number
        numbers = known
        if !firstEqual.isEmpty || !name.isASCII { group(number, name) }
        return number
    }

    /// Finds the group of the key `name`, the newest one.
    @inline(never)
    private func group(_ number: Number, _ name: String) {
        var known = firstEqual
        firstEqual = [:]
        if known.isEmpty {
            // All others are ASCII. A sign such as that of Kelvin is equal to a letter.
            for (key, number) in numbers where key.text.isASCII { known[key.text] = number }
        }
        if let first = known[name] { groups[number] = first } else { known[name] = number }
        firstEqual = known
    }

    /// Whether keys of different bytes are equal by Unicode's rules.
    var hasEqualKeys: Bool { !groups.isEmpty }
    /// The same number for all keys that are equal by Unicode's rules: that of the first one.
    func group(of number: Number) -> Number { groups.isEmpty ? number : groups[number] ?? number }
    func name(of number: Number) -> String? { numbers.first { $0.value == number }?.key.text }

    /// The number of the key that `reference` refers to in `archive`: a string, or a string or number behind a uid.
    @inline(__always)
    func number(of reference: Int, in archive: ArchiveContents) throws(KeyedArchiveError) -> Number {
        let known = byReference[reference]
        return known != 0 ? known : try enter(reference, archive)
    }

    @inline(never)
    private func enter(_ reference: Int, _ archive: ArchiveContents) throws(KeyedArchiveError) -> Number {
        let number = self.number(of: try archive.keyDescription(try archive.value(reference)))
        byReference[reference] = number
        return number
    }
}

extension ArchiveContents {
    /// Returns a key as text: a string unchanged, a number in digits. Other values, which cannot be keys of a keyed
    /// container, have a text that no key has.
    func keyDescription(_ value: ArchivedValue) throws(KeyedArchiveError) -> String {
        switch value.node.kind {
        case .ascii, .utf16: try hashedString(value.node)
        case .integer: String(list.integer(value.node))
        default: "\u{0}\(value.node.payload)"
        }
    }
}
