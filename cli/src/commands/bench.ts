/**
 * `limber bench`: timings against the engines that are installed.
 */
import type { Command } from 'commander'
import type { BatchRow, judge, TimingRow } from 'limber-bench'
import { act, addCommand, failure, type Session, success } from '../command.js'
import { type Output, short, table } from '../output.js'
import { refuse } from '../problem.js'
import { hint } from '../suggest.js'

interface BenchOptions {
  readonly json?: boolean
  readonly quick?: boolean
  readonly strict?: boolean
}

const parts = ['dynamics', 'batch']

export function registerBench(program: Command, session: Session): void {
  const command = addCommand(program, {
    name: 'bench',
    usage: '[part]',
    summary: 'time the engine against others that are installed, ratios in one run',
    description:
      'Times forward dynamics (part `dynamics`) and steps of 1,000 humanoids (part `batch`) against @mujoco/mujoco when it is installed: contacts,\n' +
      'limits and friction off on both sides, samples interleaved. Without a part: both.\n' +
      'Only the ratios inside one run mean anything.',
    examples: ['limber bench', 'limber bench batch', 'limber bench --quick --json'],
  })
    .option('--quick', 'a short version: fewer samples, no large models')
    .option('--strict', 'exit code 1 when a claim does not hold')
  act<BenchOptions>(command, session, async ([part], options, output) => {
    if (part !== undefined && !parts.includes(part)) return refuse(`part ${part}`, `expected ${parts.join(' or ')}${hint(part, parts)}`)
    // loaded late: the other commands need none of it
    const bench = await import('limber-bench')
    const settings = {
      quick: options.quick === true,
      onProgress: (done: number, total: number, name: string) => output.progress(done < total ? `${done + 1} of ${total}  ${name}` : ''),
    }
    const rows = part === 'batch' ? [] : await bench.timeForwardDynamics(settings)
    const batches = part === 'dynamics' ? [] : await bench.timeBatches(settings)
    output.progress('')
    const ofDynamics = part === 'batch' ? [] : bench.judge(rows)
    const ofBatches = bench.judgeBatches(batches)
    const claims = [...ofDynamics, ...ofBatches]
    output.document({ forwardDynamics: rows, batches, claims })
    if (part !== 'batch') print(rows, ofDynamics, output)
    if (part === undefined) output.line()
    if (part !== 'dynamics') printBatches(batches, ofBatches, output)
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

function printClaims(claims: ReturnType<typeof judge>, output: Output): void {
  for (const { claim, measured, holds } of claims) {
    output.line(`  ${holds ? output.style('green', 'holds') : output.style('red', 'fails')}  ${claim}: ${short(measured)}`)
  }
}

function micro(nanoseconds: number): number {
  return Number((nanoseconds / 1000).toPrecision(4))
}
