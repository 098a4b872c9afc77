import { describe, expect, it } from 'vitest'
import type { Spec } from '../../build/spec.js'
import { parseMjcf } from '../mjcf/parse-mjcf.js'
import { writeMjcf } from './mjcf/write-mjcf.js'

const chain = (n: number): Spec => ({
  bodies: Array.from({ length: n }, (_, k) => ({
    name: `b${k}`,
    ...(k > 0 ? { parent: `b${k - 1}` } : {}),
    inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] },
    joints: [{ type: 'revolute' }],
  })),
})

describe('long chains as MJCF', () => {
  it('writes 3,000 bodies', () => {
    expect(writeMjcf(chain(3000)).text.match(/<joint /g)).toHaveLength(3000)
  })

  it('says so where a chain is too deep to be read again, and only there', () => {
    const [last, beyond] = [writeMjcf(chain(498)), writeMjcf(chain(499))]
    expect(last.ignored).toEqual([])
    expect(parseMjcf(last.text).bodies).toHaveLength(498)
    expect(beyond.ignored).toMatchObject([{ path: 'bodies', what: 'a chain of 499 bodies' }])
    expect(() => parseMjcf(beyond.text)).toThrow(/nested deeper/)
  })
})
