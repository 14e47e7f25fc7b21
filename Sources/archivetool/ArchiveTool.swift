// The entry point of `archivetool`.

@main
struct ArchiveTool {
    static func main() {
        print("archivetool")
    }
}
