/// Functions of the full Foundation, if the process has loaded it. Naming them in code would load it.
enum LoadedFoundation {
    /// The numbers of Foundation's own character sets.
    private static var characterSets: ClosedRange<Int> { 1...15 }

    /// Returns the bitmap of Foundation's character set `number`, or nil if there is no such set, or if the process has
    /// no dynamic Foundation.
    static func bitmap(ofCharacterSet number: Int) -> [UInt8]? {
        guard characterSets.contains(number), let functions,
            let data = functions.predefinedSet(number).flatMap({ functions.makeBitmap(nil, $0) })
        else { return nil }
        defer { functions.release(data) }
        guard let bytes = functions.bytes(data) else { return nil }
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: max(0, functions.count(data))))
    }

    private typealias Object = UnsafeRawPointer
    private typealias PredefinedSet = @convention(c) (Int) -> Object?
    private typealias MakeBitmap = @convention(c) (Object?, Object) -> Object?
    private typealias Count = @convention(c) (Object) -> Int
    private typealias Bytes = @convention(c) (Object) -> UnsafeRawPointer?
    private typealias Release = @convention(c) (Object) -> Void

    /// Functions of CoreFoundation, which is a part of Foundation on all of these platforms.
    private struct Functions: Sendable {
        let predefinedSet: PredefinedSet
        let makeBitmap: MakeBitmap
        let count: Count
        let bytes: Bytes
        let release: Release
    }

    private static let functions: Functions? = {
        guard let predefinedSet = function("CFCharacterSetGetPredefined", as: PredefinedSet.self),
            let makeBitmap = function("CFCharacterSetCreateBitmapRepresentation", as: MakeBitmap.self),
            let count = function("CFDataGetLength", as: Count.self),
            let bytes = function("CFDataGetBytePtr", as: Bytes.self),
            let release = function("CFRelease", as: Release.self)
        else { return nil }
        return Functions(
            predefinedSet: predefinedSet, makeBitmap: makeBitmap, count: count, bytes: bytes, release: release)
    }()

    private static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        Platform.loadedFunction(name).map { unsafeBitCast($0, to: type) }
    }
}
