/**
 * Mass of a body: from its `inertial` element or from its geoms, then the compiler's bounds and balance. Rules and order as in MuJoCo.
 */
import { type MassProperties, sumMassProperties } from '../../../build/geometry/mass-properties.js'
import { principalAxes, tensorOf } from '../../../build/geometry/principal-axes.js'
import type { InertiaSpec, Quat, Tensor, Vec3 } from '../../../build/spec.js'
import { defaultOrientation, readOrientation, resolveOrientation } from '../../orientation.js'
import { mulPose, type Pose } from '../../pose.js'
import { addProblem, hasAttribute, readNumber, readNumbers, readVec3, type XmlElement } from '../../xml.js'
import type { Scope } from '../syntax/context.js'

/** Mass with its principal frame: `com` and `quaternion` in the frame at hand. */
export interface Weight {
  readonly mass: number
  readonly com: Vec3
  readonly moments: Vec3
  readonly quaternion: Quat
}

/** below this MuJoCo takes a mass or a moment for none */
export const MIN_MASS = 1e-15

export const WEIGHTLESS: Weight = { mass: 0, com: [0, 0, 0], moments: [0, 0, 0], quaternion: [1, 0, 0, 0] }

/** `inertial`, in the frame of the body. */
export function readInertial(scope: Scope, e: XmlElement, frame: Pose): Weight {
  const { reader } = scope.shared
  const position = readVec3(reader, e, 'pos')
  const mass = readNumber(reader, e, 'mass')
  const diagonal = readVec3(reader, e, 'diaginertia')
  const full = readNumbers(reader, e, 'fullinertia', 6)
  const orientation = defaultOrientation()
  readOrientation(scope, e, orientation)
  if (!hasAttribute(e, 'pos')) addProblem(reader, e, 'inertial needs pos="…", the centre of mass')
  if (!hasAttribute(e, 'mass')) addProblem(reader, e, 'inertial needs mass="…"')
  if (mass !== undefined && mass < 0) addProblem(reader, e, `expected a mass that is not negative, got '${mass}'`, 'mass')
  if (diagonal?.some((x) => x < 0))
    addProblem(reader, e, `expected moments that are not negative, got '${diagonal.join(' ')}'; check their signs`, 'diaginertia')
  if (full && diagonal?.some((x) => x !== 0)) {
    addProblem(reader, e, 'expected either diaginertia or fullinertia, got both', 'fullinertia')
  }
  let moments: Vec3 = diagonal ?? [0, 0, 0]
  let quaternion = resolveOrientation(scope, e, orientation)
  if (full) {
    if (['quat', 'axisangle', 'xyaxes', 'zaxis', 'euler'].some((name) => hasAttribute(e, name))) {
      addProblem(reader, e, 'fullinertia is in body axes: remove the orientation', 'fullinertia')
    }
    const axes = principalAxes(full as unknown as Tensor)
    if (!(axes.moments[2] >= MIN_MASS)) {
      addProblem(reader, e, `expected a positive definite tensor (xx yy zz xy xz yz), got '${full.join(' ')}'`, 'fullinertia')
    }
    moments = axes.moments
    quaternion = axes.quaternion
  }
  const placed = mulPose(frame, { position: position ?? [0, 0, 0], quaternion })
  return { mass: mass ?? 0, com: placed.position, moments, quaternion: placed.quaternion }
}

/** Sum of what weighs anything; undefined if nothing does. One part is taken as it is, several are brought to principal axes. */
export function sumWeights(weights: readonly (Weight | undefined)[]): Weight | undefined {
  const parts = weights.filter((weight) => weight !== undefined && weight.mass >= MIN_MASS) as Weight[]
  if (parts.length < 2) return parts[0]
  const total = sumMassProperties(parts.map(toMassProperties))
  return { mass: total.mass, com: total.com, ...principalAxes(total.tensor) }
}

export function toMassProperties(weight: Weight): MassProperties {
  return { mass: weight.mass, com: weight.com, tensor: tensorOf(weight) }
}

/** boundmass, boundinertia, balanceinertia, and the triangle inequality. */
export function correctWeight(scope: Scope, e: XmlElement, name: string, weight: Weight): Weight {
  const { boundmass, boundinertia, balanceinertia } = scope.compiler
  const [a, b, c] = weight.moments.map((x) => Math.max(x, boundinertia)) as [number, number, number]
  let moments: Vec3 = [a, b, c]
  // rounding of a thin rod or a flat sheet may fall just short: not worth an error
  const slack = 1e-9 * (a + b + c)
  if (a + b < c || a + c < b || b + c < a) {
    if (balanceinertia) {
      const mean = (a + b + c) / 3
      moments = [mean, mean, mean]
    } else if (a + b < c - slack || a + c < b - slack || b + c < a - slack) {
      const message = `body '${name}': moments of inertia ${a}, ${b}, ${c} are not those of any body, each must be at most the sum of the others`
      addProblem(scope.shared.reader, e, `${message}; correct them, or set balanceinertia="true" on compiler`)
    }
  }
  return { ...weight, mass: Math.max(weight.mass, boundmass), moments }
}

/**
 * A principal frame that is the body's but for these metres and quaternion entries is the body's, as in MuJoCo: on a link of
 * a centimetre the difference reaches 1e-4. Axes that agree are taken so alone, a centre of mass only with them.
 */
const SAME_FRAME = 1e-6

export function snapToFrame(weight: Weight): Weight {
  const [w, x, y, z] = weight.quaternion
  const near = (a: number): boolean => Math.abs(a) < SAME_FRAME
  if (!near(Math.abs(w) - 1) || !near(x) || !near(y) || !near(z)) return weight
  return { ...weight, quaternion: [1, 0, 0, 0], com: weight.com.every(near) ? [0, 0, 0] : weight.com }
}

/** `axes`: keep the principal frame too, which the drag of a medium depends on. */
export function toInertia(exact: Weight, axes: boolean): InertiaSpec {
  const weight = snapToFrame(exact)
  const { mass, com, tensor } = toMassProperties(weight)
  const clean = (x: number): number => (x === 0 ? 0 : x)
  const [xx, yy, zz, xy, xz, yz] = tensor
  return {
    mass,
    com: [clean(com[0]), clean(com[1]), clean(com[2])],
    tensor: [clean(xx), clean(yy), clean(zz), clean(xy), clean(xz), clean(yz)],
    ...(axes ? { axes: weight.quaternion } : {}),
  }
}
