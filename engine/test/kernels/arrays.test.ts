/** Functions over arrays that are printed from kernels have the bits of their source, in any place, and in place. */
import { describe, expect, it } from 'vitest'
import * as curved from '../../src/joints/curved.kernel.js'
import * as math from '../../src/math/arrays.kernel.js'
import * as arrays from '../../src/printed/arrays.js'
import { shapes } from '../../src/printed/shapes.js'
import { createRandom } from '../random.js'
import { columnAt, size } from './source-form.js'

type Numbers = Float64Array

const printed = arrays as unknown as Record<string, (...args: (Numbers | number)[]) => void>
const sources: Record<string, unknown> = { ...math, ...curved }
const names = Object.keys(printed)
const shapesOf = (name: string) => shapes.parameters[name as keyof typeof shapes.parameters] as readonly Parameters<typeof columnAt>[1][]
const withoutSign = (x: number): number => (x === 0 ? 0 : x)

/** What the source makes of these columns. */
function fromSource(name: string, columns: readonly Numbers[]): number[][] {
  const given = columns.map((x) => x.slice())
  const proxies = shapesOf(name).map((shape, k) => columnAt({ F: given[k], I: new Int32Array(0) }, shape, 0))
  ;(sources[name] as (...args: unknown[]) => void)(...proxies)
  return given.map((x) => Array.from(x, withoutSign))
}

describe.each(names)('%s over arrays', (name) => {
  const random = createRandom(names.indexOf(name) + 1)
  const sizes = shapesOf(name).map(({ shape }) => size(shape))

  // about every limit between a series and a closed form
  it.each([1e-9, 1e-4, 1e-3, 0.1, 0.3, 1, 3, 1e7])(
    'has the bits of its source for numbers of size %d, and writes nothing else',
    (scale) => {
      for (let round = 0; round < 20; round++) {
        const columns = sizes.map((n) => random.array(n, scale))
        const beside = columns.map((x) => Float64Array.of(7, ...x, 7))
        printed[name](...beside.flatMap((x) => [x, 1]))
        expect(beside.map((x) => Array.from(x.subarray(1, -1), withoutSign))).toEqual(fromSource(name, columns))
        for (const x of beside) expect([x[0], x.at(-1)]).toEqual([7, 7])
      }
    },
  )

  it('may write to what it reads', () => {
    for (let k = 1; k < sizes.length; k++) {
      // the result begins where another column does
      const columns = sizes.map((n) => random.array(n, 1))
      if (sizes[0] > sizes[k]) continue
      columns[0] = columns[k].slice(0, sizes[0])
      const [expected] = fromSource(name, columns)
      const shared = columns.map((x, l) => (l === 0 ? columns[k] : x))
      printed[name](...shared.flatMap((x) => [x, 0]))
      expect(Array.from(columns[k].subarray(0, sizes[0]), withoutSign)).toEqual(expected)
    }
  })
})
