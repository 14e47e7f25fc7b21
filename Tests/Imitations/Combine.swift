// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file

// What the library uses of Combine.

public protocol TopLevelEncoder {
    associatedtype Output
    func encode<Value: Encodable>(_ value: Value) throws -> Output
}

public protocol TopLevelDecoder {
    associatedtype Input
    func decode<Value: Decodable>(_ type: Value.Type, from input: Input) throws -> Value
}
