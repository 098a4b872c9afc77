/**
 * Steps with contact against MuJoCo's mj_step: the same MJCF text, step, start and commands in both; MuJoCo with the defaults of the file.
 *
 * Each round starts both engines afresh, each in a thread of its own, and lets them step in turn, a block at a time; every step is timed by itself.
 * Both are deterministic, so that a step takes the same work in each round: the least of its times is what it takes on a machine that does
 * nothing else, and the slowest step is told from one that another process interrupted. The first hundred steps are those of a program that has just
 * begun: a fresh thread with its compilers at work, and not those of the other engine, which come before it or after.
 */
import { type Bars, type ContactCase, findCases } from './cases.js'
import { type Block, type ContactThread, createContactThread } from './contact-thread.js'

/** Milliseconds a step. */
export interface StepTimes {
  readonly mean: number
  readonly worst: number
  /** of the first hundred steps */
  readonly first: number
}

/** One engine on one case; times are milliseconds. */
export interface EngineFigures extends StepTimes {
  /** points with force, on the mean of the blocks after warm-up */
  readonly contacts: number
  readonly iterations?: number
  readonly passes?: number
  /** at the end: of the centre of mass, and of the motion */
  readonly height: number
  readonly kinetic: number
}

export interface ContactRow {
  readonly name: string
  readonly bars: Bars
  /** steps that both made; times are of these */
  readonly steps: number
  readonly limber?: EngineFigures
  readonly mujoco?: EngineFigures
  /** limber / mujoco */
  readonly ratio?: StepTimes
  /** why Limber has no times: what it lacks, or what stopped it */
  readonly stopped?: string
  /** true: Limber leaves shapes of this case out */
  readonly notYet?: boolean
}

export interface ContactTimingOptions {
  readonly quick?: boolean
  /** default: all of the table */
  readonly cases?: readonly ContactCase[]
  readonly onProgress?: (done: number, total: number, name: string) => void
}

const BLOCK = 25
const FIRST = 100
// milliseconds in which compilers of the other engine come to their end
const PAUSE = 200

interface Plan {
  readonly rounds: number
  readonly steps: number
  readonly warmUp: number
  /** milliseconds after which a round of a case ends, however many steps were made */
  readonly limit: number
  /** milliseconds of a case after which no round begins, and the rounds that there are all the same */
  readonly budget: number
  readonly least: number
}

const FULL: Plan = { rounds: 6, steps: 2000, warmUp: 500, limit: 30_000, budget: 30_000, least: 2 }
const QUICK: Plan = { rounds: 3, steps: 600, warmUp: 200, limit: 6000, budget: 6000, least: 1 }

export async function timeContact({
  quick = false,
  cases: list = findCases(undefined),
  onProgress,
}: ContactTimingOptions = {}): Promise<ContactRow[]> {
  const rows: ContactRow[] = []
  for (const [k, one] of list.entries()) {
    onProgress?.(k, list.length, one.name)
    rows.push(await timeCase(one, quick ? QUICK : FULL))
  }
  onProgress?.(list.length, list.length, 'done')
  return rows
}

/** What one engine did in the rounds so far. */
interface Record {
  /** of each step the least of the rounds */
  times: Float64Array
  first: number
  blocks: Block[]
}

async function timeCase(one: ContactCase, plan: Plan): Promise<ContactRow> {
  const { name, bars } = one
  let ours: Record | undefined
  let theirs: Record | undefined
  const start = performance.now()
  for (let round = 0; round < plan.rounds; round++) {
    if (round >= plan.least && performance.now() - start > plan.budget) break
    await pause()
    const limber = await createContactThread('limber', one)
    if (!limber) throw new Error('bench: limber did not start')
    let mujoco: ContactThread | undefined
    try {
      if (limber.lacks !== '') return { name, bars, steps: 0, stopped: limber.lacks, notYet: true }
      const ours0 = await limber.run(FIRST)
      await pause()
      mujoco = await createContactThread('mujoco', one)
      const theirs0 = await mujoco?.run(FIRST)
      const [a, b] = await runInTurn(limber, mujoco, plan, [ours0], theirs0 ? [theirs0] : [])
      ours = merge(ours, a)
      if (b.length > 0) theirs = merge(theirs, b)
      const stopped = a[a.length - 1].stopped
      if (stopped !== '') return { ...rowOf(name, bars, plan, ours, theirs), stopped }
    } finally {
      await limber.stop()
      await mujoco?.stop()
    }
  }
  if (!ours) throw new Error(`bench: '${name}' made no step`)
  return rowOf(name, bars, plan, ours, theirs)
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE))

/** Further blocks of both engines, one after the other, until all steps are made or the time is up. */
async function runInTurn(
  limber: ContactThread,
  mujoco: ContactThread | undefined,
  plan: Plan,
  ours: Block[],
  theirs: Block[],
): Promise<[Block[], Block[]]> {
  const start = performance.now()
  for (let done = FIRST; done < plan.steps && ours[0].stopped === '' && performance.now() - start < plan.limit; done += BLOCK) {
    const block = await limber.run(BLOCK)
    ours.push(block)
    if (mujoco) theirs.push(await mujoco.run(BLOCK))
    if (block.stopped !== '') break
  }
  return [ours, theirs]
}

function merge(record: Record | undefined, blocks: Block[]): Record {
  const times = Float64Array.from(blocks.flatMap((block) => [...block.times]))
  const first = meanOf(times.subarray(0, FIRST))
  if (!record) return { times, first, blocks }
  // a round may have been cut short
  const both = times.subarray(0, Math.min(times.length, record.times.length))
  return {
    times: both.map((time, k) => Math.min(time, record.times[k])),
    first: Math.min(first, record.first),
    blocks: blocks.length < record.blocks.length ? blocks : record.blocks,
  }
}

function rowOf(name: string, bars: Bars, plan: Plan, ours: Record, theirs: Record | undefined): ContactRow {
  const steps = Math.min(ours.times.length, theirs?.times.length ?? Number.POSITIVE_INFINITY)
  const limber = figuresOf(ours, steps, plan)
  if (!theirs) return { name, bars, steps, limber }
  const mujoco = figuresOf(theirs, steps, plan)
  return { name, bars, steps, limber, mujoco, ratio: ratioOf(limber, mujoco) }
}

function ratioOf(a: StepTimes, b: StepTimes): StepTimes {
  return { mean: a.mean / b.mean, worst: a.worst / b.worst, first: a.first / b.first }
}

function figuresOf({ times, first, blocks }: Record, steps: number, { warmUp }: Plan): EngineFigures {
  // where time was up early the second half counts
  const from = Math.min(warmUp, steps >> 1)
  const counted = times.subarray(from, steps)
  const end = blockOf(steps - 1)
  const last = blocks[end]
  const late = blocks.slice(blockOf(from), end + 1)
  return {
    ...{ mean: meanOf(counted), worst: counted.reduce((most, time) => Math.max(most, time), 0), first },
    contacts: meanOf(late.map(({ contacts }) => contacts)),
    ...(last.iterations === undefined ? {} : { iterations: last.iterations / steps }),
    ...(last.passes === undefined ? {} : { passes: last.passes / steps }),
    ...{ height: last.height, kinetic: last.kinetic },
  }
}

/** The block in which a step is made. */
const blockOf = (step: number): number => (step < FIRST ? 0 : 1 + Math.floor((step - FIRST) / BLOCK))

function meanOf(list: ArrayLike<number>): number {
  let sum = 0
  for (let k = 0; k < list.length; k++) sum += list[k]
  return sum / list.length
}

interface Claim {
  readonly claim: string
  readonly measured: number
  readonly limit: number
  readonly holds: boolean
}

/** The claims of contact, each with what was measured; a case that stopped or is left out fails. */
export function judgeContact(rows: readonly ContactRow[]): Claim[] {
  return rows.flatMap(({ name, bars, ratio, stopped }) => {
    if (ratio === undefined && stopped === undefined) return []
    const judgeOne = (what: string, of: string, measured = Number.POSITIVE_INFINITY, limit?: number): Claim[] => {
      if (limit === undefined) return []
      const claim = `${name}: ${what} at most ${limit} × ${of}`
      return [{ claim, measured, limit, holds: stopped === undefined && measured <= limit }]
    }
    return [
      ...judgeOne('mean step after warm-up', 'mj_step', ratio?.mean, bars.mean),
      ...judgeOne('slowest step', 'the slowest of mj_step', ratio?.worst, bars.worst),
      ...judgeOne('first hundred steps', 'those of mj_step', ratio?.first, bars.first),
    ]
  })
}

/** Of models that nobody chose: half of them at most by half behind. Without a single ratio nothing is claimed. */
export function judgeModels(rows: readonly ContactRow[]): Claim[] {
  const ratios = rows
    .flatMap(({ ratio, stopped }) => (stopped ? [Number.POSITIVE_INFINITY] : ratio ? [ratio.mean] : []))
    .sort((a, b) => a - b)
  if (ratios.length === 0) return judgeContact(rows)
  const measured = (ratios[(ratios.length - 1) >> 1] + ratios[ratios.length >> 1]) / 2
  return [
    { claim: 'the median model: mean step after warm-up at most 1.5 × mj_step', measured, limit: 1.5, holds: measured <= 1.5 },
    ...judgeContact(rows),
  ]
}
