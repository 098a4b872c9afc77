/**
 * `limber bench`: timings against the engines that are installed.
 */
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import type { BatchRow, ContactRow, GpuTimes, GroundTimes, judge, StartRow, TimingRow } from 'limber-bench'
import { act, addCommand, failure, type Session, success } from '../command.js'
import { type Output, short, table } from '../output.js'
import { inFile, refuse } from '../problem.js'
import { hint } from '../suggest.js'

interface BenchOptions {
  readonly json?: boolean
  readonly contact?: boolean
  readonly only?: string
  readonly model?: readonly string[]
  readonly quick?: boolean
  readonly strict?: boolean
  readonly device?: string
}

const parts = ['dynamics', 'batch', 'contact', 'start']

export function registerBench(program: Command, session: Session): void {
  const command = addCommand(program, {
    name: 'bench',
    usage: '[part]',
    summary: 'time the engine against others that are installed, ratios in one run',
    description:
      'Times forward dynamics (part `dynamics`) and steps of 1,000 humanoids (part `batch`) against @mujoco/mujoco when it is installed: contacts,\n' +
      'limits and friction off on both sides, samples interleaved; the part `batch` also times robots on the ground. Without a part: both.\n' +
      '--contact (or the part `contact`) times whole steps of robots on the ground, stacks and heaps against mj_step: the same MJCF in both.\n' +
      'The part `start` times createSimulation against new MjData, in fresh processes.\n' +
      'With --device gpu the part `batch` compares batches on a GPU with those in lanes; on a driver that computes on the processor, results only.\n' +
      'Only the ratios inside one run mean anything.',
    examples: [
      'limber bench',
      'limber bench batch',
      'limber bench batch --device gpu',
      'limber bench start',
      'limber bench --contact --only humanoid',
      'limber bench --quick --json',
    ],
  })
    .option('--contact', 'steps with contact against mj_step, and nothing else')
    .option('--only <name>', 'with --contact: cases whose name has these words')
    .option('--model <file...>', 'with --contact: MJCF files of your own in place of its cases')
    .option('--quick', 'a short version: fewer samples, no large models')
    .option('--device <name>', 'with the part batch: gpu, to compare a GPU with lanes')
    .option('--strict', 'exit code 1 when a claim does not hold')
  act<BenchOptions>(command, session, async ([part], options, output) => {
    if (part !== undefined && !parts.includes(part)) return refuse(`part ${part}`, `expected ${parts.join(' or ')}${hint(part, parts)}`)
    const isContact = options.contact === true || part === 'contact'
    if (isContact && part !== undefined && part !== 'contact') return refuse(`part ${part}`, 'expected none beside --contact')
    if (options.only !== undefined && !isContact) return refuse('--only', 'expected with --contact: it names one of its cases')
    if (options.model !== undefined && !isContact) return refuse('--model', 'expected with --contact')
    if (options.model !== undefined && options.only !== undefined) return refuse('--only', 'expected without --model')
    // loaded late: the other commands need none of it
    const bench = await import('limber-bench')
    const settings = {
      quick: options.quick === true,
      onProgress: (done: number, total: number, name: string) => output.progress(done < total ? `${done + 1} of ${total}  ${name}` : ''),
    }
    if (options.device !== undefined && (part !== 'batch' || options.device !== 'gpu'))
      return refuse(`--device ${options.device}`, 'expected gpu, with the part batch: limber bench batch --device gpu')
    if (options.device !== undefined) {
      const times = await bench.timeGpuBatches(settings)
      output.progress('')
      const ofGpu = bench.judgeGpuBatches(times)
      output.document({ gpu: times, claims: ofGpu })
      printGpu(times, ofGpu, output)
      return options.strict && ofGpu.some((claim) => !claim.holds) ? failure : success
    }
    if (isContact) {
      const missing = options.model?.find((file) => !existsSync(file))
      if (missing !== undefined) return refuse(missing, 'no such file; check the path')
      const cases = options.model
        ? await Promise.all(options.model.map((file) => inFile(file, () => bench.readCase(file))))
        : bench.findCases(options.only)
      if (cases.length === 0) {
        const names = bench.findCases(undefined).map(({ name }) => `'${name}'`)
        return refuse(`--only ${options.only}`, `expected words of ${names.join(', ')}`)
      }
      const timed = await bench.timeContact({ ...settings, cases })
      output.progress('')
      const ofContact = options.model ? bench.judgeModels(timed) : bench.judgeContact(timed)
      output.document({ contact: timed, claims: ofContact })
      printContact(timed, ofContact, output)
      return options.strict && ofContact.some((claim) => !claim.holds) ? failure : success
    }
    if (part === 'start') {
      const starts = await bench.timeStart(settings)
      output.progress('')
      const ofStart = bench.judgeStart(starts)
      output.document({ start: starts, claims: ofStart })
      printStart(starts, ofStart, output)
      return options.strict && ofStart.some((claim) => !claim.holds) ? failure : success
    }
    const rows = part === 'batch' ? [] : await bench.timeForwardDynamics(settings)
    const batches = part === 'dynamics' ? [] : await bench.timeBatches(settings)
    const ground = part === 'dynamics' ? undefined : await bench.timeGroundBatches(settings)
    output.progress('')
    const ofDynamics = part === 'batch' ? [] : bench.judge(rows)
    const ofBatches = bench.judgeBatches(batches)
    const ofGround = ground ? bench.judgeGroundBatches(ground) : []
    const claims = [...ofDynamics, ...ofBatches, ...ofGround]
    output.document({ forwardDynamics: rows, batches, ...(ground ? { ground } : {}), claims })
    if (part !== 'batch') print(rows, ofDynamics, output)
    if (part === undefined) output.line()
    if (part !== 'dynamics') printBatches(batches, ofBatches, output)
    if (ground) printGround(ground, ofGround, output)
    return options.strict && claims.some((claim) => !claim.holds) ? failure : success
  })
}

function print(rows: readonly TimingRow[], claims: ReturnType<typeof judge>, output: Output): void {
  output.line('Forward dynamics, microseconds a call (minimum over the samples)')
  const cells = rows.map(({ name, joints, limber, js, mujoco, ratio, difference }) => [
    name,
    joints,
    micro(limber.minimum),
    micro(limber.minimum / joints),
    micro(js.minimum),
    mujoco ? micro(mujoco.minimum) : '-',
    ratio === undefined ? '-' : Number(ratio.toPrecision(3)),
    difference === undefined ? '-' : difference.toExponential(1),
  ])
  for (const row of table([['model', 'dofs', 'limber', 'a dof', 'as JavaScript', 'mj_forward', 'ratio', 'difference'], ...cells]))
    output.line(`  ${row}`)
  output.line()
  if (rows.every((row) => row.mujoco === undefined)) output.line('@mujoco/mujoco is not installed: nothing to compare with')
  printClaims(claims, output)
}

function printBatches(rows: readonly BatchRow[], claims: ReturnType<typeof judge>, output: Output): void {
  output.line('1,000 humanoids without contact, microseconds a step of one (minimum over the samples; steps a second and core)')
  const cells = rows.map(({ name, threads, processor, wall, perSecond, faster, scaling, difference }) => [
    name,
    threads,
    Number(processor.minimum.toPrecision(4)),
    Number(wall.minimum.toPrecision(4)),
    Math.round(perSecond),
    faster === undefined ? '-' : Number(faster.toPrecision(3)),
    scaling === undefined ? '-' : Number(scaling.free.toPrecision(3)),
    scaling === undefined ? '-' : Number(scaling.wall.toPrecision(3)),
    difference === undefined ? '-' : difference.toExponential(1),
  ])
  const head = ['form', 'threads', 'processor', 'clock', 'steps/s', '× mj_step', '× one thread', '(clock)', 'difference']
  for (const row of table([head, ...cells])) output.line(`  ${row}`)
  output.line()
  if (rows.every(({ name }) => name !== 'mujoco')) output.line('@mujoco/mujoco is not installed: nothing to compare with')
  printClaims(claims, output)
}

function printGround({ rows, twoThreads }: GroundTimes, claims: ReturnType<typeof judge>, output: Output): void {
  output.line()
  output.line(
    '1,000 robots on the ground that all differ, microseconds of processor time a step of one, and × mj_step on the same contacts',
  )
  const figure = (x: number | undefined): number | string => (x === undefined ? '-' : Number(x.toPrecision(3)))
  const cells = rows.map(({ name, self, f64, f32, mujoco, faster }) => [
    ...[name, self ? 'ground and itself' : 'ground', figure(f64), figure(f32), figure(mujoco)],
    ...[figure(faster?.f64), figure(faster?.f32)],
  ])
  for (const row of table([['robot', 'contacts', 'f64', 'f32', 'mj_step', '× in f64', '× in f32'], ...cells])) output.line(`  ${row}`)
  output.line(
    `  two threads: ${figure(twoThreads.free)} × the steps of one with both cores free, ${figure(twoThreads.wall)} × on the clock`,
  )
  output.line()
  printClaims(claims, output)
}

function printGpu({ adapter, isSoftware, rows }: GpuTimes, claims: ReturnType<typeof judge>, output: Output): void {
  if (rows.length === 0) return output.line(`No GPU here: ${adapter}`)
  output.line(`Batches on the GPU, ${adapter}`)
  if (isSoftware)
    output.line('This driver computes on the processor: it shows that results are right, and no speed is meant, so none is shown.')
  const rate = (x: number | undefined): number | string => (x === undefined ? '-' : Number(x.toPrecision(3)))
  const cells = rows.map(({ name, environments, steps, toLanes, toDouble, failed, perSecond }) => [
    ...[name, environments, steps, toLanes === 0 ? 'same' : toLanes.toExponential(1), toDouble.toExponential(1), failed],
    ...[rate(perSecond?.gpu), rate(perSecond?.lanes)],
  ])
  const head = ['case', 'environments', 'steps', 'off f32 lanes', 'lanes off f64', 'failed', 'GPU, steps/s', 'lanes, steps/s']
  for (const row of table([head, ...cells])) output.line(`  ${row}`)
  output.line()
  printClaims(claims, output)
}

function printContact(rows: readonly ContactRow[], claims: ReturnType<typeof judge>, output: Output): void {
  output.line('Steps with contact, milliseconds a step: mean after warm-up, slowest, mean of the first hundred; ratio is limber / mujoco')
  const figures = ({ mean, worst, first }: { mean: number; worst: number; first: number }): number[] =>
    [mean, worst, first].map((x) => Number(x.toPrecision(3)))
  const blank = ['-', '-', '-']
  const cells = rows.map(({ name, steps, limber, mujoco, ratio, bars, stopped, notYet }) => [
    name,
    steps,
    ...(limber ? figures(limber) : blank),
    ...(mujoco ? figures(mujoco) : blank),
    ...(ratio ? figures(ratio) : blank),
    notYet ? 'not yet' : stopped ? 'stopped' : ratio ? verdictOf(ratio, bars) : '-',
  ])
  const heading = ['case', 'steps', 'limber', 'slowest', 'first', 'mj_step', 'slowest', 'first', 'ratio', 'slowest', 'first', 'verdict']
  for (const row of table([heading, ...cells])) output.line(`  ${row}`)
  output.line()
  output.line(
    'What they did: contacts with force, iterations and passes a step; height of the centre of mass (m) and kinetic energy (J) at the end',
  )
  const did = rows.flatMap(({ name, limber, mujoco }) =>
    (
      [
        ['limber', limber],
        ['mujoco', mujoco],
      ] as const
    ).flatMap(([engine, one]) =>
      one
        ? [
            [
              name,
              engine,
              ...[one.contacts, one.iterations, one.passes, one.height, one.kinetic].map((x) => (x === undefined ? '-' : short4(x))),
            ],
          ]
        : [],
    ),
  )
  for (const row of table([['case', 'engine', 'contacts', 'iterations', 'passes', 'height', 'energy'], ...did])) output.line(`  ${row}`)
  output.line()
  for (const { name, stopped, notYet } of rows) if (stopped) output.line(`  ${name}: ${notYet ? 'not yet: ' : 'stopped: '}${stopped}`)
  if (rows.every((row) => row.mujoco === undefined && !row.notYet)) output.line('@mujoco/mujoco is not installed: nothing to compare with')
  printClaims(claims, output)
}

function printStart(rows: readonly StartRow[], claims: ReturnType<typeof judge>, output: Output): void {
  output.line(
    'Start of a simulation, milliseconds, medians over fresh processes: the first one, its first step, a further one of the same model',
  )
  const figures = ({ first, step, again }: StartRow['limber']): number[] => [first, step, again].map((x) => Number(x.toPrecision(3)))
  const cells = rows.map(({ name, limber, mujoco, ratio }) => [
    name,
    ...figures(limber),
    ...(mujoco ? figures(mujoco) : ['-', '-', '-']),
    ...(ratio ? [ratio.first, ratio.whole, ratio.again].map((x) => Number(x.toPrecision(3))) : ['-', '-', '-']),
  ])
  const heading = ['model', 'createSimulation', 'step', 'again', 'new MjData', 'mj_step', 'again', 'ratio', 'with step', 'again']
  for (const row of table([heading, ...cells])) output.line(`  ${row}`)
  output.line()
  if (rows.every((row) => row.mujoco === undefined)) output.line('@mujoco/mujoco is not installed: nothing to compare with')
  printClaims(claims, output)
}

function verdictOf(ratio: NonNullable<ContactRow['ratio']>, bars: ContactRow['bars']): string {
  const { mean, worst = Infinity, first = Infinity } = bars
  return ratio.mean <= mean && ratio.worst <= worst && ratio.first <= first ? 'holds' : 'fails'
}

function short4(x: number): number {
  return Number(x.toPrecision(4))
}

function printClaims(claims: ReturnType<typeof judge>, output: Output): void {
  for (const { claim, measured, holds } of claims) {
    output.line(`  ${holds ? output.style('green', 'holds') : output.style('red', 'fails')}  ${claim}: ${short(measured)}`)
  }
}

function micro(nanoseconds: number): number {
  return Number((nanoseconds / 1000).toPrecision(4))
}
