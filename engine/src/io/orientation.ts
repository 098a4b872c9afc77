/**
 * Orientation as MJCF writes it: one of quat, axisangle, xyaxes, zaxis, euler. Angles in the unit of `compiler angle`; euler by
 * `eulerseq`, lower case about moving axes, upper case about fixed ones.
 */

import type { Quat, Vec3 } from '../build/spec.js'
import { norm } from '../math/own.js'
import type { Scope } from './mjcf/syntax/context.js'
import { axisAngleQuat, cross, dot, matrixQuat, mulQuat, normalizeQuat, scaleVec, subVec, zAxisQuat } from './pose.js'
import { addProblem, hasAttribute, readNumbers, type XmlElement } from './xml.js'

/** As read, before the compiler's units apply: a default's alternative outlives an element's plain `quat`, as in MuJoCo. */
export interface Orientation {
  quat: Quat
  alternative?: { readonly kind: 'axisangle' | 'xyaxes' | 'zaxis' | 'euler'; readonly values: readonly number[] }
}

const ALTERNATIVES = { axisangle: 4, xyaxes: 6, zaxis: 3, euler: 3 } as const

export function defaultOrientation(): Orientation {
  return { quat: [1, 0, 0, 0] }
}

/** Overlays what the element writes. */
export function readOrientation(scope: Scope, element: XmlElement, into: Orientation): void {
  const { reader } = scope.shared
  const kinds = Object.keys(ALTERNATIVES) as (keyof typeof ALTERNATIVES)[]
  const written = [...(hasAttribute(element, 'quat') ? ['quat'] : []), ...kinds.filter((kind) => hasAttribute(element, kind))]
  if (written.length > 1) {
    addProblem(reader, element, `expected one way to write the orientation, got ${written.join(' and ')}`, written[1])
  }
  const quat = readNumbers(reader, element, 'quat', 4)
  if (quat) {
    if (norm(quat) === 0) addProblem(reader, element, 'expected a quaternion other than zero', 'quat')
    into.quat = quat as unknown as Quat
  }
  for (const kind of kinds) {
    const values = readNumbers(reader, element, kind, ALTERNATIVES[kind])
    if (values) into.alternative = { kind, values }
  }
}

/** The quaternion meant; a direction without length is a problem. */
export function resolveOrientation(scope: Scope, element: XmlElement, orientation: Orientation): Quat {
  const { alternative } = orientation
  if (!alternative) return normalizeQuat(orientation.quat)
  const v = alternative.values as number[]
  const first: Vec3 = [v[0] as number, v[1] as number, v[2] as number]
  const tooShort = (what: string): Quat => {
    addProblem(scope.shared.reader, element, `expected ${what} of some length, got '${v.join(' ')}'`, alternative.kind)
    return [1, 0, 0, 0]
  }
  const unit = scope.compiler.degree ? Math.PI / 180 : 1
  switch (alternative.kind) {
    case 'euler':
      return eulerQuat([first[0] * unit, first[1] * unit, first[2] * unit], scope.compiler.eulerseq)
    case 'axisangle': {
      const n = norm(first)
      if (n < 1e-14) return tooShort('an axis')
      return axisAngleQuat(scaleVec(first, 1 / n), (v[3] as number) * unit)
    }
    case 'zaxis':
      return norm(first) < 1e-14 ? tooShort('a direction') : zAxisQuat(first)
    case 'xyaxes': {
      const nx = norm(first)
      if (nx < 1e-14) return tooShort('an x axis')
      const x = scaleVec(first, 1 / nx)
      const raw: Vec3 = [v[3] as number, v[4] as number, v[5] as number]
      const y0 = subVec(raw, scaleVec(x, dot(x, raw)))
      const ny = norm(y0)
      if (ny < 1e-14) return tooShort('a y axis that is not along x')
      const y = scaleVec(y0, 1 / ny)
      const z = cross(x, y)
      return matrixQuat([x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]])
    }
  }
}

/** Three turns in the order of the sequence; radians. */
export function eulerQuat(angles: Vec3, sequence: string): Quat {
  let q: Quat = [1, 0, 0, 0]
  for (let k = 0; k < 3; k++) {
    const letter = sequence[k] as string
    const lower = letter.toLowerCase()
    const axis: Vec3 = [lower === 'x' ? 1 : 0, lower === 'y' ? 1 : 0, lower === 'z' ? 1 : 0]
    const turn = axisAngleQuat(axis, angles[k] as number)
    q = letter === lower ? mulQuat(q, turn) : mulQuat(turn, q)
  }
  return normalizeQuat(q)
}
