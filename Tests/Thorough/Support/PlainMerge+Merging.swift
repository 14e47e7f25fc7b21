// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// A merge of albums by hand, in which mine wins all conflicts and removed pages stay removed.
package struct PlainMerge {
    package private(set) var merged = PlainAlbum()
    /// The conflicts, as the number of a page and the name of a property.
    package private(set) var conflicts: Set<String> = []
    /// The properties of lists whose elements cannot be told apart, or were moved: several merges are right.
    package private(set) var openProperties: Set<String> = []
    /// Whether both have removed different references to a page that one of them has changed, which a merge restores.
    package private(set) var restores = false
    private var owner = ""

    package init(_ base: PlainAlbum, _ mine: PlainAlbum, _ theirs: PlainAlbum) {
        owner = "album"
        merged.favorite = value(base.favorite, mine.favorite, theirs.favorite, "favorite")
        merged.order = list(base.order, mine.order, theirs.order, "pages") { base, mine, theirs in
            Self.choose(base, mine, theirs)
        }
        for (number, page) in mine.pages.merging(theirs.pages, uniquingKeysWith: { mine, _ in mine }) {
            merged.pages[number] = page
            guard let old = base.pages[number] else { continue }
            owner = "\(number)"
            if let left = mine.pages[number], let right = theirs.pages[number] {
                merged.pages[number] = mergedPage(old, left, right)
            }
        }
        let outcome = (conflicts, openProperties)
        merged.removeUnreachable()
        // The conflicts of pages that the merged album does not have are not asked about.
        func isThere(_ name: String) -> Bool {
            guard let number = Int(name.prefix { $0 != "." }) else { return true }
            return merged.pages[number] != nil
        }
        (conflicts, openProperties) = (outcome.0.filter(isThere), outcome.1.filter(isThere))
        for (number, page) in base.pages where merged.pages[number] == nil {
            let versions = [mine.pages[number], theirs.pages[number]].compactMap { $0 }
            guard versions.contains(where: { $0 != page }) else { continue }
            conflicts.insert("\(number).removal")
            if versions.count == 2 { restores = true }
        }
    }

    /// The value that one of both has changed, or that both have; nil for a conflict.
    static func choose<Value: Equatable>(_ base: Value, _ mine: Value, _ theirs: Value) -> Value? {
        mine == base ? theirs : theirs == base || theirs == mine ? mine : nil
    }

    private mutating func value<Value: Equatable>(
        _ base: Value, _ mine: Value, _ theirs: Value, _ name: String
    ) -> Value {
        if let value = Self.choose(base, mine, theirs) { return value }
        conflicts.insert("\(owner).\(name)")
        return mine
    }

    private func set<Element>(
        _ base: Set<Element>, _ mine: Set<Element>, _ theirs: Set<Element>
    ) -> Set<Element> {
        base.intersection(mine).intersection(theirs).union(mine.subtracting(base)).union(theirs.subtracting(base))
    }

    private mutating func list<Element: Hashable>(
        _ base: [Element], _ mine: [Element], _ theirs: [Element], _ name: String,
        _ element: (Element, Element, Element) -> Element?
    ) -> [Element] {
        if let list = Self.choose(base, mine, theirs) { return list }
        func isOpen(_ list: [Element]) -> Bool {
            Set(list).count < list.count || list.filter(base.contains) != base.filter(list.contains)
        }
        if isOpen(base) || isOpen(mine) || isOpen(theirs)
            || mine.filter(theirs.contains) != theirs.filter(mine.contains)
        {
            openProperties.insert("\(owner).\(name)")
            return mine
        }
        let merged = Self.mergedList(base, mine, theirs, element)
        if merged.isConflict { conflicts.insert("\(owner).\(name)") }
        return merged.elements
    }

    /// Merges lists of different elements, of which none was moved, between the elements that all three have.
    static func mergedList<Element: Hashable>(
        _ base: [Element], _ mine: [Element], _ theirs: [Element], _ element: (Element, Element, Element) -> Element?
    ) -> (elements: [Element], isConflict: Bool) {
        var result: [Element] = []
        var isConflict = false
        func add(_ base: ArraySlice<Element>, _ mine: ArraySlice<Element>, _ theirs: ArraySlice<Element>) {
            if let part = choose(base, mine, theirs) {
                result += part
            } else if base.count == mine.count, base.count == theirs.count {
                for ((base, mine), theirs) in zip(zip(base, mine), theirs) {
                    let merged = element(base, mine, theirs)
                    if merged == nil { isConflict = true }
                    result.append(merged ?? mine)
                }
            } else {
                isConflict = true
                result += mine
            }
        }
        var rest = (base[...], mine[...], theirs[...])
        for common in base where mine.contains(common) && theirs.contains(common) {
            add(rest.0.prefix { $0 != common }, rest.1.prefix { $0 != common }, rest.2.prefix { $0 != common })
            result.append(common)
            rest = (
                rest.0.drop { $0 != common }.dropFirst(), rest.1.drop { $0 != common }.dropFirst(),
                rest.2.drop { $0 != common }.dropFirst()
            )
        }
        add(rest.0, rest.1, rest.2)
        return (result, isConflict)
    }

    private mutating func dictionary<Value: Equatable>(
        _ base: [String: Value], _ mine: [String: Value], _ theirs: [String: Value], _ name: String,
        _ merge: (inout PlainMerge, Value, Value, Value) -> Value
    ) -> [String: Value] {
        var result: [String: Value] = [:]
        for key in Set(base.keys).union(mine.keys).union(theirs.keys) {
            if let old = base[key], let left = mine[key], let right = theirs[key] {
                result[key] = merge(&self, old, left, right)
            } else {
                result[key] = value(base[key], mine[key], theirs[key], name)
            }
        }
        return result
    }

    private mutating func size(
        _ base: PlainAlbum.Size, _ mine: PlainAlbum.Size, _ theirs: PlainAlbum.Size, _ name: String
    ) -> PlainAlbum.Size {
        PlainAlbum.Size(
            width: value(base.width, mine.width, theirs.width, name),
            height: value(base.height, mine.height, theirs.height, name))
    }

    private mutating func pair(
        _ base: PlainAlbum.Pair, _ mine: PlainAlbum.Pair, _ theirs: PlainAlbum.Pair
    ) -> PlainAlbum.Pair {
        if let pair = Self.choose(base, mine, theirs) { return pair }
        // Of one key each, and not the same one.
        let all = [base, mine, theirs]
        if all.allSatisfy({ ($0.left == nil) != ($0.right == nil) }), Set(all.map { $0.left == nil }).count == 2 {
            return value(base, mine, theirs, "pair")
        }
        return PlainAlbum.Pair(
            left: value(base.left, mine.left, theirs.left, "pair"),
            right: value(base.right, mine.right, theirs.right, "pair"))
    }

    private mutating func shape(
        _ base: PlainAlbum.Shape, _ mine: PlainAlbum.Shape, _ theirs: PlainAlbum.Shape
    ) -> PlainAlbum.Shape {
        if let shape = Self.choose(base, mine, theirs) { return shape }
        switch (base, mine, theirs) {
        case (.box(let base), .box(let mine), .box(let theirs)): return .box(size(base, mine, theirs, "shape"))
        case (.many(let base), .many(let mine), .many(let theirs)):
            return .many(list(base, mine, theirs, "shape") { Self.choose($0, $1, $2) })
        default: return value(base, mine, theirs, "shape")
        }
    }

    private mutating func mergedPage(
        _ base: PlainAlbum.Page, _ mine: PlainAlbum.Page, _ theirs: PlainAlbum.Page
    ) -> PlainAlbum.Page {
        var page = mine
        page.title = value(base.title, mine.title, theirs.title, "title")
        page.tags = set(base.tags, mine.tags, theirs.tags)
        page.readers = set(base.readers, mine.readers, theirs.readers)
        page.notes = list(base.notes, mine.notes, theirs.notes, "notes") { Self.choose($0, $1, $2) }
        var inner = self
        page.nested = list(base.nested, mine.nested, theirs.nested, "nested") { base, mine, theirs in
            inner.list(base, mine, theirs, "nested") { Self.choose($0, $1, $2) }
        }
        conflicts.formUnion(inner.conflicts)
        openProperties.formUnion(inner.openProperties)
        page.groups = dictionary(base.groups, mine.groups, theirs.groups, "groups") { $0.set($1, $2, $3) }
        page.counts = dictionary(base.counts, mine.counts, theirs.counts, "counts") { merge, base, mine, theirs in
            merge.list(base, mine, theirs, "counts") { Self.choose($0, $1, $2) }
        }
        page.count = value(base.count, mine.count, theirs.count, "count")
        if let old = base.names, let left = mine.names, let right = theirs.names {
            page.names = list(old, left, right, "names") { Self.choose($0, $1, $2) }
        } else {
            page.names = value(base.names, mine.names, theirs.names, "names")
        }
        page.size = size(base.size, mine.size, theirs.size, "size")
        inner = self
        page.sizes = list(base.sizes, mine.sizes, theirs.sizes, "sizes") { inner.size($0, $1, $2, "sizes") }
        conflicts.formUnion(inner.conflicts)
        page.sizeSet = set(base.sizeSet, mine.sizeSet, theirs.sizeSet)
        page.pair = pair(base.pair, mine.pair, theirs.pair)
        page.shape = shape(base.shape, mine.shape, theirs.shape)
        page.bits = list(base.bits, mine.bits, theirs.bits, "bits") { Self.choose($0, $1, $2) }
        return page
    }
}
