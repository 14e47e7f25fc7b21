// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The holdings in SQLite, as a reference, through Python's module if `python3` exists.
///
/// Authors, shelves and books are tables with foreign keys. A task is one transaction in a separate process, with SQLite's
/// default settings.
enum DocumentTables {
    /// Whether a `python3` with SQLite exists.
    static func isAvailable() -> Bool {
        (try? figures(of: python(["-c", "import sqlite3; print(1)"]), count: 1)) != nil
    }

    /// Performs a task in another process.
    static func run(_ task: DocumentTask, in folder: URL, count: Int) throws -> [Double] {
        let chosen = DocumentTask.chosen(of: count)
        let arguments = [task.rawValue, folder.path] + [count, chosen.shelf, chosen.position].map { String($0) }
        return try figures(of: python(["-c", prelude + "\n" + script] + arguments), count: DocumentFigures.count)
    }

    static func python(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        return process
    }

    /// The functions of all scripts, and the start of the measurement.
    static let prelude = """
        import itertools, os, sqlite3, sys, time

        task, folder = sys.argv[1:3]
        numbers = [int(text) for text in sys.argv[3:]]
        time_used = processor = read = written = 0

        def transferred():
            try:
                with open("/proc/self/io") as file:
                    figures = dict(line.split(": ") for line in file)
                return float(figures["rchar"]), float(figures["wchar"])
            except OSError:
                return float("nan"), float("nan")

        def peak():
            try:
                with open("/proc/self/status") as file:
                    return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM"))
            except OSError:
                import resource
                return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

        def measured(body):
            global time_used, processor, read, written
            before, start, processor_start = transferred(), time.monotonic_ns(), time.process_time_ns()
            result = body()
            time_used += time.monotonic_ns() - start
            processor += time.process_time_ns() - processor_start
            after = transferred()
            read, written = read + after[0] - before[0], written + after[1] - before[1]
            return result

        def opened(name):
            database = sqlite3.connect(os.path.join(folder, name))
            database.execute("PRAGMA foreign_keys = ON")
            return database

        sqlite3.connect(":memory:").execute("SELECT 1").fetchone()
        try:
            with open("/proc/self/clear_refs", "w") as file:
                file.write("5")
        except OSError:
            pass
        memory = peak()
        """

    private static let script = """
        count, shelf, position = numbers

        def title():
            query = "SELECT title, name FROM book JOIN author ON author.id = author WHERE shelf = ? AND position = ?"
            return database.execute(query, (shelf, position)).fetchone()

        def changed(shelf):
            for position in range(1000) if task == "tableChangeTogether" else range(0, 1000, 100):
                yield "Changed", shelf, position

        def change(keys):
            database.executemany("UPDATE book SET title = ? WHERE shelf = ? AND position = ?", keys)
            database.commit()

        shelf_count = (count + 999) // 1000
        if task == "tableCreate":
            database = measured(lambda: opened("database"))
            measured(lambda: database.executescript('''
                CREATE TABLE library (name TEXT);
                CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT, country TEXT);
                CREATE TABLE shelf (id INTEGER PRIMARY KEY, room TEXT);
                CREATE TABLE book (
                    shelf INTEGER REFERENCES shelf, position INTEGER, title TEXT, author INTEGER REFERENCES author,
                    pages INTEGER, price REAL, added REAL, PRIMARY KEY (shelf, position)) WITHOUT ROWID;
                BEGIN;
                INSERT INTO library VALUES ('Town library');
            '''))
            # The figures exclude reading the text.
            with open(os.path.join(folder, "authors")) as lines:
                while rows := [line.rstrip().split("\\t") for line in itertools.islice(lines, 1000)]:
                    measured(lambda: database.executemany("INSERT INTO author VALUES (?, ?, ?)", rows))
            shelves = [(number, f"Room {number // 50}") for number in range(shelf_count)]
            measured(lambda: database.executemany("INSERT INTO shelf VALUES (?, ?)", shelves))
            with open(os.path.join(folder, "books")) as lines:
                while rows := [line.rstrip().split("\\t") for line in itertools.islice(lines, 1000)]:
                    rows = [
                        (int(shelf), int(position), title, int(author), int(pages), float(price), int(day) * 86400.0)
                        for shelf, position, title, author, pages, price, day in rows]
                    measured(lambda: database.executemany("INSERT INTO book VALUES (?, ?, ?, ?, ?, ?, ?)", rows))
            measured(database.commit)
            assert database.execute("SELECT count(*) FROM book").fetchone() == (count,)
        elif task == "tableName":
            def name():
                global database
                database = opened("database")
                return database.execute("SELECT name FROM library").fetchone()
            assert measured(name) == ("Town library",)
        elif task == "tableBook":
            def book():
                global database
                database = opened("database")
                return title()
            assert measured(book)[0].endswith(f" {count // 2 + 450}")
        else:
            shelves = range(shelf_count // 100) if task == "tableChangeTogether" else range(shelf_count)
            keys = [key for number in shelves for key in changed(number)]
            if task == "tableChangeOne":
                keys = [("Changed", shelf, position)]
            def edit():
                global database
                database = opened("edited")
                change(keys)
            measured(edit)
            count = database.execute("SELECT count(*) FROM book WHERE title = 'Changed'").fetchone()
            assert count == (len(keys),)
        print(time_used, processor, read, written, peak() - memory)
        """
}
