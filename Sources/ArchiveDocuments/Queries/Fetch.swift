import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A search for the instances of a class in an archive, and among the instances of the program.
struct Fetch<Element: Decodable & AnyObject> {
    private let open: OpenArchive
    private let contents: ArchiveContents
    private let predicate: Predicate<Element>?
    /// The uids of the objects that have instances.
    private let live: Set<UInt32>
    private let isReachable: (UInt32) throws -> Bool

    /// - Throws: `ArchiveFetchError` if the class does not declare its fields.
    init(
        _ open: OpenArchive, live: Set<UInt32> = [], _ predicate: Predicate<Element>?,
        isReachable: @escaping (UInt32) throws -> Bool
    ) throws {
        try Self.requireFields()
        open.source.expectWalk()
        self.open = open
        contents = open.source.contents.noted()
        self.predicate = predicate
        self.live = live
        self.isReachable = isReachable
    }

    static func requireFields() throws {
        guard Element.self is any ArchivedFields.Type else {
            throw ArchiveFetchError(.undeclaredFields, "\(Element.self)")
        }
    }

    /// Returns the matches in the order of their uids.
    ///
    /// - Parameter limit: The maximum number of matches.
    func matches(limit: Int) throws -> [Element] {
        let translation = FetchTranslation()
        let condition = predicate.map { translation.translate($0) }
        let reader = FetchReader(open, contents, live: live, translation.properties)
        var found: [(uid: UInt32, instance: Element?)] = []
        var kinds: [UInt32: Kind] = [:]
        var last: (uid: UInt32, kind: Kind) = (0, .none)
        var uid: UInt32 = 0
        while found.count < limit, Int(uid) + 1 < contents.slotCount {
            uid += 1
            if live.contains(uid), let instance = open.instance(uid) as? Element {
                if try isReachable(uid), try predicate?.evaluate(instance) ?? true { found.append((uid, instance)) }
                continue
            }
            let object: ArchivedValue
            let classUID: UInt32?
            do throws(KeyedArchiveError) {
                object = try contents.object(uid)
                guard object.node.kind == .dictionary else { continue }
                classUID = try contents.classUID(of: object.node)
            } catch {
                if try isReachable(uid) { throw DecodingError(damaged: error) }
                continue
            }
            guard let classUID else { continue }
            if classUID != last.uid {
                let kind = try kinds[classUID] ?? kind(classUID)
                kinds[classUID] = kind
                last = (classUID, kind)
            }
            switch last.kind {
            case .none: continue
            case .fields(let layout):
                do {
                    let isMatch = try condition.map { condition in
                        try reader.with(object.node, layout) { try condition.value($0) }
                    }
                    if isMatch ?? true, try isReachable(uid) { found.append((uid, nil)) }
                    continue
                } catch is FetchDoubt {}
            case .decoded: break
            }
            guard try isReachable(uid), let instance = try decode([uid]).first else { continue }
            if try predicate?.evaluate(instance) ?? true { found.append((uid, instance)) }
        }
        return try instances(found)
    }

    private enum Kind {
        case none
        case fields(FetchClass)
        case decoded
    }

    private func kind(_ classUID: UInt32) throws -> Kind {
        do throws(KeyedArchiveError) {
            switch try open.match(ofClass: classUID, as: Element.self, in: contents) {
            case .none: return .none
            case .fields(let stored):
                let translation = FetchTranslation()
                if let predicate { _ = translation.translate(predicate) }
                return .fields(FetchClass(stored, translation.properties))
            case .decoded: return .decoded
            }
        } catch {
            // No object of a damaged class is decoded.
            return .decoded
        }
    }

    private func instances(_ found: [(uid: UInt32, instance: Element?)]) throws -> [Element] {
        let uids = found.lazy.filter { $0.instance == nil }.map(\.uid)
        var decoded = try decode(Array(uids)).makeIterator()
        return found.compactMap { $0.instance ?? decoded.next() }
    }

    private func decode(_ uids: [UInt32]) throws -> [Element] {
        guard !uids.isEmpty else { return [] }
        if open.isDecodingHere { throw ArchiveDocumentError(.tooEarly) }
        var result: [Element] = []
        try open.withDecodingLock { result = try open.decode(Element.self, uids) }
        return result
    }
}

/// An error of a fetch, which says what to write.
public struct ArchiveFetchError: Error, Equatable, CustomStringConvertible {
    enum Code {
        case undeclaredFields, otherArchive
    }

    let code: Code
    private let typeName: String

    init(_ code: Code, _ typeName: String) {
        self.code = code
        self.typeName = typeName
    }

    /// A sentence that says what was found and what to do.
    public var description: String {
        switch code {
        case .undeclaredFields:
            "The class \(typeName) does not declare its fields, so that a fetch cannot find the keys of its properties. Let it"
                + " conform to ArchivedFields: static let fields = FieldList<\(typeName)> { Field(\"key\", \\.property) }"
        case .otherArchive:
            "The value is no object of the document's archive. Take it from the archive property of the document, after its"
                + " last save"
        }
    }
}
