/**
 * Figure 3: how far the affine fit of an interface is from the rotation that its frame takes, while an object moves.
 */
import { createSimulation, type Model, type Simulation } from 'limber'

export interface Deviations {
  readonly scene: string
  readonly times: readonly number[]
  /** of each interface, at those times: ‖A − R‖ / ‖R‖, Frobenius */
  readonly interfaces: readonly { readonly name: string; readonly values: readonly number[] }[]
  readonly most: number
}

const PLANAR = 1

export function interfaceDeviations(scene: string, model: Model, seconds: number): Deviations {
  const simulation: Simulation = createSimulation(model, {})
  const times: number[] = []
  const { modes } = model
  const rows = Array.from({ length: modes.frames }, (_, e) => ({
    name: model.bodies[modes.frameBody[e]].name,
    e,
    values: [] as number[],
  })).filter(({ e }) => modes.faces.kind[modes.face[e]] <= PLANAR)
  while (simulation.state.t < seconds) {
    if (simulation.advance(0.02).status !== 'ok') break
    times.push(simulation.state.t)
    for (const { e, values } of rows) values.push(deviation(affineFit(model, simulation.state.q, e)))
  }
  return { scene, times, interfaces: rows, most: Math.max(0, ...rows.flatMap(({ values }) => values)) }
}

/** A of the interface that frame e follows, row-major, against its axes at rest: the identity where nothing is bent. */
function affineFit({ modes, parent }: Model, q: Float64Array, e: number): number[] {
  const { faces } = modes
  const f = modes.face[e]
  const n = modes.row[parent[modes.frameBody[e]]]
  const A = Array.from(faces.axes.subarray(9 * f, 9 * f + 9))
  for (let l = 0; l < modes.start[n + 1] - modes.start[n]; l++) {
    // shapes are displacements: of a larger body they turn its interface less
    const eta = q[modes.iq[modes.start[n] + l]] / modes.scale[n]
    for (let k = 0; k < 9; k++) A[k] += faces.fit[9 * (faces.column[f] + l) + k] * eta
  }
  if (faces.kind[f] !== PLANAR) return A
  // the normal is the product of the other two columns
  for (let r = 0; r < 3; r++) {
    const [i, j] = [(r + 1) % 3, (r + 2) % 3]
    A[3 * r + 2] = A[3 * i] * A[3 * j + 1] - A[3 * j] * A[3 * i + 1]
  }
  return A
}

/** ‖A − R‖ / ‖R‖ with R the polar rotation of A, by Newton's iteration R ← (R + R⁻ᵀ)/2. */
export function deviation(A: readonly number[]): number {
  let R = A.slice()
  for (let k = 0; k < 30; k++) {
    const back = inverseTransposed(R)
    R = R.map((x, i) => (x + back[i]) / 2)
  }
  return Math.hypot(...A.map((x, k) => x - R[k])) / Math.sqrt(3)
}

function inverseTransposed(M: readonly number[]): number[] {
  const cofactor = (r: number, c: number): number => {
    const [i, j, k, l] = [(r + 1) % 3, (r + 2) % 3, (c + 1) % 3, (c + 2) % 3]
    return M[3 * i + k] * M[3 * j + l] - M[3 * i + l] * M[3 * j + k]
  }
  const all = [0, 1, 2].flatMap((r) => [0, 1, 2].map((c) => cofactor(r, c)))
  const det = M[0] * all[0] + M[1] * all[1] + M[2] * all[2]
  return all.map((x) => x / det)
}
