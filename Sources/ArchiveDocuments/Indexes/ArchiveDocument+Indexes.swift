import Archiving

extension ArchiveDocument {
    /// The writer of the indexes of the next save.
    var indexWriter: IndexWriter { 
        IndexWriter(decoder: decoder, hasUnreachedInstances: file?.hasUnreachedInstances ?? false)
    }
}
