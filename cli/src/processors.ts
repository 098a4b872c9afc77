/**
 * One simulation over several processors, as `limber info --processors` shows it: who works on what, how long an evaluation takes, what pays.
 */
import { availableParallelism } from 'node:os'
import { InvalidArgumentError } from 'commander'
import { type Costs, type Model, measureCosts, type Partition, partition } from 'limber'
import { count, type Output, table } from './output.js'
import { wholeNumber } from './values.js'

export interface GivenCosts {
  /** seconds */
  readonly cmptm?: number
  readonly roitm?: number
}

type Source = 'given' | 'measured' | 'assumed'

export interface Shares {
  /** for 1 … P processors at hand: seconds of one evaluation with as many of them as pay */
  readonly parallel: readonly { readonly processors: number; readonly time: number; readonly speedup: number }[]
  readonly partition: {
    /** how many of them are used */
    readonly processors: number
    readonly cores: number
    readonly costs: Costs
    /** where the costs come from */
    readonly sources: { readonly cmptm: Source; readonly roitm: Source }
    /** by processor */
    readonly bodies: readonly number[]
    /** bodies whose parent is on another processor */
    readonly cuts: readonly Cut[]
    /** branches that are worked on in several blocks at once: the first body of each further block */
    readonly blocks: readonly string[]
  }
}

interface Cut {
  readonly body: string
  readonly processor: number
  readonly parent: string
  readonly parentProcessor: number
}

const MOST_PROCESSORS = 65_536

export function processorCount(text: string): number {
  const value = wholeNumber(1)(text)
  if (value > MOST_PROCESSORS) throw new InvalidArgumentError(`Expected at most ${MOST_PROCESSORS}.`)
  return value
}

export function shareOut(model: Model, most: number, given: GivenCosts): Shares {
  const costs = measureCosts(model, { clock: () => performance.now() / 1000, given })
  const shared = partition(model, most, costs)
  const { times, serial, processors, bodies } = shared
  return {
    parallel: Array.from(times, (time, k) => ({ processors: k + 1, time, speedup: time > 0 ? serial / time : 1 })),
    partition: {
      processors,
      cores: availableParallelism(),
      costs,
      sources: { cmptm: given.cmptm === undefined ? 'measured' : 'given', roitm: given.roitm === undefined ? 'assumed' : 'given' },
      bodies: Array.from(bodies),
      ...cutsOf(model, shared),
    },
  }
}

function cutsOf(model: Model, { branches, processorOf, processors }: Partition): Pick<Shares['partition'], 'cuts' | 'blocks'> {
  const nameOf = (i: number): string => model.bodies[i]?.name ?? 'world'
  const cuts: Cut[] = []
  const blocks: string[] = []
  const { count: blockCount, from, parent, condensed } = branches
  for (let b = 1; b < blockCount && processors > 1; b++) {
    const [i, above] = [from[b] ?? 0, parent[b] ?? 0]
    const [processor, parentProcessor] = [processorOf[b] ?? 0, processorOf[above] ?? 0]
    if (processor !== parentProcessor) cuts.push({ body: nameOf(i), processor, parent: nameOf(model.parent[i] ?? 0), parentProcessor })
    if (condensed[above]) blocks.push(nameOf(i))
  }
  return { cuts, blocks }
}

/** more rows than this are left out */
const MOST_ROWS = 20
const MOST_NAMES = 3

export function printShares({ parallel, partition: shared }: Shares, output: Output): void {
  const { costs, sources, processors, cores } = shared
  output.line(`\n${output.style('bold', `Processors (${parallel.length})`)}`)
  output.line(`  a body takes ${seconds(costs.cmptm)} in an evaluation (CMPTM, ${sources.cmptm})`)
  output.line(`  the messages over an edge take ${seconds(costs.roitm)} (ROITM, ${describeSource(sources.roitm)})`)
  output.line()
  const rows = parallel
    .filter(({ processors: p }) => isShown(p, parallel.length, processors))
    .map(({ processors: p, time, speedup }) => [p, seconds(time), `${speedup.toFixed(2)} ×`])
  for (const row of table([['processors', 'an evaluation', 'speed-up'], ...rows])) output.line(`  ${row}`)
  output.line(`  ${whatPays(parallel, processors)}`)
  if (parallel.length > cores && processors > 1)
    output.line(
      `  ${output.style('yellow', `this machine has ${count(cores, 'core')}: more threads than that take turns and gain nothing; further processors have to be on other machines`)}`,
    )
  if (processors === 1) return
  printPartition(shared, output)
}

function printPartition({ processors, bodies, cuts, blocks }: Shares['partition'], output: Output): void {
  output.line(`\n${output.style('bold', `Partition over ${processors} processors`)}`)
  const own = new Map<number, Cut[]>()
  for (const cut of cuts) {
    const before = own.get(cut.processor)
    if (before) before.push(cut)
    else own.set(cut.processor, [cut])
  }
  const rows = bodies.slice(0, MOST_ROWS).map((n, p) => [p, n, listCuts(own.get(p) ?? [])])
  for (const row of table([['processor', 'bodies', 'cut off at'], ...rows])) output.line(`  ${row}`)
  if (bodies.length > MOST_ROWS) output.line(`  … and ${bodies.length - MOST_ROWS} more`)
  const [least, most] = [Math.min(...bodies), Math.max(...bodies)]
  output.line(`  ${count(cuts.length, 'cut')}; from ${least} to ${most} bodies a processor`)
  if (blocks.length > 0)
    output.line(`  long branches are cut at ${count(blocks.length, 'body', 'bodies')} by divide and conquer: ${listNames(blocks)}`)
}

function whatPays(parallel: Shares['parallel'], processors: number): string {
  if (processors === 1)
    return 'one processor is best: messages would take longer than what they save, or nothing can be done at the same time'
  const two = parallel[1]?.speedup ?? 1
  const best = parallel[processors - 1]?.speedup ?? 1
  const pair = `2 processors: ${two.toFixed(1)} ×`
  const all = processors > 2 ? `; ${processors} processors: ${best.toFixed(1)} ×` : ''
  return `${pair}${all}${processors < parallel.length ? `; more than ${processors} do not pay` : ''}`
}

function describeSource(source: Source): string {
  return source === 'assumed' ? 'assumed, as between threads; --roitm takes another' : source
}

/** All, or powers of two and the best. */
function isShown(p: number, most: number, best: number): boolean {
  return most <= MOST_ROWS || (p & (p - 1)) === 0 || p === best || p === most
}

const listCuts = (cuts: readonly Cut[]): string => listNames(cuts.map(({ body, parentProcessor }) => `${body} (from ${parentProcessor})`))

function listNames(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES
  return `${names.slice(0, MOST_NAMES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

function seconds(x: number): string {
  const [value, unit] = x >= 1 ? [x, 's'] : x >= 1e-3 ? [1e3 * x, 'ms'] : [1e6 * x, 'µs']
  return `${Number(value.toPrecision(4))} ${unit}`
}
