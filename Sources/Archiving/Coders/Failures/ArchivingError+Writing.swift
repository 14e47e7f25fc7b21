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

/// The types of an archive that have to be registered and are not. They are found in the complete archive, so that the check costs
/// nothing else.
struct UnregisteredTypes {
    private var types: [any Any.Type] = []
    /// The path to the first of these objects.
    private(set) var path: [any CodingKey] = []

    /// Orders `types`, which the archive that `archive` returns has; nil if there are none.
    init?(_ types: [any Any.Type], _ classes: ClassRegistry, in archive: @autoclosure () throws -> KeyedArchive) {
        if types.isEmpty { return nil }
        var waiting = Dictionary(grouping: types) { classes.name(for: $0) }
        if let archive = try? archive() {
            for object in archive.objects where !waiting.isEmpty {
                guard let name = object.className, let found = waiting.removeValue(forKey: name) else { continue }
                if self.types.isEmpty, let path = archive.path(to: object) {
                    let keys = path.steps.map { ArchiveKey($0) as any CodingKey }
                    self.path = keys.first?.stringValue == KeyedArchiveFormat.rootKey ? Array(keys.dropFirst()) : keys
                }
                self.types += found
            }
        }
        self.types += waiting.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    var sentence: String {
        let names = types.map { ArchivingError.shown("\($0)") }
        let found = "Found a \(names[0]) at \(path.pathDescription), which is not registered"
        let remedy = "in the classes of encoder and decoder, or set unregisteredTypes to .write"
        if names.count == 1 { return "\(found). Register the type \(remedy)" }
        let registration = names.map { "\($0).self" }.joined(separator: ", ")
        return "\(found), nor are \(names.dropFirst().joined(separator: ", ")). Register them \(remedy):"
            + " register(\(registration))"
    }
}

extension ArchiveKey {
    init(_ step: KeyedArchive.Path.Step) {
        switch step {
        case .key(let key): self.init(stringValue: key)
        case .index(let index): self.init(intValue: index)
        }
    }
}
