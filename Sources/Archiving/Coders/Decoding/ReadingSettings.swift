// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The settings of a session. A decoder has them as one value, which the readings and open archives of its calls receive.
struct ReadingSettings: Sendable {
    /// The names of types.
    var classes = ClassRegistry()
    /// The types of class entries, by uid, if the archive was created in this process to be read once.
    var classTypes: [UInt32: any Any.Type] = [:]
    var limits = DecodingLimits()
    /// Whether only types that a call names can be created.
    var requiresSecureCoding = true
    /// The `userInfo` of the decoders that `init(from:)` receives.
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// The closure that receives the errors of parts that are decoded later.
    var deferredErrorHandler: (@Sendable (any Error) -> Void)?
}

extension ReadingSettings {
    /// Settings for a copy: an archive that was created in this process, with the types `classTypes`.
    static func copy(
        _ classTypes: [UInt32: any Any.Type], userInfo: [CodingUserInfoKey: any Sendable]
    ) -> ReadingSettings {
        ReadingSettings(classTypes: classTypes, limits: .none, requiresSecureCoding: false, userInfo: userInfo)
    }

    /// Whether they retain nothing of the program.
    var retainNothing: Bool {
        classes.isEmpty && classTypes.isEmpty && userInfo.isEmpty && deferredErrorHandler == nil
    }

    /// The types that may be created without a request.
    var knownTypes: [any Any.Type] { classes.types + classTypes.values }
}
