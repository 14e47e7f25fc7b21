// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// Made by `scripts/generated-types`; do not edit.
// swift-format-ignore-file

struct T0: GeneratedType { typealias Changed = C0; var tags: Int64 }
struct C0: Codable, Equatable { var tags: Int64 }
struct T1: GeneratedType { typealias Changed = C1; var tags: Bool?; var rate: [Int?]; var kind: Int8; var x: Bool }
struct C1: Codable, Equatable { var tags: Bool?; var rate: [Int?]; var kind: Int8; var x: Bool }
struct T2: GeneratedType { typealias Changed = C2; var id: String }
struct C2: Codable, Equatable { var id: Double }
struct T3: GeneratedType { typealias Changed = C3; var kind: Double?; var year: Bool?; var weight: T0 }
struct C3: Codable, Equatable { var kind: Double?; var year: Bool?; var weight: C0 }
struct T4: GeneratedType { typealias Changed = C4; var id: T0; var count: [String: T0]; var year: [Double]; var rate: [String: Double]? }
struct C4: Codable, Equatable { var id: C0; var count: [String: C0]; var year: [Double]; var rate: [String: Double]? }
struct T5: GeneratedType { typealias Changed = C5; var parts: T1 }
struct C5: Codable, Equatable { var parts: C1 }
struct T6: GeneratedType { typealias Changed = C6; var größe: T3; var owner: UInt16; var parts: T1 }
struct C6: Codable, Equatable { var owner: UInt16; var parts: C1 }
struct T7: GeneratedType { typealias Changed = C7; var größe: [Int?]; var year: T4 }
struct C7: Codable, Equatable { var größe: [Int?]; var year: C4 }
struct T8: GeneratedType { typealias Changed = C8; var count: Int64; var parts: Bool; var rate: T5; var größe: [UInt16]?; var id: Int }
struct C8: Codable, Equatable { var count: Int64; var parts: Bool; var rate: C5; var größe: [UInt16]?; var id: Int }
struct T9: GeneratedType { typealias Changed = C9; var owner: [Int64]?; var id: T1; var größe: Float }
struct C9: Codable, Equatable { var owner: [Int64]?; var id: C1; var größe: Float; var added: Double }
indirect enum T10: GeneratedType { typealias Changed = C10; case case0(parts: T2, x: Int64?), case1(x: Float), case2(tags: T7, größe: T6, owner: Int64, count: Double) }
indirect enum C10: Codable, Equatable { case case0(parts: C2, x: Int64?), case1(x: Float), case2(tags: C7, größe: C6, owner2: Int64, count: Double) }
struct T11: GeneratedType { typealias Changed = C11; var id: Int; var name: [Int] }
struct C11: Codable, Equatable { var id: Int; var name: [Int] }
struct T12: GeneratedType { typealias Changed = C12; var parts: T11; var id: [String: Int8?] }
struct C12: Codable, Equatable { var parts: C11; var id: [String: Int8?] }
struct T13: GeneratedType { typealias Changed = C13; var rate: Double; var `first name`: Int8? }
struct C13: Codable, Equatable { var rate: Double; var `first name`: Int8? }
struct T14: GeneratedType { typealias Changed = C14; var weight: T7; var größe: T3; var id: Int64?; var rate: [Int]?; var year: T2 }
struct C14: Codable, Equatable { var weight: C7; var größe: C3; var id: Int64?; var rate: Bool; var year2: C2 }
struct T15: GeneratedType { typealias Changed = C15; var year: Int64; var parts: [String: Bool]; var id: Int8; var x: [T6] }
struct C15: Codable, Equatable { var year: Int64; var parts: [String: Bool]; var id: Int8; var x: [C6] }
struct T16: GeneratedType { typealias Changed = C16; var kind: [Double]?; var tags: UInt16; var id: T1 }
struct C16: Codable, Equatable { var kind: [Double]?; var tags: UInt16; var id: C1 }
indirect enum T17: GeneratedType { typealias Changed = C17; case case0(x: T0, weight: T15, owner: [Int]?, tags: T13), case1(größe: T1, id: Int, name: [T3]), case2(parts: Float, weight: [T6]) }
indirect enum C17: Codable, Equatable { case case0(x: C0, weight: C15, owner: [Int]?, tags: C13), case1(größe: C1, id: Int, name: [C3]), case2(parts: Float, weight: [C6]) }
indirect enum T18: GeneratedType { typealias Changed = C18; case case0(year: Bool), case1(id: Double, größe: Int8, x: Int8) }
indirect enum C18: Codable, Equatable { case case0(year: Bool), case1(id: Double, größe: Int8, x2: Int8) }
struct T19: GeneratedType { typealias Changed = C19; var owner: Double; var kind: Int8; var count: [T6]?; var isOpen: Double; var name: Int }
struct C19: Codable, Equatable { var owner: Double; var kind: Int8; var count: [C6]?; var isOpen: Double; var name: Int }
struct T20: GeneratedType { typealias Changed = C20; var weight: T19 }
struct C20: Codable, Equatable { var weight: C19 }
indirect enum T21: GeneratedType { typealias Changed = C21; case case0(rate: Int64, kind: UInt16?, name: [String: T20], owner: Int8), case1(count: T11), case2(x: String, owner: Double) }
indirect enum C21: Codable, Equatable { case case0(rate: Int64, kind: UInt16?, name: [String: C20], owner: Int8), case1(count2: C11), case2(x: String, owner: Double) }
struct T22: GeneratedType { typealias Changed = C22; var owner: [String: Int?]; var x: [Int64]? }
struct C22: Codable, Equatable { var owner: [String: Int?]; var x: [Int64]? }
struct T23: GeneratedType { typealias Changed = C23; var owner: T5; var name: [String: Int64]; var isOpen: UInt16; var parts: Double }
struct C23: Codable, Equatable { var owner: C5; var name: [String: Int64]; var isOpen: UInt16; var parts: Double? }
struct T24: GeneratedType { typealias Changed = C24; var id: Double; var `first name`: T5; var owner: Int8; var count: T18 }
struct C24: Codable, Equatable { var id: Double; var `first name`: C5; var owner: Int8; var count: Int }
struct T25: GeneratedType { typealias Changed = C25; var parts: Bool; var id: [T5] }
struct C25: Codable, Equatable { var parts: Bool; var id: [C5]; var added: String? }
struct T26: GeneratedType { typealias Changed = C26; var größe: Int64; var `first name`: String; var weight: [Float] }
struct C26: Codable, Equatable { var größe: Int64; var weight: [Float] }
struct T27: GeneratedType { typealias Changed = C27; var id: T2?; var x: T25? }
struct C27: Codable, Equatable { var id: C2?; var x: C25? }
struct T28: GeneratedType { typealias Changed = C28; var owner: Int8; var x: [String: Double] }
struct C28: Codable, Equatable { var owner: Int8; var x: [String: Double] }
indirect enum T29: GeneratedType { typealias Changed = C29; case case0(größe: Int8, name: T23?, kind: [String: T4?], parts: T24) }
indirect enum C29: Codable, Equatable { case case0(größe: Int8, name: C23?, kind: [String: C4?], parts: C24, added: UInt16) }
indirect enum T30: GeneratedType { typealias Changed = C30; case case0(x: T24), case1(name: [String: String]), case2(isOpen: Float, weight: T23) }
indirect enum C30: Codable, Equatable { case case0(x: C24), case1(name: Float, added: String?), case2(isOpen: Float, weight: C23) }
struct T31: GeneratedType { typealias Changed = C31; var `first name`: T19; var größe: [[String: T11]] }
struct C31: Codable, Equatable { var `first name`: C19; var größe: [[String: C11]]?; var added: Double? }
struct T32: GeneratedType { typealias Changed = C32; var rate: Float; var id: Int; var parts: T21; var isOpen: Bool?; var größe: UInt16 }
struct C32: Codable, Equatable { var rate: Float; var id: Int; var parts: C21; var isOpen: Bool?; var größe: UInt16 }
struct T33: GeneratedType { typealias Changed = C33; var id: [String: Float]; var isOpen: Double; var tags: String?; var year: Bool? }
struct C33: Codable, Equatable { var id: [String: Float]; var isOpen: Double; var tags: String; var year: Bool? }
struct T34: GeneratedType { typealias Changed = C34; var name: Int }
struct C34: Codable, Equatable { var name: Double; var added: Bool? }
struct T35: GeneratedType { typealias Changed = C35; var id: Int64; var `first name`: Int }
struct C35: Codable, Equatable { var id: Int64; var `first name`: Int }
indirect enum T36: GeneratedType { typealias Changed = C36; case case0(rate: Bool, count: T35?), case1 }
indirect enum C36: Codable, Equatable { case case0(count: C35?), case1 }
struct T37: GeneratedType { typealias Changed = C37; var tags: T21; var name: String }
struct C37: Codable, Equatable { var tags: C21; var name: Double; var added: Double }
struct T38: GeneratedType { typealias Changed = C38; var isOpen: [String]; var count: Int64; var kind: Float; var owner: Int8 }
struct C38: Codable, Equatable { var isOpen: [String]?; var count: Int64; var kind2: Float; var owner: Int8 }
struct T39: GeneratedType { typealias Changed = C39; var owner: T19?; var kind: T34; var rate: Float; var count: [Int64] }
struct C39: Codable, Equatable { var owner: C19?; var kind: C34; var rate: Float; var count: [Int64] }
struct T40: GeneratedType { typealias Changed = C40; var year: [String: UInt16?]; var weight: T36; var parts: [Bool]; var tags: T20? }
struct C40: Codable, Equatable { var year: [String: UInt16?]; var weight: C36; var parts: [Bool]; var tags: C20? }
struct T41: GeneratedType { typealias Changed = C41; var tags: UInt16; var kind: [Int8]; var größe: Int64; var year: T23 }
struct C41: Codable, Equatable { var tags: UInt16; var kind: [Int8]; var größe: Int64; var year: C23 }
struct T42: GeneratedType { typealias Changed = C42; var kind: UInt16; var owner: String }
struct C42: Codable, Equatable { var kind: UInt16; var owner: String; var added: Int64 }
struct T43: GeneratedType { typealias Changed = C43; var rate: [Double]; var year: Float? }
struct C43: Codable, Equatable { var rate: [Double]; var year: Float? }
indirect enum T44: GeneratedType { typealias Changed = C44; case case0(`first name`: Int?, kind: Int8, x: UInt16?), case1(name: String, id: Double?, weight: Double), case2(weight: T28, owner: [[T32]], x: UInt16) }
indirect enum C44: Codable, Equatable { case case0(`first name`: Int?, kind: Int8, x: UInt16?), case1(name: String, id: Double?, weight: Double), case2(weight2: C28, owner: [[C32]]) }
indirect enum T45: GeneratedType { typealias Changed = C45; case case0(`first name`: Int8, owner: String, x: T40) }
indirect enum C45: Codable, Equatable { case case0(`first name`: Int8, owner: String, x: C40) }
indirect enum T46: GeneratedType { typealias Changed = C46; case case0(weight: T33, rate: Int64, x: T45?, isOpen: Int), case1, case2(kind: T30, weight: T39) }
indirect enum C46: Codable, Equatable { case case0(weight: C33, rate: Int64, x: C45?, isOpen: Int), case1, case2(kind: C30, weight: C39) }
struct T47: GeneratedType { typealias Changed = C47; var rate: T42; var x: Bool; var kind: Double; var parts: T44? }
struct C47: Codable, Equatable { var rate: C42; var x: Bool; var kind: Double?; var parts: C44? }
struct T48: GeneratedType { typealias Changed = C48; var count: Int64 }
struct C48: Codable, Equatable { var count: Int64 }
indirect enum T49: GeneratedType { typealias Changed = C49; case case0(weight: T0?), case1(owner: Int8, id: UInt16?), case2 }
indirect enum C49: Codable, Equatable { case case0(weight: C0?), case1(owner: Int8, id: UInt16?), case2 }
struct T50: GeneratedType { typealias Changed = C50; var year: Int; var parts: Int64?; var x: Double; var isOpen: T4; var `first name`: UInt16 }
struct C50: Codable, Equatable { var year: Int; var parts: Int64?; var x2: Double; var isOpen: C4; var `first name`: UInt16 }
struct T51: GeneratedType { typealias Changed = C51; var year: T35 }
struct C51: Codable, Equatable { var year: C35 }
struct T52: GeneratedType { typealias Changed = C52; var name: UInt16; var year: Int64; var rate: Double; var `first name`: Double; var kind: [Double] }
struct C52: Codable, Equatable { var name: UInt16; var year: Int64; var rate: Double; var `first name`: Double; var kind: [Double] }
struct T53: GeneratedType { typealias Changed = C53; var count: String }
struct C53: Codable, Equatable { var count2: String }
struct T54: GeneratedType { typealias Changed = C54; var count: [String: String] }
struct C54: Codable, Equatable { var count: [String: String] }
struct T55: GeneratedType { typealias Changed = C55; var rate: Bool; var name: Double }
struct C55: Codable, Equatable { var rate: Bool; var added: Int64? }
struct T56: GeneratedType { typealias Changed = C56; var weight: T1 }
struct C56: Codable, Equatable { var weight: C1 }
struct T57: GeneratedType { typealias Changed = C57; var weight: Int8; var größe: T39? }
struct C57: Codable, Equatable { var weight: Int8; var größe: Int8 }
struct T58: GeneratedType { typealias Changed = C58; var weight: Double; var kind: T44; var größe: Int8 }
struct C58: Codable, Equatable { var weight: Double; var kind: C44; var größe: Int8 }
indirect enum T59: GeneratedType { typealias Changed = C59; case case0(x: UInt16, id: Float, name: [String: Int]), case1(rate: UInt16) }
indirect enum C59: Codable, Equatable { case case0(x: UInt16, id: Float, name: UInt16), case1(rate: Bool) }
indirect enum T60: GeneratedType { typealias Changed = C60; case case0(größe: Int8?, year: T56?, kind: Bool) }
indirect enum C60: Codable, Equatable { case case0(größe: Int8?, year: C56?, kind: Bool) }
struct T61: GeneratedType { typealias Changed = C61; var rate: Int8; var tags: Bool }
struct C61: Codable, Equatable { var rate: Int8; var tags: Bool }
indirect enum T62: GeneratedType { typealias Changed = C62; case case0(id: Int, isOpen: T61), case1 }
indirect enum C62: Codable, Equatable { case case0(id: Int, isOpen: C61), case1 }
struct T63: GeneratedType { typealias Changed = C63; var rate: T43?; var tags: T54; var count: Int64 }
struct C63: Codable, Equatable { var rate: C43?; var tags: C54; var count: Int64 }
struct T64: GeneratedType { typealias Changed = C64; var tags: String; var parts: T50; var kind: Float; var name: UInt16; var isOpen: [Int]? }
struct C64: Codable, Equatable { var tags: String; var parts: C50?; var kind: Float; var name: UInt16; var isOpen: [Int]? }
indirect enum T65: GeneratedType { typealias Changed = C65; case case0, case1(owner: [String: UInt16], tags: T50), case2 }
indirect enum C65: Codable, Equatable { case case0, case1(owner: [String: UInt16], tags: C50), case2 }
struct T66: GeneratedType { typealias Changed = C66; var x: [Float]; var tags: Double? }
struct C66: Codable, Equatable { var x: [Float] }
indirect enum T67: GeneratedType { typealias Changed = C67; case case0(rate: Int?) }
indirect enum C67: Codable, Equatable { case case0(rate2: Int?) }
struct T68: GeneratedType { typealias Changed = C68; var count: T59; var isOpen: T53; var x: UInt16; var kind: Int; var rate: [String: T40] }
struct C68: Codable, Equatable { var count: C59; var isOpen: C53; var kind: Int; var rate: [String: C40] }
struct T69: GeneratedType { typealias Changed = C69; var rate: T39; var owner: T64 }
struct C69: Codable, Equatable { var rate: C39; var owner: C64 }
struct T70: GeneratedType { typealias Changed = C70; var parts: T52?; var weight: [UInt16]?; var year: T13 }
struct C70: Codable, Equatable { var parts: C52?; var weight: [UInt16]?; var year: C13 }
indirect enum T71: GeneratedType { typealias Changed = C71; case case0(kind: T59, count: Float), case1(tags: [[Int]], year: Int64, id: [Int64]?) }
indirect enum C71: Codable, Equatable { case case0(kind: C59, count: Float), case1(tags: [[Int]], year: Int64, id: [Int64]?) }
struct T72: GeneratedType { typealias Changed = C72; var name: Int8?; var isOpen: T60 }
struct C72: Codable, Equatable { var name: Int8?; var isOpen: C60 }
struct T73: GeneratedType { typealias Changed = C73; var id: T44 }
struct C73: Codable, Equatable { var id: C44 }
struct T74: GeneratedType { typealias Changed = C74; var isOpen: [String: Int8] }
struct C74: Codable, Equatable { var isOpen: [String: Int8] }
struct T75: GeneratedType { typealias Changed = C75; var name: Int8 }
struct C75: Codable, Equatable { var name: Bool? }
struct T76: GeneratedType { typealias Changed = C76; var rate: Int8?; var tags: Double; var x: Bool }
struct C76: Codable, Equatable { var rate: Int8?; var tags: Double; var x: Bool?; var added: String? }
struct T77: GeneratedType { typealias Changed = C77; var isOpen: Double }
struct C77: Codable, Equatable { var isOpen: Double }
indirect enum T78: GeneratedType { typealias Changed = C78; case case0 }
indirect enum C78: Codable, Equatable { case case0 }
indirect enum T79: GeneratedType { typealias Changed = C79; case case0 }
indirect enum C79: Codable, Equatable { case case0 }
indirect enum T80: GeneratedType { typealias Changed = C80; case case0(weight: T64, owner: String, `first name`: Int64, tags: Int8?), case1(x: [String: UInt16], parts: [T36], `first name`: [String], id: [[String: T42]]), case2(`first name`: T74, isOpen: UInt16, x: Double) }
indirect enum C80: Codable, Equatable { case case0(weight: C64, owner: String, `first name`: Int64, tags2: Int8?), case1(x: [String: UInt16], parts: [C36], `first name`: [String], id: [[String: C42]]), case2(`first name`: C74, isOpen: UInt16, x: Double) }
indirect enum T81: GeneratedType { typealias Changed = C81; case case0, case1(rate: Bool), case2(größe: [String: UInt16], rate: T73, tags: T73, kind: [UInt16?]) }
indirect enum C81: Codable, Equatable { case case0, case1(rate: Bool), case2(größe: [String: UInt16], rate: C73, tags: C73, kind: [UInt16?]) }
struct T82: GeneratedType { typealias Changed = C82; var isOpen: T70; var id: Int64 }
struct C82: Codable, Equatable { var isOpen: C70; var id: Int64; var added: Int64? }
indirect enum T83: GeneratedType { typealias Changed = C83; case case0(größe: Double?, rate: T8, isOpen: UInt16, year: [String: String]), case1(kind: Int8, weight: [String: Int64], x: T54, parts: [String: Float]), case2(`first name`: Float, x: [[String: String]]) }
indirect enum C83: Codable, Equatable { case case0(größe: Double?, rate: C8, isOpen: UInt16?, year: [String: String]), case1(kind: Int8, weight: [String: Int64], x: C54, parts: [String: Float]), case2(`first name`: Float, x: [[String: String]]) }
struct T84: GeneratedType { typealias Changed = C84; var rate: [Int]?; var owner: Int64 }
struct C84: Codable, Equatable { var rate: [Int]?; var owner: Int64 }
struct T85: GeneratedType { typealias Changed = C85; var year: [String: Bool]? }
struct C85: Codable, Equatable { var year2: [String: Bool]? }
struct T86: GeneratedType { typealias Changed = C86; var weight: Bool; var isOpen: T42; var year: Int8; var name: T68; var owner: Double }
struct C86: Codable, Equatable { var weight: Bool; var isOpen: C42; var year: Int8; var name2: C68; var owner: Double; var added: Int64? }
struct T87: GeneratedType { typealias Changed = C87; var isOpen: T68; var `first name`: [String: Float?]; var owner: Int64?; var parts: [T78] }
struct C87: Codable, Equatable { var isOpen: C68?; var `first name`: [String: Float?]; var owner: Int64?; var parts: [C78] }
indirect enum T88: GeneratedType { typealias Changed = C88; case case0(year: Int8, x: T18) }
indirect enum C88: Codable, Equatable { case case0(year: Bool, x: C18) }
struct T89: GeneratedType { typealias Changed = C89; var name: [String: Int]; var owner: Float; var kind: Int }
struct C89: Codable, Equatable { var name: [String: Int]?; var kind: Int }
struct T90: GeneratedType { typealias Changed = C90; var name: Float }
struct C90: Codable, Equatable { var name: Float }
indirect enum T91: GeneratedType { typealias Changed = C91; case case0(kind: [String: T78], tags: Double, name: Double, isOpen: T83?), case1, case2(tags: T78, year: [String], owner: Int64, isOpen: Int64) }
indirect enum C91: Codable, Equatable { case case0(kind: [String: C78], tags: Double, name: Double, isOpen: C83?), case1, case2(tags: C78, year: [String], owner: Int64, isOpen: Int64) }
struct T92: GeneratedType { typealias Changed = C92; var `first name`: Double?; var größe: Double }
struct C92: Codable, Equatable { var `first name`: Double?; var größe: Double }
struct T93: GeneratedType { typealias Changed = C93; var isOpen: Bool?; var owner: String; var weight: Int; var name: UInt16; var parts: T82? }
struct C93: Codable, Equatable { var isOpen: Bool?; var owner: String; var weight: Bool; var name: UInt16; var parts: C82? }
struct T94: GeneratedType { typealias Changed = C94; var rate: T90; var isOpen: [String: T49]; var count: Int8; var name: Int8; var x: [T21] }
struct C94: Codable, Equatable { var rate: C90; var isOpen: [String: C49]; var count: Int8; var name: Int8; var x: [C21]; var added: String }
struct T95: GeneratedType { typealias Changed = C95; var größe: UInt16; var isOpen: Int64 }
struct C95: Codable, Equatable { var größe: Int64; var isOpen: Int64 }
struct T96: GeneratedType { typealias Changed = C96; var größe: [UInt16]; var owner: T83; var name: [Int8?]; var rate: T87; var parts: UInt16 }
struct C96: Codable, Equatable { var größe: [UInt16]; var owner: C83; var name: [Int8?]; var rate: C87; var parts: UInt16 }
struct T97: GeneratedType { typealias Changed = C97; var rate: [String: Int8]; var count: [String: T43]; var name: Int64 }
struct C97: Codable, Equatable { var rate: [String: Int8]; var count: [String: C43]; var name: Int64 }
indirect enum T98: GeneratedType { typealias Changed = C98; case case0(id: T92), case1(parts: [String], kind: T80, rate: UInt16) }
indirect enum C98: Codable, Equatable { case case0(id: C92), case1(parts: [String], kind: C80, rate: UInt16) }
indirect enum T99: GeneratedType { typealias Changed = C99; case case0(name: T79?, tags: [String: T81], rate: [[T81]], größe: Int64) }
indirect enum C99: Codable, Equatable { case case0(name: C79?, tags: [String: C81], rate2: [[C81]], größe: Int64) }
struct T100: GeneratedType { typealias Changed = C100; var x: T80 }
struct C100: Codable, Equatable { var x: C80; var added: Double }
struct T101: GeneratedType { typealias Changed = C101; var tags: Int8; var parts: [String: T49]; var id: Int64; var count: T51 }
struct C101: Codable, Equatable { var tags: Int8; var parts: [String: C49]; var id: Bool; var count: C51 }
indirect enum T102: GeneratedType { typealias Changed = C102; case case0(name: T82, owner: UInt16), case1(x: Double?, count: Int, owner: UInt16, weight: Double) }
indirect enum C102: Codable, Equatable { case case0(name: C82, owner: UInt16), case1(count: Int, owner: UInt16, weight: Double) }
struct T103: GeneratedType { typealias Changed = C103; var rate: T87 }
struct C103: Codable, Equatable { var rate: C87 }
struct T104: GeneratedType { typealias Changed = C104; var year: T91; var isOpen: T96; var kind: T97 }
struct C104: Codable, Equatable { var year: C91; var kind: C97; var added: Bool? }
indirect enum T105: GeneratedType { typealias Changed = C105; case case0(parts: T90, owner: T99, name: Bool?, kind: Bool), case1(rate: T92) }
indirect enum C105: Codable, Equatable { case case0(parts: C90, owner: C99, name: Bool?, kind: Bool), case1(rate: C92, added: Bool?) }
struct T106: GeneratedType { typealias Changed = C106; var owner: T22 }
struct C106: Codable, Equatable { var owner: C22 }
struct T107: GeneratedType { typealias Changed = C107; var owner: T45?; var größe: Double; var isOpen: Double }
struct C107: Codable, Equatable { var owner: C45?; var isOpen: Double; var added: UInt16? }
indirect enum T108: GeneratedType { typealias Changed = C108; case case0 }
indirect enum C108: Codable, Equatable { case case0(added: String?) }
struct T109: GeneratedType { typealias Changed = C109; var id: Bool; var `first name`: Bool }
struct C109: Codable, Equatable { var id: Bool?; var `first name`: Bool }
indirect enum T110: GeneratedType { typealias Changed = C110; case case0 }
indirect enum C110: Codable, Equatable { case case0 }
indirect enum T111: GeneratedType { typealias Changed = C111; case case0(tags: T109), case1(count: Float, `first name`: Int?) }
indirect enum C111: Codable, Equatable { case case0(tags: C109?), case1(count: Float, `first name`: Int?) }
struct T112: GeneratedType { typealias Changed = C112; var owner: T104; var year: T93; var weight: T96; var id: [Int64]? }
struct C112: Codable, Equatable { var owner: C104; var year: Bool; var weight: C96; var id: [Int64]? }
struct T113: GeneratedType { typealias Changed = C113; var tags: String }
struct C113: Codable, Equatable { var tags: String }
indirect enum T114: GeneratedType { typealias Changed = C114; case case0(rate: Float, `first name`: Bool?, größe: T94), case1(rate: UInt16, größe: Int8), case2(weight: T30?, x: Double) }
indirect enum C114: Codable, Equatable { case case0(rate: Float, `first name`: Bool?, größe: C94), case1(rate: UInt16, größe: Int8), case2(weight: C30?, x: Double) }
indirect enum T115: GeneratedType { typealias Changed = C115; case case0, case1, case2(größe: [Int], name: Float, isOpen: Int64?, weight: String) }
indirect enum C115: Codable, Equatable { case case0, case1, case2(größe: [Int], name: Float, isOpen: Int64?, weight: String) }
struct T116: GeneratedType { typealias Changed = C116; var größe: T104 }
struct C116: Codable, Equatable { var größe: C104; var added: Int64? }
struct T117: GeneratedType { typealias Changed = C117; var `first name`: T112; var year: Int8; var name: [String: Int64]?; var rate: Int64? }
struct C117: Codable, Equatable { var `first name`: C112; var year: Int8; var name: [String: Int64]?; var rate: Int64? }
struct T118: GeneratedType { typealias Changed = C118; var rate: String; var year: T109?; var count: [Int64]; var x: String }
struct C118: Codable, Equatable { var rate: String; var year: C109?; var count: [Int64]; var x: String }
struct T119: GeneratedType { typealias Changed = C119; var owner: [String]; var parts: Int64; var `first name`: Float?; var id: Int }
struct C119: Codable, Equatable { var owner2: [String]; var parts: Int64; var `first name`: Float?; var id: Int }
indirect enum T120: GeneratedType { typealias Changed = C120; case case0(year: [[Int8]], kind: Int, count: String, größe: Bool) }
indirect enum C120: Codable, Equatable { case case0(year: [[Int8]], kind: Int, count: String, größe: Bool) }
struct T121: GeneratedType { typealias Changed = C121; var tags: UInt16; var `first name`: [Float]?; var rate: T109 }
struct C121: Codable, Equatable { var tags: UInt16; var `first name`: [Float]?; var rate: C109 }
struct T122: GeneratedType { typealias Changed = C122; var `first name`: T104; var name: [String: T118]?; var id: Int64 }
struct C122: Codable, Equatable { var `first name`: C104; var name: [String: C118]?; var id: Int64; var added: Int64 }
indirect enum T123: GeneratedType { typealias Changed = C123; case case0(größe: [String: String], weight: UInt16, x: Double, kind: Int64), case1 }
indirect enum C123: Codable, Equatable { case case0(größe: [String: String]?, weight: UInt16, x: Double, kind: Int64), case1 }
indirect enum T124: GeneratedType { typealias Changed = C124; case case0(größe: [Int], isOpen: Int8, parts: T113), case1(tags: Double) }
indirect enum C124: Codable, Equatable { case case0(größe: [Int], isOpen: Int8?, parts: C113), case1(tags: Double) }
struct T125: GeneratedType { typealias Changed = C125; var name: Bool?; var kind: Double?; var year: UInt16; var parts: T116; var weight: T113 }
struct C125: Codable, Equatable { var name: Bool?; var kind: Double?; var year: UInt16; var parts: C116; var weight: C113; var added: String? }
indirect enum T126: GeneratedType { typealias Changed = C126; case case0(id: [String: Bool], name: Bool), case1(name: Int64, id: T112, tags: [Bool?]), case2(owner: String, parts: T123, rate: T76) }
indirect enum C126: Codable, Equatable { case case0(name: Bool), case1(name: Int64, id: C112, tags: [Bool?]), case2(owner: String, parts: C123, rate: C76) }
indirect enum T127: GeneratedType { typealias Changed = C127; case case0(year: Bool, parts: T3, isOpen: Bool?, `first name`: [String: Int64]?), case1(parts: UInt16, isOpen: T126?) }
indirect enum C127: Codable, Equatable { case case0(year: Bool, parts: C3, isOpen: Bool?, `first name`: [String: Int64]?), case1(parts2: UInt16, isOpen: C126?) }
struct T128: GeneratedType { typealias Changed = C128; var owner: [T123]; var parts: T116; var isOpen: String; var weight: T112; var id: [[Double]] }
struct C128: Codable, Equatable { var owner: [C123]; var parts: C116; var isOpen: String; var weight: C112; var id: [[Double]]? }
struct T129: GeneratedType { typealias Changed = C129; var größe: T116; var year: UInt16 }
struct C129: Codable, Equatable { var größe: C116; var year: UInt16? }
struct T130: GeneratedType { typealias Changed = C130; var x: T66; var größe: [T129]; var rate: Float; var owner: T129; var id: T118 }
struct C130: Codable, Equatable { var x: C66; var größe: [C129]; var rate: Float; var owner: C129; var id: C118 }
struct T131: GeneratedType { typealias Changed = C131; var rate: [String: T128]; var kind: Int8; var isOpen: Float }
struct C131: Codable, Equatable { var rate: [String: C128]; var kind: Int8; var isOpen: Float; var added: Double? }
struct T132: GeneratedType { typealias Changed = C132; var weight: [String: Int?] }
struct C132: Codable, Equatable { var weight: [String: Int?] }
struct T133: GeneratedType { typealias Changed = C133; var weight: Float }
struct C133: Codable, Equatable { var weight: Float }
struct T134: GeneratedType { typealias Changed = C134; var isOpen: [String: Int64]; var id: Int; var name: Float }
struct C134: Codable, Equatable { var isOpen2: [String: Int64]; var id: Int; var name: Float? }
struct T135: GeneratedType { typealias Changed = C135; var größe: Bool; var isOpen: [UInt16?]; var x: UInt16; var parts: Float }
struct C135: Codable, Equatable { var größe: Bool; var isOpen: [UInt16?]; var parts: Float }
struct T136: GeneratedType { typealias Changed = C136; var größe: Int8; var x: UInt16 }
struct C136: Codable, Equatable { var größe: Int8; var x: UInt16 }
struct T137: GeneratedType { typealias Changed = C137; var weight: Float?; var größe: T117? }
struct C137: Codable, Equatable { var größe: C117?; var added: Int8? }
indirect enum T138: GeneratedType { typealias Changed = C138; case case0(id: UInt16, x: T121), case1(id: T82, tags: [[String: T95]], `first name`: T137), case2(isOpen: T120, `first name`: Float, weight: Double) }
indirect enum C138: Codable, Equatable { case case0(id: UInt16, x: C121), case1(id: C82, tags: [[String: C95]], `first name`: C137), case2(isOpen: C120?, `first name`: Float, weight: Bool) }
struct T139: GeneratedType { typealias Changed = C139; var rate: Float }
struct C139: Codable, Equatable { var rate: Float }
struct T140: GeneratedType { typealias Changed = C140; var größe: Int8; var year: T131; var name: [String: [String: Int]]; var weight: Float }
struct C140: Codable, Equatable { var größe: Int8; var year: C131; var name: [String: [String: Int]]; var weight: Float }
struct T141: GeneratedType { typealias Changed = C141; var weight: [String: T25]; var parts: T50; var x: T137; var `first name`: [String: Float]; var id: Double }
struct C141: Codable, Equatable { var weight: [String: C25]; var parts: C50; var x: C137; var `first name`: [String: Float]; var id: Double }
struct T142: GeneratedType { typealias Changed = C142; var year: [String: [String: Bool]] }
struct C142: Codable, Equatable { var year: [String: [String: Bool]]; var added: UInt16? }
struct T143: GeneratedType { typealias Changed = C143; var weight: UInt16 }
struct C143: Codable, Equatable { var weight: UInt16 }
struct T144: GeneratedType { typealias Changed = C144; var tags: Bool; var count: UInt16? }
struct C144: Codable, Equatable { var tags: Bool; var count: UInt16? }
struct T145: GeneratedType { typealias Changed = C145; var parts: String; var größe: Float? }
struct C145: Codable, Equatable { var parts: String; var größe: Float }
struct T146: GeneratedType { typealias Changed = C146; var weight: Double; var rate: UInt16; var parts: [Int?]; var größe: Float? }
struct C146: Codable, Equatable { var weight: Double; var rate: UInt16; var parts: [Int?]; var größe: Float? }
struct T147: GeneratedType { typealias Changed = C147; var weight: [String: Double]? }
struct C147: Codable, Equatable { var weight: [String: Double]? }
indirect enum T148: GeneratedType { typealias Changed = C148; case case0(größe: Int8), case1(größe: Double?, year: T128, tags: Int64?, rate: Float?), case2(größe: Int8, isOpen: Int, name: Int, kind: String) }
indirect enum C148: Codable, Equatable { case case0(größe: Int8), case1(größe: Double?, year: C128, tags: Int64?, rate2: Float?), case2(größe: Int8, isOpen: Int, name: Int, kind: String) }
indirect enum T149: GeneratedType { typealias Changed = C149; case case0, case1(größe: T143, `first name`: Int, x: Int64, count: Int), case2(owner: T64, tags: T144) }
indirect enum C149: Codable, Equatable { case case0, case1(größe: C143, `first name`: Int, x: Int64, count: Int), case2(owner: C64, tags: C144) }
struct T150: GeneratedType { typealias Changed = C150; var id: Double; var owner: T146; var tags: T146; var count: T143; var kind: [String] }
struct C150: Codable, Equatable { var id: Double?; var owner: C146?; var tags: C146; var count: C143; var kind: [String] }
struct T151: GeneratedType { typealias Changed = C151; var größe: T113?; var x: T144?; var kind: T143 }
struct C151: Codable, Equatable { var größe: C113?; var x: C144?; var kind: C143? }
struct T152: GeneratedType { typealias Changed = C152; var name: Float; var id: Int64? }
struct C152: Codable, Equatable { var name: Float; var id: Int64? }
indirect enum T153: GeneratedType { typealias Changed = C153; case case0(year: Bool, id: [String: Double]) }
indirect enum C153: Codable, Equatable { case case0(year: Bool?) }
struct T154: GeneratedType { typealias Changed = C154; var größe: Int8; var rate: Bool; var `first name`: [T54]; var name: Bool }
struct C154: Codable, Equatable { var größe: Int8; var rate: Bool; var `first name`: [C54]; var name: Bool }
struct T155: GeneratedType { typealias Changed = C155; var parts: [String: T140]; var größe: T137; var id: Double; var tags: UInt16 }
struct C155: Codable, Equatable { var parts: [String: C140]; var größe: C137; var id: Int; var tags: UInt16 }
struct T156: GeneratedType { typealias Changed = C156; var größe: UInt16; var tags: [String: [String: T111]]; var rate: Int64; var name: T151? }
struct C156: Codable, Equatable { var größe: UInt16; var tags: [String: [String: C111]]; var rate: Int64; var name: C151? }
struct T157: GeneratedType { typealias Changed = C157; var count: T137 }
struct C157: Codable, Equatable { var count: C137 }
struct T158: GeneratedType { typealias Changed = C158; var tags: Float }
struct C158: Codable, Equatable { var tags2: Float? }
struct T159: GeneratedType { typealias Changed = C159; var id: Int; var owner: Int64; var größe: Int8?; var x: String }
struct C159: Codable, Equatable { var id: Int; var owner: Int64; var größe: Int8?; var x: String }
struct T160: GeneratedType { typealias Changed = C160; var tags: T149; var year: UInt16; var `first name`: T84?; var count: T148 }
struct C160: Codable, Equatable { var tags: C149; var year: UInt16; var `first name`: C84?; var count: C148 }
indirect enum T161: GeneratedType { typealias Changed = C161; case case0(owner: [String: [Double]], name: String?, `first name`: T144?, id: T156), case1(name: Int8, tags: Int), case2(kind: Int64, id: T0, weight: T144, `first name`: Int) }
indirect enum C161: Codable, Equatable { case case0(owner: [String: [Double]], name: String?, `first name`: C144?, id: C156), case1(name: Int8, tags: Int), case2(kind: Int64, id: C0, weight: C144, `first name`: Int) }
struct T162: GeneratedType { typealias Changed = C162; var isOpen: String; var weight: T153?; var tags: T148; var `first name`: Double; var count: Float }
struct C162: Codable, Equatable { var isOpen: String; var weight: C153?; var tags: C148; var `first name`: Double; var count: Float; var added: Int64 }
struct T163: GeneratedType { typealias Changed = C163; var kind: Float }
struct C163: Codable, Equatable { var kind: Int64 }
struct T164: GeneratedType { typealias Changed = C164; var weight: T156 }
struct C164: Codable, Equatable { var weight: C156 }
struct T165: GeneratedType { typealias Changed = C165; var x: Int64; var year: String; var rate: Int; var tags: T151; var count: Int8 }
struct C165: Codable, Equatable { var x: Int64; var year: String; var rate: Int8; var tags: C151 }
indirect enum T166: GeneratedType { typealias Changed = C166; case case0 }
indirect enum C166: Codable, Equatable { case case0 }
struct T167: GeneratedType { typealias Changed = C167; var `first name`: T162; var tags: Int; var weight: Bool?; var rate: String }
struct C167: Codable, Equatable { var `first name`: C162; var tags: Int; var weight: Bool?; var rate: String }
indirect enum T168: GeneratedType { typealias Changed = C168; case case0(isOpen: UInt16, count: String?, weight: T159, owner: [String: Float]) }
indirect enum C168: Codable, Equatable { case case0(isOpen: UInt16, count: String?, weight: C159, owner: [String: Float]) }
struct T169: GeneratedType { typealias Changed = C169; var x: T150 }
struct C169: Codable, Equatable { var x: UInt16 }
struct T170: GeneratedType { typealias Changed = C170; var isOpen: Float; var tags: UInt16?; var name: Int8?; var id: T26?; var weight: Int64 }
struct C170: Codable, Equatable { var isOpen: Float; var tags: UInt16?; var name: Bool; var id: C26?; var weight: Int64 }
struct T171: GeneratedType { typealias Changed = C171; var owner: T2; var year: Int8?; var id: UInt16; var größe: T158?; var isOpen: [Int] }
struct C171: Codable, Equatable { var owner: C2; var year: Int8?; var id: UInt16; var größe: C158?; var isOpen: [Int] }
struct T172: GeneratedType { typealias Changed = C172; var kind: T46; var isOpen: Float; var rate: Int8; var tags: Double }
struct C172: Codable, Equatable { var kind: C46; var rate: Int8; var tags: Double; var added: Bool? }
struct T173: GeneratedType { typealias Changed = C173; var tags: Int8 }
struct C173: Codable, Equatable { var tags: Int8; var added: String? }
struct T174: GeneratedType { typealias Changed = C174; var owner: T155; var x: T154 }
struct C174: Codable, Equatable { var owner: C155; var x: C154 }
struct T175: GeneratedType { typealias Changed = C175; var größe: [UInt16]; var owner: Double; var `first name`: T173; var year: T168 }
struct C175: Codable, Equatable { var größe: [UInt16]?; var owner: Double; var `first name`: C173; var year: C168 }
indirect enum T176: GeneratedType { typealias Changed = C176; case case0(owner: T16?, x: Double), case1 }
indirect enum C176: Codable, Equatable { case case0(owner: C16?, x: Double), case1 }
struct T177: GeneratedType { typealias Changed = C177; var id: Bool; var isOpen: [[String: Float]] }
struct C177: Codable, Equatable { var id: UInt16; var isOpen: [[String: Float]] }
struct T178: GeneratedType { typealias Changed = C178; var id: [UInt16]; var rate: Int64; var count: Int64; var kind: Int64? }
struct C178: Codable, Equatable { var id: [UInt16]; var rate: Int64; var count2: Int64; var kind: Int64? }
struct T179: GeneratedType { typealias Changed = C179; var größe: UInt16; var rate: Int; var tags: [String: UInt16]; var name: Int?; var `first name`: T178 }
struct C179: Codable, Equatable { var größe: UInt16; var rate: Int; var tags: [String: UInt16]; var name: Int?; var `first name`: C178 }
struct T180: GeneratedType { typealias Changed = C180; var x: [String: T177] }
struct C180: Codable, Equatable { var x: [String: C177] }
struct T181: GeneratedType { typealias Changed = C181; var count: Int64; var weight: [T167]; var year: [Int64]; var isOpen: Int64 }
struct C181: Codable, Equatable { var count: Int64; var weight: [C167]; var year: Bool; var isOpen: Int64 }
struct T182: GeneratedType { typealias Changed = C182; var parts: Bool? }
struct C182: Codable, Equatable { var parts: Bool? }
struct T183: GeneratedType { typealias Changed = C183; var rate: Int8; var kind: T175 }
struct C183: Codable, Equatable { var rate: Double?; var kind: C175 }
struct T184: GeneratedType { typealias Changed = C184; var owner: UInt16 }
struct C184: Codable, Equatable { var owner2: String }
struct T185: GeneratedType { typealias Changed = C185; var owner: T165; var rate: T173; var parts: String; var tags: T174?; var name: Float? }
struct C185: Codable, Equatable { var owner: C165; var rate: C173; var parts: String; var tags: C174?; var name: Float? }
struct T186: GeneratedType { typealias Changed = C186; var `first name`: T93; var id: T170; var tags: Float; var parts: T176; var weight: String }
struct C186: Codable, Equatable { var `first name`: C93; var id: C170; var tags: Float; var parts: C176; var weight: String }
struct T187: GeneratedType { typealias Changed = C187; var id: T107; var `first name`: T163; var rate: T105; var x: [String: Bool] }
struct C187: Codable, Equatable { var id: C107; var `first name`: C163; var x: [String: Bool] }
struct T188: GeneratedType { typealias Changed = C188; var tags: [String?]; var parts: UInt16; var x: T84; var kind: Bool; var name: [String: T174] }
struct C188: Codable, Equatable { var tags: [String?]; var parts: UInt16; var x: C84; var kind: Bool; var name: [String: C174] }
struct T189: GeneratedType { typealias Changed = C189; var größe: Float; var weight: Double; var `first name`: Bool; var isOpen: Int; var tags: Int64 }
struct C189: Codable, Equatable { var größe: Float; var weight: Double; var `first name`: Bool; var isOpen: Int; var tags: Int64; var added: Int? }
struct T190: GeneratedType { typealias Changed = C190; var größe: [T167]?; var parts: String?; var year: [T127]; var x: T16 }
struct C190: Codable, Equatable { var größe: [C167]?; var parts: String?; var year: [C127]; var x: C16 }
indirect enum T191: GeneratedType { typealias Changed = C191; case case0(id: T188, weight: [String: Int], größe: T171?, kind: UInt16), case1(isOpen: UInt16, kind: Bool, count: T69, x: UInt16), case2(kind: T177, tags: Double) }
indirect enum C191: Codable, Equatable { case case0(id: C188, weight: [String: Int], größe: C171?, kind: UInt16), case1(isOpen: UInt16, kind: Bool, count: String, x: UInt16), case2(kind: C177, tags: Double, added: Int8?) }
struct T192: GeneratedType { typealias Changed = C192; var weight: Float; var rate: T172? }
struct C192: Codable, Equatable { var weight: Float; var rate: C172? }
struct T193: GeneratedType { typealias Changed = C193; var count: [String: Int64]; var year: String; var größe: Bool; var x: UInt16? }
struct C193: Codable, Equatable { var count: [String: Int64]; var year: String; var größe: Bool; var x: UInt16?; var added: Int64? }
indirect enum T194: GeneratedType { typealias Changed = C194; case case0(year: String), case1(weight: [Int8], isOpen: String), case2 }
indirect enum C194: Codable, Equatable { case case0(year: String), case1(weight: [Int8], isOpen: String), case2 }
indirect enum T195: GeneratedType { typealias Changed = C195; case case0(owner: Int, parts: Bool) }
indirect enum C195: Codable, Equatable { case case0(owner: Int64, parts: Bool) }
struct T196: GeneratedType { typealias Changed = C196; var kind: UInt16?; var year: T186; var owner: Int?; var name: T191 }
struct C196: Codable, Equatable { var kind: UInt16?; var year: C186; var owner: Int?; var name: C191 }
struct T197: GeneratedType { typealias Changed = C197; var rate: T134; var größe: [String: String]?; var isOpen: Int64?; var tags: [Float] }
struct C197: Codable, Equatable { var rate: C134; var größe: [String: String]?; var tags: [Float] }
indirect enum T198: GeneratedType { typealias Changed = C198; case case0 }
indirect enum C198: Codable, Equatable { case case0(added: Int) }
struct T199: GeneratedType { typealias Changed = C199; var isOpen: Int }
struct C199: Codable, Equatable { var isOpen: Int }
struct T200: GeneratedType { typealias Changed = C200; var isOpen: T192; var tags: Int; var owner: [T50?]; var parts: T186 }
struct C200: Codable, Equatable { var isOpen: C192; var tags: Int; var owner: [C50?]; var parts: C186 }
struct T201: GeneratedType { typealias Changed = C201; var x: Int64?; var kind: Int64; var rate: [Double]; var parts: Int64 }
struct C201: Codable, Equatable { var x: Int64?; var kind: Int64; var rate: [Double]; var parts: Int64 }
struct T202: GeneratedType { typealias Changed = C202; var größe: T201?; var kind: T201 }
struct C202: Codable, Equatable { var größe: C201?; var kind: C201 }
struct T203: GeneratedType { typealias Changed = C203; var owner: [Int8]; var id: T3?; var weight: [String: Float] }
struct C203: Codable, Equatable { var owner: [Int8]; var id: C3?; var weight: [String: Float] }
indirect enum T204: GeneratedType { typealias Changed = C204; case case0(owner: Bool, id: T188, year: [UInt16]), case1(rate: Float, kind: [String: T87?], owner: Int8) }
indirect enum C204: Codable, Equatable { case case0(owner: Bool, id: C188, year: [UInt16]), case1(rate: Float, kind: [String: C87?]) }
struct T205: GeneratedType { typealias Changed = C205; var größe: [T195]; var parts: T185; var tags: Int; var `first name`: Int8 }
struct C205: Codable, Equatable { var größe: [C195]?; var parts: C185; var tags: Int; var `first name`: Int8 }
indirect enum T206: GeneratedType { typealias Changed = C206; case case0, case1 }
indirect enum C206: Codable, Equatable { case case0(added: Int8), case1 }
indirect enum T207: GeneratedType { typealias Changed = C207; case case0(weight: [Int64?], x: [T43?], parts: T78), case1(isOpen: T71) }
indirect enum C207: Codable, Equatable { case case0(weight: [Int64?], x: [C43?], parts: C78, added: Bool?), case1(isOpen: Int64) }
struct T208: GeneratedType { typealias Changed = C208; var tags: T202 }
struct C208: Codable, Equatable { var tags: C202 }
indirect enum T209: GeneratedType { typealias Changed = C209; case case0(id: [String: Bool?], parts: Bool, tags: Int?), case1(count: T191, x: [String: Int64?]) }
indirect enum C209: Codable, Equatable { case case0(id: [String: Bool?], parts: Bool, tags: Int?), case1(count: C191, x: [String: Int64?]) }
struct T210: GeneratedType { typealias Changed = C210; var kind: [String]; var rate: Int? }
struct C210: Codable, Equatable { var kind: [String]; var rate2: Int? }
struct T211: GeneratedType { typealias Changed = C211; var kind: Int64; var weight: Int8?; var größe: T207?; var name: Bool; var owner: Int64 }
struct C211: Codable, Equatable { var kind2: Int64; var weight: Int8?; var größe: C207?; var name: Bool; var owner: Int64 }
indirect enum T212: GeneratedType { typealias Changed = C212; case case0(parts: Bool, isOpen: T206, weight: UInt16?, `first name`: Int), case1(owner: T196, größe: Double, x: Float, rate: [String: Bool]?), case2(id: T206, parts: Int64, größe: UInt16) }
indirect enum C212: Codable, Equatable { case case0(parts: Bool, isOpen: C206, weight: UInt16?, `first name`: Int), case1(owner: C196, größe: Double, x: Float, rate: [String: Bool]?), case2(id: C206, parts: Int64, größe: UInt16) }
indirect enum T213: GeneratedType { typealias Changed = C213; case case0(x: T110, isOpen: Float) }
indirect enum C213: Codable, Equatable { case case0(x: C110, isOpen: Float) }
indirect enum T214: GeneratedType { typealias Changed = C214; case case0(größe: String, weight: T198, rate: String, name: [String: Int]) }
indirect enum C214: Codable, Equatable { case case0(größe: String, weight: C198, rate: String, name: [String: Int]) }
indirect enum T215: GeneratedType { typealias Changed = C215; case case0(owner: T208, `first name`: String, count: [String: T180]?) }
indirect enum C215: Codable, Equatable { case case0(`first name`: String, count: [String: C180]?, added: Float) }
struct T216: GeneratedType { typealias Changed = C216; var kind: [String: T196] }
struct C216: Codable, Equatable { var kind: String; var added: Int? }
struct T217: GeneratedType { typealias Changed = C217; var name: Int8; var `first name`: [T104]; var owner: Bool }
struct C217: Codable, Equatable { var name: Int8; var `first name`: [C104]; var owner: Bool }
struct T218: GeneratedType { typealias Changed = C218; var name: T61; var weight: Float?; var kind: Int?; var id: T151?; var parts: Int64 }
struct C218: Codable, Equatable { var name: C61; var weight: Float?; var kind: Int?; var id: C151?; var parts: Int64 }
struct T219: GeneratedType { typealias Changed = C219; var year: Bool; var id: [[String: UInt16]] }
struct C219: Codable, Equatable { var year: Bool; var id: [[String: UInt16]] }
struct T220: GeneratedType { typealias Changed = C220; var weight: Int64; var id: Float; var `first name`: Double }
struct C220: Codable, Equatable { var weight: Int64; var id: Float; var `first name`: Double; var added: Int? }
indirect enum T221: GeneratedType { typealias Changed = C221; case case0(year: T214, `first name`: Int, isOpen: [String: [Bool]]), case1(weight: Float?, tags: UInt16), case2(weight: String, x: [String: String], name: T203?) }
indirect enum C221: Codable, Equatable { case case0(year: C214, `first name`: Int, isOpen: Int8), case1(weight: Float?, tags: UInt16), case2(weight: String, x: [String: String], name: C203?) }
struct T222: GeneratedType { typealias Changed = C222; var tags: [Double?]; var rate: Int; var parts: Float; var kind: String }
struct C222: Codable, Equatable { var tags: [Double?]; var rate: Int; var parts: Float; var kind: String }
struct T223: GeneratedType { typealias Changed = C223; var tags: T90; var rate: T203; var `first name`: T209; var name: Bool; var owner: [T146]? }
struct C223: Codable, Equatable { var tags: C90; var rate: C203; var `first name`: C209; var name: Bool; var owner: [C146]? }
indirect enum T224: GeneratedType { typealias Changed = C224; case case0(rate: Double, name: T213), case1, case2(count: T210?, rate: T177) }
indirect enum C224: Codable, Equatable { case case0(rate: Double, name: C213), case1, case2(count: C210?, rate: C177) }
struct T225: GeneratedType { typealias Changed = C225; var isOpen: Int8; var name: [T217]; var größe: T218; var count: String; var id: T215 }
struct C225: Codable, Equatable { var isOpen: Int8; var name: [C217]; var größe: C218; var count: String; var id: C215 }
indirect enum T226: GeneratedType { typealias Changed = C226; case case0(id: Bool, parts: T212) }
indirect enum C226: Codable, Equatable { case case0(id: Bool, parts: C212) }
struct T227: GeneratedType { typealias Changed = C227; var x: Int64; var weight: Bool; var parts: Int64 }
struct C227: Codable, Equatable { var x: Int64; var weight: Bool }
struct T228: GeneratedType { typealias Changed = C228; var `first name`: Int }
struct C228: Codable, Equatable { var `first name`: Int }
struct T229: GeneratedType { typealias Changed = C229; var parts: T98; var weight: T126; var kind: T216; var tags: Float; var owner: Int8 }
struct C229: Codable, Equatable { var parts: C98; var weight: C126; var kind: C216; var tags: Float; var owner: Int8 }
struct T230: GeneratedType { typealias Changed = C230; var count: Int8; var id: Bool; var weight: UInt16? }
struct C230: Codable, Equatable { var count: Int8; var id: Bool; var weight: UInt16? }
struct T231: GeneratedType { typealias Changed = C231; var weight: Int; var x: [UInt16]?; var rate: String?; var parts: UInt16; var größe: Int }
struct C231: Codable, Equatable { var weight: Int; var x: [UInt16]?; var rate: String?; var parts: UInt16; var größe: Int }
struct T232: GeneratedType { typealias Changed = C232; var x: [[String: Float]]; var tags: Float }
struct C232: Codable, Equatable { var x: [[String: Float]]; var tags: Int64; var added: Float? }
struct T233: GeneratedType { typealias Changed = C233; var id: Bool; var owner: Int }
struct C233: Codable, Equatable { var id: Bool?; var owner: Int }
indirect enum T234: GeneratedType { typealias Changed = C234; case case0(x: Int, größe: String, year: Int64) }
indirect enum C234: Codable, Equatable { case case0(x: Int, größe: String, year: Int64) }
struct T235: GeneratedType { typealias Changed = C235; var tags: Int }
struct C235: Codable, Equatable { var tags: Int }
struct T236: GeneratedType { typealias Changed = C236; var count: [Float]; var kind: Double; var weight: T234?; var `first name`: Int64 }
struct C236: Codable, Equatable { var count: [Float]; var kind: Double; var weight: C234?; var `first name`: Int64; var added: String }
struct T237: GeneratedType { typealias Changed = C237; var owner: Float; var tags: T228; var year: T117?; var name: T221?; var parts: T221 }
struct C237: Codable, Equatable { var owner: Float; var tags: C228; var year: C117?; var name: UInt16; var parts: C221 }
struct T238: GeneratedType { typealias Changed = C238; var größe: [Int64]; var weight: T130 }
struct C238: Codable, Equatable { var größe: Int64; var weight: C130 }
indirect enum T239: GeneratedType { typealias Changed = C239; case case0(x: String?, id: Bool, isOpen: UInt16), case1(x: T230, count: [UInt16]) }
indirect enum C239: Codable, Equatable { case case0(x: String?, id: Bool, isOpen: Int), case1(x: C230, count: [UInt16]) }
indirect enum T240: GeneratedType { typealias Changed = C240; case case0, case1(weight: T236) }
indirect enum C240: Codable, Equatable { case case0, case1 }
struct T241: GeneratedType { typealias Changed = C241; var owner: Int; var weight: T234; var `first name`: Bool; var x: T227; var rate: T198 }
struct C241: Codable, Equatable { var owner: Int; var weight: C234?; var `first name`: Bool; var x: C227; var rate: C198 }
indirect enum T242: GeneratedType { typealias Changed = C242; case case0(parts: Int), case1(id: T238, year: Int, x: [String: String]), case2(x: Double, kind: T236, `first name`: String) }
indirect enum C242: Codable, Equatable { case case0(parts: Int), case1(id: C238, year: Int, x: [String: String], added: Float), case2(x: Double, kind: C236, `first name`: String) }
struct T243: GeneratedType { typealias Changed = C243; var id: String; var tags: [Double] }
struct C243: Codable, Equatable { var id: String; var tags: [Double] }
indirect enum T244: GeneratedType { typealias Changed = C244; case case0(id: Float, tags: [String: Int], größe: Bool) }
indirect enum C244: Codable, Equatable { case case0(id: Float, tags: [String: Int], größe: Bool) }
struct T245: GeneratedType { typealias Changed = C245; var x: T227; var größe: UInt16?; var tags: Int8 }
struct C245: Codable, Equatable { var x: C227; var größe: UInt16?; var tags: Int8 }
struct T246: GeneratedType { typealias Changed = C246; var parts: Int8; var größe: Bool; var isOpen: T69?; var x: T213 }
struct C246: Codable, Equatable { var parts: Int8; var größe: Bool; var isOpen: C69?; var x: C213 }
struct T247: GeneratedType { typealias Changed = C247; var isOpen: String; var name: Bool }
struct C247: Codable, Equatable { var isOpen: String; var name: Bool }
struct T248: GeneratedType { typealias Changed = C248; var x: T173; var parts: UInt16 }
struct C248: Codable, Equatable { var x: C173; var parts: UInt16; var added: Int? }
struct T249: GeneratedType { typealias Changed = C249; var `first name`: [String: Double]; var rate: T241; var parts: T248 }
struct C249: Codable, Equatable { var `first name`: [String: Double]; var rate: Bool; var parts: C248 }
struct T250: GeneratedType { typealias Changed = C250; var kind: Bool; var year: String; var x: Bool?; var größe: String; var name: T234 }
struct C250: Codable, Equatable { var kind: Bool; var year: String; var x: Bool?; var größe: Int64; var name: C234 }
indirect enum T251: GeneratedType { typealias Changed = C251; case case0(kind: [String: T100?], count: [String: String?], name: T241), case1(tags: Bool), case2(größe: [Int64]?, rate: T93) }
indirect enum C251: Codable, Equatable { case case0(kind: [String: C100?], count: [String: String?], name: C241), case1(tags: Double), case2(größe: [Int64]?, rate: C93) }
indirect enum T252: GeneratedType { typealias Changed = C252; case case0(year: [String: Int64], kind: T249?, parts: T110?), case1, case2 }
indirect enum C252: Codable, Equatable { case case0(year: [String: Int64], kind: C249?, parts: C110?, added: Float?), case1, case2 }
struct T253: GeneratedType { typealias Changed = C253; var größe: T251 }
struct C253: Codable, Equatable { var größe: C251 }
struct T254: GeneratedType { typealias Changed = C254; var größe: T247?; var count: Float; var id: T249; var x: Double }
struct C254: Codable, Equatable { var größe: C247?; var count: Float; var id: C249; var x: Double }
indirect enum T255: GeneratedType { typealias Changed = C255; case case0(count: T127, name: Int?), case1(count: [[T244]], isOpen: T250) }
indirect enum C255: Codable, Equatable { case case0(count: C127, name: Int?, added: Int), case1(count: [[C244]], isOpen: C250) }
indirect enum T256: GeneratedType { typealias Changed = C256; case case0, case1(isOpen: String) }
indirect enum C256: Codable, Equatable { case case0, case1(isOpen: String) }
struct T257: GeneratedType { typealias Changed = C257; var kind: Int64?; var x: Float; var tags: T243 }
struct C257: Codable, Equatable { var kind: Int64?; var x: Float }
struct T258: GeneratedType { typealias Changed = C258; var id: T254?; var größe: [String: [String: UInt16]]; var year: Int }
struct C258: Codable, Equatable { var id: C254?; var größe: [String: [String: UInt16]]; var year: Int }
struct T259: GeneratedType { typealias Changed = C259; var name: T6? }
struct C259: Codable, Equatable { var name2: C6? }
struct T260: GeneratedType { typealias Changed = C260; var id: Double; var parts: T256?; var weight: Float }
struct C260: Codable, Equatable { var id: Double; var parts2: C256?; var weight: Float }
struct T261: GeneratedType { typealias Changed = C261; var größe: Int; var parts: T260 }
struct C261: Codable, Equatable { var größe: Int; var parts: C260 }
struct T262: GeneratedType { typealias Changed = C262; var count: T253; var weight: [Int64]; var owner: Double; var kind: T255; var id: UInt16 }
struct C262: Codable, Equatable { var count: C253; var weight: [Int64]; var owner: Double; var kind: C255; var id: UInt16 }
struct T263: GeneratedType { typealias Changed = C263; var `first name`: T245; var rate: Double?; var id: Int8; var tags: Double }
struct C263: Codable, Equatable { var `first name`: C245; var rate: Double?; var id: Int8; var tags: Double }
struct T264: GeneratedType { typealias Changed = C264; var rate: [Int8]?; var kind: T256?; var count: Int64? }
struct C264: Codable, Equatable { var rate: [Int8]?; var count: Int64? }
struct T265: GeneratedType { typealias Changed = C265; var größe: T58? }
struct C265: Codable, Equatable { var größe: C58? }
struct T266: GeneratedType { typealias Changed = C266; var weight: [T264]; var year: Double; var größe: Int8?; var count: String }
struct C266: Codable, Equatable { var weight: Int8; var year: Double?; var größe: Int8?; var count: String }
indirect enum T267: GeneratedType { typealias Changed = C267; case case0, case1(tags: T266?, x: UInt16) }
indirect enum C267: Codable, Equatable { case case0, case1(tags: C266?, x: UInt16) }
struct T268: GeneratedType { typealias Changed = C268; var count: T253; var owner: Int8; var rate: Bool; var x: [Double]?; var kind: [String: Int8] }
struct C268: Codable, Equatable { var owner: Int8; var rate: Bool; var x: [Double]?; var kind: [String: Int8] }
struct T269: GeneratedType { typealias Changed = C269; var isOpen: UInt16 }
struct C269: Codable, Equatable { var isOpen: UInt16 }
struct T270: GeneratedType { typealias Changed = C270; var x: Int; var isOpen: T97; var `first name`: [String: Int64] }
struct C270: Codable, Equatable { var x2: Int; var isOpen: C97; var `first name`: [String: Int64] }
indirect enum T271: GeneratedType { typealias Changed = C271; case case0(x: Int64, `first name`: [String: [String: Float]], weight: Int64, tags: String?), case1(owner: UInt16), case2(tags: Int8, id: Bool, rate: [T112]) }
indirect enum C271: Codable, Equatable { case case0(x: Int64, `first name`: [String: [String: Float]], weight: Int64, tags: String?), case1(owner: UInt16), case2(tags: Int8, id: Bool, rate: [C112]) }
struct T272: GeneratedType { typealias Changed = C272; var year: Float; var parts: Float }
struct C272: Codable, Equatable { var year: Float; var parts: Float? }
struct T273: GeneratedType { typealias Changed = C273; var rate: Double; var kind: T225; var year: String; var owner: Double; var count: Int64 }
struct C273: Codable, Equatable { var rate: Double; var kind: C225; var year: String; var owner: Double; var count: UInt16 }
struct T274: GeneratedType { typealias Changed = C274; var parts: Double? }
struct C274: Codable, Equatable { var parts: Double? }
struct T275: GeneratedType { typealias Changed = C275; var year: T258; var rate: Int8 }
struct C275: Codable, Equatable { var year: Int; var rate: Int8 }
struct T276: GeneratedType { typealias Changed = C276; var tags: Int64 }
struct C276: Codable, Equatable { var tags: Int64 }
struct T277: GeneratedType { typealias Changed = C277; var tags: [Double?]; var kind: T273; var isOpen: T126 }
struct C277: Codable, Equatable { var tags: [Double?]; var kind: C273; var isOpen: C126 }
struct T278: GeneratedType { typealias Changed = C278; var kind: T157 }
struct C278: Codable, Equatable { var kind: C157; var added: Bool? }
struct T279: GeneratedType { typealias Changed = C279; var name: [Int8]; var isOpen: Int8 }
struct C279: Codable, Equatable { var isOpen: Int }
struct T280: GeneratedType { typealias Changed = C280; var x: T201; var tags: Double; var größe: Float }
struct C280: Codable, Equatable { var x: C201; var tags: Double; var größe: Float }
struct T281: GeneratedType { typealias Changed = C281; var tags: T275 }
struct C281: Codable, Equatable { var tags: C275 }
struct T282: GeneratedType { typealias Changed = C282; var tags: T274; var größe: Int64; var count: T269?; var owner: String; var isOpen: Int }
struct C282: Codable, Equatable { var tags: C274; var größe: Int64; var count: C269?; var owner: String; var isOpen: Int }
indirect enum T283: GeneratedType { typealias Changed = C283; case case0, case1(id: Bool, weight: UInt16, tags: [UInt16]), case2(`first name`: UInt16?, owner: T36) }
indirect enum C283: Codable, Equatable { case case0, case1(id: Bool, weight: UInt16, tags: [UInt16]), case2(`first name`: UInt16?, owner: C36) }
struct T284: GeneratedType { typealias Changed = C284; var year: [String: UInt16]; var weight: T265; var count: [Double?] }
struct C284: Codable, Equatable { var year: [String: UInt16]; var weight: C265; var count: [Double?] }
struct T285: GeneratedType { typealias Changed = C285; var year: Double; var id: T277 }
struct C285: Codable, Equatable { var year: Double; var id: C277 }
indirect enum T286: GeneratedType { typealias Changed = C286; case case0(größe: T22, parts: Int) }
indirect enum C286: Codable, Equatable { case case0(größe: C22?, parts: Float) }
struct T287: GeneratedType { typealias Changed = C287; var rate: T264; var id: T279; var owner: Int?; var x: T270; var name: Int64? }
struct C287: Codable, Equatable { var rate: C264; var id: C279; var owner: Int?; var name: Int64?; var added: Int? }
indirect enum T288: GeneratedType { typealias Changed = C288; case case0(`first name`: Double?, parts: String) }
indirect enum C288: Codable, Equatable { case case0(`first name`: Double?, parts: String) }
struct T289: GeneratedType { typealias Changed = C289; var x: T274?; var isOpen: [[String: T213]]; var parts: Int }
struct C289: Codable, Equatable { var x: C274?; var isOpen: [[String: C213]]; var parts2: Int }
struct T290: GeneratedType { typealias Changed = C290; var name: Bool; var kind: [String: Int64?]; var x: T270; var isOpen: T277 }
struct C290: Codable, Equatable { var name: Bool; var kind: [String: Int64?]; var x: C270; var isOpen: C277 }
struct T291: GeneratedType { typealias Changed = C291; var kind: Int64; var owner: T91? }
struct C291: Codable, Equatable { var kind: Int64; var owner: C91? }
struct T292: GeneratedType { typealias Changed = C292; var id: Double; var größe: Int; var `first name`: UInt16; var owner: T79? }
struct C292: Codable, Equatable { var id: Double; var größe: Int; var `first name`: UInt16; var owner: C79? }
struct T293: GeneratedType { typealias Changed = C293; var kind: Int8; var weight: T283; var name: T119? }
struct C293: Codable, Equatable { var weight: String; var name: C119? }
struct T294: GeneratedType { typealias Changed = C294; var kind: UInt16; var tags: T40; var year: T289; var rate: [String: Bool]; var x: Int64 }
struct C294: Codable, Equatable { var kind: UInt16; var tags: C40; var year: C289; var rate: [String: Bool]; var x: Int64 }
indirect enum T295: GeneratedType { typealias Changed = C295; case case0(tags: Float), case1(kind: UInt16, name: [String: Float]) }
indirect enum C295: Codable, Equatable { case case0(tags: Float), case1(kind: UInt16, name: [String: Float]) }
struct T296: GeneratedType { typealias Changed = C296; var count: T237; var id: UInt16?; var owner: Bool?; var x: Double; var kind: String }
struct C296: Codable, Equatable { var count: C237; var id: UInt16?; var owner: Bool?; var x: Double; var kind: String }
struct T297: GeneratedType { typealias Changed = C297; var `first name`: T294; var isOpen: Int8; var weight: Int8? }
struct C297: Codable, Equatable { var `first name`: C294; var isOpen: Int8; var weight: Int8 }
struct T298: GeneratedType { typealias Changed = C298; var id: T293; var name: Int64; var parts: T293; var größe: T96 }
struct C298: Codable, Equatable { var id: C293; var name: Int64; var parts: C293; var größe: C96 }
struct T299: GeneratedType { typealias Changed = C299; var isOpen: Bool; var rate: T18; var id: T285 }
struct C299: Codable, Equatable { var isOpen: Bool; var rate: C18; var id: C285 }

let generatedTypes: [any GeneratedType.Type] = [
    T0.self, T1.self, T2.self, T3.self, T4.self, T5.self, T6.self, T7.self, T8.self, T9.self, T10.self, T11.self, T12.self, T13.self, T14.self, T15.self,
    T16.self, T17.self, T18.self, T19.self, T20.self, T21.self, T22.self, T23.self, T24.self, T25.self, T26.self, T27.self, T28.self, T29.self, T30.self, T31.self,
    T32.self, T33.self, T34.self, T35.self, T36.self, T37.self, T38.self, T39.self, T40.self, T41.self, T42.self, T43.self, T44.self, T45.self, T46.self, T47.self,
    T48.self, T49.self, T50.self, T51.self, T52.self, T53.self, T54.self, T55.self, T56.self, T57.self, T58.self, T59.self, T60.self, T61.self, T62.self, T63.self,
    T64.self, T65.self, T66.self, T67.self, T68.self, T69.self, T70.self, T71.self, T72.self, T73.self, T74.self, T75.self, T76.self, T77.self, T78.self, T79.self,
    T80.self, T81.self, T82.self, T83.self, T84.self, T85.self, T86.self, T87.self, T88.self, T89.self, T90.self, T91.self, T92.self, T93.self, T94.self, T95.self,
    T96.self, T97.self, T98.self, T99.self, T100.self, T101.self, T102.self, T103.self, T104.self, T105.self, T106.self, T107.self, T108.self, T109.self, T110.self, T111.self,
    T112.self, T113.self, T114.self, T115.self, T116.self, T117.self, T118.self, T119.self, T120.self, T121.self, T122.self, T123.self, T124.self, T125.self, T126.self, T127.self,
    T128.self, T129.self, T130.self, T131.self, T132.self, T133.self, T134.self, T135.self, T136.self, T137.self, T138.self, T139.self, T140.self, T141.self, T142.self, T143.self,
    T144.self, T145.self, T146.self, T147.self, T148.self, T149.self, T150.self, T151.self, T152.self, T153.self, T154.self, T155.self, T156.self, T157.self, T158.self, T159.self,
    T160.self, T161.self, T162.self, T163.self, T164.self, T165.self, T166.self, T167.self, T168.self, T169.self, T170.self, T171.self, T172.self, T173.self, T174.self, T175.self,
    T176.self, T177.self, T178.self, T179.self, T180.self, T181.self, T182.self, T183.self, T184.self, T185.self, T186.self, T187.self, T188.self, T189.self, T190.self, T191.self,
    T192.self, T193.self, T194.self, T195.self, T196.self, T197.self, T198.self, T199.self, T200.self, T201.self, T202.self, T203.self, T204.self, T205.self, T206.self, T207.self,
    T208.self, T209.self, T210.self, T211.self, T212.self, T213.self, T214.self, T215.self, T216.self, T217.self, T218.self, T219.self, T220.self, T221.self, T222.self, T223.self,
    T224.self, T225.self, T226.self, T227.self, T228.self, T229.self, T230.self, T231.self, T232.self, T233.self, T234.self, T235.self, T236.self, T237.self, T238.self, T239.self,
    T240.self, T241.self, T242.self, T243.self, T244.self, T245.self, T246.self, T247.self, T248.self, T249.self, T250.self, T251.self, T252.self, T253.self, T254.self, T255.self,
    T256.self, T257.self, T258.self, T259.self, T260.self, T261.self, T262.self, T263.self, T264.self, T265.self, T266.self, T267.self, T268.self, T269.self, T270.self, T271.self,
    T272.self, T273.self, T274.self, T275.self, T276.self, T277.self, T278.self, T279.self, T280.self, T281.self, T282.self, T283.self, T284.self, T285.self, T286.self, T287.self,
    T288.self, T289.self, T290.self, T291.self, T292.self, T293.self, T294.self, T295.self, T296.self, T297.self, T298.self, T299.self,
]
