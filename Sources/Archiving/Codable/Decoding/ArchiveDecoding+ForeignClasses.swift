/// Finds out whether a value has anything of an object of a foreign class.
///
/// A type may read objects of any class. If all of its keys are optional, an object that has none of them would become an
/// empty value without an error. Such an object must therefore have a name of the type.
extension ArchiveDecoding {
    /// Decodes the value itself.
    ///
    /// - Throws: Also a type mismatch, if all requested keys are absent and the object, which has other fields, is of a
    ///   class whose name is not one of `type`.
    @inline(__always)
    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try Value(from: self)
        if frame.pointee.fields.onlyMissed { try checkClass(type) }
        return value
    }

    /// Notes that a key with `number` was requested and is absent.
    func noteMissed(_ number: KeyNames.Number?) {
        let count = frame.pointee.fields.missedCount
        guard count >= 0, count < SIMD4<KeyNames.Number>.scalarCount, frame.pointee.fields.next == 0 else { return }
        core.pointee.missedKeys[Int(count)] = number ?? 0
        frame.pointee.fields.missedCount = count + 1
    }

    /// Notes that the program knows a present key without having decoded it.
    func noteSeen() { frame.pointee.fields.missedCount = -1 }

    /// Throws an error if the class of the value has no name of `type`.
    @inline(never)
    private func checkClass(_ type: any Any.Type) throws {
        // Without fields in this decoding, as in a single value container, there is no object.
        guard frame.pointee.fields.count >= 0, let uid = try classUID(of: value, .root),
            uid != frame.pointee.type?.pointee.namedClassUID
        else { return }
        let classes = core.pointee.state.pointee.settings.classes
        let names = try contents(at: .root) { contents throws(KeyedArchiveError) in
            [try contents.pointee.className(uid)] + (try contents.pointee.classChain(uid))
                + (try contents.pointee.classFallbacks(uid))
        }
        let isNamed = names.contains { classes.isName($0, of: type) || classes.isSimilarName($0, of: type) }
        guard !isNamed, classes.unknownClasses != .decodeAsRequested else {
            frame.pointee.type?.pointee.namedClassUID = uid
            return
        }
        let missed = (0..<Int(frame.pointee.fields.missedCount)).compactMap { index in
            core.pointee.state.pointee.keyNames.name(of: core.pointee.missedKeys[index])
        }
        throw CodableErrors.foreignClass(
            names[0], of: value, requested: type, missed: missed, present: firstKeyNames(), path: path())
    }
}
