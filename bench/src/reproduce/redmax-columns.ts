/**
 * Do constraint columns Y = A⁻¹ Gᵀ pay in parallel? The same motion with all columns in one thread, and with one thread more that takes its share: both
 * runs have the same bits, so that every step of one is timed beside the same step of the other.
 */
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildModel, createSimulation, type Model, type Spec } from 'limber'
import { redmaxWithWorkers } from 'limber/workers'
import { scenes } from 'limber-scenes'
import { type Block, table, text } from '../report/report.js'
import { fixed, type Verdict } from './redmax-verdicts.js'

export interface ColumnRow {
  readonly scene: string
  readonly dofs: number
  readonly scheme: string
  readonly linear: string
  /** milliseconds a step, least, with one thread and with one more */
  readonly alone: number
  readonly shared: number
  /** how many times faster: the middle one of all steps */
  readonly gain: number
  /** whether both ended with the same bytes, and what kept the second from having a thread */
  readonly same: boolean
  readonly note: string
}

interface Case {
  readonly scene: string
  readonly values?: Readonly<Record<string, string | number>>
  readonly spec?: Spec
  readonly linear: string
}

/** Sizes are in degrees of freedom, about. */
export async function columnRows(sizes: readonly number[], millis: number): Promise<ColumnRow[]> {
  const rows: ColumnRow[] = []
  for (const dofs of sizes) {
    const cases: Case[] = [
      { scene: 'umbrella', values: { segments: Math.max(2, Math.round((dofs - 1) / 24)) }, linear: 'pcg' },
      { scene: 'bridge', values: { bodies: Math.max(2, Math.round(dofs / 3)), towers: 'flexible' }, linear: 'pcg' },
      { scene: 'rope-bridge', values: { planks: Math.max(4, Math.round(dofs / 6)) }, linear: 'pcg' },
      { scene: 'garland', spec: garland(Math.max(4, Math.round(dofs / 2))), linear: 'recursive' },
    ]
    for (const one of cases) {
      const model = buildModel(one.spec ?? sceneSpec(one.scene, one.values ?? {}))
      for (const scheme of ['linear', 'auto']) rows.push(await comparePair(one, model, scheme, millis))
    }
  }
  return rows
}

function sceneSpec(name: string, values: Readonly<Record<string, string | number>>): Spec {
  const scene = scenes.find((one) => one.name === name)
  if (!scene) throw new Error(`no scene ${name}`)
  return scene.build(values)
}

/** A chain that hangs in a half circle, its last link pinned: one loop, no spring. */
function garland(links: number): Spec {
  const length = 3 / links
  const turn = Math.PI / links
  const end = { x: 0, z: 0 }
  for (let i = 0; i < links; i++) {
    // the first points down, and each turns on
    const angle = Math.PI / 2 - (i + 0.5) * turn
    end.x += length * Math.cos(angle)
    end.z -= length * Math.sin(angle)
  }
  return {
    name: 'garland',
    timestep: 0.01,
    bodies: Array.from({ length: links }, (_, i) => ({
      name: `link${i}`,
      parent: i === 0 ? 'world' : `link${i - 1}`,
      position: [i === 0 ? 0 : length, 0, 0] as const,
      inertia: { mass: length, com: [length / 2, 0, 0] as const, tensor: [1e-4 * length, 1e-2 * length, 1e-2 * length, 0, 0, 0] as const },
      joints: [
        {
          name: `joint${i}`,
          type: 'universal' as const,
          axis: [0, 1, 0] as const,
          axis2: [0, 0, 1] as const,
          initial: [i === 0 ? Math.PI / 2 - turn / 2 : -turn, 0],
          damping: 1e-3,
        },
      ],
    })),
    constraints: [
      {
        type: 'point',
        name: 'pin',
        a: { body: `link${links - 1}`, point: [length, 0, 0] },
        b: { body: 'world', point: [end.x, 0, end.z] },
      },
    ],
  }
}

async function comparePair({ scene, linear }: Case, model: Model, scheme: string, millis: number): Promise<ColumnRow> {
  const runs = [0, 1].map((workers) => ({
    times: [] as number[],
    simulation: createSimulation(model, { solver: redmaxWithWorkers, scheme, linear, workers, timestep: 0.01 }),
  }))
  // until the thread is up
  for (const { simulation } of runs) simulation.step(2)
  await sleep(100)
  const begin = performance.now()
  for (let k = 0; k < 500 && (k < 10 || performance.now() - begin < millis); k++) {
    for (const { times, simulation } of k % 2 === 0 ? runs : runs.toReversed()) {
      const start = performance.now()
      simulation.step()
      times.push(performance.now() - start)
    }
  }
  const [alone, shared] = runs
  const ratios = alone.times.map((time, k) => time / shared.times[k]).toSorted((a, b) => a - b)
  return {
    scene,
    dofs: model.nv,
    scheme,
    linear,
    alone: Math.min(...alone.times),
    shared: Math.min(...shared.times),
    gain: ratios[ratios.length >> 1],
    same: Buffer.compare(alone.simulation.snapshot(), shared.simulation.snapshot()) === 0,
    note: shared.simulation.warnings().join('; '),
  }
}

/** Same bits is a claim; time is a fact of the machine, which may have no core to spare. */
export function columnVerdict(rows: readonly ColumnRow[]): Verdict {
  const same = rows.filter((row) => row.same).length
  return {
    line: 'Constraint columns shared with another thread: same bits',
    holds: same === rows.length,
    measured: `${same} of ${rows.length} runs`,
  }
}

export function columnBlocks(rows: readonly ColumnRow[]): Block[] {
  return [
    text(
      `The umbrella has 16 constraint columns, the rope bridge 11, the garland 3, the bridge 2. With \`workers=1\` one more thread takes columns where that is expected to pay; this machine has ${availableParallelism()} cores. ` +
        'The thesis gains 5 % on the flexible bridge and nothing on the rigid one. `linear=direct` and `auto` take loops into the factorisation or have few columns that cost little beside it, and share none: they are faster than two threads with `pcg`.',
    ),
    table(
      'Milliseconds a step, least; the gain is the middle one over all steps, each beside the same step in one thread',
      ['scene', 'degrees of freedom', 'scheme', 'linear', 'one thread', 'and one more', 'least by least', 'gain', 'same bits'],
      rows.map((row) => [
        row.scene,
        row.dofs,
        row.scheme,
        row.linear,
        fixed(row.alone, 2),
        fixed(row.shared, 2),
        fixed(row.alone / row.shared, 2),
        fixed(row.gain, 2),
        row.note || (row.same ? 'yes' : 'no'),
      ]),
    ),
  ]
}
