/**
 * Bytes as text of the 64 characters A–Z a–z 0–9 + /, and back.
 */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Pieces as if they were one. */
export function toBase64(pieces: readonly Uint8Array[]): string {
  const digits: string[] = []
  let bits = 0
  let count = 0
  for (const piece of pieces) {
    for (const byte of piece) {
      bits = (bits << 8) | byte
      count += 8
      for (; count >= 6; count -= 6) digits.push(DIGITS[(bits >> (count - 6)) & 63])
      bits &= 63
    }
  }
  if (count > 0) digits.push(DIGITS[(bits << (6 - count)) & 63])
  while (digits.length % 4 !== 0) digits.push('=')
  return digits.join('')
}

/** Undefined where the text is none. */
export function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (c) => c.charCodeAt(0))
  } catch {
    return undefined
  }
}
