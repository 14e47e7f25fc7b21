/// The position of a coder's value in the archive.
protocol CodingFrame: ~Copyable {
    /// The frame of the surrounding value; nil for the root, and for an instance from a work list.
    var parent: UnsafeMutablePointer<Self>? { get }
    /// The step from the surrounding value to this one.
    var step: CodingPathStep { get }
    /// The value's entry in the table of paths; `root` if it has none yet.
    var path: CodingPathTable.Index { get set }
}

extension UnsafeMutablePointer where Pointee: CodingFrame & ~Copyable {
    /// Returns the steps from the root of the archive to the value.
    func steps(_ paths: CodingPathTable) -> [CodingPathStep] {
        var steps: [CodingPathStep] = []
        var frame = self
        while let parent = frame.pointee.parent {
            steps.append(frame.pointee.step)
            frame = parent
        }
        return paths.steps(to: frame.pointee.path) + steps.reversed()
    }

    /// Returns the value's entry in the table of paths. Creates it if it does not exist.
    @inline(__always)
    func pathIndex(_ paths: CodingPathTable) -> CodingPathTable.Index {
        guard pointee.path == CodingPathTable.root, let parent = pointee.parent else { return pointee.path }
        guard parent.pointee.path != CodingPathTable.root || parent.pointee.parent == nil else {
            return longPathIndex(paths)
        }
        let index = paths.append(pointee.step, to: parent.pointee.path)
        pointee.path = index
        return index
    }

    /// Returns the entry of a value whose surrounding value has no entry either.
    @inline(never)
    private func longPathIndex(_ paths: CodingPathTable) -> CodingPathTable.Index {
        var missing: [UnsafeMutablePointer<Pointee>] = []
        var frame = self
        while let parent = frame.pointee.parent, frame.pointee.path == CodingPathTable.root {
            missing.append(frame)
            frame = parent
        }
        var index = frame.pointee.path
        for frame in missing.reversed() {
            index = paths.append(frame.pointee.step, to: index)
            frame.pointee.path = index
        }
        return index
    }
}
