// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation

/// A property list with an element of every kind, and its text: the bytes that CPython 3.11's plistlib writes for the same
/// list, and the uid, which it has not, as CoreFoundation writes it.
enum XMLSample {
    static let list: PropertyList = [
        "name": "Bella & <Co>", "ages": [3, 4.5, -1], "isCow": true, "isDog": false, "photo": .data(Data(0..<60)),
        "born": .date(Date(timeIntervalSinceReferenceDate: 549_824_400)), "id": .uid(4), "none": [:], "empty": [],
        "nested": ["list": [.data(Data()), ["deep": .data(Data("abc".utf8))]]],
    ]

    static let keys = ["name", "ages", "isCow", "isDog", "photo", "born", "id", "none", "empty", "nested"]

    static let text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>name</key>
        \t<string>Bella &amp; &lt;Co&gt;</string>
        \t<key>ages</key>
        \t<array>
        \t\t<integer>3</integer>
        \t\t<real>4.5</real>
        \t\t<integer>-1</integer>
        \t</array>
        \t<key>isCow</key>
        \t<true/>
        \t<key>isDog</key>
        \t<false/>
        \t<key>photo</key>
        \t<data>
        \tAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEy
        \tMzQ1Njc4OTo7
        \t</data>
        \t<key>born</key>
        \t<date>2018-06-04T17:00:00Z</date>
        \t<key>id</key>
        \t<dict>
        \t\t<key>CF$UID</key>
        \t\t<integer>4</integer>
        \t</dict>
        \t<key>none</key>
        \t<dict/>
        \t<key>empty</key>
        \t<array/>
        \t<key>nested</key>
        \t<dict>
        \t\t<key>list</key>
        \t\t<array>
        \t\t\t<data>
        \t\t\t</data>
        \t\t\t<dict>
        \t\t\t\t<key>deep</key>
        \t\t\t\t<data>
        \t\t\t\tYWJj
        \t\t\t\t</data>
        \t\t\t</dict>
        \t\t</array>
        \t</dict>
        </dict>
        </plist>

        """
}
