/** What attacks are made of. */
import { createCipheriv } from 'node:crypto'

export const repeat = (count, make) => Array.from({ length: count }, (_, k) => make(k)).join('')
export const bytes = (text) => new TextEncoder().encode(text)

/** bytes that look random, the same on every machine */
export const noise = (count) => createCipheriv('aes-128-ctr', Buffer.alloc(16, 7), Buffer.alloc(16)).update(Buffer.alloc(count))
