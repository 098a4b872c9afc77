/**
 * How far the constraints of a spec are from being met: the largest of all distances (m) and coordinate errors, from the poses.
 */
import type { Data, Model, PointSpec, Spec, State } from 'limber'
import { locate } from './grips.js'

export type Residual = (data: Data, state: State) => number

/** Undefined when the spec has no constraint to check. */
export function createResidual(spec: Spec, model: Model): Residual | undefined {
  const index = new Map(model.bodies.map((body, i) => [body.name, i]))
  const joints = new Map(model.joints.map((joint) => [joint.name, joint]))
  const at = ({ body, point = [0, 0, 0] }: PointSpec) => ({ body: index.get(body) ?? 0, point })
  const checks: Residual[] = []
  for (const constraint of spec.constraints ?? []) {
    if (constraint.active === false) continue
    if (constraint.type === 'point' || constraint.type === 'distance' || constraint.type === 'hinge') {
      const a = at(constraint.a)
      const b = at(constraint.b)
      const axes = constraint.type === 'point' ? constraint.axes : undefined
      let wanted = constraint.type === 'distance' ? constraint.distance : 0
      checks.push((data) => {
        const [p, r] = [locate(data, a), locate(data, b)]
        if (axes) return Math.max(...axes.map(([x, y, z]) => Math.abs(x * (r[0] - p[0]) + y * (r[1] - p[1]) + z * (r[2] - p[2]))))
        const gap = distance(p, r)
        // without a number the distance of the start is kept
        wanted ??= gap
        return Math.abs(gap - wanted)
      })
    } else if (constraint.type === 'weld') {
      const a = index.get(constraint.a) ?? 0
      const b = index.get(constraint.b) ?? 0
      let wanted = constraint.position
      checks.push((data) => {
        const now = relative(data, a, locate(data, { body: b, point: [0, 0, 0] }))
        wanted ??= now
        return distance(now, wanted)
      })
    } else if (constraint.type === 'coupling') {
      const joint = joints.get(constraint.joint)
      const of = constraint.of === undefined ? undefined : joints.get(constraint.of)
      if (!joint) continue
      const { polynomial } = constraint
      checks.push((_, { q }) => {
        const x = of ? q[of.iq] - model.q0[of.iq] : 0
        const value = polynomial.reduceRight((sum, factor) => sum * x + factor, 0)
        return Math.abs(q[joint.iq] - model.q0[joint.iq] - value)
      })
    }
  }
  return checks.length === 0 ? undefined : (data, state) => checks.reduce((most, check) => Math.max(most, check(data, state)), 0)
}

function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}

/** A place in the world seen from body i. */
function relative({ X_WB }: Data, i: number, place: readonly number[]): [number, number, number] {
  const X = X_WB.subarray(12 * i, 12 * i + 12)
  const d = [place[0] - X[9], place[1] - X[10], place[2] - X[11]]
  const column = (c: number) => X[c] * d[0] + X[3 + c] * d[1] + X[6 + c] * d[2]
  return [column(0), column(1), column(2)]
}
