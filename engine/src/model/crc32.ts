/**
 * CRC-32 (the polynomial of ZIP and PNG), which finds every change of up to 32 neighbouring bits. Can be carried on: `crc32(b, crc32(a))` is that of a and b in
 * sequence.
 */
const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
  return c
})

export function crc32(bytes: Uint8Array, before = 0): number {
  let c = ~before
  for (let k = 0; k < bytes.length; k++) c = table[(c ^ bytes[k]) & 255] ^ (c >>> 8)
  return ~c >>> 0
}
