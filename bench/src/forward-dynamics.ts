/**
 * Forward dynamics against MuJoCo's mj_forward: chains, trees and a humanoid; contacts, limits and friction off on both sides.
 *
 * Both engines get the same mechanism and state and must agree before they are timed. Samples are interleaved; the minimum counts,
 * and only ratios within the run mean anything on a shared machine.
 */
import { buildModel, createData, createState, forwardDynamics, type Spec } from 'limber'
import { findScene } from 'limber-scenes'
import { createRival, loadMujoco, type Rival } from './rival.js'

export interface TimingRow {
  readonly name: string
  readonly joints: number
  /** nanoseconds a call: minimum and median over the samples */
  readonly limber: { readonly minimum: number; readonly median: number }
  readonly mujoco?: { readonly minimum: number; readonly median: number }
  /** limber / mujoco, minima */
  readonly ratio?: number
  /** largest difference of the accelerations, relative to the largest of them */
  readonly difference?: number
}

export interface TimingOptions {
  readonly quick?: boolean
  /** called before each model */
  readonly onProgress?: (done: number, total: number, name: string) => void
}

interface Candidate {
  readonly name: string
  readonly spec: Spec
}

/** A chain of hinges whose axes turn through x, y, z: no two neighbours are parallel. */
function hingeChain(links: number): Spec {
  const axes = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ] as const
  return {
    name: `chain ${links}`,
    bodies: Array.from({ length: links }, (_, k) => ({
      name: `link${k}`,
      parent: k === 0 ? 'world' : `link${k - 1}`,
      position: [k === 0 ? 0 : 0.2, 0, 0] as const,
      inertia: { mass: 1, com: [0.1, 0, 0] as const, tensor: [0.002, 0.004, 0.004, 0, 0, 0] as const },
      joints: [{ type: 'revolute', axis: axes[k % 3] }],
    })),
  }
}

function sceneSpec(name: string, values: Readonly<Record<string, number | string>>): Spec {
  const scene = findScene(name)
  if (!scene) throw new Error(`bench: no scene '${name}'`)
  const { springs: _springs, tendons: _tendons, medium: _medium, ...spec } = scene.build(values)
  return spec
}

export function candidates(quick = false): Candidate[] {
  const chains = quick ? [10, 30, 100] : [10, 30, 100, 300, 1000]
  const trees = quick ? [5, 7] : [5, 7, 10]
  return [
    ...chains.map((n) => ({ name: `chain ${n}`, spec: hingeChain(n) })),
    ...trees.map((levels) => ({ name: `tree ${2 ** levels - 1}`, spec: sceneSpec('hinge-tree', { levels }) })),
    { name: 'humanoid', spec: sceneSpec('humanoid', { support: 'none' }) },
  ]
}

export async function timeForwardDynamics({ quick = false, onProgress }: TimingOptions = {}): Promise<TimingRow[]> {
  const mujoco = await loadMujoco()
  const list = candidates(quick)
  const rows: TimingRow[] = []
  for (const [k, { name, spec }] of list.entries()) {
    onProgress?.(k, list.length, name)
    const model = buildModel(spec)
    const rival = mujoco ? createRival(mujoco, spec, model) : undefined
    rows.push(timeOne(name, spec, rival, quick))
    rival?.free()
    // let the event loop draw the progress line
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
  onProgress?.(list.length, list.length, 'done')
  return rows
}

// one sample lasts about this long: above the grain of the clock, below the time slice of a busy machine
const SAMPLE = 0.5e6

function timeOne(name: string, spec: Spec, rival: Rival | undefined, quick: boolean): TimingRow {
  const model = buildModel(spec)
  const data = createData(model)
  const state = createState(model)
  for (let k = 0; k < model.nv; k++) state.v[k] = Math.cos(3.3 * k)
  for (const joint of model.joints) if (joint.nq === 1) state.q[joint.iq] = Math.sin(7.1 * joint.iq)
  rival?.set(state.q, state.v)
  const ours = (): void => forwardDynamics(model, data, state)
  const theirs = (): void => rival?.forward()

  ours()
  theirs()
  const difference = rival ? relativeDifference(data.a, rival.accelerations()) : undefined
  const [a, b] = sample([ours, ...(rival ? [theirs] : [])], quick ? 60 : 200)
  const row = { name, joints: model.nv, limber: a }
  return b && difference !== undefined ? { ...row, mujoco: b, ratio: a.minimum / b.minimum, difference } : row
}

/** Interleaved samples of each function: nanoseconds a call. */
function sample(functions: readonly (() => void)[], samples: number): { minimum: number; median: number }[] {
  const repeats = functions.map((f) => {
    // warm up until the compilers are done, then measure how many calls fill a sample
    const start = performance.now()
    let calls = 0
    while (performance.now() - start < 250) {
      f()
      calls++
    }
    const again = performance.now()
    const probe = Math.max(1, Math.floor(calls / 20))
    for (let k = 0; k < probe; k++) f()
    return Math.max(1, Math.round((SAMPLE * 1e-6 * probe) / Math.max(performance.now() - again, 1e-3)))
  })
  const times = functions.map(() => [] as number[])
  for (let s = 0; s < samples; s++) {
    functions.forEach((f, k) => {
      const start = performance.now()
      for (let r = 0; r < repeats[k]; r++) f()
      times[k].push(((performance.now() - start) * 1e6) / repeats[k])
    })
  }
  return times.map((list) => {
    const sorted = list.toSorted((x, y) => x - y)
    return { minimum: sorted[0], median: sorted[sorted.length >> 1] }
  })
}

function relativeDifference(a: Float64Array, b: Float64Array): number {
  let largest = 0
  let difference = 0
  for (let k = 0; k < a.length; k++) {
    largest = Math.max(largest, Math.abs(b[k]))
    difference = Math.max(difference, Math.abs(a[k] - b[k]))
  }
  return difference / largest
}

/** The claims of the bench, each with what was measured. */
export function judge(rows: readonly TimingRow[]): { claim: string; measured: number; limit: number; holds: boolean }[] {
  const perJoint = (name: string): number => {
    const row = rows.find((r) => r.name === name)
    return row ? row.limber.minimum / row.joints : Number.NaN
  }
  const verdicts = rows
    .filter((row) => row.ratio !== undefined)
    .map((row) => {
      const limit = row.name === 'chain 1000' ? 0.01 : 0.8
      const measured = row.ratio as number
      return { claim: `${row.name}: at most ${limit} × mj_forward`, measured, limit, holds: measured <= limit }
    })
  const flat = ['chain 30', 'chain 100', 'chain 300', 'chain 1000'].map(perJoint).filter((x) => !Number.isNaN(x))
  const spread = Math.max(...flat) / Math.min(...flat)
  return [...verdicts, { claim: 'time a joint is flat from 30 hinges on, within 1.3 ×', measured: spread, limit: 1.3, holds: spread <= 1.3 }]
}
