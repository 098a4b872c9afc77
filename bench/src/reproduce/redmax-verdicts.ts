/**
 * What the runs of `reproduce redmax` show, line by line, against what was to be shown.
 */
import { fixed } from '../report/numbers.js'
import type { Verdict } from '../report/verdict.js'
import type { AgreementRow, IterationRow, RealTimeRow } from './redmax-checks.js'
import { exponent, type LinearName, type Point } from './redmax-runs.js'
import type { ThesisScene } from './redmax-scenes.js'

export interface SceneResult {
  readonly scene: ThesisScene
  readonly points: readonly Point[]
}

const TOLERANCE = 1e-6
// smaller scenes are bound by other costs; the thesis leaves its first points out as well
const FIT_FROM = 280

export function micros({ timings }: Point, linear: LinearName): number {
  return timings.find((one) => one.linear === linear)?.micros ?? Number.NaN
}

export function fitted({ points }: SceneResult, linear: LinearName): number {
  return exponent(points.filter(({ dofs }) => dofs >= FIT_FROM).map((point) => [point.dofs, micros(point, linear)]))
}

/** Degrees of freedom of the first size from which on conjugate gradients stay faster; Infinity: not measured to be. */
export function breakEven({ points }: SceneResult): number {
  let from = Number.POSITIVE_INFINITY
  for (const point of points.toReversed()) {
    if (!(micros(point, 'pcg') < micros(point, 'direct'))) break
    from = point.dofs
  }
  return from
}

export function timingVerdicts(results: readonly SceneResult[]): Verdict[] {
  const verdicts: Verdict[] = []
  for (const result of results) {
    const { title, wanted } = result.scene
    const broken = result.points.flatMap(({ dofs, timings }) =>
      timings
        .filter((t) => t.trouble !== '')
        .map((t) => `${t.linear} at ${dofs}${t.trouble.includes('diverged') ? ': eq. 2.13 diverges' : ''}`),
    )
    if (broken.length > 0) verdicts.push({ line: `${title}: runs at every size`, holds: false, measured: broken.join(', ') })
    if (wanted !== undefined) {
      const found = fitted(result, 'pcg')
      const line = `${title}: exponent of pcg at most ${fixed(wanted + 0.08)} (thesis ${fixed(wanted)})`
      verdicts.push({ line, holds: found <= wanted + 0.08, measured: fixed(found) })
    }
    const found = fitted(result, 'direct')
    verdicts.push({ line: `${title}: exponent of direct below 1.4`, holds: found < 1.4, measured: fixed(found) })
  }
  const worst = results
    .flatMap(({ scene, points }) =>
      points.map((point) => ({
        at: `${scene.title}, ${point.dofs}`,
        ratio: micros(point, 'auto') / Math.min(micros(point, 'pcg'), micros(point, 'direct')),
      })),
    )
    .toSorted((a, b) => b.ratio - a.ratio)
  const over = worst.filter(({ ratio }) => !(ratio <= 1.15))
  verdicts.push({
    line: 'auto at most 1.15 × the best of the others at every size',
    holds: worst.length > 0 && over.length === 0,
    measured: worst
      .slice(0, Math.max(1, Math.min(4, over.length)))
      .map(({ at, ratio }) => `${fixed(ratio)} (${at})`)
      .join(', '),
  })
  return verdicts
}

const misses = ({ scene, dofs, expected }: IterationRow, count: number): string => `${scene} ${dofs}: ${fixed(count, 1)}, not ${expected}`

export function checkVerdicts(
  iterations: readonly IterationRow[],
  agreement: readonly AgreementRow[],
  realTime: readonly RealTimeRow[],
): Verdict[] {
  const rigid = iterations.filter(({ scene }) => scene === 'bridge, rigid')
  const others = iterations.filter(({ scene }) => scene !== 'bridge, rigid')
  const far = others.filter(({ expected, extrapolated }) => !(extrapolated <= 1.1 * expected))
  const unlike = iterations.filter(({ expected, alike }) => !(Math.abs(alike - expected) <= 0.1 * expected))
  const apart = agreement.toSorted((a, b) => b.difference - a.difference)[0]
  const verdicts: Verdict[] = [
    {
      line: 'pcg, direct, recursive and auto agree to 10 × tolerance',
      holds: apart !== undefined && apart.difference <= 10 * TOLERANCE,
      measured: apart ? `${apart.difference.toExponential(1)} of the velocity, as energy (${apart.scene})` : '–',
    },
    {
      line: 'pcg needs exactly 1 iteration on the bridge with rigid towers',
      holds: rigid.every(({ velocity, extrapolated }) => velocity === 1 && extrapolated === 1),
      measured: rigid.map(({ velocity }) => fixed(velocity)).join(', '),
    },
    {
      line: 'iterations as in the reference or fewer (up to a tenth more) with guess=solution',
      holds: far.length === 0,
      measured: far.length === 0 ? `all ${others.length}` : far.map((row) => misses(row, row.extrapolated)).join('; '),
    },
    {
      line: 'iterations as in the reference (within a tenth), started and counted alike',
      holds: unlike.length === 0,
      measured: unlike.length === 0 ? `all ${iterations.length}` : unlike.map((row) => misses(row, row.alike)).join('; '),
    },
  ]
  for (const row of realTime) {
    verdicts.push({
      line: `real time at h = 1/60: ${row.scene}, ${row.dofs} degrees of freedom, scheme ${row.scheme}`,
      holds: row.trouble === '' && row.share < 1,
      measured: row.trouble || `${fixed(row.share)} s a second`,
    })
  }
  return verdicts
}
