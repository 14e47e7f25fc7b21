// MARK: - Numbers

/// A number is stored *inline* in the dictionary of its object, as Cocoa's `encodeInteger:forKey:` does, or as a *leaf*: in a
/// slot of its own, referenced by a uid, in collections that contain only objects.
extension ArchiveGraph {
    @inline(__always)
    mutating func boolean(_ value: Bool, inline: Bool) -> Reference {
        let entry = numbers.entry(value ? 1 : 0, .boolean)
        if entry.pointee.inline == 0 { entry.pointee.inline = list.append(value) }
        return inline ? entry.pointee.inline : leaf(entry)
    }

    mutating func integer(_ value: Int64, inline: Bool) -> Reference { integerInLine(value, inline: inline) }

    /// `integer(_:inline:)`, inlined for the hot path.
    @inline(__always)
    mutating func integerInLine(_ value: Int64, inline: Bool) -> Reference {
        let entry = numbers.entry(UInt64(bitPattern: value), .signed)
        if entry.pointee.inline == 0 { entry.pointee.inline = list.append(value) }
        return inline ? entry.pointee.inline : leaf(entry)
    }

    mutating func integer(_ value: UInt64, inline: Bool) -> Reference {
        if let signed = Int64(exactly: value) { return integer(signed, inline: inline) }
        let entry = numbers.entry(value, .unsigned)
        if entry.pointee.inline == 0 { entry.pointee.inline = list.append(value) }
        return inline ? entry.pointee.inline : leaf(entry)
    }

    mutating func integer(_ value: Int128, inline: Bool) -> Reference {
        if let narrow = Int64(exactly: value) { return integer(narrow, inline: inline) }
        if let narrow = UInt64(exactly: value) { return integer(narrow, inline: inline) }
        let number = list.append(value)
        return inline ? number : leaf(number)
    }

    /// Values up to `Int128.max` are written like narrower integers. Larger values exceed the format's integers and are written
    /// as their decimal digits.
    mutating func integer(_ value: UInt128, inline: Bool) -> Reference {
        if let narrow = Int128(exactly: value) { return integer(narrow, inline: inline) }
        return string(String(value))
    }

    @inline(__always)
    mutating func real(_ value: Double, inline: Bool) -> Reference {
        let entry = numbers.entry(value.bitPattern, .real64)
        if entry.pointee.inline == 0 { entry.pointee.inline = list.append(value) }
        return inline ? entry.pointee.inline : leaf(entry)
    }

    @inline(__always)
    mutating func real(_ value: Float, inline: Bool) -> Reference {
        let entry = numbers.entry(UInt64(value.bitPattern), .real32)
        if entry.pointee.inline == 0 { entry.pointee.inline = list.append(value) }
        return inline ? entry.pointee.inline : leaf(entry)
    }

    @inline(__always)
    private mutating func leaf(_ entry: UnsafeMutablePointer<NumberTable.Entry>) -> Reference {
        if entry.pointee.leaf == 0 { entry.pointee.leaf = leaf(entry.pointee.inline) }
        return entry.pointee.leaf
    }
}

// MARK: - Arrays of numbers

extension ArchiveGraph {
    /// Writes an array of integers, each as a leaf, and returns its uid.
    mutating func array<Integer: FixedWidthInteger>(ofIntegers elements: UnsafeBufferPointer<Integer>) -> Reference {
        array(
            of: elements, byteCount: 9, kind: .signed, areCounts: true,
            bits: { UInt64(bitPattern: Int64(truncatingIfNeeded: $0)) },
            store: { $1.store(integer: Int64(truncatingIfNeeded: $0)) })
    }

    /// Writes an array of reals, each as a leaf, and returns its uid.
    mutating func array(ofReals elements: UnsafeBufferPointer<Double>) -> Reference {
        array(
            of: elements, byteCount: 9, kind: .real64, areCounts: false, bits: { $0.bitPattern },
            store: { $1.store(real: $0) })
    }

    /// Writes an array of 32-bit reals, each as a leaf, and returns its uid.
    mutating func array(ofReals elements: UnsafeBufferPointer<Float>) -> Reference {
        array(
            of: elements, byteCount: 5, kind: .real32, areCounts: false, bits: { UInt64($0.bitPattern) },
            store: { $1.store(real: $0) })
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
    private mutating func array<Element>(
        of elements: UnsafeBufferPointer<Element>, byteCount: Int, kind: NumberTable.Kind, areCounts: Bool,
        bits: (Element) -> UInt64, store: (Element, UnsafeMutableRawPointer) -> Int
    ) -> Reference {
        let slot = reserveSlot()
        let count = elements.count
        var cursor = list.makeCursor(
            objectCount: 2 * count + 2, byteCount: (byteCount + 5 + 4) * (count + 1) + 16)
        let size = list.referenceSize
        var (array, place) = list.append(arrayOf: count, to: &cursor)
        slots.reserve(count + 1)
        var position = 0
        // Equal numbers share a leaf until the table is full.
        while position < count, !numbers.isFull {
            let entry = numbers.entry(bits(elements[position]), kind)
            if entry.pointee.inline == 0 {
                entry.pointee.inline = cursor.finishObject(byteCount: store(elements[position], cursor.end))
            }
            if entry.pointee.leaf == 0 {
                let index = UInt32(truncatingIfNeeded: slots.count)
                slots.uncheckedAppend(entry.pointee.inline)
                entry.pointee.leaf = cursor.finishObject(byteCount: cursor.end.store(uid: index))
            }
            place.store(number: entry.pointee.leaf, size: size)
            place += size
            position &+= 1
        }
        // A long run of different numbers does not use the table.
        let counts = areCounts ? numbers.counts(forElements: count &- position) : nil
        while position < count {
            var found = 0
            let sampleEnd = min(count, position &+ Self.sample)
            while position < sampleEnd {
                let element = elements[position]
                let leaf: Reference
                if let counts, NumberTable.isCount(bits(element)) {
                    leaf = append(count: element, bits(element), to: &cursor, counts, store)
                } else {
                    let known = numbers.recentLeaf(bits(element), kind)
                    leaf = known != 0 ? known : append(leaf: element, to: &cursor, store)
                    if known == 0 { numbers.note(recentLeaf: leaf, bits(element), kind) } else { found &+= 1 }
                }
                place.store(number: leaf, size: size)
                place += size
                position &+= 1
            }
            // The search saves time if one in eight elements is found.
            if found >= Self.sample / 8 { continue }
            let leapEnd = min(count, position &+ Self.leap)
            while position < leapEnd {
                let element = elements[position]
                let leaf: Reference
                if let counts {
                    leaf = append(count: element, bits(element), to: &cursor, counts, store)
                } else {
                    leaf = append(leaf: element, to: &cursor, store)
                }
                place.store(number: leaf, size: size)
                place += size
                position &+= 1
            }
        }
        list.finish(cursor)
        fill(slot, writtenArray: array)
        return slot.uid
    }

    /// Writes a number without a search, and returns its uid.
    @inline(__always)
    private mutating func append<Element>(
        leaf element: Element, to cursor: inout BinaryPropertyListWriter.Cursor,
        _ store: (Element, UnsafeMutableRawPointer) -> Int
    ) -> Reference {
        let number = cursor.finishObject(byteCount: store(element, cursor.end))
        let index = UInt32(truncatingIfNeeded: slots.count)
        slots.uncheckedAppend(number)
        return cursor.finishObject(byteCount: cursor.end.store(uid: index))
    }

    /// Returns the uid of a number, which is looked up if it is a count. Whether it is known is hard to predict, so the code
    /// has no branch: it stores every number, and the next one overwrites it if it was known.
    @inline(__always)
    private mutating func append<Element>(
        count element: Element, _ bits: UInt64, to cursor: inout BinaryPropertyListWriter.Cursor,
        _ counts: UnsafeMutablePointer<Reference>, _ store: (Element, UnsafeMutableRawPointer) -> Int
    ) -> Reference {
        let known = counts[NumberTable.place(ofCount: bits)]
        var longer = cursor
        let number = longer.finishObject(byteCount: store(element, cursor.end))
        (slots.base + slots.count).pointee = number
        let index = UInt32(truncatingIfNeeded: slots.count)
        let new = longer.finishObject(byteCount: longer.end.store(uid: index))
        let isNew = known == 0
        let leaf = isNew ? new : known
        cursor.move(to: longer, if: isNew)
        slots.advance(isNew ? 1 : 0)
        counts[NumberTable.writtenPlace(ofCount: bits)] = leaf
        return leaf
    }
}

// MARK: - Strings and keys

extension ArchiveGraph {
    /// Returns the uid of a string leaf. Equal strings share a leaf within the limits of `StringTable`.
    @inline(never)
    mutating func string(_ string: String) -> Reference { stringInLine(string) }

    /// `string(_:)`, inlined for the hot path.
    @inline(__always)
    mutating func stringInLine(_ string: String) -> Reference {
        string.withBytes { self.string(utf8: $0) }
    }

    /// The number of strings for which capacity is reserved together.
    private static var blockSize: Int { 64 }

    /// Writes an array of strings and returns its uid.
    mutating func array(ofStrings elements: UnsafeBufferPointer<String>) -> Reference {
        let slot = reserveSlot()
        let references = TableMemory<Reference>(plainCapacity: max(1, elements.count))
        if !RuntimeLayout.holds(.singleProperties) {
            for (position, element) in elements.enumerated() { references[position] = string(element) }
        } else if let base = elements.baseAddress {
            let texts = UnsafeRawPointer(base).assumingMemoryBound(to: Borrowed<String>.self)
            var position = 0
            while position < elements.count {
                let blockEnd = min(elements.count, position &+ Self.blockSize)
                position = appendShort(texts, from: position, to: blockEnd, references.base)
                guard position < blockEnd else { continue }
                references[position] = texts[position].reference(in: &self)
                position &+= 1
            }
        }
        fill(slot, array: UnsafeBufferPointer(start: references.base, count: elements.count))
        return slot.uid
    }

    /// Stores the uids of strings at `references`, from `start` up to `end` or to the first string that is not a `ShortText`.
    /// Stores none if the reserved capacity does not suffice for all, so that memory grows as for other objects.
    ///
    /// - Returns: The position after the last stored uid.
    @inline(__always)
    private mutating func appendShort(
        _ texts: UnsafePointer<Borrowed<String>>, from start: Int, to end: Int,
        _ references: UnsafeMutablePointer<Reference>
    ) -> Int {
        let left = end &- start
        guard slots.hasRoom(for: left),
            var cursor = list.makeCursor(
                ifRoomForObjects: 2 &* left, byteCount: (ShortText.storedSize + 5) &* left &+ 8)
        else { return start }
        var position = start
        while position < end {
            let text = texts[position].short()
            guard text.count > 0 else { break }
            let hash = strings.hash(text)
            let isASCII = text.isASCII
            // Storing a non-ASCII string produces its UTF-16. If the string is known, the next one overwrites it.
            var byteCount = isASCII ? 0 : texts[position].storeNonASCII(at: cursor.end)
            var string =
                isASCII ? strings.find(text, hash, in: cursor) : strings.find(storedIn: byteCount, hash, in: cursor)
            if string == 0 {
                if isASCII { byteCount = text.store(at: cursor.end) }
                string = cursor.finishObject(byteCount: byteCount)
                let index = UInt32(truncatingIfNeeded: slots.count)
                slots.uncheckedAppend(string)
                _ = cursor.finishObject(byteCount: cursor.end.store(uid: index))
                strings.insertNext(string, hash: hash)
            }
            references[position] = Self.leaf(ofString: string)
            position &+= 1
        }
        list.finish(cursor)
        return position
    }

    @inline(__always)
    mutating func string(utf8: UnsafeBufferPointer<UInt8>) -> Reference {
        let (hash, isASCII) = strings.digest(utf8)
        guard isASCII else { return string(nonASCII: utf8, hash) }
        let known = strings.find(ascii: UnsafeRawBufferPointer(utf8), hash, in: list)
        if known != 0 { return Self.leaf(ofString: known) }
        if utf8.count == 5, utf8.elementsEqual(Self.nullText) { return stringThatLooksLikeNull() }
        let written = list.append(ascii: UnsafeRawBufferPointer(utf8))
        strings.insert(written, hash: hash)
        return leaf(written)
    }

    @inline(never)
    private mutating func string(nonASCII utf8: UnsafeBufferPointer<UInt8>, _ hash: UInt32) -> Reference {
        let written = list.append(nonASCII: utf8)
        let known = strings.find(written: written, hash, in: list)
        if known != 0 {
            list.removeLast()
            return Self.leaf(ofString: known)
        }
        strings.insert(written, hash: hash)
        return leaf(written)
    }

    /// Returns the uid of a string that was written as a leaf: the next object.
    @inline(__always)
    private static func leaf(ofString string: Reference) -> Reference { string &+ 1 }

    /// Returns the uid of the string "$null", which is written as an object. Every reader reads a leaf "$null" as nil.
    private mutating func stringThatLooksLikeNull() -> Reference {
        if nullLookalike == 0 {
            let slot = reserveSlot()
            let text = list.append(utf8: Self.nullText)
            fill(slot, key: key("NS.string"), value: text, class: .string)
            nullLookalike = slot.uid
        }
        return nullLookalike
    }

    /// Returns the string object of a key or a class name. Equal names share one object.
    mutating func key(_ name: String) -> Reference {
        var name = name
        return name.withUTF8 { key(utf8: $0) }
    }

    private mutating func key(utf8: UnsafeBufferPointer<UInt8>) -> Reference {
        let (hash, isASCII) = keys.digest(utf8)
        if isASCII {
            let known = keys.find(ascii: UnsafeRawBufferPointer(utf8), hash, in: list)
            if known != 0 { return known }
            let written = list.append(ascii: UnsafeRawBufferPointer(utf8))
            keys.insert(written, hash: hash)
            return written
        }
        let written = list.append(nonASCII: utf8)
        let known = keys.find(written: written, hash, in: list)
        let text = String(decoding: utf8, as: UTF8.self)
        if let known = known != 0 ? known : unicodeKeys[text] {
            list.removeLast()
            return known
        }
        keys.insert(written, hash: hash)
        unicodeKeys[text] = written
        return written
    }

    /// Returns the string object of a program's key. The format reserves keys that start with "$", so such a key gets another
    /// "$" in front.
    mutating func userKey(_ name: String) -> Reference {
        var name = name
        return name.withUTF8 { utf8 in
            guard let first = utf8.baseAddress?.pointee, first == UInt8(ascii: "$") else { return key(utf8: utf8) }
            return key("$" + String(decoding: utf8, as: UTF8.self))
        }
    }

    /// Returns the program's key that `userKey(_:)` wrote as `reference`.
    func userKeyName(_ reference: Reference) -> String {
        guard let (node, objects) = list.object(reference) else { return "" }
        let name = objects.string(node)
        return KeyMangling.userKey(name) ?? name
    }
}

// MARK: - Reading back

extension ArchiveGraph {
    /// Returns the string or the number of `uid` as text: the key of a dictionary in the path of an error.
    func leafDescription(_ uid: Reference) -> String {
        guard let (node, objects) = list.object(uid) else { return "" }
        switch node.kind {
        case .uid:
            guard let index = try? objects.uid(node), let (leaf, _) = list.object(slots[Int(index)]), leaf.kind != .uid
            else { return "" }
            return leafDescription(slots[Int(index)])
        case .ascii, .utf16: return objects.string(node)
        case .integer: return String(objects.integer(node))
        case .real64: return String(objects.real64(node))
        case .real32: return String(objects.real32(node))
        case .true: return "true"
        case .false: return "false"
        default: return "a key of uid \(uid)"
        }
    }
}

extension String {
    /// Calls `body` with the UTF-8 of the string in place. `withUTF8(_:)` would need a copy of the string, and its reference
    /// counting.
    @inline(__always)
    fileprivate func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = self
        return copy.withUTF8(body)
    }
}

/// A string in an array.
extension Borrowed<String> {
    /// The string in four words, if it is short.
    @inline(__always)
    fileprivate borrowing func short() -> ShortText {
        // Not `withBytes`: a string without contiguous storage takes the slow path.
        value.utf8.withContiguousStorageIfAvailable { ShortText($0) }
            ?? ShortText(UnsafeBufferPointer(start: nil, count: 0))
    }

    /// Stores the string, which is not ASCII and has at most 32 bytes.
    ///
    /// - Returns: The number of bytes of the object.
    @inline(never)
    fileprivate borrowing func storeNonASCII(at target: UnsafeMutableRawPointer) -> Int {
        value.withBytes { target.store(shortNonASCII: $0) }
    }

    @inline(never)
    fileprivate borrowing func reference(in graph: inout ArchiveGraph) -> ArchiveGraph.Reference {
        value.withBytes { graph.string(utf8: $0) }
    }
}
