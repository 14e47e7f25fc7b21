/// A property that refers back to an instance in progress, and is set when that is complete.
///
/// The decoded value is an instance of a class with `init(from:)`. So nothing has to be decoded again, and no error is
/// thrown through the owner's initializer.
struct BackReference: BitwiseCopyable {
    /// From 1 up. 0 for none.
    typealias Number = UInt32

    /// The instance with the property.
    let owner: InstanceTable.Index
    /// The uid of the owner, from which it is decoded again if it has failed.
    let ownerUID: UInt32
    /// The instance that the property refers to.
    let target: InstanceTable.Index
    /// The uid of the target, likewise.
    let targetUID: UInt32
    /// The position of the key, and of the reader of the owner, in the table of instances.
    let field: UInt32
    /// The coding path of the reference.
    let path: CodingPathTable.Index
    /// The position of the candidate of `field` that has the target, plus 1; 0 before.
    var filled: UInt32 = 0
    /// The next reference of the same owner.
    var nextOwned: Number
    /// The next reference that waits for the same target.
    var nextWaiting: Number
}

extension GraphReading {
    /// Checks that `owner`, which is now complete, can have the value of a reference later.
    ///
    /// - Throws: An error if its initializer has set all properties of the type.
    func check(_ reference: BackReference, ownedBy owner: AnyObject) throws {
        let field = instances.field(of: reference)
        if hasEmpty(field.field, owner) { return }
        throw unproven(reference.proof(field, owner), .none, at: reference.path)
    }

    /// Sets the property of the reference `number` if its ends are both complete, unless the program has set it in the
    /// meantime.
    ///
    /// - Throws: An error if it cannot be proven which property this is.
    func fill(_ number: BackReference.Number) throws {
        guard let reference = instances.backReference(number), instances.isComplete(reference.target),
            let owner = instances.completeInstance(reference.owner),
            let target = instances.completeInstance(reference.target)
        else { return }
        let known = instances.field(of: reference)
        let field = known.field
        if !hasEmpty(field, owner) { return }
        let proof = reference.proof(known, owner)
        do throws(PropertyProof.Failure) {
            let filled = try prove(proof) {
                field.candidates[$0].isEmpty(in: owner)
            } set: {
                field.candidates[$0].setObject(target, in: owner)
            } empty: {
                field.candidates[$0].setObject(nil, in: owner)
            } reference: {
                $0.reference(toInstance: target)
            }
            if let filled { instances.noteFilled(number, filled) }
        } catch {
            throw unproven(proof, error, at: reference.path)
        }
    }
}

/// Returns whether a candidate of `field` is empty in `owner`.
private func hasEmpty(_ field: DecodedField, _ owner: AnyObject) -> Bool {
    for candidate in 0..<field.candidates.count where field.candidates[candidate].isEmpty(in: owner) { return true }
    return false
}

extension BackReference {
    @inline(__always)
    fileprivate func proof(_ field: ReferringField, _ owner: AnyObject) -> PropertyProof {
        PropertyProof(of: field.field, in: [], owner: owner, uid: ownerUID, reader: field.reader)
    }
}

/// The key of properties that refer back, and the reader of their owners.
struct ReferringField {
    let field: DecodedField
    let reader: InstanceReader
}
