// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

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
        if instances.field(of: reference).isEmpty(in: owner) { return }
        throw unproven(instances.proof(of: reference, owner), .none, at: reference.path)
    }

    /// Sets the property of the reference `number` if its ends are both complete, unless the program has set it in the
    /// meantime.
    ///
    /// - Throws: An error if it cannot be proven which property this is.
    func fill(_ number: BackReference.Number) throws {
        guard let reference = instances.backReference(number), instances.isComplete(reference.target),
            let owner = instances.completeInstance(reference.owner)
        else { return }
        // The only holder of the owner and of the key from here on.
        let proof = instances.proof(of: reference, consume owner)
        guard proof.field.isEmpty(in: proof.owner), let target = instances.completeInstance(reference.target) else {
            return
        }
        do throws(PropertyProof.Failure) {
            let filled = try prove(proof) {
                proof.field.candidates[$0].isEmpty(in: proof.owner)
            } set: {
                proof.field.candidates[$0].setObject(target, in: proof.owner)
            } empty: {
                proof.field.candidates[$0].setObject(nil, in: proof.owner)
            } reference: {
                $0.reference(toInstance: target)
            }
            if let filled { instances.noteFilled(number, filled) }
        } catch {
            throw unproven(proof, error, at: reference.path)
        }
    }
}

extension DecodedField {
    /// Returns whether a candidate is empty in `owner`.
    fileprivate func isEmpty(in owner: AnyObject) -> Bool {
        for candidate in 0..<candidates.count where candidates[candidate].isEmpty(in: owner) { return true }
        return false
    }
}

/// The keys of properties that refer back, each with the reader of its owners.
final class ReferringFields {
    private struct Identity: BitwiseCopyable, Equatable {
        let field: ObjectIdentifier
        let reader: ObjectIdentifier
    }

    private let fields = ValueList<(field: DecodedField, reader: InstanceReader)>()
    /// The identities of both, which are compared without references to them.
    private let identities = PlainTable<Identity>()

    /// Returns the number of a key and a reader. Consecutive properties usually have the same.
    func number(of field: DecodedField, _ reader: InstanceReader) -> UInt32 {
        let identity = Identity(field: ObjectIdentifier(field), reader: ObjectIdentifier(reader))
        let count = identities.count
        if count > 0, identities[count - 1] == identity { return UInt32(truncatingIfNeeded: count - 1) }
        identities.append(identity)
        return UInt32(truncatingIfNeeded: fields.append((field, reader)) - 1)
    }

    /// Returns whether `field` is the key with `number`.
    func has(_ field: DecodedField, at number: UInt32) -> Bool {
        identities[Int(number)].field == ObjectIdentifier(field)
    }

    subscript(number: UInt32) -> (field: DecodedField, reader: InstanceReader) { fields[Int(number)] }

    func removeAll() {
        identities.removeAll()
        fields.removeAll()
    }
}
