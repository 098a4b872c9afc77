/**
 * Kernels as they are written, over the memory of a Data: slow, every index checked, and a breakpoint in a `*.kernel.ts` file stops there.
 *
 *   const data = inSourceForm(createData(model))
 */
import type { Data } from 'limber'
import * as actuators from '../../src/forces/actuators.kernel.js'
import * as drag from '../../src/forces/drag.kernel.js'
import * as jointForces from '../../src/forces/joint-forces.kernel.js'
import * as loads from '../../src/forces/loads.kernel.js'
import * as penalty from '../../src/forces/penalty.kernel.js'
import * as springs from '../../src/forces/springs.kernel.js'
import * as place from '../../src/joints/place.kernel.js'
import type { Block, JsKernels } from '../../src/kernels/memory.js'
import { positionModule } from '../../src/printed/position.js'
import { shapes } from '../../src/printed/shapes.js'
import { tables } from '../../src/printed/tables.js'
import { type TreeKernels, treeModule } from '../../src/printed/tree.js'
import * as collocation from '../../src/solvers/position/collocation/collocation.kernel.js'
import * as adjoint from '../../src/solvers/position/derivatives/adjoint.kernel.js'
import * as terms from '../../src/solvers/position/energy/terms.kernel.js'
import * as newton from '../../src/solvers/position/euler/newton-factor.kernel.js'
import * as aba from '../../src/tree/aba.kernel.js'
import * as compare from '../../src/tree/compare.kernel.js'
import * as crba from '../../src/tree/crba.kernel.js'
import * as implicitFactor from '../../src/tree/implicit-factor.kernel.js'
import * as jacobian from '../../src/tree/jacobian.kernel.js'
import * as kinematics from '../../src/tree/kinematics.kernel.js'
import * as pointInertia from '../../src/tree/point-inertia.kernel.js'
import * as rnea from '../../src/tree/rnea.kernel.js'
import * as solve from '../../src/tree/solve.kernel.js'

type Shape = 'number' | number | readonly Shape[] | { readonly [name: string]: Shape }
type Column = { readonly width: 'int' | 'shared' | 'lane'; readonly shape: Shape; readonly single?: boolean }

const sources: Record<string, unknown> = {
  ...{
    ...place,
    ...jointForces,
    ...actuators,
    ...springs,
    ...drag,
    ...loads,
    ...penalty,
    ...aba,
    ...compare,
    ...crba,
    ...implicitFactor,
    ...jacobian,
    ...kinematics,
    ...pointInertia,
    ...rnea,
    ...solve,
  },
  ...{ ...newton, ...terms, ...collocation, ...adjoint },
}

export const size = (shape: Shape): number =>
  shape === 'number' ? 1 : typeof shape === 'number' ? 0 : Object.values(shape).reduce((n: number, s) => n + size(s as Shape), 0)

function read(shape: Shape, next: () => number): unknown {
  if (shape === 'number') return next()
  if (typeof shape === 'number') return shape
  if (Array.isArray(shape)) return shape.map((s) => read(s, next))
  return Object.fromEntries(Object.entries(shape).map(([name, s]) => [name, read(s as Shape, next)]))
}

function write(shape: Shape, value: unknown, next: (x: number) => void): void {
  if (shape === 'number') next(value as number)
  else if (typeof shape !== 'number')
    for (const [name, s] of Object.entries(shape)) write(s as Shape, (value as Record<string, unknown>)[name], next)
}

/** Records from a byte address on. */
export function columnAt({ I, F }: Pick<Block, 'F' | 'I'>, { width, shape, single }: Column, address: number): unknown {
  const numbers = width === 'int' ? I : F
  const n = size(shape)
  const start = address / numbers.BYTES_PER_ELEMENT
  const at = (i: number): number => {
    if (!Number.isInteger(i) || i < 0 || start + n * (i + 1) > numbers.length) throw new RangeError(`record ${i} of a column`)
    return start + n * i
  }
  const get = (i: number): unknown => {
    let k = at(i)
    return read(shape, () => numbers[k++])
  }
  if (single) return get(0)
  return new Proxy(
    {},
    {
      get: (_, i) => get(Number(i)),
      set(_, i, value) {
        let k = at(Number(i))
        write(shape, value, (x) => {
          numbers[k++] = x
        })
        return true
      },
    },
  )
}

function tableAt(block: Pick<Block, 'F' | 'I'>, name: keyof typeof tables, address: number): unknown {
  const fields = shapes.tables[name] as Record<string, 'int' | Column>
  return Object.fromEntries(
    tables[name].map(([field], slot) => {
      const word = block.I[address / 4 + slot]
      const kind = fields[field]
      return [field, kind === 'int' ? word : columnAt(block, kind, word)]
    }),
  )
}

function inSource(name: string, block: Pick<Block, 'F' | 'I'>): (...values: number[]) => void {
  const parameters = shapes.parameters[name as keyof typeof shapes.parameters] as readonly ('int' | keyof typeof tables | Column)[]
  const source = sources[name] as (...args: unknown[]) => void
  const argument = (p: (typeof parameters)[number], value: number): unknown =>
    p === 'int' ? value : typeof p === 'string' ? tableAt(block, p, value) : columnAt(block, p, value)
  return (...values) => source(...parameters.map((p, k) => argument(p, values[k])))
}

/** The same data, with kernels in their source form. */
export function inSourceForm(d: Data): Data {
  const kernels = Object.fromEntries(Object.keys(d.kernels).map((name) => [name, inSource(name, d.block)]))
  return { ...d, kernels: kernels as unknown as TreeKernels }
}

/** Kernels in their source form for `useKernels`: whatever is made from then on runs them. */
export const sourceKernels: JsKernels = Object.fromEntries(
  [treeModule, positionModule].map((module) => [
    module.name,
    Object.fromEntries(
      module.kernels.map((name) => {
        const kernel = (F: Float64Array, I: Int32Array, ...values: number[]): void => inSource(name, { F, I })(...values)
        // the number of parameters tells how it is to be called
        return [name, Object.defineProperty(kernel, 'length', { value: 2 + shapes.parameters[name].length })]
      }),
    ),
  ]),
)
