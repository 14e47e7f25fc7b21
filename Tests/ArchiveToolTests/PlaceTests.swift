import Testing

@Test func `the target builds`() { #expect(Bool(true)) }
