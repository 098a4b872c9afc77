/**
 * 1,000 robots on the ground that all differ, in lanes, against `mj_step` on the same contacts with the defaults of the file: one interleaved run.
 *
 * Blocks of steps are timed in processor time of the process, one engine after the other, over a second of motion. MuJoCo steps fewer data, each
 * for a whole block, which suits its cache. A robot that fails ends the run: no times are taken of one that explodes.
 */
import { buildModel, createBatch, type Model, parseMjcf } from 'limber'
import { startThread } from 'limber/node'
import { actingRobots, type GroundRobot, groundRobots } from './contact/ground-robots.js'
import { createRandom } from './random.js'
import { loadMujoco } from './rival.js'
import { processorTime } from './sampling.js'

export interface GroundRow {
  readonly name: string
  /** contacts among the parts of the robot too */
  readonly self: boolean
  /** microseconds of processor time a step of one robot */
  readonly f64: number
  readonly f32: number
  readonly mujoco?: number
  /** times the steps a second of MuJoCo */
  readonly faster?: { readonly f64: number; readonly f32: number }
}

export interface GroundTimes {
  readonly rows: readonly GroundRow[]
  /** steps a second of two threads over those of one: with both cores free, from processor time, and on the clock of this run */
  readonly twoThreads: { readonly free: number; readonly wall: number }
}

export interface GroundTimingOptions {
  readonly quick?: boolean
  readonly onProgress?: (done: number, total: number, name: string) => void
}

/** robots, and a short version's */
const ROBOTS = 1000
const FEW_ROBOTS = 100
const RIVALS = 48
const BLOCK = 25

/** Rows of q near the keyframe, and its commands for every robot. */
function startsOf({ nq, nu, keyframes }: Model, count: number, random: () => number): { q: Float64Array; control: Float64Array } {
  const q = new Float64Array(count * nq)
  const control = new Float64Array(count * nu)
  const [key] = keyframes
  for (let e = 0; e < count; e++) {
    const row = q.subarray(e * nq, (e + 1) * nq)
    row.set(key.q)
    for (let k = 7; k < nq; k++) row[k] += 0.03 * random()
    row[2] += 0.02 * (1 + random())
    for (let k = 3; k < 7; k++) row[k] += 0.02 * random()
    const length = Math.hypot(row[3], row[4], row[5], row[6])
    for (let k = 3; k < 7; k++) row[k] /= length
    control.set(key.control.subarray(0, nu), e * nu)
  }
  return { q, control }
}

interface Contestant {
  readonly label: 'f64' | 'f32' | 'mujoco'
  readonly count: number
  time: number
  command(control: Float64Array): void
  run(steps: number): void
  stop(): void
}

async function limberOf(model: Model, precision: 'f64' | 'f32', self: boolean, count: number, q: Float64Array): Promise<Contestant> {
  const batch = await createBatch(model, { count, precision, contact: { self } })
  batch.reset(undefined, { q })
  return {
    ...{ label: precision, count, time: 0 },
    command: (control) => batch.writeControl(control),
    run(steps) {
      const failed = batch.step(steps)
      if (failed > 0) throw new Error(`bench: ${failed} of ${count} robots of '${model.name}' failed in ${precision}`)
    },
    stop: () => batch.close(),
  }
}

async function mujocoOf(text: string, model: Model, q: Float64Array): Promise<Contestant | undefined> {
  const mujoco = await loadMujoco()
  if (!mujoco) return undefined
  const m = mujoco.MjModel.from_xml_string(text)
  const data = Array.from({ length: RIVALS }, (_, e) => {
    const d = new mujoco.MjData(m)
    ;(d.qpos as Float64Array).set(q.subarray(e * model.nq, (e + 1) * model.nq))
    return d
  })
  return {
    ...{ label: 'mujoco', count: RIVALS, time: 0 },
    command(control) {
      for (const [e, d] of data.entries()) (d.ctrl as Float64Array).set(control.subarray(e * model.nu, (e + 1) * model.nu))
    },
    run(steps) {
      for (const d of data) for (let k = 0; k < steps; k++) mujoco.mj_step(m, d)
    },
    stop() {
      for (const d of data) d.delete()
      m.delete()
    },
  }
}

async function timeRobot(
  { name, alone, whole, actions = 0 }: GroundRobot,
  self: boolean,
  count: number,
  seconds: number,
): Promise<GroundRow> {
  const text = self ? whole : alone
  const model = buildModel(parseMjcf(text))
  const random = createRandom()
  const { q, control } = startsOf(model, count, random)
  const rest = control.slice()
  const rival = await mujocoOf(text, model, q)
  const all = [await limberOf(model, 'f64', self, count, q), await limberOf(model, 'f32', self, count, q), ...(rival ? [rival] : [])]
  const blocks = Math.round(seconds / model.timestep / BLOCK)
  // the first block warms up
  for (let block = -1; block < blocks; block++) {
    if (actions > 0) for (let k = 0; k < control.length; k++) control[k] = rest[k] + actions * random()
    for (const one of all) {
      if (model.nu > 0) one.command(control)
      const time = await processorTime(() => one.run(BLOCK))
      if (block >= 0) one.time += time
    }
  }
  for (const one of all) one.stop()
  const [f64, f32, mujoco] = all.map((one) => one.time / (blocks * BLOCK * one.count))
  return { name, self, f64, f32, ...(mujoco === undefined ? {} : { mujoco, faster: { f64: mujoco / f64, f32: mujoco / f32 } }) }
}

/** One thread and two, in turn: the least of each one's times. */
async function timeThreads(count: number, seconds: number): Promise<GroundTimes['twoThreads']> {
  const model = buildModel(parseMjcf(actingRobots[1].alone))
  const { q, control } = startsOf(model, count, createRandom())
  const batches = await Promise.all([1, 2].map((threads) => createBatch(model, { count, contact: { self: false }, threads, startThread })))
  const wall = batches.map(() => Number.POSITIVE_INFINITY)
  const processor = batches.map(() => Number.POSITIVE_INFINITY)
  for (const batch of batches) {
    batch.reset(undefined, { q })
    batch.writeControl(control)
  }
  const blocks = Math.max(4, Math.round(seconds / model.timestep / BLOCK))
  for (let block = 0; block < blocks; block++) {
    for (const [k, batch] of batches.entries()) {
      const start = performance.now()
      const time = await processorTime(() => void batch.step(BLOCK))
      if (block === 0) continue
      wall[k] = Math.min(wall[k], performance.now() - start)
      processor[k] = Math.min(processor[k], time)
    }
  }
  for (const batch of batches) batch.close()
  return { free: (2 * processor[0]) / processor[1], wall: wall[0] / wall[1] }
}

export async function timeGroundBatches({ quick = false, onProgress }: GroundTimingOptions = {}): Promise<GroundTimes> {
  const seconds = quick ? 0.1 : 1
  const count = quick ? FEW_ROBOTS : ROBOTS
  const runs = [...groundRobots, ...actingRobots].flatMap((robot) => [false, true].map((self) => [robot, self] as const))
  const rows: GroundRow[] = []
  for (const [k, [robot, self]] of runs.entries()) {
    onProgress?.(k, runs.length, robot.name)
    rows.push(await timeRobot(robot, self, count, seconds))
  }
  const twoThreads = await timeThreads(count, seconds)
  onProgress?.(runs.length, runs.length, 'done')
  return { rows, twoThreads }
}

interface Claim {
  readonly claim: string
  readonly measured: number
  readonly limit: number
  readonly holds: boolean
}

const LIMITS = { f64: { least: 6, median: 9 }, f32: { least: 10, median: 16 } } as const
/** share of the ground-only ratio that is left with contacts among the parts */
const WITH_ITSELF = 0.7
const TWO_THREADS = 1.8

/** The claims of batches on the ground, each with what was measured; none without MuJoCo but that of the threads. */
export function judgeGroundBatches({ rows, twoThreads }: GroundTimes): Claim[] {
  const claims: Claim[] = []
  const atLeast = (claim: string, measured: number, limit: number): void => {
    claims.push({ claim: `${claim} at least ${limit}`, measured, limit, holds: measured >= limit })
  }
  for (const precision of ['f64', 'f32'] as const) {
    const ratios = (self: boolean): number[] =>
      rows.filter((row) => row.self === self).flatMap(({ faster }) => (faster ? [faster[precision]] : []))
    const ground = ratios(false).sort((a, b) => a - b)
    if (ground.length === 0) continue
    atLeast(`ground, ${precision}: least of the ratios to mj_step`, ground[0], LIMITS[precision].least)
    atLeast(`ground, ${precision}: median of the ratios`, ground[ground.length >> 1], LIMITS[precision].median)
    const shares = rows
      .filter((row) => row.self)
      .map((row) => rows.find((one) => one.name === row.name && !one.self)?.[precision] ?? Number.NaN)
      .map((alone, k) => alone / rows.filter((row) => row.self)[k][precision])
    atLeast(`ground, ${precision}: steps a second with contacts among the parts over those without`, Math.min(...shares), WITH_ITSELF)
  }
  atLeast('ground: two threads on free cores over one', twoThreads.free, TWO_THREADS)
  return claims
}
