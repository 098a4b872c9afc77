/**
 * What bodies on a parent that deforms hang on: interfaces, each once, and the pose of the joint frame in theirs (`Modes`).
 */
import { norm } from '../math/own.js'
import type { Vec } from '../math/types.js'
import type { Modes } from '../model/modes.js'
import { runningSums } from './bases.js'
import { buildFaces, type FaceSource, faceFault, mean } from './faces.js'
import type { Deforming } from './modes.js'
import type { Problems } from './problems.js'
import type { BodySpec } from './spec.js'
import type { BodyTree } from './tree.js'

type Frames = Pick<Modes, 'frames' | 'frameBody' | 'frameStart' | 'frame' | 'column' | 'face' | 'X_FJ' | 'faces'>

/** Writes X_PJ of bodies that stand at a point. */
export function buildFrames(
  tree: BodyTree,
  deforming: readonly (Deforming | undefined)[],
  bodies: Int32Array,
  X_PJ: Vec,
  problems: Problems,
): Frames {
  const sources: FaceSource[] = []
  const known = new Map<string, number>()
  const number = new Map([...new Set(deforming.map((own) => own?.basis))].map((basis, k) => [basis, k]))
  const faceOf = tree.bodies.map(({ spec, at, parent }, k) => {
    const on = parent > 0 ? deforming[parent - 1] : undefined
    const source = findFace(spec, `bodies/${at}`, on, problems)
    if (source === undefined || on === undefined) return -1
    if (!source.turns && spec.position === undefined)
      X_PJ.set(
        mean(on.basis.points, source.points, 0).map((x) => on.scale * x),
        12 * k + 21,
      )
    if (on.basis.modes === 0) return -1
    // bodies that share a basis share its interfaces
    const key = `${number.get(on.basis)} ${source.turns} ${Array.from(source.points).join(' ')}`
    const face = known.get(key) ?? sources.push(source) - 1
    known.set(key, face)
    return face
  })
  const on = Array.from(bodies, () => [] as number[])
  const row = new Map(Array.from(bodies, (i, n) => [i, n]))
  tree.bodies.forEach(({ parent }, k) => {
    if (faceOf[k] >= 0) on[row.get(parent) ?? 0].push(k + 1)
  })
  const frameBody = Int32Array.from(on.flat())
  const frame = new Int32Array(tree.bodies.length + 1).fill(-1)
  frameBody.forEach((i, e) => {
    frame[i] = e
  })
  const faces = buildFaces(sources)
  const face = Int32Array.from(frameBody, (i) => faceOf[i - 1])
  const X_FJ = new Float64Array(12 * frameBody.length)
  frameBody.forEach((i, e) => {
    const scale = deforming[tree.bodies[i - 1].parent - 1]?.scale ?? 1
    placeInFace(X_FJ, 12 * e, X_PJ, 12 * i, faces.axes, 9 * face[e], faces.center, 3 * face[e], scale)
  })
  return {
    ...{ frames: frameBody.length, frameBody, frame, face, X_FJ, faces },
    frameStart: runningSums(on.map((list) => list.length)),
    column: runningSums(on.flatMap((list, n) => list.map(() => deforming[bodies[n] - 1]?.basis.modes ?? 0))),
  }
}

/** out ← (Q, s x̂)⁻¹ X */
function placeInFace(out: Vec, o: number, X: Vec, x: number, Q: Vec, a: number, center: Vec, c: number, s: number): void {
  for (let i = 0; i < 3; i++) {
    for (let k = 0; k < 3; k++) {
      for (let j = 0; j < 3; j++) out[o + 3 * i + j] += Q[a + 3 * k + i] * X[x + 3 * k + j]
      out[o + 9 + i] += Q[a + 3 * k + i] * (X[x + 9 + k] - s * center[c + k])
    }
  }
}

/** Points that the body hangs on, undefined where it hangs on what is rigid. */
function findFace(body: BodySpec, path: string, on: Deforming | undefined, problems: Problems): FaceSource | undefined {
  const { attach } = body
  const parent = body.parent ?? 'world'
  if (on === undefined) {
    if (attach !== undefined)
      problems.add(`${path}/attach`, `expected none: '${parent}' does not deform; leave it out, or give '${parent}' a domain`)
    return undefined
  }
  const { basis, domain } = on
  if (attach === undefined) return domain && nearest(body, on)
  if (typeof attach === 'string') {
    const names = domain?.interfaces.map(({ name }) => name) ?? []
    const found = domain?.interfaces.find(({ name }) => name === attach)
    if (!found) {
      const what = domain ? `an interface of domain '${basis.name}'` : `points, since '${parent}' has no domain with interfaces`
      problems.add(
        `${path}/attach`,
        `expected ${what}, got '${attach}'${domain ? problems.hintAt(attach, names) : '; write { points: [ … ] }'}`,
      )
      return undefined
    }
    return checked({ basis, points: found.vertices, turns: true }, `${path}/attach`, `interface '${attach}' has`, problems)
  }
  const points = 'vertex' in attach ? [attach.vertex] : attach.points
  const count = basis.masses.length
  const key = 'vertex' in attach ? 'vertex' : 'points'
  const wrong = Array.isArray(points) ? points.find((k) => !Number.isInteger(k) || k < 0 || k >= count) : String(points)
  if (wrong !== undefined) {
    problems.add(`${path}/attach/${key}`, `expected numbers of points of '${parent}', from 0 to ${count - 1}, got ${wrong}`)
    return undefined
  }
  if ('vertex' in attach) return { basis, points, turns: false }
  return checked({ basis, points, turns: true }, `${path}/attach/points`, 'got', problems)
}

function checked(face: FaceSource, path: string, whose: string, problems: Problems): FaceSource | undefined {
  const fault = faceFault(face)
  if (fault === null) return face
  problems.add(
    path,
    `expected at least three points that are not on one line, to hold a rotation; ${whose} ${fault}. Take more points, or { vertex } for a frame that is only shifted`,
  )
  return undefined
}

/** The interface whose middle is nearest to the body's place, among those that hold a rotation; undefined where the domain has none. */
function nearest(body: BodySpec, { basis, domain, scale }: Deforming): FaceSource | undefined {
  const at = body.position ?? [0, 0, 0]
  let best: FaceSource | undefined
  let least = Number.POSITIVE_INFINITY
  for (const { vertices } of domain?.interfaces ?? []) {
    const face = { basis, points: vertices, turns: true }
    const center = mean(basis.points, vertices, 0)
    const distance = norm(center.map((x, c) => scale * x - (at[c] ?? 0)))
    if (!(distance < least) || faceFault(face) !== null) continue
    least = distance
    best = face
  }
  return best
}
