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
  readonly part?: string
}

interface Paper {
  readonly title: string
  readonly run: (options: ReproduceOptions, output: Output) => Promise<number>
  /** further experiments, by the name that --part takes */
  readonly parts?: Readonly<Record<string, Pick<Paper, 'title' | 'run'>>>
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
    parts: {
      gpu: {
        title: 'many trajectories at once, in lanes, on threads and on a GPU',
        run: reproduction('position-gpu', (bench) => bench.reproduceTrajectories),
      },
    },
  },
}

export function registerReproduce(program: Command, session: Session): void {
  const command = addCommand(program, {
    name: 'reproduce',
    usage: '<paper>',
    summary: "run a paper's experiments and print its numbers beside ours",
    description: [
      "Runs a paper's experiments. PAPER is one of",
      ...Object.entries(papers).flatMap(([name, { title, parts = {} }]) => [
        `  ${name.padEnd(16)}${title}`,
        ...Object.entries(parts).map(([part, { title: more }]) => `    --part ${part.padEnd(7)}${more}`),
      ]),
    ].join('\n'),
    examples: [
      'limber reproduce gear --out results --quick',
      'limber reproduce distributed --quick',
      'limber reproduce position --part gpu --out results',
    ],
  })
    .option('-o, --out <dir>', 'write tables and plots there as HTML')
    .option('--quick', 'a short version')
    .option('--part <name>', 'further experiments of the paper, where it has such')
  act<ReproduceOptions>(command, session, async ([name = ''], options, output) => {
    const paper = Object.hasOwn(papers, name) ? papers[name] : undefined
    if (!paper) return refuse(`paper ${name}`, `there is no paper of this name${hint(name, Object.keys(papers))}`)
    if (options.part === undefined) return paper.run(options, output)
    const { parts = {} } = paper
    const part = Object.hasOwn(parts, options.part) ? parts[options.part] : undefined
    if (!part) {
      const known = Object.keys(parts)
      const expected =
        known.length > 0 ? `expected ${known.join(' or ')}${hint(options.part, known)}` : `'${name}' has no parts; leave it out`
      return refuse(`--part ${options.part}`, expected)
    }
    return part.run(options, output)
  })
}
