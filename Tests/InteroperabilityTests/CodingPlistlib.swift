import Archiving
import Foundation
import Testing

/// Python's plistlib, as one who writes archives by hand, and one who looks into those of others.
enum Plistlib {
    static let python = Surroundings.program("python3")

    /// Runs `script` on the files "binary" and "xml" in `folder`, and gives what it prints.
    private static func run(_ script: String, in folder: URL, _ first: String, _ rest: String...) throws -> String {
        let output = try ProgramOutput(
            try #require(python), "-c", script, folder.path, first, rest.first ?? "", rest.last ?? "")
        try #require(output.status == 0, "\(output.text)")
        return output.text.trimmingCharacters(in: .newlines)
    }

    private static func name(_ format: PropertyListFormat) -> String { format == .xml ? "xml" : "binary" }

    /// An archive, in every format, whose objects, behind `$null`, are the elements of a list in Python.
    ///
    /// There, `U(n)` is uid n, and `C(names…)` is the entry of a class with its superclasses; the first object is uid 1,
    /// and stands under the key "object" at the top.
    static func archives(_ objects: String, archiver: String = "NSKeyedArchiver") throws -> [Data] {
        let script = #"""
            import plistlib, sys
            folder, objects, archiver = sys.argv[1:4]
            C = lambda *names: {'$classname': names[0], '$classes': list(names) + ['NSObject']}
            for name in ('binary', 'xml'):
                U = plistlib.UID if name == 'binary' else lambda uid: {'CF$UID': uid}
                archive = {'$version': 100000, '$archiver': archiver, '$top': {'object': U(1)},
                           '$objects': ['$null'] + eval(objects)}
                with open(folder + '/' + name, 'wb') as file:
                    plistlib.dump(archive, file, fmt=plistlib.FMT_BINARY if name == 'binary' else plistlib.FMT_XML)
            """#
        return try withTemporaryFolder { folder in
            _ = try run(script, in: folder, objects, archiver)
            return try PropertyListFormat.allCases.map { try Data(contentsOf: folder.appending(path: name($0))) }
        }
    }

    /// What an expression in Python says of archives, as Python prints it; the same for all of them.
    ///
    /// There, `top` is `$top`, `o(uid)` is the object, `c(uid)` the names of its class and superclasses, and `objects` the
    /// whole table.
    static func evaluate(_ expression: String, in archives: [Data]) throws -> String {
        let script = #"""
            import plistlib, sys
            results = []
            for index in range(int(sys.argv[3])):
                with open(sys.argv[1] + '/' + str(index), 'rb') as file:
                    archive = plistlib.load(file)
                number = lambda uid: uid['CF$UID'] if isinstance(uid, dict) else uid.data
                top, objects = archive['$top'], archive['$objects']
                o = lambda uid: objects[number(uid)]
                c = lambda uid: o(o(uid)['$class'])['$classes']
                results.append(str(eval(sys.argv[2])))
            print(results[0] if len(set(results)) == 1 else results)
            """#
        return try withTemporaryFolder { folder in
            for (index, data) in archives.enumerated() { try data.write(to: folder.appending(path: "\(index)")) }
            return try run(script, in: folder, expression, "\(archives.count)")
        }
    }
}
