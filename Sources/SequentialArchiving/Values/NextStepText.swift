// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The 8-bit encoding of NeXT's systems, used in old files: ASCII and 128 other characters.
enum NextStepText {
    /// The characters from 0x80 on, from Unicode's table of the encoding. Two of them are undefined.
    private static let upperHalf: [Unicode.Scalar] = Array(
        ("\u{A0}ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖÙÚÛÜÝÞµ×÷©¡¢£⁄¥ƒ§¤’“«‹›ﬁﬂ®–†‡·¦¶•‚„”»…‰¬¿"
            + "¹ˋ´ˆ˜¯˘˙¨²˚¸³˝˛ˇ—±¼½¾àáâãäåçèéêëìÆíªîïðñŁØŒºòóôõöæùúûıüýłøœßþÿ\u{FFFD}\u{FFFD}").unicodeScalars)

    static func string(_ bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes {
            text.append(byte < 0x80 ? Unicode.Scalar(byte) : upperHalf[Int(byte) - 0x80])
        }
        return String(text)
    }
}
