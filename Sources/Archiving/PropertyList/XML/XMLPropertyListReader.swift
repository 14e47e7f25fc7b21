// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Converts an XML property list to a binary one, so that a single reader handles both.
///
/// It does not recurse: open containers are on its own stack, and finished objects in the writer's bytes. Equal leaves
/// become one object. `<dict><key>CF$UID</key><integer>n</integer></dict>` becomes a uid, as in CoreFoundation.
///
/// Layout: Apple's `CFPropertyList.c` and the document type at <http://www.apple.com/DTDs/PropertyList-1.0.dtd>.
struct XMLPropertyListReader: ~Copyable {
    private typealias Reference = PropertyListBuilder.Reference

    private struct Frame {
        let tag: XMLTag
        let firstReference: Int
        var expectsValue = false
        /// The entry that may be a uid and is not written yet.
        var uid = HeldUID.nothing
    }

    private enum HeldUID {
        case nothing
        case key
        case value(Int128, offset: Int)
    }

    private var scanner: XMLScanner
    private var builder: PropertyListBuilder
    private var frames: [Frame] = []

    // Not throwing: Swift 6.2 destroys a noncopyable value wrongly if its initializer throws.
    private init(_ scanner: consuming XMLScanner, byteCapacity: Int) {
        self.scanner = scanner
        builder = PropertyListBuilder(byteCapacity: byteCapacity, sharesLeaves: true)
    }

    /// Returns the binary form of the XML in `bytes`.
    ///
    /// - Throws: `PropertyListError` with the offset in `bytes` if they are not the XML of a property list.
    /// - Complexity: O(n) in time and memory.
    static func binary(from bytes: StoredBytes) throws(PropertyListError) -> StoredBytes {
        do throws(PropertyListError) {
            return try binary(fromXML: bytes)
        } catch {
            let other = PropertyListError.notAPropertyList(bytes)
            throw other.foreignFormat == nil ? error : other
        }
    }

    private static func binary(fromXML bytes: StoredBytes) throws(PropertyListError) -> StoredBytes {
        guard let encoding = XMLEncoding(detectedIn: bytes) else { throw PropertyListError(.notAPropertyList, at: 0) }
        if encoding.characters == .utf8 {
            let declared = encoding.markSize == 0 ? XMLEncoding.declaredEncoding(bytes) : nil
            guard isUnicode(declared) else { throw PropertyListError(.badXML, at: 0, "an unknown encoding") }
            return try binary(fromUTF8: bytes, from: encoding.markSize)
        }
        let utf8 = try encoding.string(bytes).withUTF8Span { StoredBytes(copying: $0) }
        do throws(PropertyListError) {
            return try binary(fromUTF8: utf8, from: 0)
        } catch {
            let offset = encoding.offset(in: utf8, of: error.byteOffset)
            throw PropertyListError(error.defect, at: offset, found: error.found, error.detail)
        }
    }

    private static func isUnicode(_ encoding: String?) -> Bool {
        guard let encoding else { return true }
        // A document that declares UTF-16 and was converted since is UTF-8.
        return ["utf-8", "utf8", "us-ascii", "ascii"].contains(encoding) || encoding.hasPrefix("utf-16")
    }

    private static func binary(
        fromUTF8 document: StoredBytes, from start: Int
    ) throws(PropertyListError) -> StoredBytes {
        var reader = XMLPropertyListReader(XMLScanner(document, from: start), byteCapacity: document.count / 3)
        let top = try reader.readDocument()
        return try reader.builder.finish(top: top)
    }
}

// MARK: - Structure

extension XMLPropertyListReader {
    private mutating func readDocument() throws(PropertyListError) -> Reference {
        var tag = try requiredTag(isProlog: true, within: scanner.position)
        let plist = tag
        // CoreFoundation accepts a value without <plist> around it.
        let hasPlist = plist.element == .plist
        if hasPlist {
            guard plist.kind == .opening else { throw damaged(plist, "a <plist> without a value") }
            tag = try requiredTag(within: plist.offset)
            guard tag.kind != .closing else { throw damaged(tag, "a <plist> without a value") }
        }
        let top = try readValue(tag)
        if hasPlist {
            let closing = try requiredTag(within: plist.offset)
            guard closing.element == .plist, closing.kind == .closing else {
                throw damaged(closing, "a second value in <plist>")
            }
        }
        if let extra = try scanner.nextTag() { throw damaged(extra, "an element after the property list") }
        return top
    }

    private mutating func requiredTag(
        isProlog: Bool = false, within offset: Int
    ) throws(PropertyListError) -> XMLTag {
        guard let tag = try scanner.nextTag(isProlog: isProlog) else {
            throw PropertyListError(.truncated, at: offset)
        }
        return tag
    }

    private func damaged(_ tag: XMLTag, _ detail: StaticString) -> PropertyListError {
        PropertyListError(.badXML, at: tag.offset, detail)
    }

    private mutating func readValue(_ first: XMLTag) throws(PropertyListError) -> Reference {
        var tag = first
        while true {
            guard !builder.isTooLarge else { throw PropertyListError(.tooLarge, at: tag.offset) }
            if let value = try read(tag) {
                if frames.isEmpty { return value }
                builder.push(value)
                frames[frames.count - 1].expectsValue = false
            }
            tag = try requiredTag(within: frames.last?.tag.offset ?? tag.offset)
        }
    }

    /// Reads the value that `tag` starts or ends. Returns its reference if it is finished and not held back.
    private mutating func read(_ tag: XMLTag) throws(PropertyListError) -> Reference? {
        if tag.kind == .closing { return try close(tag) }
        let isInDictionary = frames.last?.tag.element == .dictionary
        let expectsValue = !isInDictionary || frames.last?.expectsValue == true
        if tag.element == .key {
            guard isInDictionary else { throw damaged(tag, "a <key> outside of a <dict>") }
            guard !expectsValue else { throw damaged(tag, "a <key> without a value") }
            try readKey(tag)
            return nil
        }
        guard expectsValue else { throw damaged(tag, "a value without a <key>") }
        if tag.element == .integer {
            let value = try scanner.text(of: tag).integer()
            if case .key = frames.last?.uid {
                frames[frames.count - 1].uid = .value(value, offset: tag.offset)
                frames[frames.count - 1].expectsValue = false
                return nil
            }
            return builder.append(value)
        }
        writeHeldUID()
        return try readOther(tag)
    }

    private mutating func readOther(_ tag: XMLTag) throws(PropertyListError) -> Reference? {
        switch tag.element {
        case .dictionary, .array:
            if tag.kind == .empty { return append(tag.element, from: builder.pendingCount) }
            guard frames.count < PropertyListLimits.nesting else {
                throw PropertyListError(.nestedTooDeep, at: tag.offset, found: PropertyListLimits.nesting)
            }
            frames.append(Frame(tag: tag, firstReference: builder.pendingCount))
            return nil
        case .string:
            return try append(scanner.text(of: tag))
        case .data:
            let data = try scanner.text(of: tag).base64()
            return data.withBytes { builder.append(data: $0) }
        case .real:
            return builder.append(try scanner.text(of: tag).real())
        case .date:
            return builder.append(date: try scanner.text(of: tag).date())
        case .true, .false:
            let text = try scanner.text(of: tag)
            guard text.bytes.allSatisfy(\.isXMLWhiteSpace) else { throw text.damaged("text in a Boolean") }
            return builder.append(tag.element == .true)
        case .plist: throw damaged(tag, "a <plist> within the property list")
        case .integer, .key: return nil  // Both were read before.
        }
    }

    private mutating func close(_ tag: XMLTag) throws(PropertyListError) -> Reference {
        guard let frame = frames.last, frame.tag.element == tag.element else {
            throw damaged(tag, "a closing tag that does not match the opening tag")
        }
        guard !frame.expectsValue else { throw damaged(tag, "a <key> without a value") }
        if case .value(let value, let offset) = frame.uid {
            guard let uid = UInt32(exactly: value) else { throw PropertyListError(.uidOutOfRange, at: offset) }
            frames.removeLast()
            return builder.append(uid: uid)
        }
        frames.removeLast()
        return append(tag.element, from: frame.firstReference)
    }

    private mutating func append(_ element: XMLTag.Element, from first: Int) -> Reference {
        guard element == .dictionary else { return builder.append(.array, from: first) }
        // All readers of XML take the last of several values for a key, and CoreFoundation's of the binary form the first.
        builder.keepLastValues(from: first)
        return builder.append(.dictionary, from: first)
    }
}

// MARK: - Writing

extension XMLPropertyListReader {
    private mutating func readKey(_ tag: XMLTag) throws(PropertyListError) {
        let text = try scanner.text(of: tag)
        let isFirst = frames.last?.firstReference == builder.pendingCount
        if isFirst, case .nothing = frames.last?.uid, text.bytes.elementsEqual("CF$UID".utf8) {
            frames[frames.count - 1].uid = .key
        } else {
            writeHeldUID()
            builder.push(try append(text))
        }
        frames[frames.count - 1].expectsValue = true
    }

    /// Writes the entry that might have been a uid, but is not: more than an integer followed.
    private mutating func writeHeldUID() {
        guard let uid = frames.last?.uid else { return }
        switch uid {
        case .nothing: return
        case .key: builder.push(builder.append("CF$UID"))
        case .value(let value, _):
            builder.push(builder.append("CF$UID"))
            builder.push(builder.append(value))
        }
        frames[frames.count - 1].uid = .nothing
    }

    private mutating func append(_ text: XMLText) throws(PropertyListError) -> Reference {
        let ascii = text.bytes.withBytes { $0.isASCII ? builder.append(ascii: $0) : nil }
        if let ascii { return ascii }
        guard let string = String(validating: text.bytes, as: UTF8.self) else {
            throw text.damaged("text that is not UTF-8")
        }
        return builder.append(string)
    }
}
