// Converts the errors of Swift's own coders, `EncodingError` and `DecodingError`, to those of the keyed coders.
// `CodableErrors` has the other direction.

extension ArchivingError {
    /// Returns the error that `KeyedArchiver` throws if an encoder has failed with `error`: an `EncodingError` becomes
    /// an `ArchivingError`; every other error stays unchanged.
    static func converted(_ error: any Error) -> any Error {
        guard case EncodingError.invalidValue(_, let context) = error else { return error }
        if let own = context.underlyingError as? ArchivingError { return own }
        return ArchivingError(
            .notEncodable, path: context.codingPath, context.debugDescription, underlying: error)
    }
}

extension UnarchivingError {
    /// Returns the error that `KeyedUnarchiver` throws if a decoder has failed with `error`: a `DecodingError` becomes
    /// an `UnarchivingError`; every other error stays unchanged.
    static func converted(_ error: any Error) -> any Error {
        guard let error = error as? DecodingError else { return error }
        let code: UnarchivingError.Code
        let context: DecodingError.Context
        switch error {
        case .typeMismatch(_, let inner): (code, context) = (.typeMismatch, inner)
        case .valueNotFound(_, let inner), .keyNotFound(_, let inner): (code, context) = (.valueNotFound, inner)
        case .dataCorrupted(let inner): (code, context) = (.damaged, inner)
        @unknown default: return error
        }
        if let own = context.underlyingError as? UnarchivingError { return own }
        if let cycle = context.underlyingError as? CycleReference { return UnarchivingError.cycle(cycle) }
        return UnarchivingError(code, path: context.codingPath, context.debugDescription, underlying: error)
    }
}
