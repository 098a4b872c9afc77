import { describe, expect, it } from 'vitest'
import type { Spec } from '../../build/spec.js'
import { parseMjcf } from '../mjcf/parse-mjcf.js'
import { parseScene } from '../scene/parse-scene.js'
import { writeScene } from '../scene/write-scene.js'
import { parseUrdf } from '../urdf/parse-urdf.js'
import { writeMjcf } from './mjcf/write-mjcf.js'
import { writeUrdf } from './urdf/write-urdf.js'

const chain = (n: number): Spec => ({
  bodies: Array.from({ length: n }, (_, k) => ({
    name: `b${k}`,
    ...(k > 0 ? { parent: `b${k - 1}` } : {}),
    inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] },
    joints: [{ type: 'revolute' }],
  })),
})

describe('long chains as MJCF', () => {
  it('are read again up to 998 bodies, and refused beyond', () => {
    const last = writeMjcf(chain(998))
    expect(last.ignored).toEqual([])
    expect(parseMjcf(last.text).bodies).toHaveLength(998)
    expect(() => writeMjcf(chain(999))).toThrow(/a chain of 999 bodies: .* write URDF or scene JSON/)
  })

  it('of 3,000 bodies are read again as URDF and as a scene', () => {
    expect(parseUrdf(writeUrdf(chain(3000)).text).bodies).toHaveLength(3000)
    expect(parseScene(writeScene(chain(3000))).bodies).toHaveLength(3000)
  })
})
