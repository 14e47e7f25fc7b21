// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The searches in SQLite, in the database of `DocumentTables`, as a reference.
enum QueryTables {
    /// Performs a task in another process.
    static func run(_ task: QueryTask, in folder: URL) throws -> [Double] {
        let arguments = [
            "-c", DocumentTables.prelude + "\n" + script, task.query, folder.path, task.isIndexed ? "1" : "0",
        ]
        return try figures(of: DocumentTables.python(arguments), count: DocumentFigures.count + 1)
    }

    /// Writes a copy of the database with an index of the pages.
    static func createIndex(in folder: URL) throws {
        try FileManager.default.copyItem(
            at: folder.appending(path: "database"), to: folder.appending(path: "indexed"))
        let arguments = ["-c", DocumentTables.prelude + "\n" + indexScript, "index", folder.path]
        _ = try figures(of: DocumentTables.python(arguments), count: 1)
    }

    private static let indexScript = """
        database = opened("indexed")
        database.execute("CREATE INDEX pages ON book (pages, added)")
        database.commit()
        print(1)
        """

    private static let script = """
        conditions = {
            "pages": "pages >= 790 AND instr(title, 'maps, 12') > 0",
            "text": "instr(title, 'maps, 123') > 0",
            "author": "pages >= 790 AND country = 'Country 7'",
            "latest": "pages = 500 ORDER BY added DESC LIMIT 20",
            "first": "pages >= 790 ORDER BY added DESC LIMIT 20",
        }
        columns = "title, name, country, pages, price, added"

        def search():
            database = opened("indexed" if numbers[0] else "database")
            query = f"SELECT {columns} FROM book JOIN author ON author.id = author WHERE {conditions[task]}"
            return database.execute(query).fetchall()

        found = measured(search)
        print(time_used, processor, read, written, peak() - memory, len(found))
        """
}
