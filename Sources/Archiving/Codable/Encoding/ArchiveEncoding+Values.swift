extension ArchiveEncoding {
    /// Encodes `value` as a part of this encoder's value and returns the reference to it.
    @inline(__always)
    func reference<Value: Encodable>(
        to value: Value, at step: CodingPathStep, inline: Bool
    ) throws -> Reference {
        try reference(to: value, type: core.pointee.type(Value.self), at: step, inline: inline)
    }

    @inline(__always)
    func reference<Value: Encodable>(
        to value: Value, type: UnsafeMutablePointer<EncodingType>, at step: CodingPathStep, inline: Bool
    ) throws -> Reference {
        try withUnsafePointer(to: value) {
            try reference(toValueAt: UnsafeRawPointer($0), type: type, at: step, inline: inline)
        }
    }

    /// Encodes the value of `type` at `address` as a part of this encoder's value and returns the reference to it.
    func reference(
        toValueAt address: UnsafeRawPointer, type: UnsafeMutablePointer<EncodingType>, at step: CodingPathStep,
        inline: Bool
    ) throws -> Reference {
        guard core.pointee.hasStack(atDepth: depth) else { throw nestedTooDeep(type, address, step) }
        switch type.pointee.kind {
        case .native:
            guard let native = type.pointee.native else { return ArchiveGraph.null }
            return try native.write(valueAt: address, in: self, at: step, inline: inline)
        case .value:
            return try encode(valueAt: address, type, at: step, inline: inline)
        case .once:
            return try type.pointee.values._withUnsafeGuaranteedRef {
                try $0.referenceOnce(toValueAt: address, in: self, type, at: step)
            }
        case .instance:
            guard let writer = type.pointee.writer else { return ArchiveGraph.null }
            let object = address.load(as: UnsafeRawPointer.self)
            let graph = graph
            if let known = graph.pointee.objects.uid(of: object) { return known }
            let dynamicType: AnyClass = self.dynamicType(of: object)
            if dynamicType != type.pointee.type, let writer = core.pointee.codingWriter(of: dynamicType) {
                return try writer._withUnsafeGuaranteedRef { try $0.reference(to: object) { pathIndex(step) } }
            }
            return graph.pointee.newInstance(object, writer: writer, path: pathIndex(step))
        case .coding:
            guard let writer = type.pointee.codingWriter else { return ArchiveGraph.null }
            let object = address.load(as: UnsafeRawPointer.self)
            return try writer._withUnsafeGuaranteedRef { try $0.reference(to: object) { pathIndex(step) } }
        }
    }

    /// Encodes the value at `address` as a part of this encoder's value, with `encode(to:)`.
    private func encode(
        valueAt address: UnsafeRawPointer, _ type: UnsafeMutablePointer<EncodingType>, at step: CodingPathStep,
        inline: Bool
    ) throws -> Reference {
        try encode(type, at: step, inline: inline) { encoder in
            try type.pointee.values._withUnsafeGuaranteedRef { try $0.encode(valueAt: address, to: encoder) }
        }
    }

    /// Returns the entry in the table of paths for the part at `step`.
    func pathIndex(_ step: CodingPathStep) -> CodingPathTable.Index {
        let graph = graph
        return graph.pointee.paths.append(step, to: frame.pathIndex(graph.pointee.paths))
    }

    /// Returns the class of the instance at `object`.
    @inline(__always)
    private func dynamicType(of object: UnsafeRawPointer) -> AnyClass {
        Swift.type(of: Unmanaged<AnyObject>.fromOpaque(object)._withUnsafeGuaranteedRef { $0 })
    }

    /// Returns a conditional reference to an instance. It is decoded as nil unless a strong reference archives the
    /// instance.
    func conditionalReference<Object: AnyObject & Encodable>(
        to object: Object, at step: CodingPathStep
    ) throws -> Reference {
        let type = core.pointee.type(Object.self)
        let address = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        let writer = type.pointee.codingWriter ?? core.pointee.codingWriter(of: dynamicType(of: address))
        if let writer {
            return try writer._withUnsafeGuaranteedRef {
                try $0.conditionalReference(to: address) { pathIndex(step) }
            }
        }
        guard case .instance = type.pointee.kind else { return ArchiveGraph.null }
        return graph.pointee.conditionalInstance(address)
    }

    @inline(never)
    private func nestedTooDeep(
        _ type: UnsafeMutablePointer<EncodingType>, _ address: UnsafeRawPointer, _ step: CodingPathStep
    ) -> EncodingError {
        let value = type.pointee.values._withUnsafeGuaranteedRef { $0.value(at: address) }
        return CodableErrors.nestedTooDeep(value, depth: depth, path: keys(step))
    }

    /// Returns the coding path of the part at `step`.
    func keys(_ step: CodingPathStep) -> [any CodingKey] {
        core.pointee.keys(frame.steps(graph.pointee.paths) + [step])
    }

    /// Calls `body` with an encoder for a value of `type`.
    @inline(__always)
    func encode(
        _ type: UnsafeMutablePointer<EncodingType>?, at step: CodingPathStep, inline: Bool,
        _ body: (ArchiveEncoding) throws -> Void
    ) throws -> Reference {
        try encodeInSpare(body) { frame in
            frame.pointee.type = type
            frame.pointee.parent = self.frame
            frame.pointee.step = step
            frame.pointee.inline = inline
        }
    }

    /// Calls `body` with an encoder for a value of `type`, which becomes an object of its class.
    func encodeObject(
        _ type: UnsafeMutablePointer<EncodingType>, at step: CodingPathStep, _ body: (ArchiveEncoding) throws -> Void
    ) throws -> Reference {
        let slot = graph.pointee.reserveSlot()
        return try encodeInSpare(body) { frame in
            frame.pointee.type = type
            frame.pointee.parent = self.frame
            frame.pointee.step = step
            frame.pointee.inline = true
            frame.pointee.isObject = true
            frame.pointee.slot = slot
        }
    }

    /// Calls `body` with `encoder` itself for the root object, a value of `type`.
    static func encodeRoot(
        with encoder: inout ArchiveEncoding, _ type: UnsafeMutablePointer<EncodingType>?,
        _ body: (ArchiveEncoding) throws -> Void
    ) throws -> Reference {
        let root = Unmanaged.passUnretained(encoder)
        try root._withUnsafeGuaranteedRef {
            $0.frame.pointee.type = type
            $0.frame.pointee.lendsContainers = true
            do {
                try body($0)
                $0.takeBackContainer()
            } catch {
                $0.takeBackContainer()
                $0.abandonNested()
                throw error
            }
        }
        let isUnique = isKnownUniquelyReferenced(&encoder)
        return root._withUnsafeGuaranteedRef { isUnique ? $0.write() : $0.postpone() }
    }

    /// Calls `body` to add the elements of an array or a set, or the alternating keys and values of a dictionary.
    @inline(__always)
    func encodeElements(
        of objectClass: EncodingFrame.ObjectClass, at step: CodingPathStep, _ body: (ArchiveEncoding) throws -> Void
    ) throws -> Reference {
        try encode(nil, at: step, inline: false) { encoder in
            encoder.frame.pointee.objectClass = objectClass
            encoder.begin(.unkeyed)
            try body(encoder)
        }
    }

    /// Calls `body` to write the contents of `instance`, which has its slot.
    func encode(
        _ instance: PendingInstance, _ type: UnsafeMutablePointer<EncodingType>,
        _ body: (ArchiveEncoding) throws -> Void
    ) throws {
        let dynamicType: AnyClass = dynamicType(of: instance.object)
        _ = try encodeInSpare(body) { frame in
            frame.pointee.type = type
            frame.pointee.archivedType = dynamicType == type.pointee.type ? nil : dynamicType
            frame.pointee.isObject = true
            frame.pointee.slot = instance.slot
            frame.pointee.inline = true
            frame.pointee.path = instance.path
        }
    }

    @inline(__always)
    private func encodeInSpare(
        _ body: (ArchiveEncoding) throws -> Void, preparing prepare: (UnsafeMutablePointer<EncodingFrame>) -> Void
    ) throws -> Reference {
        let frame = frame
        if frame.pointee.isSpareBusy { return try encodeInExtra(body, preparing: prepare) }
        // Unretained: a retain here would hide whether the program holds the encoder.
        let encoder = spareEncoder()
        frame.pointee.isSpareBusy = true
        do {
            try encoder._withUnsafeGuaranteedRef {
                prepare($0.frame)
                try body($0)
                $0.takeBackContainer()
            }
        } catch {
            encoder._withUnsafeGuaranteedRef { $0.takeBackContainer() }
            frame.pointee.isSpareBusy = false
            if Self.abandon(&frame.pointee.spare) { dropSpare() }
            throw error
        }
        frame.pointee.isSpareBusy = false
        guard isKnownUniquelyReferenced(&frame.pointee.spare) else {
            defer { dropSpare() }
            return encoder._withUnsafeGuaranteedRef { $0.postpone() }
        }
        return encoder._withUnsafeGuaranteedRef { $0.write() }
    }

    /// Calls `body` to encode an instance of `type`, and adds its keys and values alternating to `entries` instead of
    /// writing them.
    ///
    /// - Returns: Whether the instance has a keyed container, and the program holds neither its encoder nor that
    ///   container.
    func collect(
        _ type: UnsafeMutablePointer<EncodingType>, into entries: inout PlainArray<Reference>,
        _ body: (ArchiveEncoding) throws -> Void
    ) throws -> Bool {
        guard !frame.pointee.isSpareBusy else { return false }
        let encoder = spareEncoder()
        frame.pointee.isSpareBusy = true
        defer { frame.pointee.isSpareBusy = false }
        do {
            try encoder._withUnsafeGuaranteedRef {
                $0.frame.pointee.type = type
                $0.frame.pointee.isObject = true
                $0.frame.pointee.inline = true
                // It is written nowhere, so that it needs no slot.
                $0.frame.pointee.slot = ArchiveGraph.Slot(index: 0, uid: ArchiveGraph.null)
                try body($0)
                $0.takeBackContainer()
            }
        } catch {
            encoder._withUnsafeGuaranteedRef { $0.takeBackContainer() }
            if Self.abandon(&frame.pointee.spare) { dropSpare() }
            throw error
        }
        guard isKnownUniquelyReferenced(&frame.pointee.spare) else {
            _ = Self.abandon(&frame.pointee.spare)
            dropSpare()
            return false
        }
        return encoder._withUnsafeGuaranteedRef { $0.takeEntries(into: &entries) }
    }

    @inline(__always)
    private func takeBackContainer() {
        ReusableContainer.takeBack(&frame.pointee.lent, from: self)
    }

    @inline(__always)
    private func spareEncoder() -> Unmanaged<ArchiveEncoding> {
        if let encoder = frame.pointee.spareReference { return encoder }
        return makeSpare()
    }

    @inline(never)
    private func makeSpare() -> Unmanaged<ArchiveEncoding> {
        let spare = ArchiveEncoding(core: core, depth: depth + 1)
        spare.frame.pointee.lendsContainers = true
        frame.pointee.spare = spare
        let reference = Unmanaged.passUnretained(spare)
        frame.pointee.spareReference = reference
        return reference
    }

    private func dropSpare() {
        frame.pointee.spare = nil
        frame.pointee.spareReference = nil
    }

    /// Encodes with a new encoder while the spare one is in use.
    @inline(never)
    private func encodeInExtra(
        _ body: (ArchiveEncoding) throws -> Void, preparing prepare: (UnsafeMutablePointer<EncodingFrame>) -> Void
    ) throws -> Reference {
        var extra: ArchiveEncoding? = ArchiveEncoding(core: core, depth: depth + 1)
        guard let encoder = extra.map({ Unmanaged.passUnretained($0) }) else { return ArchiveGraph.null }
        do {
            try encoder._withUnsafeGuaranteedRef {
                prepare($0.frame)
                try body($0)
            }
        } catch {
            _ = Self.abandon(&extra)
            throw error
        }
        let isUnique = isKnownUniquelyReferenced(&extra)
        return encoder._withUnsafeGuaranteedRef { isUnique ? $0.write() : $0.postpone() }
    }

    /// Discards a value that failed to encode itself.
    ///
    /// - Returns: Whether the program still holds the encoder, which is closed then.
    @inline(never)
    private static func abandon(_ encoder: inout ArchiveEncoding?) -> Bool {
        encoder?.abandonNested()
        if isKnownUniquelyReferenced(&encoder) {
            encoder?.frame.pointee.reset()
            return false
        }
        encoder?.close()
        return true
    }

    /// Closes the encoders inside this one, which is discarded.
    func abandonNested() {
        var encoders = [self]
        while let encoder = encoders.popLast() {
            let inner = encoder.frame.pointee.nested.compactMap(\.encoder)
            encoder.frame.pointee.nested = []
            if encoder !== self { encoder.close() }
            encoders += inner
        }
    }
}
