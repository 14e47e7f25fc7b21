/// Determines the element type of a type of arrays.
///
/// A cast of the type of arrays to a protocol would look up its conformance and that of the elements, which is slow in the
/// first call of a process. `Array.init(from:)` knows the type, and requests an element of it.
struct ElementProbe: Decoder, UnkeyedDecodingContainer {
    /// The arrays of the requested elements, and their reader.
    private struct Request: Error {
        let type: any NativelyDecodable.Type
        let form: any NativelyDecodable.Type
    }

    private struct Unexpected: Error {}

    /// Returns the reader of the values of `type`, which seems to be a type of arrays. Returns nil if it is another type.
    static func arrayForm<Value: Decodable>(of type: Value.Type) -> (any NativelyDecodable.Type)? {
        do {
            _ = try type.init(from: Self())
        } catch let request as Request where request.type == type {
            return request.form
        } catch {}
        return nil
    }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    var count: Int? { nil }
    var currentIndex: Int { 0 }
    var isAtEnd: Bool { false }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { self }
    func decode<Element: Decodable>(_ type: Element.Type) throws -> Element {
        throw Request(type: [Element].self, form: [Element].decodingForm)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> { throw Unexpected() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Unexpected() }
    func decodeNil() throws -> Bool { throw Unexpected() }
    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw Unexpected()
    }
    func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Unexpected() }
    func superDecoder() throws -> any Decoder { throw Unexpected() }
}
