/**
 * `limber reproduce`: runs the experiments of a paper. Each paper is one entry of the table.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { Reproduction, ReproductionOptions } from 'limber-bench'
import { act, addCommand, type Session, success } from '../command.js'
import { save } from '../formats.js'
import { refuse } from '../problem.js'
import { hint } from '../suggest.js'

interface Options {
  readonly json?: boolean
  readonly out?: string
  readonly quick?: boolean
}

interface Paper {
  readonly title: string
  /** absent until the solver that it needs is there; loaded late, because the other commands need none of it */
  readonly run?: (options: ReproductionOptions) => Promise<Reproduction>
}

const papers: Readonly<Record<string, Paper>> = {
  redmax: { title: 'near-linear implicit articulated bodies with elasticity' },
  gear: {
    title: 'multistep integration with the articulated-body method',
    run: async (options) => (await import('limber-bench')).reproduceGear(options),
  },
  distributed: { title: 'articulated bodies on several processors' },
  substructuring: { title: 'reduced deformable bodies joined by substructuring' },
  adaptive: { title: 'adaptive articulated-body dynamics' },
  position: { title: 'position-based articulated dynamics' },
}

export function registerReproduce(program: Command, session: Session): void {
  const ready = Object.keys(papers).filter((key) => papers[key]?.run)
  const command = addCommand(program, {
    name: 'reproduce',
    usage: '<paper>',
    summary: "run a paper's experiments and print its numbers beside ours",
    description: `Runs a paper's experiments: ${Object.keys(papers).join(', ')}.\nIn this version: ${ready.join(', ') || 'none yet'}.`,
    examples: ['limber reproduce gear --out results --quick'],
  })
    .option('-o, --out <dir>', 'write tables and plots there as HTML, and the numbers as JSON')
    .option('--quick', 'a short version')
  act<Options>(command, session, async ([name = ''], options, output) => {
    const paper = Object.hasOwn(papers, name) ? papers[name] : undefined
    if (!paper) return refuse(`paper ${name}`, `there is no paper of this name${hint(name, Object.keys(papers))}`)
    if (!paper.run) {
      const what = ready.length > 0 ? `available now: ${ready.join(', ')}` : 'no paper is available yet'
      return refuse(`paper ${name}`, `its solver is not part of this version (${paper.title}); ${what}`)
    }
    const { report, data } = await paper.run({ quick: options.quick === true, progress: (text) => output.progress(text) })
    output.progress('')
    const { writeHtml, writeText } = await import('limber-bench')
    if (options.out !== undefined) {
      await mkdir(options.out, { recursive: true })
      await save(join(options.out, `${name}.html`), writeHtml(report))
      await save(join(options.out, `${name}.json`), `${JSON.stringify(data, undefined, 2)}\n`)
    }
    output.document(data)
    output.line(writeText(report))
    if (options.out !== undefined) output.line(`wrote ${join(options.out, `${name}.html`)}`)
    return success
  })
}
