/**
 * Classes of parts: a mesh is reduced once, and its instances differ in size, frequency, damping and colour.
 */
import { type BodySpec, type DomainSpec, type Material, type Mesh, type Reduced, type ReduceOptions, reduce } from 'limber'
import type { Loft } from './loft.js'
import { tellReduction } from './watch.js'

/** with their derivatives these span far more than the modes that are kept, and more of them cost time */
const MOST_LINEAR = 12

const made = new Map<string, Reduced>()

/** The same mesh with the same options is reduced once a process. */
export function reduceOnce(mesh: Mesh, options: ReduceOptions): Reduced {
  const key = JSON.stringify([mesh.corners, Array.from(mesh.elements), Array.from(mesh.vertices), options])
  const known = made.get(key)
  if (known) return known
  const linearModes = Math.max(6, Math.min(options.modes, MOST_LINEAR))
  const reduced = reduce(mesh, { linearModes, progress: tellReduction(mesh, options), ...options })
  made.set(key, reduced)
  return reduced
}

/** A part that is held at its base and carries others at its rings. */
export interface Part extends DomainSpec, Pick<Loft, 'ring'> {}

export function part(name: string, { mesh, base, rings, ring }: Loft, material: Material, modes: number): Part {
  return { name, ring, data: reduceOnce(mesh, { material, fixed: base, interfaces: rings, modes }) }
}

export interface Look {
  readonly scale?: number
  /** of the slowest mode of the part alone, held at its base */
  readonly hertz: number
  readonly color: readonly [number, number, number, number]
  /** of the slowest mode, as a part of the critical one, half by mass and half by stiffness. Default 0.03 */
  readonly damping?: number
  /** of gusts, rad */
  readonly phase?: number
}

/** An instance of a class that swings at the given frequency. */
export function instance(
  { name, data }: DomainSpec,
  { scale = 1, hertz, color, damping = 0.03, phase }: Look,
): NonNullable<BodySpec['domain']> {
  const omega = 2 * Math.PI * hertz
  return {
    name,
    scale,
    frequency: (hertz * scale) / data.frequencies[0],
    damping: { mass: damping * omega, stiffness: damping / omega },
    color,
    ...(phase === undefined ? {} : { phase }),
  }
}

/** What a Spec lists of them. */
export const domainsOf = (classes: readonly DomainSpec[]): DomainSpec[] => classes.map(({ name, data }) => ({ name, data }))
