/** Constants of contacts: candidates of the shapes that may touch surfaces of the world, and pairs of spheres and capsules of two bodies. */
import { findPair, mayTouch } from '../../contact/may-touch.js'
import { contactSurface } from '../../contact/surfaces.js'
import type { Columns } from '../../kernels/lane-layout.js'
import { norm } from '../../math/own.js'
import type { Model } from '../../model/model.js'
import { CAPSULE, SPHERE } from '../../model/shapes.js'
import { inverseWeights } from '../../tree/inverse-weights.js'
import { ints, reals, starts } from './arrays.js'
import { type CandidatePoint, candidatesOf } from './candidates.js'
import { POWER, softnessOf } from './softness.js'
import { isFixed, type WorldSurface } from './surfaces.js'

interface Touching {
  readonly columns: Columns
  readonly slots: number
  readonly powers: readonly number[]
  readonly dims: readonly number[]
  readonly geoms: readonly (readonly [number, number])[]
}

/** How geoms a and b touch: condim, friction, softness, margin, and which numbers of `friction` count. */
function contactLaw(m: Model, a: number, b: number) {
  const law = contactSurface(m.shapes, a, b)
  const pair = m.shapes.pairs.count > 0 ? findPair(m.shapes, a, b) : -1
  const order = m.shapes.priority[a] - m.shapes.priority[b]
  const from = pair >= 0 ? [m.shapes.count + pair, m.shapes.count + pair] : order > 0 ? [a, a] : order < 0 ? [b, b] : [a, b]
  return { ...law, from, moments: [law.dim > 3 ? law.friction[2] : 0, law.dim > 4 ? law.friction[3] : 0] }
}

export function touchColumns(m: Model, h: number, surfaces: readonly WorldSurface[]): Touching {
  const { shapes } = m
  const { body: weights } = inverseWeights(m)
  type Law = ReturnType<typeof contactLaw>
  type Entry = CandidatePoint & {
    readonly margin: number
    readonly soft: readonly number[]
    readonly law: Law
    readonly geoms: [number, number]
  }
  /** of each body: surface and candidates of each patch */
  const patches = Array.from({ length: m.nbody }, () => [] as { surface: number; entries: Entry[] }[])
  for (const [surface, { geom: ground }] of surfaces.entries()) {
    for (const e of shapes.solids) {
      if (isFixed(m, e) || !mayTouch(shapes, ground, e)) continue
      const i = shapes.body[e]
      const law = contactLaw(m, ground, e)
      const soft = softnessOf(law.solref, 0, law.solimp, 0, h, weights[2 * i])
      const entries = candidatesOf(m, e).map((point): Entry => ({ ...point, margin: law.margin, soft, law, geoms: [ground, e] }))
      const patch = patches[i].find((p) => p.surface === surface)
      if (patch) patch.entries.push(...entries)
      else patches[i].push({ surface, entries })
    }
  }
  const reachOf = ({ entries }: { entries: readonly Entry[] }): number =>
    entries.reduce((most, { at, radius, margin, M, kind }) => Math.max(most, norm(at) + radius + margin + (kind === 0 ? 0 : norm(M))), 0)
  const all = patches.flat()
  const entries = all.flatMap((patch) => patch.entries)
  const slotStart = starts(patches.map((list) => list.flatMap((patch) => patch.entries)))
  const touchBody = ints([...patches.keys()].filter((i) => patches[i].length > 0))
  return {
    slots: entries.length,
    powers: entries.map(({ soft }) => soft[POWER]),
    dims: entries.map(({ law }) => law.dim),
    geoms: entries.map(({ geoms }) => geoms),
    columns: {
      touchCount: touchBody.length,
      touchBody,
      slotStart,
      patchStart: starts(patches),
      patchSurface: ints(all.map(({ surface }) => surface)),
      patchReach: reals(all.map(reachOf)),
      candidateStart: starts(all.map((patch) => patch.entries)),
      candidateKind: ints(entries.map(({ kind }) => kind)),
      candidate: reals(entries.flatMap(({ at, radius, margin, M }) => [...at, radius, margin, ...M])),
      candidateSoft: reals(entries.flatMap(({ soft }) => soft)),
      candidateFrictionA: ints(entries.map(({ law }) => law.from[0])),
      candidateFrictionB: ints(entries.map(({ law }) => law.from[1])),
      candidateMoments: reals(entries.flatMap(({ law }) => law.moments)),
      candidateDim: ints(entries.map(({ law }) => law.dim)),
      candidateNumber: reals([...entries.keys()]),
    },
  }
}

/** Pairs of spheres and capsules of two bodies that may touch. */
export function pairColumns(m: Model, h: number, self: boolean, firstSlot: number) {
  const { shapes } = m
  const { body: weights } = inverseWeights(m)
  const isRound = (e: number): boolean => shapes.shape[e] === SPHERE || shapes.shape[e] === CAPSULE
  const round = self ? [...shapes.solids].filter((e) => isRound(e) && !isFixed(m, e)) : []
  const found = round.flatMap((e, k) =>
    round
      .slice(0, k)
      .filter((f) => mayTouch(shapes, e, f))
      .map((f) => [e, f] as const),
  )
  const partners = round.filter((e) => found.some((pair) => pair.includes(e)))
  const list = found.map(([e, f]) => {
    const law = contactLaw(m, e, f)
    const [a, b] = [shapes.body[e], shapes.body[f]]
    return {
      a,
      b,
      law,
      numbers: [...capsule(m, e), ...capsule(m, f)],
      soft: softnessOf(law.solref, 0, law.solimp, 0, h, weights[2 * a] + weights[2 * b]),
    }
  })
  const square = (half: number): number => Math.max(half * half, NO_LENGTH)
  const numbers = list.flatMap(({ numbers: [, , , , , , r, half, , , , , , , r2, half2], law }) => [
    ...[square(half), square(half2), 1 / square(half), 1 / square(half2)],
    ...[r, r2, r + r2 + half + half2 + law.margin, law.margin],
  ])
  return {
    count: list.length,
    rounds: partners.length,
    powers: list.map(({ soft }) => soft[POWER]),
    dims: list.map(({ law }) => law.dim),
    geoms: found,
    columns: {
      roundCount: partners.length,
      roundBody: ints(partners.map((e) => shapes.body[e])),
      round: reals(partners.flatMap((e) => capsule(m, e).slice(0, 6))),
      pairStart: starts(partners.map((e) => found.filter(([first]) => first === e))),
      pairCount: list.length,
      pairSlot: firstSlot,
      pairA: ints(list.map(({ a }) => a)),
      pairB: ints(list.map(({ b }) => b)),
      pairRoundA: ints(found.map(([e]) => partners.indexOf(e))),
      pairRoundB: ints(found.map(([, f]) => partners.indexOf(f))),
      pair: reals(numbers),
      pairSoft: reals(list.flatMap(({ soft }) => soft)),
      pairFrictionA: ints(list.map(({ law }) => law.from[0])),
      pairFrictionB: ints(list.map(({ law }) => law.from[1])),
      pairMoments: reals(list.flatMap(({ law }) => law.moments)),
      pairDim: ints(list.map(({ law }) => law.dim)),
      // a round for each rate that the pairs of a step may have; more would repeat
      pairRounds: Math.min(MAX_ROUNDS, 6 * list.length),
    },
  }
}

/** square of the half length of a sphere, which has no axis */
const NO_LENGTH = 1e-12

/** rounds of conjugate gradients at most: pairs that touch at once are few */
const MAX_ROUNDS = 24

/** Centre, half axis, radius, half length of a sphere or capsule in body coordinates. */
function capsule({ shapes: { X_BG, shape, size } }: Model, e: number): number[] {
  const X = X_BG.subarray(12 * e, 12 * e + 12)
  const half = shape[e] === CAPSULE ? size[3 * e + 1] : 0
  return [X[9], X[10], X[11], X[2] * half, X[5] * half, X[8] * half, size[3 * e], half]
}
