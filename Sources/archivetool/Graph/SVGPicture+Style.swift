// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Style

extension SVGPicture {
    /// The style sheet for light screens, with differences for dark ones. It has no variables, which some programs do not
    /// support.
    ///
    /// A browser that opens the picture alone enlarges it to its window, up to `magnification`, and never shrinks it. In an
    /// `<img>` the picture has its own size.
    static func style(colours: [Int], width: Double, height: Double) -> String {
        let (maxWidth, maxHeight) = (Int(width * magnification), Int(height * magnification))
        var light = """
            svg:root{min-width:min(100%,\(maxWidth)px);min-height:min(100%,\(maxHeight)px);background:#fff;color-scheme:light dark}
            text{font:\(Int(PictureLayout.fontSize))px ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#1f2328}
            .name{font:600 \(Int(PictureLayout.headingSize))px ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
            .uid{font-size:11px;fill:#59636e}
            .key,.faint{fill:#59636e}
            .faint{font-style:italic}
            .ref{font-weight:600}
            .page{fill:#fff}
            .box{fill:#fff;stroke-width:1.2}
            .e path{fill:none;stroke-width:1.5;stroke-linecap:round}
            .e:hover path{stroke-width:3}
            .e .dash,.line{stroke-dasharray:5 4}
            .e .tip{stroke-width:1;stroke-linejoin:round}
            .line{fill:none;stroke:\(Picture.plainColour.stroke);stroke-width:1.5}
            .legend text{fill:#59636e}

            """
        var dark = """
            svg:root{background:#0d1117}
            text{fill:#e6edf3}
            .uid,.key,.faint,.legend text{fill:#9aa4af}
            .page{fill:#0d1117}
            .box{fill:#151b23}
            .line{stroke:\(Picture.plainColour.darkStroke)}

            """
        let named =
            [("c", Picture.plainColour)] + colours.map { ("c\($0)", Picture.colours[$0]) }
        for (name, colour) in named {
            light += rules(name, fill: colour.fill, stroke: colour.stroke)
            dark += rules(name, fill: colour.darkFill, stroke: colour.darkStroke)
        }
        return light + "@media (prefers-color-scheme:dark){\n" + dark + "}\n"
    }

    private static let magnification = 1.5

    private static func rules(_ name: String, fill: String, stroke: String) -> String {
        """
        .\(name) .head,.\(name) .swatch{fill:\(fill)}
        .\(name) .box,.\(name) path{stroke:\(stroke)}
        .\(name) .head{stroke:none}
        .\(name) .tip,.\(name).dot{fill:\(stroke)}

        """
    }
}

// MARK: - XML

enum XMLText {
    /// `text` for contents, with a writing direction of its own: the text around it keeps its order.
    static func isolated(_ text: String) -> String { escaped(VisibleText.isolated(text)) }

    /// `text` for contents and attributes. Characters that XML does not allow become U+FFFD.
    static func escaped(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            case "\t", "\n", "\r": output += " "
            default:
                let isAllowed = scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
                output.unicodeScalars.append(isAllowed ? scalar : "\u{FFFD}")
            }
        }
        return output
    }
}
