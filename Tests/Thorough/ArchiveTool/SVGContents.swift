// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// A picture as a reader of XML finds it.
final class SVGContents: NSObject, XMLParserDelegate {
    struct Box {
        var title = ""
        var x = 0.0
        var y = 0.0
        var width = 0.0
        var height = 0.0
    }

    private(set) var title = ""
    private(set) var descriptionText = ""
    private(set) var boxes: [Box] = []
    /// What the arrows are called.
    private(set) var arrows: [String] = []
    private(set) var dashedCount = 0
    /// All texts that are shown.
    private(set) var texts: [String] = []
    private(set) var size = (width: 0.0, height: 0.0)
    /// Whether nothing outside of the file is referred to, and nothing in it runs.
    private(set) var refersToNothing = true

    private var open: [(name: String, style: String)] = []
    private var text = ""
    private var margin = (x: 0.0, y: 0.0)

    override var description: String { descriptionText }

    /// - Throws: Where it is no well-formed XML.
    init(_ data: Data) throws {
        super.init()
        let parser = XMLParser(data: data)
        parser.delegate = self
        let isWhole = parser.parse()
        try #require(isWhole, "\(parser.parserError as Any) in line \(parser.lineNumber)")
    }

    /// Whether no box is outside of what is shown.
    var boxesAreInside: Bool {
        boxes.allSatisfy { box in
            box.x + margin.x >= 0 && box.y + margin.y >= 0 && box.x + box.width + margin.x <= size.width
                && box.y + box.height + margin.y <= size.height
        }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        let style = attributes["class"] ?? ""
        let around = open.last?.style ?? ""
        open.append((name, style))
        let allowed: Set = ["svg", "title", "desc", "style", "rect", "g", "path", "text", "tspan", "circle"]
        let isReference = attributes.keys.contains { $0.hasSuffix("href") || $0.hasPrefix("on") }
        if !allowed.contains(name) || isReference { refersToNothing = false }
        if name != "tspan" { text = "" }
        func number(_ key: String) -> Double { attributes[key].flatMap { Double($0) } ?? .nan }
        switch name {
        case "svg":
            let numbers = (attributes["viewBox"] ?? "").split(separator: " ").compactMap { Double($0) }
            if numbers.count == 4 { size = (numbers[2], numbers[3]) }
        case "g":
            if style.hasPrefix("b ") { boxes.append(Box()) }
            let numbers = (attributes["transform"] ?? "").split { "translate() ".contains($0) }.compactMap {
                Double($0)
            }
            if style.isEmpty, numbers.count == 2 { margin = (numbers[0], numbers[1]) }
        // Of a pile the last one is on top.
        case "rect" where around.hasPrefix("b "):
            boxes[boxes.count - 1].x = number("x")
            boxes[boxes.count - 1].y = number("y")
            boxes[boxes.count - 1].width = number("width")
            boxes[boxes.count - 1].height = number("height")
        case "path" where around.hasPrefix("e ") && style == "dash": dashedCount += 1
        default: break
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        open.removeLast()
        let around = open.last?.style ?? ""
        switch name {
        case "desc": descriptionText = text
        case "title" where around.hasPrefix("b "): boxes[boxes.count - 1].title = text
        case "title" where around.hasPrefix("e "): arrows.append(text)
        case "title": title = text
        case "text": texts.append(text)
        case "style": if text.contains("url(") || text.contains("@import") { refersToNothing = false }
        default: break
        }
    }
}
