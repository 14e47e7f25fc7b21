// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// The code that pages do not have: see `PageProgram`. Each section is a part of another program.
// swift-format-ignore-file: OrderedImports, NeverForceUnwrap

// MARK: - AttributedTexts.md

let guide = URL(filePath: "/guide")
// block
expect(read.parts(with: "NSFont", as: AttributedText.Font.self).map(\.value) == [bold])
expect(read.links.map(\.value) == [guide])
