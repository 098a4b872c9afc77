/**
 * What `reproduce distributed` computes: mobiles and chains over processors by the cost model.
 */
import { type BodyTree, buildModel, type Costs, type Model, measureCosts, type Partition, partition } from 'limber'
import { findScene } from 'limber-scenes'

/** MANNA, twenty processors of type i860XP (part III.E), in seconds */
export const PAPER: Costs = { cmptm: 0.4e-3, roitm: 1.5e-3 }

/** the processors that the paper had at hand */
export const AT_HAND = 20

export interface Shape {
  /** stages, links in each chain, chains on each plateau */
  readonly s: number
  readonly l: number
  readonly o: number
}

/** the two of figure 10; that the larger has these parameters is inferred from its ratio of joints to depth, about 200 */
export const SMALL: Shape = { s: 3, l: 5, o: 9 }
export const LARGE: Shape = { s: 4, l: 5, o: 9 }

export function mobileModel({ s, l, o }: Shape): Model {
  return sceneModel('mobile', { s, l, o })
}

function sceneModel(name: string, values: Readonly<Record<string, number>>): Model {
  const scene = findScene(name)
  if (!scene) throw new Error(`there is no scene ${name}`)
  return buildModel(scene.build(values))
}

export const jointsOf = ({ s, l, o }: Shape): number => {
  let chains = 0
  for (let stage = 0; stage < s; stage++) chains += o ** stage
  return l * chains
}
export const depthOf = ({ s, l }: Shape): number => s * l
export const breadthOf = ({ s, o }: Shape): number => o ** (s - 1)

export interface SizeRow {
  readonly shape: Shape
  readonly joints: number
  readonly depth: number
  /** seconds on one processor, on those of the paper, on as many as pay, and how many these are */
  readonly serial: number
  readonly atHand: number
  readonly unlimited: number
  readonly processors: number
}

/** Breadth is as many processors as can ever have something to do. */
export function sizeRow(shape: Shape, costs: Costs): SizeRow {
  const { times, serial, time, processors, branches } = partition(mobileModel(shape), Math.max(AT_HAND, breadthOf(shape)), costs)
  return { shape, joints: branches.bodies, depth: depthOf(shape), serial, atHand: times[AT_HAND - 1], unlimited: time, processors }
}

export interface Fit {
  /** y = offset + slope log10 x */
  readonly offset: number
  readonly slope: number
  /** share of the variance that it explains */
  readonly r2: number
}

export function logarithmicFit(points: readonly (readonly [number, number])[]): Fit {
  const xs = points.map(([x]) => Math.log10(x))
  const ys = points.map(([, y]) => y)
  const mean = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length
  const [mx, my] = [mean(xs), mean(ys)]
  const sum = (f: (k: number) => number): number => xs.reduce((total, _, k) => total + f(k), 0)
  const slope = sum((k) => (xs[k] - mx) * (ys[k] - my)) / sum((k) => (xs[k] - mx) ** 2)
  const offset = my - slope * mx
  return { offset, slope, r2: 1 - sum((k) => (ys[k] - offset - slope * xs[k]) ** 2) / sum((k) => (ys[k] - my) ** 2) }
}

export const fitAt = ({ offset, slope }: Fit, x: number): number => offset + slope * Math.log10(x)

export interface Curve {
  readonly joints: number
  /** joints by depth: more is not possible */
  readonly bound: number
  readonly breadth: number
  readonly serial: number
  /** by number of processors, from 1 on */
  readonly speedups: readonly number[]
  /** the most, and the processors that it takes */
  readonly best: number
  readonly processors: number
}

export function speedupCurve(model: BodyTree, shape: Shape, most: number, costs: Costs): Curve {
  const found = partition(model, most, costs)
  return { joints: jointsOf(shape), bound: jointsOf(shape) / depthOf(shape), breadth: breadthOf(shape), ...speedupsOf(found) }
}

const speedupsOf = ({ times, serial, time, processors }: Partition): Pick<Curve, 'serial' | 'speedups' | 'best' | 'processors'> => ({
  serial,
  speedups: Array.from(times, (t) => serial / t),
  best: serial / time,
  processors,
})

export interface ChainRow {
  readonly links: number
  /** seconds on one processor, on as many as pay, and how many these are: whole, and cut into blocks */
  readonly serial: number
  readonly whole: number
  readonly cut: number
  readonly processors: number
  readonly blocks: number
}

/** The tree of a chain: the cost model asks for no more. */
export function chainTree(links: number): BodyTree {
  return { nbody: links + 1, parent: Int32Array.from({ length: links + 1 }, (_, i) => i - 1) }
}

export function chainRow(links: number, most: number, costs: Costs): ChainRow {
  const tree = chainTree(links)
  const whole = partition(tree, most, costs, { longest: 0 })
  const { serial, time, processors, branches } = partition(tree, most, costs)
  return { links, serial, whole: whole.time, cut: time, processors, blocks: branches.count - 1 }
}

/** Of our own, on the larger mobile. */
export function ourCosts(model: Model): Costs {
  return measureCosts(model, { clock: () => performance.now() / 1000 })
}
