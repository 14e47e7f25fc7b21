// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The coder that uses some tables, for the records in these.
///
/// The tables belong to one coder after the other, and do not retain it.
final class CoderReference<Coder: AnyObject> {
    /// The coder; nil if there is none.
    private(set) unowned var coder: Coder?

    /// The coder, which exists while its records are used.
    var used: Coder {
        guard let coder else { preconditionFailure("The tables have no coder") }
        return coder
    }

    /// Sets the coder; nil if the one that used the tables is deallocated.
    func set(_ new: Coder?) { coder = new }
}
