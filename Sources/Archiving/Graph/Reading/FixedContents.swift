/// The contents of an archive at a fixed address, with notes of their own, for a reader of many objects.
///
/// The contents are many bytes, which calls copy unless they pass the address.
final class FixedContents {
    let pointer: UnsafePointer<ArchiveContents>
    private let notes: UnsafeMutablePointer<ReadingNotes>

    init(_ contents: ArchiveContents) {
        notes = .allocate(capacity: 1)
        notes.initialize(to: ReadingNotes())
        let place = UnsafeMutablePointer<ArchiveContents>.allocate(capacity: 1)
        place.initialize(to: contents.noted(in: notes))
        pointer = UnsafePointer(place)
    }

    deinit {
        pointer.deallocate()
        notes.deinitialize(count: 1)
        notes.deallocate()
    }
}
