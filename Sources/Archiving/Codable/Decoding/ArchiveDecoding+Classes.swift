extension ArchiveDecoding {
    /// Returns the type that is created for `value` if the class `known` is requested. It is the type of the value's
    /// class entry if that is registered and inherits from `known`.
    @inline(__always)
    func actualType(
        _ known: DecodingType, classUID uid: UInt32?, _ value: ArchivedValue,
        _ step: CodingPathStep
    ) throws -> DecodingType {
        guard let uid else { return known }
        return try known.matches[uid] ?? findActualType(known, uid, value, step)
    }

    /// Returns the uid of the class entry of `value`, or nil if it has none.
    @inline(__always)
    func classUID(of value: ArchivedValue, _ step: CodingPathStep) throws -> UInt32? {
        do throws(KeyedArchiveError) {
            return try archive.classUIDInLine(of: value.node)
        } catch {
            throw damaged(error, step)
        }
    }

    @inline(never)
    private func findActualType(
        _ known: DecodingType, _ uid: UInt32, _ value: ArchivedValue, _ step: CodingPathStep
    ) throws -> DecodingType {
        do throws(ValueFailure) {
            let actual = try reading.record(of: value, classUID: uid, as: known, known.matches, .structural) {
                session.type(registered: $0)
            }
            if case .fields? = try? archive.classKind(uid) { actual.plainClassUID = uid }
            return actual
        } catch {
            throw unread(error, step)
        }
    }
}

// MARK: - Objects of foreign classes

/// Finds out whether a value has anything of an object of a foreign class.
///
/// A type may read objects of any class. If all of its keys are optional, an object that has none of them would become an
/// empty value without an error. Such an object must therefore have a name of the type.
extension ArchiveDecoding {
    /// Notes that a key with `number` was requested and is absent.
    func noteMissed(_ number: KeyNames.Number?) {
        var fields = fields
        let index = fields.noteMissed()
        self.fields = fields
        if let index { session.missedKeys[index] = number ?? 0 }
    }

    /// Notes that the program knows a present key without having decoded it.
    func noteSeen() { fields.missedCount = -1 }

    /// Throws an error if the class of the value has no name of `type`.
    @inline(never)
    func checkClass(_ type: any Any.Type) throws {
        guard let uid = try classUID(of: value, .root),
            uid != ownType?.namedClassUID
        else { return }
        let classes = reading.settings.classes
        let names = try undamaged(
            [archive.className(uid)] + archive.classChain(uid) + archive.classFallbacks(uid), at: .root)
        let isNamed = names.contains { classes.isName($0, of: type) || classes.isSimilarName($0, of: type) }
        guard !isNamed, classes.unknownClasses != .decodeAsRequested else {
            ownType?.namedClassUID = uid
            return
        }
        let missed = session.keyNames(missed: Int(fields.missedCount))
        throw CodableErrors.foreignClass(
            names[0], of: value, requested: type, missed: missed, present: fields.firstKeyNames(in: archive),
            path: path())
    }
}
