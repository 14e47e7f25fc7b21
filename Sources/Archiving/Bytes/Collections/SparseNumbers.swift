// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A number for each index below a limit, 0 until it is set.
///
/// Memory and time are in proportion to the numbers that are set, so that a reader of a part of an archive can have an index for
/// each object of the whole: as long as few are set, they are in a dictionary. They move to a table as soon as that is in
/// proportion to them.
package struct SparseNumbers<Number: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>: ~Copyable {
    /// The indices are below it.
    package let limit: Int
    private var few: [Int: Number] = [:]
    private var all: [Number] = []

    /// The indices in a table for each number that is set, at most.
    static var sparseness: Int { 64 }
    /// The indices for which a table is always in proportion: it is not larger than a page.
    static var fewIndices: Int { 512 }

    package init(limit: Int) {
        self.limit = limit
    }

    /// Whether all numbers are in a table.
    var isDense: Bool { !all.isEmpty }

    @inline(__always)
    package subscript(index: Int) -> Number {
        get { isDense ? all[index] : few.isEmpty ? 0 : few[index] ?? 0 }
        set {
            if isDense { all[index] = newValue } else { setSparse(index, newValue) }
        }
    }

    @inline(never)
    private mutating func setSparse(_ index: Int, _ number: Number) {
        guard number != 0 else {
            few[index] = nil
            return
        }
        few[index] = number
        guard limit - Self.fewIndices <= Self.sparseness * few.count else { return }
        all = Array(repeating: 0, count: max(limit, 1))
        let byteCount = all.count * MemoryLayout<Number>.stride
        if byteCount > ClearedMemory.floor { ClearedMemory.note(byteCount) }
        for (index, number) in few { all[index] = number }
        few = [:]
    }

    /// Calls `body` with each index whose number is not 0, in ascending order, and the number.
    package func visit(_ body: (Int, Number) -> Void) {
        if isDense {
            for index in 0..<limit where all[index] != 0 { body(index, all[index]) }
        } else {
            for (index, number) in few.sorted(by: { $0.key < $1.key }) { body(index, number) }
        }
    }
}
