// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Functions of the full Foundation, if the process has loaded it. Naming them in code would load it.
enum LoadedFoundation {
    private static var characterSets: ClosedRange<Int> { 1...15 }

    /// Returns the bitmap of Foundation's character set `number`, or nil if there is no such set, or if the process has
    /// no dynamic Foundation.
    static func bitmap(ofCharacterSet number: Int) -> [UInt8]? {
        guard characterSets.contains(number), let functions else { return nil }
        // Safe because these are CoreFoundation's functions, with the types of their headers: a set with such a number lives
        // as long as the process, and the bytes of the data until it is released.
        return unsafe functions.predefinedSet(number).flatMap { unsafe functions.makeBitmap(nil, $0) }.flatMap { data in
            defer { unsafe functions.release(data) }
            return unsafe functions.bytes(data).map {
                unsafe [UInt8](UnsafeRawBufferPointer(start: $0, count: max(0, functions.count(data))))
            }
        }
    }

    #if !canImport(FoundationEssentials)
        static func isReal(_ number: NSNumber) -> Bool {
            // Safe because the type is a C string that lives as long as the process.
            unsafe ["f", "d"].contains(String(cString: number.objCType))
        }
    #endif

    private typealias Object = UnsafeRawPointer
    private typealias PredefinedSet = @convention(c) (Int) -> Object?
    private typealias MakeBitmap = @convention(c) (Object?, Object) -> Object?
    private typealias Count = @convention(c) (Object) -> Int
    private typealias Bytes = @convention(c) (Object) -> UnsafeRawPointer?
    private typealias Release = @convention(c) (Object) -> Void

    /// Functions of CoreFoundation, which is a part of Foundation on all of these platforms.
    @safe private struct Functions: Sendable {
        let predefinedSet: PredefinedSet
        let makeBitmap: MakeBitmap
        let count: Count
        let bytes: Bytes
        let release: Release
    }

    private static let functions: Functions? = {
        // Safe because the functions have these types in CoreFoundation's headers.
        guard let predefinedSet = unsafe Platform.loadedFunction("CFCharacterSetGetPredefined", as: PredefinedSet.self),
            let makeBitmap = unsafe Platform.loadedFunction(
                "CFCharacterSetCreateBitmapRepresentation", as: MakeBitmap.self),
            let count = unsafe Platform.loadedFunction("CFDataGetLength", as: Count.self),
            let bytes = unsafe Platform.loadedFunction("CFDataGetBytePtr", as: Bytes.self),
            let release = unsafe Platform.loadedFunction("CFRelease", as: Release.self)
        else { return nil }
        return unsafe Functions(
            predefinedSet: predefinedSet, makeBitmap: makeBitmap, count: count, bytes: bytes, release: release)
    }()
}
