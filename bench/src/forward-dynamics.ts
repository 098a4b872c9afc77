/**
 * Forward dynamics against MuJoCo's mj_forward: chains, trees and a humanoid; contacts, limits and friction off on both sides.
 *
 * Both engines get the same mechanism and state and must agree before they are timed. Each runs in a thread of its own, fresh for each model:
 * when MuJoCo's memory grows, V8 drops an assumption about array buffers for the whole thread, and every typed array there is read more
 * slowly from then on; and code that was compiled for another mechanism first is a few per cent slower, which a program that simulates one
 * never sees. Samples are interleaved; the minimum counts, and only ratios within the run mean anything on a shared machine.
 */
import type { Spec } from 'limber'
import { findScene } from 'limber-scenes'
import { createEngineThread } from './engine-thread.js'
import { minimumAndMedian } from './sampling.js'

export interface TimingRow {
  readonly name: string
  readonly joints: number
  /** nanoseconds a call: minimum and median over the samples */
  readonly limber: { readonly minimum: number; readonly median: number }
  /** the same with kernels in their JavaScript form */
  readonly js: { readonly minimum: number; readonly median: number }
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

export function sceneSpec(name: string, values: Readonly<Record<string, number | string>>): Spec {
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
  const list = candidates(quick)
  const rows: TimingRow[] = []
  for (const [k, { name, spec }] of list.entries()) {
    onProgress?.(k, list.length, name)
    rows.push(await timeOne(name, spec, quick ? 60 : 200))
  }
  onProgress?.(list.length, list.length, 'done')
  return rows
}

async function timeOne(name: string, spec: Spec, samples: number): Promise<TimingRow> {
  const ours = await createEngineThread('limber', spec)
  const oursInJs = await createEngineThread('limber-js', spec)
  if (!ours || !oursInJs) throw new Error('bench: limber did not start')
  const theirs = await createEngineThread('mujoco', spec)
  const [a, b, c]: number[][] = [[], [], []]
  for (let s = 0; s < samples; s++) {
    a.push(await ours.sample())
    if (theirs) b.push(await theirs.sample())
    c.push(await oursInJs.sample())
  }
  await ours.stop()
  await oursInJs.stop()
  await theirs?.stop()
  const row = { name, joints: ours.joints, limber: minimumAndMedian(a), js: minimumAndMedian(c) }
  if (!theirs) return row
  const mujoco = minimumAndMedian(b)
  const difference = relativeDifference(ours.accelerations, theirs.accelerations)
  return { ...row, mujoco, ratio: row.limber.minimum / mujoco.minimum, difference }
}

export function relativeDifference(a: Float64Array, b: Float64Array): number {
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
      const limit = row.name === 'chain 1000' ? 0.01 : 0.4
      const measured = row.ratio as number
      return { claim: `${row.name}: at most ${limit} × mj_forward`, measured, limit, holds: measured <= limit }
    })
  const flat = ['chain 30', 'chain 100', 'chain 300', 'chain 1000'].map(perJoint).filter((x) => !Number.isNaN(x))
  const spread = Math.max(...flat) / Math.min(...flat)
  return [
    ...verdicts,
    { claim: 'time a joint is flat from 30 hinges on, within 1.3 ×', measured: spread, limit: 1.3, holds: spread <= 1.3 },
  ]
}
