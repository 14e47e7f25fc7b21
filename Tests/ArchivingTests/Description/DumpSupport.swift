import Archiving
import Foundation
import Testing

/// What a dump is compared with: an archive by its property list, with the uids that the test chose.
func openArchive(
    top: PropertyList = ["root": .uid(1)], _ objects: PropertyList..., format: PropertyListFormat = .binary
) throws -> KeyedArchive {
    try KeyedArchive(handmadeArchive(top: top, objects: objects, format: format))
}

/// The entry of the class `names[0]`, which inherits from the others.
func classEntry(_ names: String...) -> PropertyList {
    ["$classname": .string(names[0]), "$classes": .array((names + ["NSObject"]).map { .string($0) })]
}

extension KeyedArchive {
    /// What is written of the archive behind the first line.
    func text(_ options: DumpOptions = DumpOptions()) -> String {
        var text = ""
        dump(to: &text, options: options)
        return text.drop { $0 != "\n" }.dropFirst().description
    }
}

extension KeyedArchive.Value {
    func text(_ options: KeyedArchive.DumpOptions) -> String {
        var text = ""
        dump(to: &text, options: options)
        return text
    }
}

extension Substring {
    fileprivate var description: String { String(self) }
}

/// A keyed archive whose property list is put together by hand, object by object.
struct RawArchive {
    /// The objects of the property list; those from `firstNumber` on are the test's own.
    private var file: BinaryFile

    /// The number of the first object that is given to `init`.
    static let firstNumber = 10

    /// An archive with a key for each of `top`, "a", "b" and so on, which has that uid. Uid 0 is "$null"; `slots` are the
    /// numbers of the objects that the uids from 1 on stand for.
    init(top: [UInt8], slots: [UInt8], _ objects: [[UInt8]]) {
        let keys = UInt8(Self.firstNumber + objects.count)
        let uids = keys + UInt8(top.count)
        let numbers = 0..<UInt8(top.count)
        file = BinaryFile()
        file.objects =
            [
                hex("d4 01 02 03 04 05 06 07 08"),
                Self.string("$version"), Self.string("$archiver"), Self.string("$top"), Self.string("$objects"),
                hex("12 000186a0"), Self.string("Hand"),
                [0xD0 + UInt8(top.count)] + numbers.map { keys + $0 } + numbers.map { uids + $0 },
                [0xA0 + UInt8(slots.count + 1), 9] + slots,
                Self.string("$null"),
            ] + objects
            + numbers.map { [0x51, UInt8(ascii: "a") + $0] } + top.map { Self.uid($0) }
        file.offsetSize = 2
    }

    /// A string of ASCII with fewer than 15 bytes.
    static func string(_ text: String) -> [UInt8] { [0x50 + UInt8(text.utf8.count)] + text.utf8 }

    static func uid(_ uid: UInt8) -> [UInt8] { [0x80, uid] }

    /// Where the object of that number starts in the file.
    func offset(of number: Int) -> Int { 8 + file.objects.prefix(number).map(\.count).reduce(0, +) }

    var byteCount: Int { file.bytes.count }

    func open() throws -> KeyedArchive { try KeyedArchive(Data(file.bytes)) }
}
