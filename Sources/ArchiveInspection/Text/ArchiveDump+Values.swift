import Archiving

/// The target of a reference.
enum DumpedValue {
    case found(DumpedPlace)
    case damaged(KeyedArchiveError)
}

/// A value of an archive and its place.
struct DumpedPlace: BitwiseCopyable {
    /// The number in the property list; -1 for nil.
    let reference: Int
    /// The uid of the reference; nil for an inline value.
    let uid: UInt32?
    let value: ArchivedValue

    var node: Node { value.node }
}

/// The written form of a place.
enum DumpedForm {
    /// A number, a string, data, a date, or nil.
    case leaf
    /// An object of one of Foundation's classes that is written like a leaf.
    case leafObject(DescribedClass, LeafObject)
    /// A container of the property list.
    case container
    /// An object of a class.
    case object(DescribedClass)
    /// An object whose class cannot be determined.
    case damagedObject(KeyedArchiveError)
    case classEntry
}

// MARK: - Finding

extension ArchiveDump {
    /// Returns the target of `reference`, following uids.
    func resolve(_ reference: Int) -> DumpedValue {
        do throws(KeyedArchiveError) {
            let node = try contents.node(reference)
            if node.kind == .uid { return resolve(uid: try contents.uid(node)) }
            let value = ArchivedValue(node: node, uid: 0, isNull: node.kind == .null)
            return .found(DumpedPlace(reference: reference, uid: nil, value: value))
        } catch {
            return .damaged(error)
        }
    }

    /// The object `uid`.
    func resolve(uid: UInt32) -> DumpedValue {
        do throws(KeyedArchiveError) {
            let value = try contents.object(uid)
            let reference = uid == 0 ? -1 : contents.object(inSlot: Int(uid))
            return .found(DumpedPlace(reference: reference, uid: uid, value: value))
        } catch {
            return .damaged(error)
        }
    }

    mutating func form(of place: DumpedPlace) -> DumpedForm {
        switch place.node.kind {
        case .array, .set: return .container
        case .dictionary: break
        default: return .leaf
        }
        switch role(of: place) {
        case .plain: return .container
        case .classEntry: return .classEntry
        case .damaged(let error): return .damagedObject(error)
        case .object(let classUID, _):
            let described = describedClass(classUID)
            if let damage = described.damage { return .damagedObject(damage) }
            if let leaf = try? contents.leafObject(place.value, of: described) { return .leafObject(described, leaf) }
            return .object(described)
        }
    }

    /// Whether `value` is written on one line.
    mutating func isLeaf(_ value: DumpedValue) -> Bool {
        guard case .found(let place) = value else { return true }
        switch form(of: place) {
        case .leaf, .leafObject: return true
        case .container, .object, .damagedObject, .classEntry: return false
        }
    }

    /// Whether the uid of `value` is written with it.
    mutating func showsUID(_ value: DumpedValue) -> Bool {
        guard case .found(let place) = value else { return false }
        switch form(of: place) {
        case .leaf: return false
        case .leafObject: return options.showsUIDs
        case .container, .object, .damagedObject, .classEntry: return options.showsUIDs || isShared(place)
        }
    }

    private func isShared(_ place: DumpedPlace) -> Bool {
        if let uid = place.uid { return census.sharedSlots.contains(Int(uid)) }
        return false
    }
}

// MARK: - Writing

extension ArchiveDump {
    /// Writes the line of `value`, and opens a frame for its contents if they follow.
    ///
    /// - Parameters:
    ///   - indentation: The levels that the line is indented by.
    ///   - depth: The levels of contents around it.
    ///   - isSection: Whether it is the first line of a section.
    mutating func write(_ value: DumpedValue, indentation: Int, depth: Int, isSection: Bool = false) {
        guard case .found(let place) = value else {
            if case .damaged(let error) = value { output.write("damaged: " + error.finding) }
            return
        }
        switch form(of: place) {
        case .leaf: writeLeaf(place.value)
        case .leafObject(let described, let leaf):
            output.writeClassName(TextBytes(described.name, in: contents.list.objects))
            if options.showsUIDs { writeLabel(place) }
            output.write(" ")
            writeLeafObject(leaf)
        case .classEntry: writeClassEntry(place)
        case .container:
            output.write(place.node.kind == .array ? "array" : place.node.kind == .set ? "set" : "dictionary")
            writeContainer(place, indentation: indentation, depth: depth, isSection: isSection)
        case .object(let described):
            output.writeClassName(TextBytes(described.name, in: contents.list.objects))
            writeContainer(place, of: described, indentation: indentation, depth: depth, isSection: isSection)
        case .damagedObject(let error):
            output.write("object")
            writeContainer(place, damage: error, indentation: indentation, depth: depth, isSection: isSection)
        }
    }

    /// Writes what follows the name of a container, and opens its frame.
    private mutating func writeContainer(
        _ place: DumpedPlace, of described: DescribedClass? = nil, damage: KeyedArchiveError? = nil,
        indentation: Int, depth: Int, isSection: Bool
    ) {
        let reference = place.reference
        let mark: StaticString? =
            open.contains(reference)
            ? " (cycle)" : waiting.contains(reference) ? " (below)" : written.contains(reference) ? " (above)" : nil
        if let mark {
            writeLabel(place, isNeeded: true)
            return output.write(mark.description)
        }
        let isCut = depth >= options.depthLimit
        if isCut, place.node.count > DumpLayout.smallCount {
            // Counting its elements at every reference to it would take too long.
            writeLabel(place, isNeeded: isSection)
            return output.write(" …")
        }
        let (layout, layoutDamage) = layout(of: place, described)
        let isPostponed = !isCut && layout.count > 0 && indentation >= options.indentationLimit
        writeLabel(place, isNeeded: isSection || isPostponed)
        guard !isPostponed else {
            output.write(" (below)")
            return postpone(place, depth: depth)
        }
        if let summary = layout.summary { output.write(", " + summary) }
        if let damage = damage ?? layoutDamage { output.write(" (damaged: " + damage.finding + ")") }
        guard layout.count > 0 else { return }
        guard !isCut else { return output.write(" …") }
        _ = written.insert(reference)
        _ = open.insert(reference)
        frames.append(
            Frame(
                reference: reference, layout: layout, form: described?.form, indentation: indentation + 1,
                depth: depth + 1))
    }

    /// Writes the name of a number that has one: `NSAlignment: 2 (center)`.
    mutating func writeMeaning(of reference: Int, under key: Node, _ form: RecordForm) {
        guard key.kind == .ascii, key.count <= CocoaClass.nameLimit,
            let field = form.field(contents.list.objects.string(key)),
            case .found(let place) = resolve(reference), place.node.kind == .integer,
            let value = field.kind.meaning(of: contents.list.objects.integer(place.node))
        else { return }
        if case .flags([], _) = value { return }
        output.write(" (\(value))")
    }

    /// Writes the uid of `place`, and its number in the property list if the uid is absent or ambiguous.
    private mutating func writeLabel(_ place: DumpedPlace, isNeeded: Bool = false) {
        if let uid = place.uid, options.showsUIDs || isNeeded || isShared(place) { output.write(" #\(uid)") }
        if census.shared.contains(place.reference) || (isNeeded && place.uid == nil) {
            output.write(" @\(place.reference)")
        }
    }

    /// Writes a leaf of the property list.
    mutating func writeLeaf(_ value: ArchivedValue) {
        let objects = contents.list.objects
        let node = value.node
        guard !value.isNull else { return output.write("nil") }
        switch node.kind {
        case .null: output.write("nil")
        case .true: output.write("true")
        case .false: output.write("false")
        case .integer: output.write(String(objects.integer(node)))
        case .real64: output.write(objects.real64(node).description)
        case .real32: output.write(objects.real32(node).description + " (32 bits)")
        case .ascii, .utf16: output.writeLiteral(TextBytes(node, in: objects), limit: options.stringLimit)
        case .date: output.write(ReadableText.date(objects.real64(node)))
        case .data: writeData(objects.bytes(node))
        case .uid, .array, .set, .dictionary: break  // followed, or not leaves
        }
    }

    mutating func writeData(_ bytes: UnsafeRawBufferPointer) {
        if let numbers = try? PackedNumbers(bytes) { return writeNumbers(numbers) }
        // An XML property list can begin with white space, of which a limited amount is skipped.
        let start = UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.formatPrefix))
        let looksLikeArchive = PropertyListFormat(detectedIn: start) != nil
        if !looksLikeArchive, options.byteLimit > 0, Self.isPlainText(bytes) {
            ReadableText.write(bytes, shownByteCount: 0, to: &output)
            output.write(" ")
            output.writeLiteral(TextBytes(utf8: bytes), limit: options.stringLimit)
        } else {
            ReadableText.write(bytes, shownByteCount: options.byteLimit, to: &output)
        }
        if let mark = dataText.ask(bytes, in: source) { return output.write(mark.description) }
        if looksLikeArchive { output.write(" (may be an archive)") }
    }

    /// Whether `bytes` are printable ASCII, such as the components of a color, optionally with a final 0.
    private static func isPlainText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let text = bytes.last == 0 ? bytes.dropLast() : bytes[...]
        return !text.isEmpty && text.allSatisfy { (0x20..<0x7F).contains($0) }
    }

    /// Writes the number of packed numbers, and those in the first bytes.
    private mutating func writeNumbers(_ numbers: PackedNumbers) {
        output.write("packed \(numbers.count) × \(numbers.element.name)")
        guard options.byteLimit > 0 else { return }
        let shown = min(numbers.count, max(1, options.byteLimit / numbers.element.width))
        output.write(" [")
        for index in 0..<shown { output.write((index > 0 ? ", " : "") + numbers.text(at: index)) }
        output.write(shown < numbers.count ? ", …]" : "]")
    }

    /// The number of bytes that are searched for the start of a property list.
    private static var formatPrefix: Int { 64 }
}
