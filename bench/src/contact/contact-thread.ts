/**
 * One engine on one case in a fresh thread, which steps when it is asked to and says how long each step took. Fresh, because the first hundred
 * steps are to be those of a program that has just begun, and because either engine's compiled code should have met this mechanism only.
 * The same file is both ends.
 */
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { buildModel, createData, createSimulation, energy, forwardKinematics, type Model, parseMjcf } from 'limber'
import { startAsking } from '../ask-thread.js'
import { loadMujoco } from '../rival.js'
import { type ContactCase, contactCases } from './cases.js'

export type ContactEngine = 'limber' | 'mujoco'

/** What an engine says after a block of steps. */
export interface Block {
  /** milliseconds of each step; fewer than asked for where it stopped */
  readonly times: Float64Array
  /** points with force, at the end of the block */
  readonly contacts: number
  /** of all steps so far; undefined where the engine does not count them */
  readonly iterations: number | undefined
  readonly passes: number | undefined
  /** of the centre of mass of all that moves, in metres */
  readonly height: number
  readonly kinetic: number
  /** why it stopped; empty: it did not */
  readonly stopped: string
}

export interface ContactThread {
  /** what the engine leaves out of this case, so that its times mean nothing; empty: nothing */
  readonly lacks: string
  run(steps: number): Promise<Block>
  stop(): Promise<void>
}

interface Task {
  readonly engine: ContactEngine
  /** the name of one of the table, whose commands are code, or one's own */
  readonly one: string | ContactCase
}

/** undefined when the engine is not installed. */
export async function createContactThread(engine: ContactEngine, given: ContactCase): Promise<ContactThread | undefined> {
  const one = contactCases.includes(given) ? given.name : given
  const { answer, ask, stop } = startAsking(import.meta.url, { engine, one } satisfies Task)
  const lacks = (await answer()) as string | null
  if (lacks === null) {
    await stop()
    return undefined
  }
  return { lacks, run: async (steps) => (await ask(steps)) as Block, stop }
}

interface Engine {
  readonly lacks: string
  /** Writes the commands of the next step; not timed. */
  prepare(): void
  /** One step; what stopped it, or nothing. */
  step(): string
  /** Counts what the last step did; not timed. */
  count(): void
  look(): Omit<Block, 'times' | 'stopped'>
}

function createLimber({ mjcf, files = {}, command, solver }: ContactCase): Engine {
  const spec = parseMjcf(mjcf, { resolve: (path) => files[path] })
  const model = buildModel(spec)
  const simulation =
    solver === undefined ? createSimulation(model) : createSimulation(model, { ...solver, solver: solver.solver as string })
  if (model.keyframes.length > 0) simulation.reset(model.keyframes[0])
  const { state } = simulation
  const data = createData(model)
  return {
    lacks: lacksMeshes(spec, simulation.warnings()),
    prepare: () => command?.(state.t, state.control),
    count() {},
    step() {
      const { status, message } = simulation.step()
      return status === 'ok' ? '' : message || status
    },
    look() {
      forwardKinematics(model, data, state.q, state.v)
      const report: { readonly iterations: number; readonly evaluations: number; readonly passes?: number } = simulation.report
      return {
        contacts: simulation.contacts({ touching: true }).length,
        iterations: report.iterations,
        passes: report.passes ?? report.evaluations,
        height: heightOf(model, data.X_WB),
        kinetic: energy(model, data, state).kinetic,
      }
    },
  }
}

/** The sentence in which the engine says that shapes of this case touch nothing; empty where they do. */
function lacksMeshes(spec: ReturnType<typeof parseMjcf>, warnings: readonly string[]): string {
  const geoms = spec.bodies.flatMap(({ geoms = [] }) => geoms)
  if (!geoms.some(({ shape }) => shape === 'mesh')) return ''
  const said = [...(spec.ignored ?? []).map(({ what, why }) => `${what}: ${why}`), ...warnings]
  return said.find((sentence) => /mesh/.test(sentence) && /touch|collide|contact/.test(sentence)) ?? ''
}

/** Height of the centre of mass. */
function heightOf({ nbody, inertia }: Model, X: Float64Array): number {
  let mass = 0
  let moment = 0
  for (let i = 1; i < nbody; i++) {
    const [m, x, y, z] = inertia.subarray(10 * i, 10 * i + 4)
    mass += m
    moment += X[12 * i + 6] * x + X[12 * i + 7] * y + X[12 * i + 8] * z + X[12 * i + 11] * m
  }
  return moment / mass
}

async function createMujoco({ mjcf, files = {}, command }: ContactCase): Promise<Engine | undefined> {
  const mujoco = await loadMujoco()
  if (!mujoco) return undefined
  const assets = new mujoco.MjVFS()
  for (const [name, data] of Object.entries(files)) {
    if (data.length > 0) assets.addBuffer(name, typeof data === 'string' ? new TextEncoder().encode(data) : data)
  }
  const model = mujoco.MjModel.from_xml_string(mjcf, assets)
  const data = new mujoco.MjData(model)
  if (model.nkey > 0) mujoco.mj_resetDataKeyframe(model, data, 0)
  const control = new Float64Array(model.nu)
  let iterations = 0
  return {
    lacks: '',
    prepare() {
      if (!command) return
      command(data.time, control)
      ;(data.ctrl as Float64Array).set(control)
    },
    step() {
      mujoco.mj_step(model, data)
      return ''
    },
    count() {
      // of each island; zero where there is none
      for (const n of data.solver_niter as Int32Array) iterations += n
    },
    look() {
      // of the place after the last step; the next one finds them again
      mujoco.mj_kinematics(model, data)
      mujoco.mj_comPos(model, data)
      mujoco.mj_energyVel(model, data)
      return {
        contacts: data.ncon,
        iterations,
        passes: undefined,
        height: data.subtree_com[2],
        kinetic: data.energy[1],
      }
    },
  }
}

async function serve({ engine, one: given }: Task): Promise<void> {
  const one = typeof given === 'string' ? contactCases.find((other) => other.name === given) : given
  if (!one) throw new Error('bench: no case of this name')
  const machine = engine === 'limber' ? createLimber(one) : await createMujoco(one)
  if (!machine) {
    parentPort?.postMessage(null)
    return
  }
  parentPort?.on('message', (steps: number) => {
    const times = new Float64Array(steps)
    let stopped = ''
    let n = 0
    for (; n < steps && stopped === ''; n++) {
      machine.prepare()
      const start = performance.now()
      stopped = machine.step()
      times[n] = performance.now() - start
      machine.count()
    }
    parentPort?.postMessage({ times: times.slice(0, stopped === '' ? n : n - 1), stopped, ...machine.look() } satisfies Block)
  })
  parentPort?.postMessage(machine.lacks)
}

if (!isMainThread) await serve(workerData as Task)
