/** What each process of an MPI run does: processor 0 simulates the models that are named and prints a line of JSON. */
import { openMpi } from 'limber/node'
import { leadCrew, parallelOde, serveProcessor } from 'limber/parallel'
import { LONGEST, models, runModel } from './run-model.js'

const { link, finish } = await openMpi({ capacity: 480 })
const results: string[] = []
for (const name of process.argv.slice(2)) {
  const model = models[name]()
  if (link.rank > 0) serveProcessor(model, link)
  else {
    const crew = leadCrew(model, link, { clock: () => performance.now() / 1000, always: true, longest: LONGEST })
    results.push(runModel(model, parallelOde(crew)))
  }
}
if (link.rank === 0) process.stdout.write(`${JSON.stringify(results)}\n`)
finish()
