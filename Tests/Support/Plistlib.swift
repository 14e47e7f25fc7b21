// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import Testing

/// Python's plistlib, as one who writes archives by hand, and one who looks into those of others.
package enum Plistlib {
    /// What a script prints, without the end of its last line.
    package static func run(_ script: String, _ arguments: String...) throws -> String {
        let python = try #require(Program.installed("python3"), "There is no python3 in the search path")
        let run = try python.run(["-c", script] + arguments)
        try #require(run.status == 0, "\(run.output)\(run.errors)")
        return run.output.trimmingCharacters(in: .newlines)
    }

    /// An archive, in every format, whose objects after `$null` are the elements of a list in Python.
    ///
    /// There, `U(n)` is uid n, and `C(names…)` is the entry of a class with its superclasses; the first object is uid 1, and is
    /// stored under the key "object" at the top.
    package static func archives(_ objects: String, archiver: String = "NSKeyedArchiver") throws -> [Data] {
        let script = #"""
            import plistlib, sys
            objects, archiver = sys.argv[1:3]
            C = lambda *names: {'$classname': names[0], '$classes': list(names) + ['NSObject']}
            for path, format in zip(sys.argv[3:5], (plistlib.FMT_BINARY, plistlib.FMT_XML)):
                U = plistlib.UID if format == plistlib.FMT_BINARY else lambda uid: {'CF$UID': uid}
                archive = {'$version': 100000, '$archiver': archiver, '$top': {'object': U(1)},
                           '$objects': ['$null'] + eval(objects)}
                with open(path, 'wb') as file:
                    plistlib.dump(archive, file, fmt=format)
            """#
        return try TemporaryFolder.with { folder in
            _ = try run(script, objects, archiver, folder["binary"].path, folder["xml"].path)
            return try [Data(contentsOf: folder["binary"]), Data(contentsOf: folder["xml"])]
        }
    }

    /// What an expression in Python says of archives, as Python prints it; the same for all of them.
    ///
    /// There, `top` is `$top`, `o(uid)` is the object, `c(uid)` the names of its class and superclasses, `number(uid)` the
    /// uid itself, `objects` the whole table and `archive` the property list.
    package static func evaluate(_ expression: String, in archives: [Data]) throws -> String {
        let script = #"""
            import plistlib, sys
            results = []
            for index in range(int(sys.argv[3])):
                with open(sys.argv[2] + '/' + str(index), 'rb') as file:
                    archive = plistlib.load(file)
                number = lambda uid: uid['CF$UID'] if isinstance(uid, dict) else uid.data
                top, objects = archive['$top'], archive['$objects']
                o = lambda uid: objects[number(uid)]
                c = lambda uid: o(o(uid)['$class'])['$classes']
                results.append(str(eval(sys.argv[1])))
            print(results[0] if len(set(results)) == 1 else results)
            """#
        return try TemporaryFolder.with { folder in
            for (index, data) in archives.enumerated() { _ = try folder.write(data, to: "\(index)") }
            return try run(script, expression, folder.url.path, "\(archives.count)")
        }
    }

    /// What an expression says of the archive in `file`.
    package static func evaluate(_ expression: String, in file: URL) throws -> String {
        try evaluate(expression, in: [Data(contentsOf: file)])
    }
}
