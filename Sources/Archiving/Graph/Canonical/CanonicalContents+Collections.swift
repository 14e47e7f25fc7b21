// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Classes

extension CanonicalContents {
    /// Assigns a rank to every class entry. Equal entries have the same rank.
    mutating func rankClasses() throws(PropertyListError) {
        var ranks = [UInt32](repeating: Slot.none, count: slots.count)
        for slot in slots where slot.classEntry != Slot.none && ranks[Int(slot.classEntry)] == Slot.none {
            ranks[Int(slot.classEntry)] = 0
            classes.append(slot.classEntry)
            try checkClass(slots[Int(slot.classEntry)])
        }
        sortClasses(&ranks)
        for index in 0..<slots.count where slots[index].classEntry != Slot.none {
            slots[index].classEntry = ranks[Int(slots[index].classEntry)]
        }
        for index in 0..<parts.count where parts[index].kind == .classEntry {
            parts[index].value = ranks[Int(parts[index].value)]
        }
    }

    /// Checks that `slot` holds names, and no references to slots.
    private func checkClass(_ slot: Slot) throws(PropertyListError) {
        for place in slot.parts {
            switch parts[place].kind {
            case .key, .array, .scalar: continue
            default: throw PropertyListError(.notAnArchive, at: 0)
            }
        }
    }

    /// Sorts the class entries, removes duplicates, and stores the rank of each slot that has one.
    private mutating func sortClasses(_ ranks: inout [UInt32]) {
        let slots = slots
        let parts = parts
        func precedes(_ left: UInt32, _ right: UInt32) -> Bool {
            slots[Int(left)].parts.lexicographicallyPrecedes(slots[Int(right)].parts) {
                parts[$0].order < parts[$1].order
            }
        }
        classes.sort(by: precedes)
        var count = 0
        for index in 0..<classes.count {
            let slot = classes[index]
            if count == 0 || precedes(classes[count - 1], slot) {
                classes[count] = slot
                count += 1
            }
            ranks[Int(slot)] = UInt32(truncatingIfNeeded: count - 1)
        }
        classes.removeLast(classes.count - count)
    }
}

// MARK: - Collections

extension CanonicalContents {
    /// The elements of a set, or the keys and values of a dictionary.
    struct Collection: BitwiseCopyable {
        /// The position of the first element or key.
        let first: Int
        /// The distance of a value from its key; 0 in a set.
        let valueDistance: Int
        let count: Int
        /// The number of entries of known order. The others follow, in any order.
        var orderedCount = 0

        /// The positions of the elements or keys of unknown order.
        var open: Range<Int> { first + orderedCount..<first + count }

        /// Returns whether the part at `place` is an element or key of unknown order, or its value.
        @inline(__always)
        func isOpen(_ place: Int) -> Bool {
            open.contains(place) || open.contains(place - valueDistance)
        }
    }

    /// Finds the sets and dictionaries, and sorts their leaves.
    mutating func findCollections() {
        let setName = scalars.rank(of: "NSSet")
        let dictionaryName = scalars.rank(of: "NSDictionary")
        let keysKey = scalars.rank(of: "NS.keys")
        let objectsKey = scalars.rank(of: "NS.objects")
        let names = classNames()
        for number in 0..<topSlot where slots[number].classEntry != Slot.none {
            let name = names[Int(slots[number].classEntry)]
            guard name != CanonicalScalars.noRank, name == setName || name == dictionaryName,
                let objects = array(under: objectsKey, in: slots[number])
            else { continue }
            var keys = objects
            if name == dictionaryName {
                guard let array = array(under: keysKey, in: slots[number]), array < objects,
                    parts[array].value == parts[objects].value
                else { continue }
                keys = array
            }
            var collection = Collection(
                first: keys + 1, valueDistance: objects - keys, count: Int(parts[keys].value))
            sortEntries(of: collection) { $0.order }
            collection.orderedCount = knownCount(of: collection)
            if collection.open.count > 1 {
                slots[number].collection = UInt32(truncatingIfNeeded: collections.count)
                collections.append(collection)
            }
        }
    }

    private func classNames() -> [Rank] {
        let key = scalars.rank(of: "$classname")
        var names = [Rank]()
        for slot in classes {
            if let place = place(of: key, in: slots[Int(slot)]), parts[place].kind == .scalar {
                names.append(parts[place].value)
            } else {
                names.append(CanonicalScalars.noRank)
            }
        }
        return names
    }

    /// Returns the position of the value under the key of rank `key` in `slot`; `nil` if there is none.
    private func place(of key: Rank, in slot: Slot) -> Int? {
        var place = Int(slot.start)
        while place < slot.end {
            if parts[place].value == key { return place + 1 }
            // A key, followed by an array and its elements, or by another value.
            place += parts[place + 1].kind == .array ? 2 + Int(parts[place + 1].value) : 2
        }
        return nil
    }

    private func array(under key: Rank, in slot: Slot) -> Int? {
        guard let place = place(of: key, in: slot), parts[place].kind == .array else { return nil }
        return place
    }

    /// Returns the number of entries of a sorted collection before the first object.
    private func knownCount(of collection: Collection) -> Int {
        for index in 0..<collection.count {
            let key = collection.first + index
            if parts[key].kind == .object { return index }
            // Two keys may have become equal leaves; their values then determine the order.
            let isLast = index + 1 == collection.count
            if !isLast, collection.valueDistance > 0, parts[key].order == parts[key + 1].order,
                parts[key + 1 + collection.valueDistance].kind == .object
            {
                return index
            }
        }
        return collection.count
    }

    /// Sorts the entries of unknown order in `collection` by the `order` of their keys, then of their values.
    mutating func sortEntries(of collection: Collection, by order: (Part) -> UInt64) {
        entries.removeAll(keepingCapacity: true)
        for place in collection.open {
            let key = parts[place]
            let value = parts[place + collection.valueDistance]
            entries.append(Entry(keyOrder: order(key), valueOrder: order(value), key: key, value: value))
        }
        entries.sort { ($0.keyOrder, $0.valueOrder) < ($1.keyOrder, $1.valueOrder) }
        for (index, place) in collection.open.enumerated() {
            parts[place] = entries[index].key
            parts[place + collection.valueDistance] = entries[index].value
        }
    }

    struct Entry: BitwiseCopyable {
        let keyOrder: UInt64
        let valueOrder: UInt64
        let key: Part
        let value: Part
    }
}
