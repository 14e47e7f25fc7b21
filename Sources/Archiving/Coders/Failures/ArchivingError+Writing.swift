// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// The errors of keyed archivers.

extension ArchivingError {
    static func notSecure(writing type: any Any.Type, path: [any CodingKey]) -> ArchivingError {
        ArchivingError(.notSecure, isWriting: true, path: path) {
            "Found an instance of \(type) at \($0), which does not support secure coding. Create the"
                + " archiver with requiringSecureCoding: false if only programs that trust the archive will read it"
        }
    }

    static func notWritable(_ error: PropertyListError) -> ArchivingError {
        let code: Code = error.code == .unrepresentableInXML ? .unrepresentableInXML : .limit
        return ArchivingError(code, isWriting: true, path: error.codingPath, underlying: error) { _ in error.description
        }
    }
}

// MARK: - Errors of Codable

extension ArchivingError {
    /// Returns the error that a keyed coder throws if it, or a coder of Codable, has failed with `error`: an `EncodingError` or a
    /// `DecodingError` becomes an `ArchivingError`; an error of the program stays unchanged.
    static func converted(_ error: any Error) -> any Error {
        if let own = ArchivingError(in: error) { return own }
        if let cycle = CycleReference(in: error) { return ArchivingError(cycle) }
        let code: Code
        let context: (path: [any CodingKey], text: String)
        switch error {
        case EncodingError.invalidValue(_, let inner):
            (code, context) = (.notEncodable, (inner.codingPath, inner.debugDescription))
        case let error as DecodingError:
            guard let inner = error.context else { return error }
            context = (inner.codingPath, inner.debugDescription)
            switch error {
            case .typeMismatch: code = .typeMismatch
            case .valueNotFound, .keyNotFound: code = .valueNotFound
            default: code = .damaged
            }
        default: return error
        }
        return ArchivingError(code, path: context.path, underlying: error) { _ in context.text }
    }
}
