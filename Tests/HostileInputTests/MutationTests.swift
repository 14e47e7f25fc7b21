import Foundation
import FuzzCases
import Testing

/// Tens of thousands of damaged archives, the same ones in each run, each of which is read in every way there is.
@Suite struct `A mutant` {
    /// Issues after which a run stops: one that fails everywhere has been told of enough.
    private static let issueLimit = 5

    /// What a mutant gave.
    private struct Tally {
        var mutants = 0
        var values = 0
        var issues = 0
    }

    @Test(arguments: MutationRun.all)
    func `is an error or a value at every entry point`(run: MutationRun) {
        var tally = Tally()
        run.forEach { recipe in
            tally.mutants += 1
            guard tally.issues < Self.issueLimit else { return }
            let data = Data(recipe.mutant.bytes)
            for entryPoint in EntryPoints.all {
                switch entryPoint.run(data) {
                case .value: tally.values += 1
                case .failure(.other): complain("an error that is none of the library's", entryPoint.name)
                case .failure: break
                case .violation(let sentence): complain(sentence, entryPoint.name)
                }
            }
            for agreement in Agreement.all {
                if let sentence = agreement.violation(in: data) { complain(sentence, agreement.name) }
            }

            func complain(_ sentence: String, _ place: String) {
                tally.issues += 1
                Issue.record("\(place): \(sentence). It was \(recipe)")
            }
        }
        #expect(tally.mutants > 0)
        // What is cut off is no value for anybody. Of the others some are, or nothing but errors would be tried.
        #expect(run.kind == .truncations || tally.values > tally.mutants / 4)
        print("ZZ \(run.testDescription) \(tally)")
    }
}
