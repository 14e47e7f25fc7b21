/// The settings of a reading, which its trial decodings and deferred parts share.
struct ReadingSettings {
    /// The names of types.
    var classes = ClassRegistry()
    /// The types of class entries, by uid, if the archive was created in this process to be read once.
    var classTypes: [UInt32: any Any.Type] = [:]
    var limits = DecodingLimits()
    /// Whether only types that a call names can be created.
    var requiresSecureCoding = true
}

extension ReadingSettings {
    /// Settings for a copy: an archive that was created in this process, with the types `classTypes`.
    static func copy(_ classTypes: [UInt32: any Any.Type]) -> ReadingSettings {
        ReadingSettings(classTypes: classTypes, limits: .none, requiresSecureCoding: false)
    }

    /// The types that may be created without a request.
    var knownTypes: [any Any.Type] { classes.types + classTypes.values }
}
