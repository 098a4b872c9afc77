/**
 * The allocation probe: runs in a process of its own, without garbage collection while it measures (see `run-probe`). Its argument names one
 * list of cases; it prints a line of JSON with the bytes that a call of each leaves on the heap.
 */
import { type AllocationCase, CONTROL } from './allocation-case.js'
import { bytesPerCall, type Measured } from './bytes-per-call.js'
import { caseLists } from './cases/index.js'

const measure = async ({ name, times, warmUp, prepare }: AllocationCase): Promise<Measured> => {
  const { run, check } = await prepare()
  const bytes = bytesPerCall(run, times, warmUp)
  try {
    check?.()
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : error}`)
  }
  return { name, bytesPerCall: bytes }
}

const list = process.argv[2]
if (!(list in caseLists)) throw new Error(`no list of cases '${list}'`)
const cases = caseLists[list as keyof typeof caseLists]()
const results: Measured[] = []
for (const one of [CONTROL, ...cases]) results.push(await measure(one))
process.stdout.write(`${JSON.stringify(results)}\n`)
