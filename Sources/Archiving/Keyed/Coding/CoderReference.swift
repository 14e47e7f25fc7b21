/// The coder that uses some tables, for the records in these.
///
/// The tables belong to one coder after the other. They do not retain it, except while a call works through its instances:
/// each of these needs the coder, and a reference that is not retained has to be checked at every use.
final class CoderReference<Coder: AnyObject> {
    /// The coder; nil if there is none.
    private(set) unowned var coder: Coder?
    /// The coder while a call works; nil otherwise.
    private var working: Coder?
    private var isWorking = false

    /// The coder, which exists while its records are used.
    @inline(__always)
    var used: Coder {
        guard let coder = working ?? coder else { preconditionFailure("The tables have no coder") }
        return coder
    }

    /// Sets the coder; nil if the one that used the tables is deallocated.
    func set(_ new: Coder?) {
        coder = new
        if isWorking { retain(new) }
    }

    /// Retains the coder, and each one that is set, until `endWork()`.
    func beginWork() {
        isWorking = true
        retain(coder)
    }

    /// Releases the coder.
    func endWork() {
        isWorking = false
        retain(nil)
    }

    /// The old reference is released outside of the access to the property, which then needs no exclusivity check.
    private func retain(_ new: Coder?) {
        let old = working
        working = new
        withExtendedLifetime(old) {}
    }
}
