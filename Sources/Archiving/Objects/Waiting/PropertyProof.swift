// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The question in which stored property of an instance the value of a key belongs.
///
/// The decoder created the instance without the value. A property is the right one if, with the value in it, encoding
/// the instance again writes the value under the key, and writes everything else as before. Nothing else counts: not the
/// names of properties, and not what other instances of the class show.
struct PropertyProof {
    /// The key, and the properties that can have its value.
    let field: DecodedField
    /// The keys of the superclass parts around the key, the outermost first.
    let container: [String]
    /// The instance.
    let owner: AnyObject
    /// The uid of its object.
    let uid: UInt32
    let reader: InstanceReader

    init(
        of field: DecodedField, in container: [String], owner: AnyObject, uid: UInt32,
        reader: InstanceReader
    ) {
        self.field = field
        self.container = container
        self.owner = owner
        self.uid = uid
        self.reader = reader
    }

    /// The reason why no property is proven.
    enum Failure: Error {
        case notEncodable
        case encoding(any Error)
        case none
        case several([String])
        /// There are several candidates, and the archive differs in another key from what the instance encodes.
        case other
        /// The limits of the decoding do not allow the work.
        case limit(KeyedArchiveError)
    }
}

extension GraphReading {
    /// Finds the property with the value, and sets it.
    ///
    /// - Parameters:
    ///   - isEmpty: Returns whether a candidate is empty. Only an empty one can have the value.
    ///   - set: Sets a candidate to the value.
    ///   - empty: Makes a candidate empty again.
    ///   - reference: Returns the reference to the value; nil if nothing has referred to it yet.
    /// - Returns: The position of the property among the candidates; nil if the instance encodes the value already.
    @inline(__always)
    func prove(
        _ proof: PropertyProof, isEmpty: (Int) -> Bool, set: (Int) -> Void, empty: (Int) -> Void,
        reference: (Reencoding) -> ArchiveGraph.Reference?
    ) throws(PropertyProof.Failure) -> Int? {
        let reencoding = try beginReencoding()
        let encodings = reencoding.lendEncodings()
        defer { reencoding.takeBack(encodings) }
        let writer: InstanceWriter
        do throws(Reencoding.Failure) {
            writer = try reencoding.writer(of: proof.reader)
            try reencoding.encode(proof.owner, writer, into: encodings.before)
        } catch {
            throw failed(error)
        }
        if reencoding.hasValue(encodings.before, proof, reference) { return nil }
        var (candidateCount, found) = (0, [Int]())
        var failure: Reencoding.Failure?
        for candidate in 0..<proof.field.candidates.count where isEmpty(candidate) {
            candidateCount += 1
            set(candidate)
            do throws(Reencoding.Failure) {
                try reencoding.encode(proof.owner, writer, into: encodings.after)
                if reencoding.hasValue(encodings.after, proof, reference), reencoding.isUnchanged(encodings, proof) {
                    if proof.field.candidates.count == 1 { return candidate }
                    found.append(candidate)
                }
            } catch {
                failure = error
            }
            empty(candidate)
        }
        guard let only = found.first else { throw failure.map { failed($0) } ?? .none }
        guard found.count == 1 else { throw .several(found.map { String(proof.field.candidates[$0].shownName) }) }
        set(only)
        if candidateCount > 1 {
            do throws(Reencoding.Failure) {
                try reencoding.encode(proof.owner, writer, into: encodings.after)
            } catch {
                empty(only)
                throw failed(error)
            }
            let entries = (0..<encodings.after.count).map { encodings.after[$0] }
            guard isArchived(entries, proof, reencoding) else {
                empty(only)
                throw .other
            }
        }
        return only
    }

    /// Returns what encodes instances again. Counts the work of the last proof.
    private func beginReencoding() throws(PropertyProof.Failure) -> Reencoding {
        if let known = reencoding {
            do throws(KeyedArchiveError) { try countWork(known.takeCost()) } catch { throw .limit(error) }
            if !known.isFull { return known }
        }
        let made = Reencoding(coding.reencodingCoder(settings.classes))
        self.reencoding = made
        return made
    }

    /// Releases the instances that the encodings refer to.
    func endReencoding() {
        guard let reencoding = reencoding, !reencoding.isEmpty else { return }
        if !reencoding.reset() { self.reencoding = nil }
    }

    private func failed(_ failure: Reencoding.Failure) -> PropertyProof.Failure {
        // Its state is unknown.
        self.reencoding = nil
        return switch failure {
        case .notEncodable: .notEncodable
        case .error(let error): .encoding(error)
        }
    }

    /// Returns the error for the caller of the decoder.
    func unproven(
        _ proof: PropertyProof, _ failure: PropertyProof.Failure, at path: CodingPathTable.Index
    ) -> any Error {
        switch failure {
        case .limit(let error): return ReadingFailure.damaged(error, path: [])
        case .encoding(let error as CancellationError): return error
        default: break
        }
        return ReadingFailure.unprovenProperty(
            proof.field.shownName, Swift.type(of: proof.owner),
            failure, path: keys(paths.steps(to: path)))
    }
}
