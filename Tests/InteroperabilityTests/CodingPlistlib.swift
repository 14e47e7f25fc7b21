import Archiving
import Foundation
import Testing

/// Python's plistlib, as one who writes archives by hand, and one who looks into those of others.
enum Plistlib {
    static let python = Surroundings.program("python3")

    /// Runs `script` with `arguments` and gives what it prints.
    private static func run(_ script: String, _ arguments: [String], _ file: URL) throws -> String {
        let output = try ProgramOutput(
            try #require(python), "-c", script, file.path, arguments[0], arguments.count > 1 ? arguments[1] : "",
            arguments.count > 2 ? arguments[2] : "", arguments.count > 3 ? arguments[3] : "")
        try #require(output.status == 0, "\(output.text)")
        return output.text.trimmingCharacters(in: .newlines)
    }

    /// An archive whose objects, behind `$null`, are the elements of a list in Python.
    ///
    /// There, `U(n)` is uid n, and `C(names…)` is the entry of a class with its superclasses; the first object is uid 1.
    ///
    /// - Parameter top: `$top`, a dictionary in Python.
    static func archive(
        _ objects: String, top: String = "{'object': U(1)}", archiver: String = "NSKeyedArchiver",
        _ format: PropertyListFormat = .binary
    ) throws -> Data {
        let script = #"""
            import plistlib, sys
            path, objects, top, archiver, format = sys.argv[1:]
            U = plistlib.UID if format == 'binary' else lambda uid: {'CF$UID': uid}
            C = lambda *names: {'$classname': names[0], '$classes': list(names) + ['NSObject']}
            list_ = {'$version': 100000, '$archiver': archiver, '$top': eval(top), '$objects': ['$null'] + eval(objects)}
            with open(path, 'wb') as file:
                plistlib.dump(list_, file, fmt=plistlib.FMT_BINARY if format == 'binary' else plistlib.FMT_XML)
            """#
        return try withTemporaryFolder { folder in
            let file = folder.appending(path: "archive")
            _ = try run(script, [objects, top, archiver, format == .xml ? "xml" : "binary"], file)
            return try Data(contentsOf: file)
        }
    }

    /// What an expression in Python says of an archive, as Python prints it.
    ///
    /// There, `top` is `$top`, `o(uid)` is the object, `c(uid)` the names of its class and superclasses, and `objects` the
    /// whole table.
    static func evaluate(_ expression: String, in data: Data) throws -> String {
        let script = #"""
            import plistlib, sys
            with open(sys.argv[1], 'rb') as file:
                archive = plistlib.load(file)
            number = lambda uid: uid['CF$UID'] if isinstance(uid, dict) else uid.data
            top, objects = archive['$top'], archive['$objects']
            o = lambda uid: objects[number(uid)]
            c = lambda uid: o(o(uid)['$class'])['$classes']
            print(eval(sys.argv[2]))
            """#
        return try withTemporaryFolder { folder in
            let file = folder.appending(path: "archive")
            try data.write(to: file)
            return try run(script, [expression], file)
        }
    }
}
