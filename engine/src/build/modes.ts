/**
 * Modes of bodies: point masses and shapes of the Spec → sums over them (`model/modes`). Their coordinates are numbered with the joints'.
 */
import type { Vec } from '../math/types.js'
import type { Modes } from '../model/modes.js'
import type { Problems } from './problems.js'
import type { BodySpec, Vec3 } from './spec.js'
import type { BodyTree } from './tree.js'

/** Adds the point masses to the inertias. `iq` and `iv` are left to `buildJoints`. */
export function buildModes(tree: BodyTree, inertia: Vec, problems: Problems): Modes {
  const nbody = tree.bodies.length + 1
  const bodies = Int32Array.from({ length: nbody - 1 }, (_, k) => k + 1).filter((i) => modesOf(tree, i).length > 0)
  const counts = Array.from(bodies, (i) => modesOf(tree, i).length)
  const start = sums(counts)
  const block = sums(counts.map((r) => r * r))
  const count = start[bodies.length]
  const row = new Int32Array(nbody).fill(-1)
  bodies.forEach((i, n) => {
    row[i] = n
  })

  const on = Array.from(bodies, (i) => children(tree, i).filter((b) => tree.bodies[b - 1].spec.frameShapes !== undefined))
  const frameBody = Int32Array.from(on.flat())
  const column = sums(on.flatMap((list, n) => list.map(() => counts[n])))
  const frame = new Int32Array(nbody).fill(-1)
  frameBody.forEach((i, e) => {
    frame[i] = e
  })
  const built = {
    ...{ count, bodies, start, row, block },
    iq: new Int32Array(count),
    iv: new Int32Array(count),
    moment: new Float64Array(3 * count),
    cross: new Float64Array(9 * count),
    pairs: new Float64Array(9 * block[bodies.length]),
    ...{ frames: frameBody.length, frameBody, frame, column },
    frameStart: sums(on.map((list) => list.length)),
    shift: new Float64Array(3 * column[frameBody.length]),
    turn: new Float64Array(3 * column[frameBody.length]),
  }
  bodies.forEach((i, n) => {
    sumPoints(tree, i, built, n, inertia, problems)
  })
  tree.bodies.forEach(({ spec, at }, k) => {
    compileFrame(tree, k + 1, built, problems)
    if (spec.deformation === undefined) return
    const path = `bodies/${at}`
    if (row[k + 1] < 0)
      problems.add(`${path}/deformation/modes`, 'expected at least one mode, got none; leave `deformation` out of a rigid body')
    if (spec.gravityCompensation) {
      problems.add(
        `${path}/gravityCompensation`,
        'expected none on a body that deforms: its point masses would still have their weight; leave it out',
      )
    }
  })
  return built
}

export function modesOf(tree: BodyTree, i: number): NonNullable<BodySpec['deformation']>['modes'] {
  const modes = tree.bodies[i - 1].spec.deformation?.modes
  return Array.isArray(modes) ? modes : []
}

function sumPoints(tree: BodyTree, i: number, built: Modes, n: number, inertia: Vec, problems: Problems): void {
  const { spec, at } = tree.bodies[i - 1]
  const path = `bodies/${at}/deformation`
  const points = spec.deformation?.points ?? []
  const modes = modesOf(tree, i)
  const r = modes.length
  const first = built.start[n]
  modes.forEach((mode, l) => {
    if (mode.shape?.length !== points.length)
      problems.add(
        `${path}/modes/${l}/shape`,
        `expected ${points.length} vectors, one for each point, got ${mode.shape?.length ?? 'none'}; give as many as there are points`,
      )
  })
  points.forEach((point, k) => {
    const mass = problems.number(`${path}/points/${k}/mass`, point.mass, 'non-negative')
    const x = problems.vector(`${path}/points/${k}/position`, point.position, 3, [0, 0, 0])
    const phi = modes.map((mode, l) => problems.vector(`${path}/modes/${l}/shape/${k}`, mode.shape?.[k], 3, [0, 0, 0]))
    addPoint(inertia, 10 * i, mass, x)
    for (let l = 0; l < r; l++) {
      for (let a = 0; a < 3; a++) {
        built.moment[3 * (first + l) + a] += mass * phi[l][a]
        for (let b = 0; b < 3; b++) {
          built.cross[9 * (first + l) + 3 * a + b] += mass * phi[l][a] * x[b]
          for (let p = 0; p < r; p++) built.pairs[9 * (built.block[n] + l * r + p) + 3 * a + b] += mass * phi[l][a] * phi[p][b]
        }
      }
    }
  })
}

function addPoint(I: Vec, o: number, mass: number, [x, y, z]: readonly number[]): void {
  const J = [y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y]
  I[o] += mass
  for (const [r, c] of [x, y, z].entries()) I[o + 1 + r] += mass * c
  for (const [k, c] of J.entries()) I[o + 4 + k] += mass * c
}

function compileFrame(tree: BodyTree, i: number, built: Modes, problems: Problems): void {
  const { spec, at, parent } = tree.bodies[i - 1]
  if (spec.frameShapes === undefined) return
  const path = `bodies/${at}/frameShapes`
  const modes = parent > 0 ? modesOf(tree, parent) : []
  if (!Array.isArray(spec.frameShapes) || spec.frameShapes.length !== modes.length || modes.length === 0) {
    const whose =
      modes.length > 0
        ? `for each of the ${modes.length} modes of '${spec.parent}'`
        : `for each mode, but '${spec.parent ?? 'world'}' has none`
    problems.add(
      path,
      `expected an entry ${whose}, got ${spec.frameShapes.length ?? 'none'}; give one for each mode of the parent, or leave it out`,
    )
    return
  }
  const column = built.column[built.frame[i]]
  const zero: Vec3 = [0, 0, 0]
  spec.frameShapes.forEach((shape, l) => {
    built.shift.set(problems.vector(`${path}/${l}/translation`, shape.translation, 3, zero), 3 * (column + l))
    built.turn.set(problems.vector(`${path}/${l}/rotation`, shape.rotation, 3, zero), 3 * (column + l))
  })
}

function children(tree: BodyTree, i: number): number[] {
  return tree.bodies.flatMap(({ parent }, k) => (parent === i ? [k + 1] : []))
}

/** 0, a, a + b, … */
function sums(counts: readonly number[]): Int32Array {
  const out = new Int32Array(counts.length + 1)
  counts.forEach((x, k) => {
    out[k + 1] = out[k] + x
  })
  return out
}
