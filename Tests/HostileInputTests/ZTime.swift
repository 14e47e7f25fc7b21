import FuzzCases
import Foundation
import Testing
@Test func ztime() {
    let c = ContinuousClock()
    for (name, kind, fig, _) in [("tokens", MutationRun.Kind.truncations, 1, 10000), ("tokens", .bitFlips, 5, 10000), ("tokens", .trailers, 1, 10000), ("tokens", .mutations, 3, 1000), ("tokens", .several, 100, 100),
       ("graph-hub", .truncations, 1, 10000), ("graph-hub", .bitFlips, 11, 10000), ("graph-hub", .trailers, 1, 10000), ("graph-hub", .mutations, 3, 1000), ("graph-hub", .several, 100, 100),
       ("ledger", .bitFlips, 11, 10000), ("ledger", .mutations, 2, 1000), ("record", .bitFlips, 51, 1000),("foundation-values", .bitFlips, 31, 1000), ("foundation-values", .mutations, 2, 1000), ("ledger-xml", .mutations, 2, 1000), ("ledger-xml", .truncations, 1, 3000)] {
        var n = 0, values = 0, limit = 0
        var worst: [String: Double] = [:]
        var a = 0.0
        let t = c.measure {
        for m in MutationRun(seed: name, kind: kind, figure: fig).mutants {
            n += 1
            let d = Data(m.bytes)
            for e in EntryPoints.all {
                let t0 = DispatchTime.now().uptimeNanoseconds
                let o = e.run(d)
                if case .value = o { values += 1 }
                if case .failure(.limit) = o { limit += 1 }
                if case .violation(let s) = o { print("ZZ", name, m.name, s) }
                if case .failure(.other) = o { print("ZZ other", name, m.name, e.name) }
                worst[e.name, default: 0] += Double(DispatchTime.now().uptimeNanoseconds - t0) / 1e6
            }
            let t0 = DispatchTime.now().uptimeNanoseconds
            if let s = Agreement.violation(in: d) { print("ZZ agree", name, m.name, s) }
            a += Double(DispatchTime.now().uptimeNanoseconds - t0) / 1e6
        } }
        let s = Double(t.components.seconds) + Double(t.components.attoseconds) / 1e18
        print("ZZ", name, kind, n, "values", values, "limit", limit, "ms each", s * 1000 / Double(n), "agreement", a / Double(n), worst.sorted { $0.value > $1.value }.prefix(5).map { "\($0.key) \($0.value / Double(n))" })
    }
}
