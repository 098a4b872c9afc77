/**
 * `limber reproduce`: runs the experiments of a paper. Each paper is one entry of the table.
 */
import type { Command } from 'commander'
import { act, addCommand, type Session } from '../command.js'
import type { Output } from '../output.js'
import { refuse } from '../problem.js'
import { reproduction } from '../reproduction.js'
import { hint } from '../suggest.js'

export interface ReproduceOptions {
  readonly json?: boolean
  readonly out?: string
  readonly quick?: boolean
}

interface Paper {
  readonly title: string
  readonly run: (options: ReproduceOptions, output: Output) => Promise<number>
}

const papers: Readonly<Record<string, Paper>> = {
  redmax: {
    title: 'near-linear implicit articulated bodies with elasticity',
    run: reproduction('redmax', (bench) => bench.reproduceRedmax),
  },
  gear: {
    title: 'multistep integration with the articulated-body method',
    run: reproduction('gear', (bench) => bench.reproduceGear),
  },
  distributed: {
    title: 'articulated bodies on several processors',
    run: reproduction('distributed', (bench) => bench.reproduceDistributed),
  },
  substructuring: {
    title: 'reduced deformable bodies joined by substructuring',
    run: reproduction('substructuring', (bench) => bench.reproduceSubstructuring),
  },
  adaptive: {
    title: 'adaptive articulated-body dynamics',
    run: reproduction('adaptive', (bench) => bench.reproduceAdaptive),
  },
  position: {
    title: 'position-based articulated dynamics',
    run: reproduction('position', (bench) => bench.reproducePosition),
  },
}

export function registerReproduce(program: Command, session: Session): void {
  const command = addCommand(program, {
    name: 'reproduce',
    usage: '<paper>',
    summary: "run a paper's experiments and print its numbers beside ours",
    description: [
      "Runs a paper's experiments. PAPER is one of",
      ...Object.entries(papers).map(([name, { title }]) => `  ${name.padEnd(16)}${title}`),
    ].join('\n'),
    examples: ['limber reproduce gear --out results --quick', 'limber reproduce distributed --quick'],
  })
    .option('-o, --out <dir>', 'write tables and plots there as HTML')
    .option('--quick', 'a short version')
  act<ReproduceOptions>(command, session, async ([name = ''], options, output) => {
    const paper = Object.hasOwn(papers, name) ? papers[name] : undefined
    if (!paper) return refuse(`paper ${name}`, `there is no paper of this name${hint(name, Object.keys(papers))}`)
    return paper.run(options, output)
  })
}
