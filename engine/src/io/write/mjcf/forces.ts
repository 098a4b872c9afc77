/**
 * Springs, tendons and actuators in MJCF.
 */

import type { ActuatorSpec, MuscleCurveSpec, SpringSpec, TendonSpec } from '../../../build/spec.js'
import { hypot } from '../../../math/own.js'
import { type TreeJoint, worldPoint } from '../spec-tree.js'
import { element, type XmlNode, type XmlValue } from '../xml-writer.js'
import { knows, type Mjcf, siteAt } from './context.js'

export function mjcfTendons(out: Mjcf): XmlNode[] {
  const { springs = [], tendons = [] } = out.spec
  return [
    ...springs.flatMap((spring) => springTendon(out, spring)),
    ...tendons.flatMap((tendon, k) => mjcfTendon(out, tendon, `tendons/${k}`)),
  ]
}

/** A spring between two points is a straight tendon; its default rest length is the distance at the start. */
function springTendon(out: Mjcf, spring: SpringSpec): XmlNode[] {
  const { a, b, stiffness, damping } = spring
  if (!knows(out, a) || !knows(out, b)) return []
  const [p, q] = [worldPoint(out.tree, a, 'initialPose'), worldPoint(out.tree, b, 'initialPose')]
  const springlength = spring.rest ?? hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])
  const name = out.tendonNames.make(spring.name ?? 'spring')
  return [
    element(
      'spatial',
      { name, stiffness, damping, springlength },
      [a, b].map((point) => element('site', { site: siteAt(out, point) })),
    ),
  ]
}

function mjcfTendon(out: Mjcf, tendon: TendonSpec, path: string): XmlNode[] {
  const { name, stiffness, damping, rest, armature, limits, limitMargin, limitSoftness, friction, frictionSoftness } = tendon
  const attributes = {
    name,
    stiffness,
    damping,
    springlength: rest,
    armature,
    range: limits,
    margin: limitMargin,
    solreflimit: limitSoftness?.solref,
    solimplimit: limitSoftness?.solimp,
    frictionloss: friction,
    solreffriction: frictionSoftness?.solref,
    solimpfriction: frictionSoftness?.solimp,
  }
  if (tendon.path) {
    let before: string | undefined
    const points = tendon.path.map((entry) => {
      before = 'body' in entry ? siteAt(out, entry, before) : undefined
      if ('geom' in entry) return element('geom', { geom: entry.geom, sidesite: entry.side })
      return 'pulley' in entry ? element('pulley', { divisor: entry.pulley }) : element('site', { site: before })
    })
    return [element('spatial', attributes, points)]
  }
  const terms: XmlNode[] = []
  for (const { joint, coefficient } of tendon.joints ?? []) {
    const target = scalarName(out, joint)
    if (target !== undefined) terms.push(element('joint', { joint: target, coef: coefficient }))
    else out.ignored.add(path, `joint ${joint} in tendon ${name ?? path}`, 'fixed tendons of MJCF take hinges and slides only')
  }
  return [element('fixed', attributes, terms)]
}

/** MJCF name of a joint with one coordinate. */
export function scalarName(out: Mjcf, joint: string): string | undefined {
  const found = out.tree.joints.get(joint)
  return found && found.nv === 1 ? out.partNames.get(found)?.[0] : undefined
}

export function mjcfActuators(out: Mjcf): XmlNode[] {
  return (out.spec.actuators ?? []).map((actuator, k) => {
    const path = `actuators/${k}`
    return element('general', {
      name: actuator.name,
      ...transmission(out, actuator, path),
      ...gainAndBias(actuator),
      ...dynamics(actuator),
      ctrlrange: actuator.controlRange,
      forcerange: actuator.forceRange,
    })
  })
}

function transmission(out: Mjcf, actuator: ActuatorSpec, path: string): Record<string, XmlValue> {
  const { tendon, site, joint, gear } = actuator
  if (tendon !== undefined) return { tendon, gear }
  if (site !== undefined) return { site, gear }
  const target = out.tree.joints.get(joint ?? '')
  if (!target) return { joint, gear }
  const kind = target.parts[0]?.kind
  const names = out.partNames.get(target) ?? []
  if (target.nv === 1 || kind === 'ball') return { joint: names[0], gear }

  // length of a joint with several coordinates counts as zero in Limber
  if (actuator.gain?.[1] || actuator.bias?.[1]) {
    out.ignored.add(path, `length of joint ${joint} in actuator ${actuator.name ?? path}`, 'MuJoCo measures it, Limber takes it as zero')
  }
  const ratios = gear ?? [1]
  if (kind === 'free') return freeTransmission(out, target, ratios)
  return sumTransmission(out, names, ratios, actuator.name ?? joint ?? 'joint')
}

/** Gear of a free joint is a torque and a force in the body frame: a site there takes force, then torque. */
function freeTransmission(out: Mjcf, target: TreeJoint, gear: readonly number[]): Record<string, XmlValue> {
  const body = out.tree.bodies.find(({ joints }) => joints.includes(target))
  const at = (k: number) => gear[k] ?? 0
  return { site: siteAt(out, { body: body?.spec.name ?? 'world' }), gear: [at(3), at(4), at(5), at(0), at(1), at(2)] }
}

/** Several coordinates at once: the one that counts, or their weighted sum as a fixed tendon. */
function sumTransmission(out: Mjcf, names: readonly string[], gear: readonly number[], label: string): Record<string, XmlValue> {
  const used = names.flatMap((name, k) => ((gear[k] ?? 0) === 0 ? [] : [{ name, coef: gear[k] }]))
  if (used.length === 1 && used[0].name !== '') return { joint: used[0].name, gear: [used[0].coef] }
  const name = out.tendonNames.make(`${label}_sum`)
  const terms = names.map((joint, k) => element('joint', { joint, coef: gear[k] ?? 0 }))
  out.extraTendons.push(element('fixed', { name }, terms))
  return { tendon: name }
}

const muscleValues = (curve: MuscleCurveSpec): number[] => {
  const { range = [0.75, 1.05], force = -1, scale = 200, lmin = 0.5, lmax = 1.6, vmax = 1.5, fpmax = 1.3, fvmax = 1.2 } = curve
  return [...range, force, scale, lmin, lmax, vmax, fpmax, fvmax]
}

function gainAndBias({ gain, bias, muscle }: ActuatorSpec): Record<string, XmlValue> {
  if (muscle) {
    const { active, passive, lengthRange } = muscle
    return {
      ...gainAndBias({ ...(active || !gain ? {} : { gain }), ...(passive || !bias ? {} : { bias }) }),
      lengthrange: lengthRange,
      ...(active ? { gaintype: 'muscle', gainprm: muscleValues(active) } : {}),
      ...(passive ? { biastype: 'muscle', biasprm: muscleValues(passive) } : {}),
    }
  }
  return {
    ...(gain ? { gaintype: gain[1] === 0 && gain[2] === 0 ? 'fixed' : 'affine', gainprm: gain } : {}),
    ...(bias ? { biastype: 'affine', biasprm: bias } : {}),
  }
}

function dynamics({ dynamics: rule }: ActuatorSpec): Record<string, XmlValue> {
  if (!rule) return {}
  const { type, time, range, early } = rule
  return { dyntype: type, dynprm: type === 'integrator' ? undefined : time, actrange: range, actearly: early ? true : undefined }
}
