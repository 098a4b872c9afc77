/**
 * `limber bench`: timings against the engines that are installed.
 */
import type { Command } from 'commander'
import type { judge, TimingRow } from 'limber-bench'
import { act, addCommand, failure, type Session, success } from '../command.js'
import { type Output, short, table } from '../output.js'

interface BenchOptions {
  readonly json?: boolean
  readonly quick?: boolean
  readonly strict?: boolean
}

export function registerBench(program: Command, session: Session): void {
  const command = addCommand(program, {
    name: 'bench',
    summary: 'time the engine against others that are installed, ratios in one run',
    description:
      'Times forward dynamics against @mujoco/mujoco when it is installed: contacts, limits and friction off on both sides, samples interleaved.\n' +
      'Only the ratios inside one run mean anything.',
    examples: ['limber bench', 'limber bench --quick --json'],
  })
    .option('--quick', 'a short version: fewer samples, no large models')
    .option('--strict', 'exit code 1 when a claim does not hold')
  act<BenchOptions>(command, session, async (_args, options, output) => {
    // loaded late: the other commands need none of it
    const bench = await import('limber-bench')
    const rows = await bench.timeForwardDynamics({
      quick: options.quick === true,
      onProgress: (done, total, name) => output.progress(done < total ? `${done + 1} of ${total}  ${name}` : ''),
    })
    output.progress('')
    const claims = bench.judge(rows)
    output.document({ forwardDynamics: rows, claims })
    print(rows, claims, output)
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
  for (const { claim, measured, holds } of claims) {
    output.line(`  ${holds ? output.style('green', 'holds') : output.style('red', 'fails')}  ${claim}: ${short(measured)}`)
  }
}

function micro(nanoseconds: number): number {
  return Number((nanoseconds / 1000).toPrecision(4))
}
