/**
 * Mass of a body: from its `inertial` element or from its geoms, then the compiler's bounds and balance. Rules and order as in MuJoCo.
 */
import { type MassProperties, sumMassProperties } from '../../build/mass-properties.js'
import { principalAxes, tensorOf } from '../../build/principal-axes.js'
import type { InertiaSpec, Quat, Tensor, Vec3 } from '../../build/spec.js'
import { addProblem, hasAttribute, readNumber, readNumbers, readVec3, type XmlElement } from '../xml.js'
import type { Scope } from './context.js'
import { defaultOrientation, readOrientation, resolveOrientation } from './orientation.js'
import { mulPose, type Pose } from './pose.js'

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
  if (diagonal?.some((x) => x < 0)) addProblem(reader, e, 'expected moments that are not negative', 'diaginertia')
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

/** One part is taken as it is; several are added up and brought to principal axes. `weights` holds undefined for massless geoms. */
export function sumWeights(weights: readonly (Weight | undefined)[]): Weight | undefined {
  if (weights.length === 0) return undefined
  if (weights.length === 1) return weights[0] ?? WEIGHTLESS
  const parts = weights.filter((weight) => weight !== undefined).map(toMassProperties)
  const total = sumMassProperties(parts)
  if (total.mass < MIN_MASS) return WEIGHTLESS
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

/** `axes`: keep the principal frame too, which the drag of a medium depends on. */
export function toInertia(weight: Weight, axes: boolean): InertiaSpec {
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
