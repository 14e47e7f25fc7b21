// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// For all files of the tool: the small part of Foundation, if the platform has it.
#if canImport(FoundationEssentials)
    @_exported import FoundationEssentials
#else
    @_exported import Foundation
#endif
