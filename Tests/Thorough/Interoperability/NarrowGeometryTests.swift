// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Archiving

/// A point of a platform where CGFloat is a Float, such as a watch.
private struct NarrowPoint: Codable, Equatable {
    var x: Float
    var y: Float
}

private struct NarrowTransform: Codable, Equatable {
    var m11: Float
    var m12: Float
    var m21: Float
    var m22: Float
    var tX: Float
    var tY: Float
}

/// No platform of these tests has such geometry, so the steps of its form are tested.
@Suite(.inTurn) struct `Geometry that consists of Floats` {
    @Test func `has the form of geometry that consists of Doubles`() {
        #expect(CocoaClass.parts(of: CGPoint.self) == Geometry.Point.self)
        #expect(Geometry.Point.fit(NarrowPoint.self) && Geometry.Point.fit(CGPoint.self))
        #expect(AffineMatrix.fit(NarrowTransform.self))
        #expect(!Geometry.Rect.fit(NarrowPoint.self))
    }

    @Test func `has the numbers of geometry that consists of Doubles`() {
        #expect(Reinterpretation.reals(2, in: NarrowPoint(x: 1.5, y: -0.25)) == [1.5, -0.25])
        #expect(Reinterpretation.reals(2, in: CGPoint(x: 0.1, y: -0.25)) == [0.1, -0.25])
        #expect(Reinterpretation.structure(ofReals: [0.1, -0.25], as: CGPoint.self) == CGPoint(x: 0.1, y: -0.25))
    }

    @Test(arguments: [0.1, .greatestFiniteMagnitude, .leastNonzeroMagnitude, -.infinity, 16_777_216] as [Float])
    func `is the same after the way through the text of an archive`(number: Float) throws {
        let point = NarrowPoint(x: number, y: -number)
        let text = Geometry.text(of: Reinterpretation.reals(2, in: point))
        let numbers = try #require(Geometry.numbers(in: text, of: .point))
        #expect(Reinterpretation.structure(ofReals: numbers, as: NarrowPoint.self) == point)
        let transform = NarrowTransform(m11: number, m12: 1, m21: 0, m22: number, tX: -number, tY: 0.3)
        let copy = Reinterpretation.structure(
            ofReals: Reinterpretation.reals(6, in: transform), as: NarrowTransform.self)
        #expect(copy == transform)
    }

    @Test func `is rounded, but not to infinity`() {
        func point(_ numbers: Double...) -> NarrowPoint? {
            Reinterpretation.structure(ofReals: numbers, as: NarrowPoint.self)
        }
        #expect(point(0.1, 1e-300) == NarrowPoint(x: 0.1, y: 0))
        #expect(point(.infinity, 0) == NarrowPoint(x: .infinity, y: 0))
        #expect(point(1e300, 0) == nil)
        #expect(point(0, -3.5e38) == nil)
    }
}
