// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A description of a fetch: which objects it looks at, and which parts of its predicate and of its order it reads in place.
///
/// ```swift
/// let plan = try document.explain(
///     Book.self, where: #Predicate { $0.year > 1900 }, sortedBy: .ascending(\.title))
/// print(plan.conditionsInPlace)  // ["year > 1900"]
/// ```
public struct ArchiveFetchPlan: Sendable, CustomStringConvertible {
    /// The name of the class.
    public let typeName: String
    /// The number of objects in the archive. A fetch looks at the class of each.
    public internal(set) var objectCount = 0
    /// The index that the fetch uses, and how; `nil` if it looks at all objects.
    public internal(set) var index: String?
    /// The number of instances that are not loaded, or are as the archive has them. The predicate is evaluated in place for them.
    public internal(set) var storedCount = 0
    /// The number of instances that are decoded in any case: their class declares no fields, is unknown, or has another version.
    public internal(set) var decodedCount = 0
    /// The number of instances that the program has changed or added. The predicate is evaluated for the instances.
    public internal(set) var changedCount = 0
    /// The conditions that are evaluated in place. All conditions of a predicate have to be true.
    public let conditionsInPlace: [String]
    /// The conditions for which instances are decoded, each with its reason, unless an earlier condition is false.
    public let conditionsDecoded: [String]
    /// The properties of the order that are read in place.
    public let ordersInPlace: [String]
    /// The properties of the order for which instances are decoded, each with its reason.
    public let ordersDecoded: [String]
    /// The number of first matches that are not in the result.
    public let offset: Int
    /// The maximum number of instances; `nil` for all.
    public let limit: Int?

    init<Element>(_ query: FetchQuery<Element>) {
        typeName = "\(Element.self)"
        let conditions = query.condition?.conjuncts ?? []
        conditionsInPlace = conditions.filter { $0.doubts.isEmpty }.map(\.text)
        conditionsDecoded = conditions.filter { !$0.doubts.isEmpty }.map { Self.text($0.text, $0.doubts) }
        ordersInPlace = query.columns.filter { $0.doubts.isEmpty }.map(\.text)
        ordersDecoded = query.columns.filter { !$0.doubts.isEmpty }.map { Self.text($0.text, $0.doubts) }
        offset = query.offset
        limit = query.limit == .max ? nil : query.limit - query.offset
    }

    private static func text(_ expression: String, _ doubts: [String]) -> String {
        "\(expression) (\(doubts.joined(separator: ", ")))"
    }

    /// The plan, for people: a line for each fact.
    public var description: String {
        let count = storedCount + decodedCount + changedCount
        var lines = ["\(count) instances of \(typeName), among \(objectCount) objects of the archive"]
        if let index { lines.append("found by the index " + index) }
        if changedCount > 0 { lines.append("changed or new, for which the predicate is evaluated: \(changedCount)") }
        if decodedCount > 0 { lines.append("decoded in any case: \(decodedCount)") }
        for condition in conditionsInPlace { lines.append("in place: " + condition) }
        for condition in conditionsDecoded { lines.append("decoded: " + condition) }
        for order in ordersInPlace { lines.append("sorted in place: " + order) }
        for order in ordersDecoded { lines.append("sorted, decoded: " + order) }
        if let limit { lines[lines.count - 1] += offset > 0 ? "; \(limit)" : "; the first \(limit)" }
        if offset > 0 { lines[lines.count - 1] += "\(limit == nil ? ";" : "") after the first \(offset)" }
        return lines.joined(separator: "\n")
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
