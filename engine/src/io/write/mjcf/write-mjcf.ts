/**
 * Spec → MJCF, for MuJoCo 3. Formats and meanings after MuJoCo's XML reference, checked against its compiler in the tests.
 *
 * Differences that the format forces, each named in `ignored` where it occurs:
 * - cylindrical, universal and planar joints become several joints of one body: same motion, same coordinates;
 * - a helical joint becomes a hinge and a slide with an equality, which MuJoCo keeps only softly;
 * - a free joint below another body becomes three slides and a ball;
 * - initial coordinates that differ from the reference become the first keyframe;
 * - springs become spatial tendons over two sites.
 */

import { placeSpec } from '../../../build/geometry/segment.js'
import { fixedNeighbours } from '../../../build/neighbours.js'
import type { Spec } from '../../../build/spec.js'
import { LIMITS } from '../../../model/limits.js'
import { ModelError } from '../../../model/model-error.js'
import type { TreeBody } from '../spec-tree.js'
import { OTHER_ORDER, type Written } from '../written.js'
import { element, printXml, section, type XmlNode } from '../xml-writer.js'
import { mjcfBody, mjcfGeoms, mjcfSites } from './body.js'
import { createMjcf, type Mjcf, type MjcfOptions } from './context.js'
import { mjcfEquality } from './equality.js'
import { mjcfActuators, mjcfTendons } from './forces.js'
import { mjcfKeyframes } from './keyframes.js'
import { mjcfMeshes } from './meshes.js'
import { mjcfSensors } from './sensors.js'

export type { MjcfOptions } from './context.js'

/** Throws `ModelError` when the bodies of the spec make no tree. */
export function writeMjcf(given: Spec, options: MjcfOptions = {}): Written {
  const spec = placeSpec(given)
  const out = createMjcf(spec, options)
  const meshes = mjcfMeshes(out)
  // forces and constraints first: they ask for sites on bodies
  const tendons = mjcfTendons(out)
  const actuators = mjcfActuators(out)
  const equality = mjcfEquality(out)
  const sensors = mjcfSensors(out)
  const world = worldBody(out)
  const exclude = excludedPairs(out).map(([body1, body2]) => element('exclude', { body1, body2 }))
  const pairs = (spec.pairs ?? []).map(({ a, b, ...rest }) => element('pair', { geom1: a, geom2: b, ...rest }))
  const keyframes = mjcfKeyframes(out)
  ignoreRest(out)

  const root = element('mujoco', { model: spec.name }, [
    element('compiler', { angle: 'radian', autolimits: true }),
    ...optionElement(spec),
    ...section('asset', [...meshes, ...out.heightfields]),
    world,
    ...section('contact', [...pairs, ...exclude]),
    ...section('tendon', [...tendons, ...out.extraTendons]),
    ...section('equality', [...equality, ...out.extraEquality]),
    ...section('actuator', actuators),
    ...section('sensor', sensors),
    ...section('keyframe', keyframes),
  ])
  return { text: printXml(root), files: out.files, ignored: out.ignored.list }
}

/** Those of the spec, and neighbours on a fixed base: MuJoCo lets a body touch a parent that is fixed to the world. */
function excludedPairs({ spec, tree }: Mjcf): (readonly [string, string])[] {
  const given = spec.exclude ?? []
  if (spec.touchFixedParents) return [...given]
  const known = new Set(given.map((pair) => [...pair].sort().join('\n')))
  const neighbours = [...fixedNeighbours(tree.bodies.map((body) => body.spec))]
  return [...given, ...neighbours.filter((pair) => !known.has([...pair].sort().join('\n')))]
}

// enough for most contacts
const NOSLIP_ITERATIONS = 5

function optionElement(spec: Spec): XmlNode[] {
  const { gravity, timestep, medium, softFriction: { cone, impratio, noslip } = {} } = spec
  const magnetic = spec.sensors?.find(({ field }) => field)?.field
  const attributes = {
    ...{ gravity, magnetic, timestep, density: medium?.density, viscosity: medium?.viscosity, wind: medium?.wind },
    ...{ cone, impratio, noslip_iterations: noslip ? NOSLIP_ITERATIONS : undefined },
  }
  return Object.values(attributes).some((value) => value !== undefined) ? [element('option', attributes)] : []
}

/** Nested bodies without recursion: contents from the first one on, put together from the last one up. */
function worldBody(out: Mjcf): XmlNode {
  const { tree, spec } = out
  const fixed = [...mjcfGeoms(out, spec.world?.geoms ?? [], 'world', false), ...mjcfSites(out, 'world', spec.world?.sites ?? [])]
  const contents = new Map(tree.bodies.map((body) => [body, mjcfBody(out, body)]))
  const below = new Map<TreeBody | undefined, XmlNode[]>([[undefined, []]])
  for (const body of tree.bodies) below.set(body, [])
  for (const body of tree.bodies.toReversed()) {
    const { tag, attributes, children } = contents.get(body) as XmlNode
    below.get(body.parent)?.push(element(tag, attributes, [...children, ...(below.get(body) ?? []).toReversed()]))
  }
  return element('worldbody', {}, [...fixed, ...(below.get(undefined) ?? []).toReversed()])
}

function ignoreRest({ spec, tree, ignored }: Mjcf): void {
  const depth = new Map<TreeBody | undefined, number>([[undefined, 0]])
  let deepest = 0
  for (const body of tree.bodies) {
    const own = (depth.get(body.parent) ?? 0) + 1
    depth.set(body, own)
    deepest = Math.max(deepest, own)
  }
  // around the bodies are <mujoco> and <worldbody>; what is inside the last one has no content of its own
  if (deepest + 2 > LIMITS.depth) {
    const message = `a chain of ${deepest} bodies: MJCF nests them, and nothing reads XML deeper than ${LIMITS.depth}; write URDF or scene JSON`
    throw new ModelError([{ path: 'bodies', message }])
  }
  if (!tree.inOrder) ignored.add('bodies', 'order of the coordinates', OTHER_ORDER)
  if (spec.solver) ignored.add('solver', `solver ${spec.solver.name}`, "Limber's solvers are not MuJoCo's")
  for (const [k, load] of (spec.loads ?? []).entries())
    ignored.add(`loads/${k}`, load.moving ? 'moving load' : `load on ${load.body}`, 'MJCF has no loads')
}
