/** Tables and plots of `reproduce substructuring`, the paper's numbers beside ours. */
import { fixed, three } from '../report/numbers.js'
import { type Block, plot, table, text } from '../report/report.js'
import { type Frequencies, LEVELS, type Trajectories, type TrajectoryPlan } from './substructuring-accuracy.js'
import { type CostPoint, exponent, type ResolutionPoint, type SceneRow } from './substructuring-cost.js'
import type { Deviations } from './substructuring-interfaces.js'
import { REFERENCE } from './substructuring-verdicts.js'

interface PaperRow {
  readonly name: string
  readonly vertices: number
  readonly elements: number
  readonly domains: number
  readonly modes: number
  readonly depth: number
  /** minutes */
  readonly reduction: number
  /** per cent of the step in elastic forces */
  readonly elastic: number
  readonly millis: number
}

/** Table 1 of the paper; Intel Core i7-980X, 3.33 GHz, one core, inertia L1 */
const PAPER: Readonly<Record<string, PaperRow>> = {
  flower: { name: 'flower', vertices: 2713, elements: 7602, domains: 12, modes: 240, depth: 3, reduction: 0.6, elastic: 78, millis: 6.5 },
  letters: {
    name: 'SIGGRAPH',
    vertices: 18945,
    elements: 83753,
    domains: 15,
    modes: 160,
    depth: 8,
    reduction: 4.3,
    elastic: 79,
    millis: 1.7,
  },
  dragon: {
    name: 'dragon',
    vertices: 46736,
    elements: 160553,
    domains: 40,
    modes: 454,
    depth: 5,
    reduction: 5.1,
    elastic: 55,
    millis: 1.6,
  },
  station: {
    name: 'space station',
    vertices: 219058,
    elements: 107556,
    domains: 48,
    modes: 921,
    depth: 4,
    reduction: 0.8,
    elastic: 75,
    millis: 4.5,
  },
  oak: {
    name: 'oak tree',
    vertices: 262363,
    elements: 626734,
    domains: 1435,
    modes: 11972,
    depth: 5,
    reduction: 1,
    elastic: 48,
    millis: 29,
  },
}

export function conditions(): Block[] {
  return [
    text(
      'The meshes of the paper are not public: the scenes are built in code with its numbers of domains and modes, from coarser voxel meshes. A step does not ' +
        'see the mesh, so that its time depends on domains and modes only. The paper lumps the mass of subtrees at the interfaces (L1); here a step has ' +
        'their exact inertia unless said otherwise. The paper took its times on another machine: they tell the order of magnitude, not a ratio.',
    ),
  ]
}

export function sceneBlocks(rows: readonly SceneRow[]): Block[] {
  return [
    table(
      'Scenes; the paper in the rows below ours',
      ['scene', 'vertices', 'elements', 'domains', 'modes', 'depth', 'reduction, s', 'elastic forces', 'ms a step', 'solver'],
      rows.flatMap((row) => {
        const paper = PAPER[row.scene]
        const ours = [
          ...[row.scene, row.vertices, row.elements, row.domains, row.modes, row.depth],
          ...[
            fixed(row.reduction, 1),
            `${fixed(100 * row.elastic, 0)} %`,
            fixed(row.millis),
            row.failed ? `${row.solver} (fails)` : row.solver,
          ],
        ]
        if (!paper) return [ours]
        const theirs = [
          ...[`  ${paper.name}`, paper.vertices, paper.elements, paper.domains, paper.modes, paper.depth],
          ...[fixed(60 * paper.reduction, 0), `${paper.elastic} %`, fixed(paper.millis), 'paper'],
        ]
        return [ours, theirs]
      }),
    ),
    text(
      'Elastic forces: one evaluation of forces and Hessians of all domains, in parts of a step. Vertices and elements count every instance; instances share one reduced mesh.',
    ),
  ]
}

export function deviationBlocks({ scene, times, interfaces, most }: Deviations): Block[] {
  return [
    plot({
      title: `${scene}: ‖A − R‖ / ‖R‖ of each interface`,
      x: { label: 'time, s' },
      y: { label: 'deviation from a rotation' },
      series: interfaces.map(({ name, values }) => ({ name, points: values.map((value, k) => [times[k], value] as const) })),
    }),
    text(
      `At most ${three(most)} over ${interfaces.length} interfaces. The paper shows 11 interfaces of its flower and calls the deviations small.`,
    ),
  ]
}

export function pathBlocks(name: string, trajectories: readonly Trajectories[], { speed, timestep }: TrajectoryPlan): Block[] {
  return [
    text(
      `A ${name}, pushed along the lowest mode of the whole, the fastest vertex at ${speed} m/s; h = ${timestep} s, no damping, no gravity. The mesh without ` +
        'reduction takes Newmark steps with Newton’s method to convergence.',
    ),
    ...trajectories.flatMap(({ vertex, times, paths }): Block[] => [
      plot({
        title: `${vertex}: path seen from above`,
        x: { label: 'x, m' },
        y: { label: 'y, m' },
        series: paths.map(({ name: label, points }, k) => ({
          name: label,
          points: points.map(([x, y]) => [x, y] as const),
          dashed: k > 0,
        })),
      }),
      plot({
        title: `${vertex}: x against time`,
        x: { label: 'time, s' },
        y: { label: 'x, m' },
        series: paths.map(({ name: label, points }, k) => ({
          name: label,
          points: points.map(([x], i) => [times[i], x] as const),
          dashed: k > 0,
        })),
      }),
      table(
        `${vertex}`,
        ['', 'frequency, Hz', 'times that without reduction', 'mean error, in parts of the swing', 'ms a step', 'fails at, s'],
        paths.map((path) => [
          path.name,
          fixed(path.hertz, 3),
          fixed(path.hertz / paths[0].hertz, 3),
          fixed(path.error, 3),
          fixed(path.millis),
          path.failed === undefined ? '' : fixed(path.failed),
        ]),
      ),
    ]),
    text(
      'The paper reports frequencies of 2 (L1) and 1.5 (L2) times those of the ground truth for its flower, and a ground truth 55 times slower than a reduced step.',
    ),
  ]
}

export function frequencyBlocks({ whole, levels }: Frequencies): Block[] {
  return [
    table(
      `Cantilever of three domains, 4.5 × 0.5 × 0.5 m, 15 × 2 × 2 voxels, 20 modes each; without reduction ${fixed(whole, 4)} Hz`,
      ['inertia of subtrees', 'Hz', 'times that without reduction', 'independent program'],
      levels.map(({ level, hertz, ratio }) => [level, fixed(hertz, 4), fixed(ratio, 3), REFERENCE[level]]),
    ),
  ]
}

export function costBlocks(points: readonly CostPoint[]): Block[] {
  const series = LEVELS.map((level) => ({ name: level, points: points.map(({ domains, millis }) => [domains, millis[level]] as const) }))
  return [
    plot({ title: 'time of a step', x: { label: 'domains', log: true }, y: { label: 'ms', log: true }, series }),
    table(
      `Trees of equal domains with ${points[0].modes} modes, three at the end of each: ms a step`,
      ['domains', ...LEVELS, 'exact / L1', 'µs a domain, exact'],
      points.map(({ domains, millis }) => [
        domains,
        ...LEVELS.map((level) => three(millis[level])),
        fixed(millis.exact / millis.L1),
        fixed((1000 * millis.exact) / domains, 1),
      ]),
    ),
    text(`Exponents: ${series.map(({ name, points: line }) => `${name} ${fixed(exponent(line), 3)}`).join(', ')}.`),
  ]
}

export function resolutionBlocks(points: readonly ResolutionPoint[]): Block[] {
  return [
    table(
      '50 domains with 12 modes, from meshes of the same shape',
      ['vertices of a domain', 'elements', 'ms a step'],
      points.map(({ vertices, elements, millis }) => [vertices, elements, three(millis)]),
    ),
  ]
}
