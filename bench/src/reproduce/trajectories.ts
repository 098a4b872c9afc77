/**
 * `limber reproduce position --part gpu`: Z. Pan, D. Manocha, Time Integrating Articulated Body Dynamics Using Position-Based Collocation
 * Methods (2018), section 5.2 and figures 1 and 4: many trajectories at once, one iteration of each a call.
 */
import type { Model } from 'limber'
import { findGpu, type GpuDevices } from '../gpu-device.js'
import { three } from '../report/numbers.js'
import { type Block, picture, plot, type Reproduction, type ReproductionOptions, type Section, table, text } from '../report/report.js'
import { type Verdict, verdictTable } from '../report/verdict.js'
import { processorTime } from '../sampling.js'
import { chainModel } from './position-runs.js'
import { drawWaiting } from './trajectory-picture.js'
import {
  chainStarts,
  countCalls,
  difference,
  GPU,
  inLanes,
  ONE_BY_ONE,
  oneByOne,
  onGpu,
  reference,
  STEP,
  STEPS,
  type Waiting,
  type Way,
} from './trajectory-runs.js'

interface Timed {
  readonly name: string
  readonly threads: number
  /** ms of processor time, of all threads, and on the clock: the least of the rounds */
  readonly processor: number
  readonly wall: number
}

interface Cost {
  readonly links: number
  readonly trajectories: number
  readonly ways: readonly Timed[]
}

interface Error {
  readonly name: string
  readonly links: number
  readonly h: number
  readonly largest: number
  readonly rms: number
}

export interface TrajectoryData {
  readonly waiting: readonly Waiting[]
  readonly byLinks: readonly Cost[]
  readonly byCount: readonly Cost[]
  readonly errors: readonly Error[]
  /** name of the adapter, or why there is none */
  readonly device: { readonly name: string; readonly isSoftware: boolean } | string
  readonly verdicts: readonly Verdict[]
}

const SIZES = [10, 20, 40]
const COUNT = 100
/** figure 1 */
const DRAWN = { links: 20, trajectories: 6, steps: 6 } as const

export async function reproduceTrajectories({ quick = false, progress = () => {} }: ReproductionOptions = {}): Promise<Reproduction> {
  const devices = await findGpu()
  const few = await countCalls(DRAWN.links, DRAWN.trajectories, DRAWN.steps)
  const waiting: Waiting[] = []
  for (const links of SIZES) {
    progress(`calls of ${COUNT} trajectories of ${links} links`)
    waiting.push(await countCalls(links, COUNT))
  }
  const errors = await measureErrors(devices, quick, progress)
  const rounds = quick ? 2 : 5
  const byLinks: Cost[] = []
  for (const links of quick ? SIZES.slice(0, 2) : SIZES) byLinks.push(await timeWays(links, COUNT, rounds, devices, progress))
  const byCount: Cost[] = []
  for (const count of quick ? [20, COUNT] : [20, 50, 100, 200, 300]) byCount.push(await timeWays(10, count, rounds, devices, progress))
  if (typeof devices !== 'string') devices.close()
  const device = typeof devices === 'string' ? devices : { name: devices.name, isSoftware: devices.isSoftware }
  const verdicts = trajectoryVerdicts({ waiting, byLinks, byCount, errors })
  const data: TrajectoryData = { waiting, byLinks, byCount, errors, device, verdicts }
  return {
    data,
    report: {
      title: 'Position trajectories by the hundred',
      summary:
        'Z. Pan, D. Manocha, Time Integrating Articulated Body Dynamics Using Position-Based Collocation Methods (2018), section 5.2, figures 1 ' +
        `and 4. Chains of rods on joints with two degrees of freedom, each from its own start, ${STEPS} steps of ${STEP} s by the method of ` +
        'order 2. The paper compares a GPU of 3,584 cores with a processor of four cores.',
      sections: [
        { title: 'What holds', blocks: [verdictTable(verdicts)] },
        waitingSection(few, waiting),
        costSection('Figure 4 (a, c): against the number of links', byLinks, ({ links }) => links, 'links', PAPER_LINKS, device),
        costSection(
          'Figure 4 (b, d): against the number of trajectories',
          byCount,
          (row) => row.trajectories,
          'trajectories',
          PAPER_COUNT,
          device,
        ),
        errorSection(errors),
      ],
    },
  }
}

async function timeWays(
  links: number,
  trajectories: number,
  rounds: number,
  devices: GpuDevices | string,
  progress: (text: string) => void,
): Promise<Cost> {
  progress(`${trajectories} trajectories of ${links} links`)
  const model = chainModel(links)
  const starts = chainStarts(model, trajectories)
  const ways: Way[] = [
    oneByOne(model, starts),
    await inLanes(model, starts, { precision: 'f64' }),
    await inLanes(model, starts, { precision: 'f32' }),
    await inLanes(model, starts, { precision: 'f64', threads: 2 }),
    ...(typeof devices === 'string' || devices.isSoftware ? [] : [await onGpu(devices, model, starts)]),
  ]
  const times = ways.map(({ name, threads }) => ({ name, threads, processor: Number.POSITIVE_INFINITY, wall: Number.POSITIVE_INFINITY }))
  // the first round warms up
  for (let round = -1; round < rounds; round++) {
    for (const [k, way] of ways.entries()) {
      const begin = performance.now()
      const processor = await processorTime(way.run)
      await way.q()
      if (round < 0) continue
      times[k].processor = Math.min(times[k].processor, processor / 1000)
      times[k].wall = Math.min(times[k].wall, performance.now() - begin)
    }
  }
  for (const way of ways) way.close()
  return { links, trajectories, ways: times }
}

/** A way to step trajectories from starts, in steps of h. */
type Open = (model: Model, starts: Float64Array, h: number, steps: number) => Promise<Way>

async function measureErrors(devices: GpuDevices | string, quick: boolean, progress: (text: string) => void): Promise<Error[]> {
  const errors: Error[] = []
  const compare = async (name: string, links: number, count: number, h: number, steps: number, open: Open): Promise<void> => {
    progress(`${name}, ${links} links, ${h} s`)
    const model = chainModel(links)
    const starts = chainStarts(model, count)
    const off = await difference(await open(model, starts, h, steps), reference(model, starts, h, steps))
    errors.push({ name, links, h, ...off })
  }
  for (const precision of ['f64', 'f32'] as const) {
    const open: Open = (model, starts, h, steps) => inLanes(model, starts, { precision, ...(h ? { h } : {}), ...(steps ? { steps } : {}) })
    for (const links of SIZES) await compare(`lanes, ${precision}`, links, COUNT, STEP, STEPS, open)
    if (precision === 'f32')
      for (const h of [0.01, 0.0025, 0.001, 0.0002]) await compare(`lanes, ${precision}`, 10, quick ? 8 : 32, h, STEPS, open)
  }
  if (typeof devices !== 'string') await compare(GPU, 10, 64, STEP, STEPS, (...given) => onGpu(devices, ...given))
  return errors
}

const of = (ways: readonly Timed[], name: string): Timed | undefined => ways.find((way) => way.name === name)

/** Trajectories a second over those of one by one on one core, were all cores free. */
function gain({ ways }: Cost, { processor, threads }: Timed): number {
  const one = of(ways, ONE_BY_ONE)
  return one ? (threads * one.processor) / processor : Number.NaN
}

export function trajectoryVerdicts({ waiting, byLinks, byCount, errors }: Omit<TrajectoryData, 'verdicts' | 'device'>): Verdict[] {
  const saved = waiting.map(({ calls, waiting: all }) => 1 - calls / all)
  const largest = (of: readonly Error[]): number => Math.max(...of.map((error) => error.largest))
  const f32 = errors.filter(({ name }) => name === 'lanes, f32')
  const f64 = errors.filter(({ name }) => name === 'lanes, f64')
  const gains = (name: string): number[] =>
    byLinks.flatMap((cost) => cost.ways.filter((way) => way.name === name).map((way) => gain(cost, way)))
  const least = (name: string, limit: number): Verdict => ({
    line: `${name}: at least ${limit} × the trajectories of one by one on one core`,
    holds: gains(name).length > 0 && Math.min(...gains(name)) >= limit,
    measured:
      gains(name)
        .map((x) => `${three(x)} ×`)
        .join(', ') || 'no second thread',
  })
  const judged: Verdict[] = [
    {
      line: 'one iteration of each a call takes at least 20 % fewer calls than waiting after each step',
      holds: Math.min(...saved) >= 0.2,
      measured: waiting.map(({ links, calls, waiting: all }) => `${links} links: ${calls} against ${all}`).join(', '),
    },
    {
      line: 'lanes in f64: ends of the position solver, to the tolerance of 1e-6 rad',
      holds: largest(f64) <= 1e-5,
      measured: `${largest(f64).toExponential(1)} rad`,
    },
    {
      line: 'lanes in f32: ends within 1e-5 rad of f64',
      holds: largest(f32.filter(({ h }) => h === STEP)) <= 1e-5,
      measured: f32
        .filter(({ h }) => h === STEP)
        .map((one) => `${one.links} links: ${one.largest.toExponential(1)}`)
        .join(', '),
    },
    {
      line: 'f32: no step from 0.05 to 0.0002 s makes the error larger than 1e-5 rad',
      holds: largest(f32) <= 1e-5,
      measured: f32
        .filter(({ links }) => links === 10)
        .map(({ h, largest: off }) => `${h} s: ${off.toExponential(1)}`)
        .join(', '),
    },
    least('lanes, f64', 2.5),
    least('lanes, f64, 2 threads', 4.5),
  ]
  return [...judged, ...paperVerdicts({ byLinks, byCount })]
}

/** What the paper says of its GPU, judged where there is one. */
function paperVerdicts({ byLinks, byCount }: Pick<TrajectoryData, 'byLinks' | 'byCount'>): Verdict[] {
  const onGpu = (costs: readonly Cost[]): { cost: Cost; way: Timed }[] =>
    costs.flatMap((cost) => cost.ways.filter((way) => way.name === GPU).map((way) => ({ cost, way })))
  const overFour = (costs: readonly Cost[]): number[] =>
    onGpu(costs).map(({ cost, way }) => (of(cost.ways, ONE_BY_ONE)?.wall ?? Number.NaN) / 4 / way.wall)
  const links = onGpu(byLinks)
  if (links.length === 0) return []
  const rises = (list: readonly number[]): boolean => list.every((x, k) => k === 0 || x > list[k - 1])
  const a = overFour(byLinks)
  const b = overFour(byCount)
  const flat = onGpu(byCount)
    .filter(({ cost }) => cost.trajectories >= COUNT)
    .map(({ way }) => way.wall)
  return [
    {
      line: 'figure 4 (a): the gain of the GPU over four cores rises with the links (paper: to 6 ×)',
      holds: rises(a),
      measured: a.map(three).join(', '),
    },
    { line: 'figure 4 (b): the gain rises with the trajectories (paper: to 4 ×)', holds: rises(b), measured: b.map(three).join(', ') },
    {
      line: 'figure 4 (c): 100 trajectories of 40 links in less than 1 s',
      holds: links.some(({ cost, way }) => cost.links === 40 && way.wall < 1000),
      measured: links.map(({ cost, way }) => `${cost.links} links: ${three(way.wall)} ms`).join(', '),
    },
    {
      line: 'figure 4 (d): from 100 to 300 trajectories the time does not rise by more than a quarter',
      holds: flat.length > 1 && flat[flat.length - 1] <= 1.25 * flat[0],
      measured: flat.map((x) => `${three(x)} ms`).join(', '),
    },
  ]
}

function waitingSection(few: Waiting, waiting: readonly Waiting[]): Section {
  const shown = [false, true].map((waits) => drawWaiting(few.perStep, waits))
  return {
    title: 'Figure 1: who waits for whom',
    blocks: [
      ...shown.map(({ svg }) =>
        picture(`${DRAWN.trajectories} trajectories of ${DRAWN.links} links; a block is an evaluation, a colour a time step`, svg),
      ),
      table(
        `Calls of ${STEPS} steps of ${COUNT} trajectories`,
        ['links', 'evaluations of a trajectory', 'calls, one iteration of each', 'calls, if all wait after each step', 'fewer'],
        waiting.map(({ links, evaluations, calls, waiting: all }) => [
          links,
          three(evaluations),
          calls,
          all,
          `${three(100 * (1 - calls / all))} %`,
        ]),
      ),
      text(
        'The paper states the idea and no figure. A call is one evaluation of every trajectory that is not done. In lanes two or four trajectories ' +
          'share a call, on a GPU all do.',
      ),
    ],
  }
}

const PAPER_LINKS = 'GPU over 4 cores: rises with the links to 6 ×; 40 links in less than 1 s'
const PAPER_COUNT = 'GPU over 4 cores: rises to 4 ×; flat from 100 to 300 trajectories'

function costSection(
  title: string,
  costs: readonly Cost[],
  of: (cost: Cost) => number,
  label: string,
  paper: string,
  device: TrajectoryData['device'],
): Section {
  const names = costs[0].ways.map(({ name }) => name)
  const series = (value: (cost: Cost, way: Timed) => number, all: readonly string[]) =>
    all.map((name) => ({
      name: name.replace('one by one', '1 by 1').replace(' threads', ' thr.'),
      points: costs.flatMap((cost) => cost.ways.filter((way) => way.name === name).map((way) => [of(cost), value(cost, way)] as const)),
    }))
  const why =
    typeof device === 'string'
      ? `No GPU here: ${device}.`
      : device.isSoftware
        ? `The driver '${device.name}' computes on the processor: it shows that results are right, and no speed is meant, so it is not timed.`
        : `GPU: ${device.name}.`
  const blocks: Block[] = [
    plot({ title: 'gain over one by one on one core', x: { label, log: true }, y: { label: '×' }, series: series(gain, names.slice(1)) }),
    plot({
      title: 'time of all',
      x: { label, log: true },
      y: { label: 'ms on the clock', log: true },
      series: series((_, way) => way.wall, names),
    }),
    table(
      `${STEPS} steps of all trajectories (paper: ${paper})`,
      [label, 'way', 'ms of processor time', 'ms on the clock', '× one by one, free cores', '× four free cores one by one'],
      costs.flatMap((cost) =>
        cost.ways.map((way) => [
          of(cost),
          way.name,
          three(way.processor),
          three(way.wall),
          three(gain(cost, way)),
          three(gain(cost, way) / 4),
        ]),
      ),
    ),
    text(
      `${why} Lanes gain by vector instructions and by kernels without JavaScript between them, at any number of trajectories; threads by cores.`,
    ),
  ]
  return { title, blocks }
}

function errorSection(errors: readonly Error[]): Section {
  return {
    title: 'Errors against the position solver in f64',
    blocks: [
      table(
        `Ends after ${STEPS} steps, against a tolerance of 1e-10 rad`,
        ['way', 'links', 'step, s', 'largest, rad', 'root mean square, rad'],
        errors.map(({ name, links, h, largest, rms }) => [name, links, h, largest.toExponential(1), rms.toExponential(1)]),
      ),
      text(
        'The unknowns are increments of a step, so that single precision rounds against the motion of a step and not against positions: the error does ' +
          'not grow where steps are small.',
      ),
    ],
  }
}
