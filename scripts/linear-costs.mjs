/**
 * Times the parts of redmax's linear solvers, and fits what `solvers/redmax/matrix/auto.ts` predicts them by.
 *
 *   npx tsc -b && node scripts/linear-costs.mjs
 *
 * Chains, trees, bridges and umbrellas of several sizes; the least of many samples each, in nanoseconds. Coefficients minimise relative errors.
 */
import { buildModel, createState } from '../engine/dist/index.js'
import { createPcg, pcg } from '../engine/dist/linalg/iterative/pcg.js'
import { createDirect, createRecursive } from '../engine/dist/solvers/redmax/matrix/linear-solvers.js'
import { applySystem, assemble, createSystem, rightHandSide } from '../engine/dist/solvers/redmax/matrix/system.js'
import { findScene } from '../scenes/dist/index.js'

const CASES = [
  ...[20, 60, 200].map((links) => ['spring-chain', { links }]),
  ...[4, 6, 8].flatMap((levels) => [
    ['tree', { levels }],
    ['alternate-tree', { levels }],
  ]),
  ...[20, 60, 200].map((bodies) => ['bridge', { bodies }]),
  ...[2, 4, 8].map((segments) => ['umbrella', { segments }]),
]
const SAMPLES = 60

function least(call) {
  let best = Number.POSITIVE_INFINITY
  let repeats = 1
  for (let k = 0; k < SAMPLES; k++) {
    const start = performance.now()
    for (let r = 0; r < repeats; r++) call()
    const time = performance.now() - start
    best = Math.min(best, time / repeats)
    // samples of about a fifth of a millisecond: short enough to fall between the turns of other processes
    repeats = Math.max(1, Math.min(1000, Math.round(0.2 / best)))
  }
  return 1e6 * best
}

/** What an iteration of conjugate gradients takes beside its products: with a diagonal matrix, two numbers of iterations apart. */
function vectorsOf(n) {
  const work = createPcg(n)
  const [b, x] = [new Float64Array(n).fill(1), new Float64Array(n)]
  const operator = {
    apply(out, y) {
      for (let k = 0; k < n; k++) out[k] = (1 + k * k) * y[k]
    },
    precondition: (out, y) => out.set(y),
  }
  const times = [3, 13].map((most) =>
    least(() => {
      x.fill(0)
      pcg(work, operator, b, x, 1e-30, most)
    }),
  )
  return (times[1] - times[0]) / 10
}

function measure([scene, parameters]) {
  const model = buildModel(findScene(scene).build(parameters))
  const s = createSystem(model)
  const state = createState(model)
  s.step[0] = model.timestep
  assemble(s, state)
  rightHandSide(s, state, state.v)
  const b = s.b.slice()
  const x = new Float64Array(model.nv)
  const recursive = createRecursive(s)
  const direct = createDirect(s)
  const plan = direct.plan()
  recursive.prepare()
  const apply = least(() => applySystem(s, x, b))
  const recursion = least(() => recursive.solve(x, b))
  const { operations, flops, solveFlops } = plan
  return {
    name: `${scene} ${Object.values(parameters)}`,
    counts: { bodies: model.nbody - 1, nv: model.nv, rows: s.terms.count, operations, flops, solveFlops },
    factor: least(() => recursive.prepare()),
    recursion,
    iteration: apply + recursion + vectorsOf(model.nv),
    direct: least(() => direct.prepare()),
    back: least(() => direct.solve(x, b)),
  }
}

/** Coefficients that are not negative, Σ ((Σ c f − t)/t)² least, by coordinate descent. */
function fit(rows, what, features) {
  const A = rows.map((row) => features.map((name) => (row.counts[name] ?? 1) / row[what]))
  const c = features.map(() => 0)
  for (let sweep = 0; sweep < 20_000; sweep++) {
    for (let k = 0; k < c.length; k++) {
      let up = 0
      let down = 0
      for (const a of A) {
        const rest = 1 - a.reduce((sum, x, j) => (j === k ? sum : sum + x * c[j]), 0)
        up += a[k] * rest
        down += a[k] * a[k]
      }
      c[k] = Math.max(0, up / down)
    }
  }
  const off = A.map((a) => a.reduce((sum, x, j) => sum + x * c[j], 0) - 1)
  const worst = Math.max(...off.map(Math.abs))
  const text = features.map((name, k) => `${name} ${c[k].toPrecision(3)}`).join(', ')
  console.log(`${what.padEnd(10)} ${text}; within ${Math.round(100 * worst)} %: ${off.map((x) => Math.round(100 * x)).join(' ')}`)
}

// the first round warms up
CASES.forEach(measure)
const rows = CASES.map(measure)
for (const { name, counts, ...times } of rows) {
  const list = Object.entries({ ...counts, ...times }).map(([key, x]) => `${key} ${Math.round(x)}`)
  console.log(name.padEnd(18), list.join('  '))
}
fit(rows, 'factor', ['bodies', 'nv'])
fit(rows, 'recursion', ['bodies'])
fit(rows, 'iteration', ['bodies', 'nv', 'rows'])
fit(rows, 'direct', ['bodies', 'rows', 'operations', 'flops'])
fit(rows, 'back', ['operations', 'solveFlops'])
