// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Numbers

/// A number is stored *inline* in the dictionary of its object, as Cocoa's `encodeInteger:forKey:` does, or as a *leaf*: in a
/// slot of its own, referenced by a uid, in collections that contain only objects.
extension ArchiveGraph {
    @inline(__always)
    func boolean(_ value: Bool, inline: Bool) -> Reference {
        number(value ? 1 : 0, .boolean, inline: inline) { list.append(value) }
    }

    /// Returns an integer of any type. One that exceeds the format's integers is written as its decimal digits.
    @inline(__always)
    package func integer<Integer: FixedWidthInteger>(_ value: Integer, inline: Bool) -> Reference {
        guard let narrow = Int64(exactly: value) else {
            return wide(Int128(exactly: value), UInt128(truncatingIfNeeded: value), inline)
        }
        return integer(narrow, inline: inline)
    }

    @inline(never)
    package func integer(_ value: Int64, inline: Bool) -> Reference { usualInteger(value, inline: inline) }

    /// Returns an integer. It is inlined for the types that most programs have.
    @inline(__always)
    func usualInteger(_ value: Int64, inline: Bool) -> Reference {
        number(UInt64(bitPattern: value), .signed, inline: inline) { list.append(value) }
    }

    /// Returns an integer of more than 64 bits with a sign: `value`, or if that is nil, `magnitude`.
    @inline(never)
    private func wide(_ value: Int128?, _ magnitude: UInt128, _ inline: Bool) -> Reference {
        guard let value else { return string(String(magnitude)) }
        if let unsigned = UInt64(exactly: value) {
            return number(unsigned, .unsigned, inline: inline) { list.append(unsigned) }
        }
        let number = list.append(value)
        return inline ? number : leaf(number)
    }

    @inline(never)
    package func real(_ value: Double, inline: Bool) -> Reference { usualReal(value, inline: inline) }

    @inline(__always)
    func usualReal(_ value: Double, inline: Bool) -> Reference {
        number(value.bitPattern, .real64, inline: inline) { list.append(value) }
    }

    @inline(never)
    func real(_ value: Float, inline: Bool) -> Reference {
        number(UInt64(value.bitPattern), .real32, inline: inline) { list.append(value) }
    }

    @inline(__always)
    private func number(
        _ bits: UInt64, _ kind: NumberTable.Kind, inline: Bool, _ write: () -> Reference
    ) -> Reference {
        var (place, entry) = numbers.find(bits, kind)
        if inline ? entry.inline != 0 : entry.leaf != 0 { return inline ? entry.inline : entry.leaf }
        if entry.inline == 0 { entry.inline = write() }
        if !inline { entry.leaf = leaf(entry.inline) }
        numbers[place] = entry
        return inline ? entry.inline : entry.leaf
    }
}

// MARK: - Arrays of numbers

extension ArchiveGraph {
    func array<Integer: FixedWidthInteger & BitwiseCopyable>(ofIntegers elements: Span<Integer>) -> Reference {
        array(
            of: elements, kind: .signed, areCounts: true,
            bits: { UInt64(bitPattern: Int64(truncatingIfNeeded: $0)) },
            object: { ShortRecord(Int64(truncatingIfNeeded: $0)) })
    }

    func array(ofReals elements: Span<Double>) -> Reference {
        array(of: elements, kind: .real64, areCounts: false, bits: { $0.bitPattern }, object: { ShortRecord($0) })
    }

    func array(ofReals elements: Span<Float>) -> Reference {
        array(
            of: elements, kind: .real32, areCounts: false, bits: { UInt64($0.bitPattern) }, object: { ShortRecord($0) })
    }

    /// The number of elements of a long array that are looked up among earlier numbers. If few of them are found, the next
    /// `leap` elements are not looked up.
    static var sample: Int { 256 }
    static var leap: Int { 4096 }

    /// Writes an array of numbers and returns its uid. Capacity and reference width are fixed once, the ends of the lists are
    /// kept in local variables, and the references are written to their final place.
    ///
    /// - Parameter areCounts: Whether small whole numbers are frequent enough to give each one a bucket.
    @inline(__always)
    private func array<Element: BitwiseCopyable>(
        of elements: Span<Element>, kind: NumberTable.Kind, areCounts: Bool, bits: (Element) -> UInt64,
        object: (Element) -> ShortRecord
    ) -> Reference {
        let slot = reserveSlot()
        let array = list.append(arrayOf: elements.count, slots: slots) { cursor in
            add(elements, kind, areCounts, bits, object, to: &cursor)
        }
        fill(slot, writtenArray: array)
        return slot.uid
    }

    @inline(__always)
    private func add<Element: BitwiseCopyable>(
        _ elements: Span<Element>, _ kind: NumberTable.Kind, _ areCounts: Bool, _ bits: (Element) -> UInt64,
        _ object: (Element) -> ShortRecord, to cursor: inout ListCursor
    ) {
        let count = elements.count
        let numbers = numbers
        var position = 0
        // Equal numbers share a leaf until the table is full.
        while position < count, !numbers.isFull {
            let element = elements[position]
            var (place, entry) = numbers.find(bits(element), kind)
            if entry.leaf != 0 {
                cursor.add(entry.leaf)
            } else {
                if entry.inline == 0 {
                    entry.leaf = cursor.add(object(element)) { ShortRecord(uid: $0) }
                    entry.inline = entry.leaf &- 1
                } else {
                    entry.leaf = cursor.add(leafOf: entry.inline) { ShortRecord(uid: $0) }
                }
                numbers[place] = entry
            }
            position &+= 1
        }
        guard position < count else { return }
        // A long run of different numbers does not use the table.
        let recent = numbers.recentLeaves()
        if areCounts, let counts = numbers.counts(forElements: count &- position) {
            addRun(elements, from: position, to: &cursor) { element, cursor in
                guard NumberTable.isCount(bits(element)) else {
                    return add(recent: object(element), bits(element), kind, recent, to: &cursor)
                }
                add(count: object(element), bits(element), counts, to: &cursor)
                return false
            } others: { elements, cursor in
                elements.forEachInPlace { element, _ in
                    add(count: object(element), bits(element), counts, to: &cursor)
                }
            }
        } else {
            addRun(elements, from: position, to: &cursor) { element, cursor in
                add(recent: object(element), bits(element), kind, recent, to: &cursor)
            } others: { elements, cursor in
                cursor.add(newElements: elements, object) { ShortRecord(uid: $0) }
            }
        }
    }

    /// Adds the elements from `start` on: a sample with `sampled`, which returns whether the number was found, and if few were
    /// found, the next ones with `others`.
    @inline(__always)
    private func addRun<Element: BitwiseCopyable>(
        _ elements: Span<Element>, from start: Int, to cursor: inout ListCursor,
        sampled: (Element, inout ListCursor) -> Bool, others: (Span<Element>, inout ListCursor) -> Void
    ) {
        let count = elements.count
        var position = start
        while position < count {
            var found = 0
            let sampleEnd = min(count, position &+ Self.sample)
            while position < sampleEnd {
                if sampled(elements[position], &cursor) { found &+= 1 }
                position &+= 1
            }
            // The search saves time if one in eight elements is found.
            if found >= Self.sample / 8 { continue }
            let leapEnd = min(count, position &+ Self.leap)
            others(elements.extracting(position..<leapEnd), &cursor)
            position = leapEnd
        }
    }

    /// Adds a number that is looked up among recent ones, and returns whether it was found.
    @inline(__always)
    private func add(
        recent number: ShortRecord, _ bits: UInt64, _ kind: NumberTable.Kind, _ recent: PlainTable<NumberTable.Recent>,
        to cursor: inout ListCursor
    ) -> Bool {
        let place = NumberTable.recentPlace(bits)
        let known = recent[place]
        if known.bits == bits, known.kind == kind.rawValue {
            cursor.add(known.leaf)
            return true
        }
        let leaf = cursor.add(number) { ShortRecord(uid: $0) }
        recent[place] = NumberTable.Recent(bits: bits, kind: kind.rawValue, leaf: leaf)
        return false
    }

    /// Adds a number, which is looked up if it is a count. Whether it is known is hard to predict, so the code has no branch.
    @inline(__always)
    private func add(
        count number: ShortRecord, _ bits: UInt64, _ counts: PlainTable<Reference>, to cursor: inout ListCursor
    ) {
        let known = counts[NumberTable.place(ofCount: bits)]
        let leaf = cursor.add(number, unless: known) { ShortRecord(uid: $0) }
        counts[NumberTable.writtenPlace(ofCount: bits)] = leaf
    }
}

// MARK: - Strings and keys

extension ArchiveGraph {
    /// Returns the uid of a string leaf. Equal strings share a leaf within the limits of `StringTable`.
    @inline(__always)
    package func string(_ string: String) -> Reference { string.withUTF8Span { self.string(utf8: $0) } }

    func array(ofStrings elements: [String]) -> Reference {
        let slot = reserveSlot()
        let start = collected.count
        elements.withSpan { elements in
            elements.forEachInPlace { element, _ in collected.append(element.withUTF8Span { string(utf8: $0) }) }
        }
        fill(slot, array: collected.suffix(from: start))
        collected.truncate(to: start)
        return slot.uid
    }

    @inline(__always)
    private func string(utf8: RawSpan) -> Reference {
        let (hash, isASCII) = strings.digest(utf8)
        guard isASCII else { return string(nonASCII: utf8, hash) }
        let known = strings.find(ascii: utf8, hash, in: list)
        if known != 0 { return Self.leaf(ofString: known) }
        if utf8.byteCount == 5, list.isASCII(ArchivePrologue.nullText, equalTo: utf8) {
            return stringThatLooksLikeNull()
        }
        let written = list.append(ascii: utf8, uid: UInt32(truncatingIfNeeded: slots.count))
        slots.append(written)
        strings.insert(written, hash: hash)
        return Self.leaf(ofString: written)
    }

    @inline(never)
    private func string(nonASCII utf8: RawSpan, _ hash: UInt32) -> Reference {
        let written = list.append(nonASCII: utf8)
        let shared = strings.share(written, hash, in: list)
        return shared == written ? leaf(written) : Self.leaf(ofString: shared)
    }

    /// Returns the uid of a string that was written as a leaf: the next object.
    private static func leaf(ofString string: Reference) -> Reference { string &+ 1 }

    /// Returns the uid of the string "$null", which is written as an object. Every reader reads a leaf "$null" as nil.
    private func stringThatLooksLikeNull() -> Reference {
        if cocoaNames.nullText == 0 {
            let slot = reserveSlot()
            let text = list.append("$null")
            let key = key("NS.string")
            fill(slot, key: key, value: text, classUID: classUID(.string))
            cocoaNames.nullText = slot.uid
        }
        return cocoaNames.nullText
    }

    /// Returns the string object of a key or a class name. Equal names share one object.
    func key(_ name: String) -> Reference { name.withUTF8Span { key(utf8: $0) } }

    private func key(utf8: RawSpan) -> Reference {
        let (hash, isASCII) = keys.digest(utf8)
        guard isASCII else { return keys.share(list.append(nonASCII: utf8), hash, in: list) }
        let known = keys.find(ascii: utf8, hash, in: list)
        if known != 0 { return known }
        let written = list.append(ascii: utf8)
        keys.insert(written, hash: hash)
        return written
    }

    /// Returns the string object of a program's key. The format reserves keys that start with "$", so such a key gets another
    /// "$" in front.
    func userKey(_ name: String) -> Reference {
        name.withUTF8Span { $0.isEmpty || $0[0] != UInt8(ascii: "$") ? key(utf8: $0) : key("$" + name) }
    }

    func userKeyName(_ reference: Reference) -> String {
        guard let (node, objects) = list.object(reference) else { return "" }
        let name = objects.string(node)
        return KeyMangling.userKey(name) ?? name
    }
}

// MARK: - Reading back

extension ArchiveGraph {
    /// Returns whether the object `uid`, a key of a dictionary, is one that `Node.Kind.isName` describes. It costs no copy of it.
    func isNamed(key uid: Reference) -> Bool {
        guard uid != Self.null, let leaf = leaf(uid) else { return false }
        let marker = list.marker(of: leaf)
        return switch marker >> 4 {
        case 0x1, 0x2, 0x5, 0x6: true
        default: marker & 0xFE == BinaryFormat.Marker.false
        }
    }

    func dictionaryKey(_ uid: Reference) -> ArchiveKey {
        leaf(uid).flatMap { list.object($0) }.map { ArchiveKey($0.node, in: $0.objects) } ?? ArchiveKey(stringValue: "")
    }

    /// Nil for an object that is not written yet.
    private func leaf(_ uid: Reference) -> Reference? {
        self.uid(uid).map { slots[Int($0)] }.flatMap { $0 == 0 ? nil : $0 }
    }
}
