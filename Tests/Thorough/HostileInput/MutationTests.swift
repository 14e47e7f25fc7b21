// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import FuzzCases
import TestSupport
import Testing
import ThoroughSupport

/// More than 20 000 damaged archives, the same ones in each process, which are read in every way there is: each in all ways, or
/// each in a third of them.
@Suite(.inTurn) struct `A mutant` {
    @Test(
        arguments: Extent.cases(of: MutationRun.all.filter { ![.truncations, .bitFlips].contains($0.kind) }, every: 3))
    func `is an error or a value at every entry point`(run: MutationRun) { checkEveryEntryPoint(run) }

    @Test func `is one of more than 20 000`() {
        #expect(MutationRun.all.reduce(0) { $0 + $1.least } > 20_000)
        #expect(Set(MutationRun.all.map(\.testDescription)).count == MutationRun.all.count)
    }

    @Test func `is made by every mutation there is`() {
        var names: Set<Substring> = []
        for run in MutationRun.all where run.kind == .mutations || run.kind == .shapes {
            for mutant in run.mutants { names.insert(mutant.name.prefix { $0 != "," }) }
        }
        let missing = Mutator.mutations.map { $0.name.prefix { $0 != "," } }.filter { !names.contains($0) }
        #expect(missing.isEmpty)
    }

    @Test(arguments: MutationRun.all.filter { $0.kind != .truncations }.prefix(8))
    func `is the same in each run`(run: MutationRun) {
        for (first, second) in zip(run.mutants.prefix(100), run.mutants.prefix(100)) {
            #expect(first.bytes == second.bytes && first.name == second.name)
        }
    }

    // MARK: - Values

    @Test(arguments: Extent.cases(of: MutationRun.values, every: 5))
    func `that is a value encodes and decodes to itself`(run: MutationRun) {
        var valueCount = 0
        run.readEach { recipe in
            let repetition = Repetition(of: Data(recipe.mutant.bytes))
            valueCount += repetition.valueCount
            for sentence in repetition.differences { Issue.record("\(sentence). It was \(recipe)") }
        }
        // Without values there would be nothing to encode.
        #expect(valueCount >= run.least)
    }
}

@Suite(.inTurn) struct `A mutant that is cut off` {
    @Test(arguments: Extent.cases(of: MutationRun.all.filter { $0.kind == .truncations }, every: 3))
    func `is an error or a value at every entry point`(run: MutationRun) { checkEveryEntryPoint(run) }
}

@Suite(.inTurn) struct `A mutant with another bit` {
    @Test(arguments: Extent.cases(of: MutationRun.all.filter { $0.kind == .bitFlips }, every: 3))
    func `is an error or a value at every entry point`(run: MutationRun) { checkEveryEntryPoint(run) }
}

private func checkEveryEntryPoint(_ run: MutationRun) {
    var mutants = 0
    var values = 0
    var issues = 0
    run.readEach { recipe in
        mutants += 1
        // One that fails everywhere has been reported often enough.
        guard issues < 5 else { return }
        let data = Data(recipe.mutant.bytes)
        // A document writes its file several times, so it has a part of the mutants. The fuzz target has all kinds.
        let entryPoints = mutants.isMultiple(of: 16) ? EntryPoints.all : EntryPoints.inMemory
        for entryPoint in Extent.cases(of: entryPoints, every: 3, from: mutants) {
            switch entryPoint.run(data) {
            case .value: values += 1
            case .failure(.other): complain("\(entryPoint.name): an error that is none of the library's")
            case .failure: break
            case .violation(let sentence): complain("\(entryPoint.name): \(sentence)")
            }
        }
        // That a value decodes to itself is tested by runs of its own.
        let agreements = Agreement.all.filter { $0.name != "a value decodes to itself" }
        for agreement in Extent.cases(of: agreements, every: 3, from: mutants) {
            if let sentence = agreement.violation(in: data) { complain(sentence) }
        }

        func complain(_ sentence: String) {
            issues += 1
            Issue.record("\(sentence). It was \(recipe)")
        }
    }
    #expect(mutants >= run.least)
    // What is cut off is no value. Of the others some are, or nothing but errors would be tried.
    #expect(run.kind == .truncations || values > mutants / (Extent.isWhole ? 4 : 12))
    #expect(Forbidden.count == 0)
}
