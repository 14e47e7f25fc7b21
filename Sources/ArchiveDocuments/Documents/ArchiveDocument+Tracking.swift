import Archiving
import Observation

extension ArchiveDocument {
    /// Marks `instance` by itself when one of its observed properties changes, as ``markChanged(_:)`` does.
    ///
    /// ```swift
    /// try document.trackChanges(of: book)
    /// book.title = "Emma"
    /// try document.save(changes: .marked)
    /// ```
    ///
    /// The tracked properties are those that `encode(to:)` reads: in a class with declared fields (`ArchivedFields`), or with an
    /// `encode(to:)` of its own. A synthesized `encode(to:)` of an `@Observable` class reads the storage instead of the
    /// properties, and the method throws an error. A property with `@ObservationIgnored`, or one that `encode(to:)` reads in
    /// its storage, is not tracked: mark its changes. ``verifyMarks()`` finds forgotten ones.
    ///
    /// The tracking lasts as long as the document and the instance, also across saves and ``revert()``. Other instances are
    /// not tracked, new ones included. Call the method once for each instance.
    ///
    /// To track an instance takes more time and memory than to compare it with the file. Track those that the program is
    /// editing. Mark the others, or save with `.compared`.
    ///
    /// - Throws: ``ArchiveDocumentError`` with the code `notObserved` if no property can be tracked. Errors of `encode(to:)`.
    /// - Complexity: O(*n*), where *n* is the number of properties.
    public func trackChanges(of instance: some AnyObject & Observable & Encodable) throws {
        guard try track(instance) else { throw ArchiveDocumentError(.notObserved) }
    }

    /// Tracks the marked instances again whose tracking has ended with a change.
    func trackMarkedAgain() {
        for instance in marks.untracked {
            // One that cannot be tracked stays marked.
            guard let value = instance as? any AnyObject & Encodable, (try? track(value)) == true else { continue }
            marks.didTrack(instance)
        }
    }

    /// Returns whether the next change of a property that the encoding of `instance` reads marks it.
    private func track(_ instance: some AnyObject & Encodable) throws -> Bool {
        // The tracking owns it, if there is one.
        weak var tracked: ChangeMark?
        func recording() -> @Sendable () -> Void {
            let mark = ChangeMark(self, instance)
            tracked = mark
            return mark.recording
        }
        let reader = ReadingEncoder(userInfo: encoder.userInfo)
        let result = withObservationTracking({ Result { try instance.encode(to: reader) } }, onChange: recording())
        try result.get()
        return tracked != nil
    }
}

extension ArchiveDocument: MarkedDocument {}

/// A document with marks of instances.
private protocol MarkedDocument: AnyObject {
    var marks: DocumentMarks { get set }
}

/// Marks an instance of a document.
///
/// Sendable: the task that uses the document also changes its graph, which calls `recording`.
private final class ChangeMark: @unchecked Sendable {
    private weak var document: (any MarkedDocument)?
    private weak var instance: AnyObject?

    init(_ document: any MarkedDocument, _ instance: AnyObject) {
        self.document = document
        self.instance = instance
    }

    var recording: @Sendable () -> Void {
        {
            guard let instance = self.instance else { return }
            self.document?.marks.insert(instance, endsTracking: true)
        }
    }
}
