/// The tables of a keyed unarchiver. They belong to the reading, so that the unarchiver of the next archive uses them
/// too.
///
/// The unarchiver itself is never used for another archive: the program may have kept a reference to it.
final class UnarchiverTables {
    /// The program's keys.
    let keys = KeyCache<UnarchivedKey>(filledWith: UnarchivedKey())
    /// The records of `Coding` classes.
    let types = MetatypeTable<UnarchivedType>()
    /// The unarchiver that uses the tables; nil if there is none.
    private(set) unowned var unarchiver: KeyedUnarchiver?

    /// Whether a table is too large to be kept for another archive.
    var hasGrown: Bool { types.hasGrown }

    /// Lets `unarchiver` use the tables; nil if the one that used them is deallocated.
    func belong(to unarchiver: KeyedUnarchiver?) {
        self.unarchiver = unarchiver
        for type in types.records { type.unarchiver = unarchiver }
    }

    /// Forgets the types of class entries. A record may refer to itself, so the unarchiver calls it at the end.
    func forgetMatches() {
        for type in types.records { type.matches.reset() }
    }

    /// Forgets the state of one archive.
    func reset() { keys.reset() }
}
