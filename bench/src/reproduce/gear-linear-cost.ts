/**
 * The stiff solver that the paper misses: cost of backward differences on damped chains.
 */
import { cpuUsage } from 'node:process'
import { buildModel, createSimulation, type Model } from 'limber'
import { type Block, plot, table, text } from '../report/report.js'
import { mobileSpec } from './gear-runs.js'

export interface CostPoint {
  readonly chain: string
  readonly links: number
  /** per simulated second */
  readonly evaluations: number
  readonly products: number
  readonly milliseconds: number
}

const SECONDS = 2
const TOLERANCE = 1e-3

const chains = [
  { name: 'links of 1 m (session D)', short: '1 m', height: () => 1 },
  { name: '10 m in all (session A)', short: '10 m', height: (links: number) => 10 / links },
]

/** Time of the processor, so that other programs on the machine do not count. */
function processorMilliseconds(): number {
  const { user, system } = cpuUsage()
  return (user + system) / 1000
}

/** The least of several samples, each of as many runs as it takes to fill `window` milliseconds. */
function time(model: Model, samples: number, window: number): Omit<CostPoint, 'links' | 'chain'> {
  let best = Number.POSITIVE_INFINITY
  let counts = { evaluations: 0, products: 0 }
  const options = { solver: 'ode', method: 'bdf', rtol: TOLERANCE, atol: TOLERANCE, timestep: 1 / 25 }
  for (let k = 0; k < samples; k++) {
    let spent = 0
    let runs = 0
    while (spent < window) {
      const simulation = createSimulation(model, options)
      const start = processorMilliseconds()
      const report = simulation.advance(SECONDS)
      spent += processorMilliseconds() - start
      runs++
      counts = { evaluations: report.evaluations, products: 'products' in report ? Number(report.products) : 0 }
    }
    best = Math.min(best, spent / runs)
  }
  return { evaluations: counts.evaluations / SECONDS, products: counts.products / SECONDS, milliseconds: best / SECONDS }
}

/** Least squares of log(time) over log(links). */
export function costExponent(points: readonly CostPoint[]): number {
  const x = points.map((p) => Math.log(p.links))
  const y = points.map((p) => Math.log(p.milliseconds))
  const mean = (v: readonly number[]) => v.reduce((a, b) => a + b, 0) / v.length
  const mx = mean(x)
  const my = mean(y)
  const top = x.reduce((sum, xi, i) => sum + (xi - mx) * (y[i] - my), 0)
  return top / x.reduce((sum, xi) => sum + (xi - mx) ** 2, 0)
}

export function measureLinearCost(quick: boolean, progress: (text: string) => void): { points: CostPoint[]; blocks: Block[] } {
  const sizes = quick ? [4, 16, 64] : [4, 16, 64, 256, 1024]
  const points: CostPoint[] = []
  const build = (height: number, links: number) =>
    buildModel(mobileSpec({ a: 0.2, b: 0.3, c: 0.2, rho: 2, s: 1, l: links, h: height, damping: 10 }))
  // the compiler must have seen it before the clock counts
  const window = quick ? 2 : 40
  for (const links of [4, 16]) time(build(1, links), 1, 10 * window)
  for (const { name, height } of chains) {
    for (const links of sizes) {
      progress(`linear cost: ${links} links, ${name}`)
      const model = build(height(links), links)
      points.push({ ...time(model, 4, window), chain: name, links })
    }
  }
  return { points, blocks: show(points) }
}

function show(points: readonly CostPoint[]): Block[] {
  const blocks: Block[] = [
    text(
      'Chains with damping 10 in every joint, tolerance 1e-3. Newton systems are solved with the O(n) recursion on M + g D + g² K as preconditioner, weight included in K; ' +
        'products with the Jacobian (differences of the force function, counted as evaluations too) are only taken where that alone does not converge. ' +
        'Times are those of the processor, in one run.',
    ),
  ]
  for (const { name } of chains) {
    const own = points.filter((p) => p.chain === name)
    const rows = own.map((p) => [p.links, p.evaluations.toFixed(1), p.products.toFixed(1), p.milliseconds.toFixed(3)])
    const head = ['links', 'evaluations/s', 'of these products/s', 'ms/s']
    blocks.push(table(`Per simulated second, ${name}: time grows as links^${costExponent(own).toFixed(2)}`, head, rows))
  }
  blocks.push(
    plot({
      title: 'time per simulated second',
      x: { label: 'links, of 1 m each or 10 m in all', log: true },
      y: { label: 'milliseconds', log: true },
      series: chains.map(({ name, short }) => ({
        name: `chains, ${short}`,
        points: points.filter((p) => p.chain === name).map((p) => [p.links, p.milliseconds] as const),
      })),
    }),
  )
  return blocks
}
