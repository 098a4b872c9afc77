/**
 * `equality`. Default poses are those at the reference position, where every body stands as drawn.
 */
import type { ConstraintSpec, Quat, Vec3 } from '../../../build/spec.js'
import { invertPose, mulPose, normalizeQuat, transformPoint } from '../../pose.js'
import { addProblem, hasAttribute, readBoolean, readNumbers, readVec3, type XmlElement } from '../../xml.js'
import { worldPose } from '../compile/reference-pose.js'
import { type MjcfBody, type MjcfSite, register, type Tree } from '../compile/tree.js'
import { classOf, fromClass, mainClass } from '../syntax/classes.js'
import { ignore, ignoreElement, LACKS_MOTION, type Scope } from '../syntax/context.js'
import { instancesOf, lookUp, type Reference } from '../syntax/references.js'
import { type MjcfJoint, writtenName } from './joints.js'
import { applySoftness, createRawSoftness, overlay, type RawSoftness, toSoftnessSpec } from './softness.js'
import { type MjcfTendon, pointOf } from './tendons.js'

export interface MjcfConstraint {
  readonly element: XmlElement
  readonly make: () => ConstraintSpec
}

const REFERENCES: Record<string, readonly (readonly [Reference['kind'], string])[]> = {
  connect: [
    ['body', 'body1'],
    ['body', 'body2'],
    ['site', 'site1'],
    ['site', 'site2'],
  ],
  weld: [
    ['body', 'body1'],
    ['body', 'body2'],
    ['site', 'site1'],
    ['site', 'site2'],
  ],
  joint: [
    ['joint', 'joint1'],
    ['joint', 'joint2'],
  ],
  tendon: [
    ['tendon', 'tendon1'],
    ['tendon', 'tendon2'],
  ],
}

export function readEqualities(tree: Tree, scope: Scope, section: XmlElement): MjcfConstraint[] {
  const { shared } = scope
  const { reader } = shared
  const constraints: MjcfConstraint[] = []
  for (const e of section.children) {
    if (!shared.known.has(e)) continue
    const kinds = REFERENCES[e.name]
    if (!kinds) {
      ignoreElement(shared, e, `equality ${e.name}`, LACKS_MOTION)
      continue
    }
    const apply = (q: RawSoftness & { active: boolean }, from: XmlElement): void => {
      q.active = readBoolean(reader, from, 'active') ?? q.active
      applySoftness(scope, q, from)
    }
    const raw = fromClass(classOf(scope, e, mainClass(scope)), 'equality', () => ({ active: true, ...createRawSoftness() }), apply)
    apply(raw, e)
    const references = kinds.map(([kind, attribute]) => ({ kind, attribute, element: e }))
    for (const suffix of instancesOf(tree, scope, e, references)) {
      const inner = { ...scope, suffix }
      const name = writtenName(inner, e)
      const made = makeConstraint(tree, inner, e)
      if (!made) continue
      register(tree, inner, 'equality', e, name, e)
      const head = { ...(name === undefined ? {} : { name }), ...(raw.active ? {} : { active: false }), ...toSoftnessSpec(raw) }
      constraints.push({ element: e, make: () => ({ ...head, ...made() }) })
    }
  }
  return constraints
}

function makeConstraint(tree: Tree, scope: Scope, e: XmlElement): (() => ConstraintSpec) | undefined {
  const { reader } = scope.shared
  const { suffix } = scope
  switch (e.name) {
    case 'connect':
    case 'weld': {
      const site1 = lookUp<MjcfSite>(tree, scope, 'site', e, 'site1', suffix)
      const site2 = lookUp<MjcfSite>(tree, scope, 'site', e, 'site2', suffix)
      const body1 = lookUp<MjcfBody>(tree, scope, 'body', e, 'body1', suffix)
      const body2 = lookUp<MjcfBody>(tree, scope, 'body', e, 'body2', suffix) ?? tree.world
      if (site1 && site2) {
        if (body1) addProblem(reader, e, 'expected either bodies or sites, got both', 'site1')
        return e.name === 'connect' ? connectSites(site1, site2) : weldSites(site1, site2)
      }
      if (!body1 || hasAttribute(e, 'site1') || hasAttribute(e, 'site2')) {
        addProblem(reader, e, `${e.name} needs body1${e.name === 'connect' ? ' and anchor' : ''}, or site1 and site2`)
        return undefined
      }
      return e.name === 'connect' ? connectBodies(scope, e, body1, body2) : weldBodies(scope, e, body1, body2)
    }
    case 'joint': {
      const joint = lookUp<{ joint: MjcfJoint }>(tree, scope, 'joint', e, 'joint1', suffix)?.joint
      const of = lookUp<{ joint: MjcfJoint }>(tree, scope, 'joint', e, 'joint2', suffix)?.joint
      const polynomial = readPolynomial(scope, e)
      if (!joint) {
        addProblem(reader, e, 'expected joint1="…"')
        return undefined
      }
      for (const j of [joint, of]) {
        if (j && j.type !== 'hinge' && j.type !== 'slide')
          addProblem(reader, e, `expected hinge or slide joints, '${j.name}' is a ${j.type}`)
      }
      return () => ({ type: 'coupling', joint: joint.name, ...(of ? { of: of.name } : {}), polynomial })
    }
    default: {
      const tendon = lookUp<MjcfTendon>(tree, scope, 'tendon', e, 'tendon1', suffix)
      const of = lookUp<MjcfTendon>(tree, scope, 'tendon', e, 'tendon2', suffix)
      const polynomial = readPolynomial(scope, e)
      if (!tendon) {
        addProblem(reader, e, 'expected tendon1="…"')
        return undefined
      }
      return () => ({ type: 'tendon-coupling', tendon: tendon.name, ...(of ? { of: of.name } : {}), polynomial })
    }
  }
}

function readPolynomial(scope: Scope, e: XmlElement): number[] {
  const polynomial = [0, 1, 0, 0, 0]
  overlay(polynomial, readNumbers(scope.shared.reader, e, 'polycoef', 1, 5))
  return polynomial
}

function connectSites(a: MjcfSite, b: MjcfSite): () => ConstraintSpec {
  return () => ({ type: 'point', a: pointOf(a.body, a.pose.position), b: pointOf(b.body, b.pose.position) })
}

function weldSites(a: MjcfSite, b: MjcfSite): () => ConstraintSpec {
  return () => ({ type: 'weld', a: a.body.name, b: b.body.name, ...mulPose(a.pose, invertPose(b.pose)) })
}

/** The anchor is a point of body 1, and of body 2 where that has it at the reference position. */
function connectBodies(scope: Scope, e: XmlElement, a: MjcfBody, b: MjcfBody): (() => ConstraintSpec) | undefined {
  const anchor = readVec3(scope.shared.reader, e, 'anchor')
  if (!anchor) {
    if (!hasAttribute(e, 'anchor')) addProblem(scope.shared.reader, e, 'connect needs anchor="…", a point of body1')
    return undefined
  }
  return () => {
    const other = transformPoint(invertPose(worldPose(b)), transformPoint(worldPose(a), anchor))
    return { type: 'point', a: pointOf(a, anchor), b: pointOf(b, other) }
  }
}

function weldBodies(scope: Scope, e: XmlElement, a: MjcfBody, b: MjcfBody): () => ConstraintSpec {
  const { reader } = scope.shared
  const relpose = readNumbers(reader, e, 'relpose', 7)
  if (hasAttribute(e, 'anchor')) {
    readVec3(reader, e, 'anchor')
    ignore(scope.shared, e, 'weld anchor', 'where a soft weld gives way; an exact one does not depend on it')
  }
  const quaternion = relpose?.slice(3) as unknown as Quat | undefined
  if (relpose && quaternion && quaternion.some((x) => x !== 0)) {
    const position: Vec3 = [relpose[0] as number, relpose[1] as number, relpose[2] as number]
    return () => ({ type: 'weld', a: a.name, b: b.name, position, quaternion: normalizeQuat(quaternion) })
  }
  return () => ({ type: 'weld', a: a.name, b: b.name, ...mulPose(invertPose(worldPose(a)), worldPose(b)) })
}
