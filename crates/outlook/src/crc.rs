//! CRC-32 without the inversions.

/// The checksum of compressed RTF ([MS-OXRTFCP] §2.1.3.2), and of pages and blocks of a store ([MS-PST]
/// §5.3).
pub fn crc(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = table();
    bytes.iter().fold(0, |crc, byte| {
        let index = (crc ^ u32::from(*byte)) & 0xFF;
        TABLE[index as usize] ^ (crc >> 8)
    })
}

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    let mut number = 0_u32;
    while index < 256 {
        let mut value = number;
        let mut bit = 0;
        while bit < 8 {
            value = if value & 1 == 1 {
                0xEDB8_8320 ^ (value >> 1)
            } else {
                value >> 1
            };
            bit += 1;
        }
        table[index] = value;
        index += 1;
        number += 1;
    }
    table
}
