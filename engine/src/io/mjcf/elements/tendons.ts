/**
 * `tendon`: spatial ones over sites, around geoms and over pulleys, fixed ones over joints.
 */
import type { PointSpec, TendonPathSpec, TendonSpec } from '../../../build/spec.js'
import { addProblem, readEnum, readNumber, readNumbers, type XmlElement } from '../../xml.js'
import { type MjcfBody, type MjcfSite, register, type Tree } from '../compile/tree.js'
import { classOf, fromClass, mainClass } from '../syntax/classes.js'
import { ignore, ignoreOf, LACKS_MOTION, type Scope } from '../syntax/context.js'
import { instancesOf, lookUp, lose, type Reference } from '../syntax/references.js'
import type { MjcfGeom } from './geoms.js'
import { isLimited, type MjcfJoint, readPair, TRISTATE, type Tristate, writtenName } from './joints.js'
import type { Options } from './options.js'
import { applySoftness, createRawSoftness, overlay, type RawSoftness, toSoftnessSpec } from './softness.js'

interface RawTendon {
  limited: Tristate
  range: [number, number]
  stiffness: number[]
  damping: number[]
  springlength: [number, number]
  armature: number
  frictionloss: number
  margin: number
  limitSoftness: RawSoftness
  frictionSoftness: RawSoftness
}

type PathPart =
  | { readonly site: MjcfSite }
  | { readonly pulley: number }
  | { readonly geom: MjcfGeom; readonly body: MjcfBody; readonly side: MjcfSite | undefined }

export interface MjcfTendon {
  name: string
  readonly element: XmlElement
  readonly path: readonly PathPart[] | undefined
  readonly joints: readonly { readonly joint: MjcfJoint; readonly body: MjcfBody; readonly coefficient: number }[] | undefined
  readonly raw: RawTendon
  readonly limits: readonly [number, number] | undefined
  armature: number
  damping: number
}

function createRaw(): RawTendon {
  return {
    limited: 'auto',
    range: [0, 0],
    stiffness: [0, 0, 0],
    damping: [0, 0, 0],
    springlength: [-1, -1],
    armature: 0,
    frictionloss: 0,
    margin: 0,
    limitSoftness: createRawSoftness(),
    frictionSoftness: createRawSoftness(),
  }
}

function apply(scope: Scope, t: RawTendon, e: XmlElement): void {
  const { reader } = scope.shared
  t.limited = readEnum(reader, e, 'limited', TRISTATE) ?? t.limited
  t.range = readPair(scope, e, 'range') ?? t.range
  overlay(t.stiffness, readNumbers(reader, e, 'stiffness', 1, 3))
  overlay(t.damping, readNumbers(reader, e, 'damping', 1, 3))
  const length = readNumbers(reader, e, 'springlength', 1, 2)
  if (length) t.springlength = [length[0] as number, length[1] ?? (length[0] as number)]
  t.armature = readNumber(reader, e, 'armature') ?? t.armature
  t.frictionloss = readNumber(reader, e, 'frictionloss') ?? t.frictionloss
  t.margin = readNumber(reader, e, 'margin') ?? t.margin
  applySoftness(scope, t.limitSoftness, e, 'limit')
  applySoftness(scope, t.frictionSoftness, e, 'friction')
}

const KINDS: Record<string, Reference['kind'] | undefined> = { site: 'site', joint: 'joint', geom: 'geom' }

export function readTendons(tree: Tree, scope: Scope, section: XmlElement): MjcfTendon[] {
  const { shared } = scope
  const { reader } = shared
  const tendons: MjcfTendon[] = []
  for (const e of section.children) {
    if (!shared.known.has(e)) continue
    const raw = fromClass(classOf(scope, e, mainClass(scope)), 'tendon', createRaw, (t, from) => apply(scope, t, from))
    apply(scope, raw, e)
    const parts = e.children.filter((child) => shared.known.has(child))
    const references: Reference[] = []
    for (const part of parts) {
      const kind = KINDS[part.name]
      if (!kind) continue
      if (part.attributes[kind] === undefined) addProblem(reader, part, `expected ${kind}="…"`)
      references.push({ kind, attribute: kind, element: part })
      if (kind === 'geom') references.push({ kind: 'site', attribute: 'sidesite', element: part })
    }
    if (parts.length === 0) {
      addProblem(reader, e, 'a tendon needs a path')
      continue
    }
    for (const suffix of instancesOf(tree, scope, e, references)) {
      const inner = { ...scope, suffix }
      const name = writtenName(inner, e)
      const tendon =
        e.name === 'spatial' ? readSpatial(tree, inner, e, parts, raw, name ?? '') : readFixed(tree, inner, e, parts, raw, name ?? '')
      if (!tendon) continue
      register(tree, inner, 'tendon', e, name, tendon)
      tendons.push(tendon)
    }
    checkRaw(scope, e, raw)
  }
  return tendons
}

function checkRaw(scope: Scope, e: XmlElement, raw: RawTendon): void {
  const { shared } = scope
  for (const [what, polynomial] of [
    ['stiffness', raw.stiffness],
    ['damping', raw.damping],
  ] as const) {
    if (polynomial.slice(1).some((c) => c !== 0)) ignore(shared, e, `tendon: terms of ${what} beyond the linear one`, LACKS_MOTION)
  }
  const [low, high] = raw.springlength
  if (low > high) {
    addProblem(shared.reader, e, `expected one length, or two in rising order, got '${low} ${high}'`, 'springlength')
  }
}

function finish(scope: Scope, e: XmlElement, raw: RawTendon, name: string, rest: Pick<MjcfTendon, 'path' | 'joints'>): MjcfTendon {
  const limited = isLimited(scope, e, raw.limited, raw.range, 'range')
  if (limited && raw.range[0] >= raw.range[1]) addProblem(scope.shared.reader, e, 'expected a lower limit below the upper one', 'range')
  return {
    name,
    element: e,
    raw,
    limits: limited ? [...raw.range] : undefined,
    armature: raw.armature,
    damping: raw.damping[0] as number,
    ...rest,
  }
}

function readSpatial(tree: Tree, scope: Scope, e: XmlElement, parts: XmlElement[], raw: RawTendon, name: string): MjcfTendon | undefined {
  const { reader } = scope.shared
  const path: PathPart[] = []
  for (const [k, part] of parts.entries()) {
    if (part.name === 'site') {
      const site = lookUp<MjcfSite>(tree, scope, 'site', part, 'site', scope.suffix)
      const before = path.at(-1)
      // with a geom between the two, the tendon goes round it and back
      if (site && parts[k - 1]?.name === 'site' && before && 'site' in before && before.site === site)
        addProblem(reader, part, 'expected another site than the one before', 'site')
      if (site) path.push({ site })
    } else if (part.name === 'pulley') {
      const divisor = readNumber(reader, part, 'divisor')
      if (divisor !== undefined && divisor > 0) path.push({ pulley: divisor })
      else addProblem(reader, part, 'a pulley needs a positive divisor', 'divisor')
    } else {
      const found = lookUp<{ geom: MjcfGeom; body: MjcfBody }>(tree, scope, 'geom', part, 'geom', scope.suffix)
      const side = lookUp<MjcfSite>(tree, scope, 'site', part, 'sidesite', scope.suffix)
      const { shape } = found?.geom.shape ?? { shape: 'sphere' }
      if (shape !== 'sphere' && shape !== 'cylinder')
        addProblem(reader, part, `expected a sphere or a cylinder to go round, got ${shape}`, 'geom')
      if (parts[k - 1]?.name !== 'site' || parts[k + 1]?.name !== 'site')
        addProblem(reader, part, 'a geom to go round needs a site before and after it')
      if (found) path.push({ ...found, side })
    }
  }
  if (raw.armature !== 0 && path.some((part) => 'geom' in part))
    addProblem(reader, e, 'expected no armature on a tendon that goes round geoms; put it on the joints instead', 'armature')
  // every branch is a line: two points at least
  let run = 0
  let broken = false
  for (const [k, part] of path.entries()) {
    if ('site' in part) run++
    if ('pulley' in part || k === path.length - 1) {
      if (run === 1 || (run === 0 && k > 0)) broken = true
      run = 0
    }
  }
  if (broken || path.length < 2) {
    addProblem(reader, e, 'each branch of a spatial tendon needs two sites')
    return undefined
  }
  return finish(scope, e, raw, name, { path, joints: undefined })
}

function readFixed(tree: Tree, scope: Scope, e: XmlElement, parts: XmlElement[], raw: RawTendon, name: string): MjcfTendon | undefined {
  const { reader } = scope.shared
  const joints: { joint: MjcfJoint; body: MjcfBody; coefficient: number }[] = []
  for (const part of parts) {
    const found = lookUp<{ joint: MjcfJoint; body: MjcfBody }>(tree, scope, 'joint', part, 'joint', scope.suffix)
    const coefficient = readNumber(reader, part, 'coef')
    if (part.attributes['coef'] === undefined) addProblem(reader, part, 'expected coef="…"')
    if (!found || coefficient === undefined) continue
    const { joint, body } = found
    if (joint.type === 'hinge' || joint.type === 'slide') joints.push({ joint, body, coefficient })
    else {
      // MuJoCo takes the first number of the joint's position for its angle and the first of its velocity for the rate of that
      lose(tree, scope, e, `fixed tendon over the ${joint.type} joint '${joint.name}'`, 'such a joint has no angle to count')
      return undefined
    }
  }
  return finish(scope, e, raw, name, { path: undefined, joints })
}

export function toTendonSpec(scope: Scope, tendon: MjcfTendon, options: Options): TendonSpec {
  const { raw } = tendon
  const stiffness = options.off.has('spring') ? 0 : (raw.stiffness[0] as number)
  const damping = options.off.has('damper') ? 0 : tendon.damping
  if (tendon.armature !== 0 && spansBranches(tendon)) {
    const why = 'affects motion: counted here in full, while MuJoCo leaves out how it couples joints of different branches'
    ignoreOf(scope.shared, tendon.element, 'tendon', tendon.name, 'armature across branches of the tree', why)
  }
  const [low, high] = raw.springlength
  return {
    ...(tendon.name === '' ? {} : { name: tendon.name }),
    ...(tendon.path ? { path: tendon.path.map(toPathSpec) } : {}),
    ...(tendon.joints ? { joints: tendon.joints.map(({ joint, coefficient }) => ({ joint: joint.name, coefficient })) } : {}),
    ...(stiffness !== 0 ? { stiffness } : {}),
    ...(damping !== 0 ? { damping } : {}),
    ...(low === -1 && high === -1 ? {} : { rest: low === high ? low : ([low, high] as const) }),
    ...(tendon.armature !== 0 ? { armature: tendon.armature } : {}),
    ...(tendon.limits && !options.off.has('limit') && !options.off.has('constraint')
      ? {
          limits: tendon.limits,
          ...(raw.margin !== 0 ? { limitMargin: raw.margin } : {}),
          limitSoftness: toSoftnessSpec(raw.limitSoftness),
        }
      : {}),
    ...(raw.frictionloss !== 0 && !options.off.has('frictionloss') && !options.off.has('constraint')
      ? { friction: raw.frictionloss, frictionSoftness: toSoftnessSpec(raw.frictionSoftness) }
      : {}),
  }
}

/** Whether two of its bodies move by joints of which neither carries the other. */
function spansBranches(tendon: MjcfTendon): boolean {
  const carriers = (body: MjcfBody | undefined): MjcfBody[] =>
    body ? [...carriers(body.parent), ...(body.joints.length > 0 ? [body] : [])] : []
  const bodies =
    tendon.joints?.map(({ body }) => body) ??
    tendon.path?.flatMap((part) => ('site' in part ? [part.site.body] : 'geom' in part ? [part.body] : [])) ??
    []
  const chains = bodies.map(carriers)
  const longest = chains.reduce((a, b) => (b.length > a.length ? b : a), [])
  return chains.some((chain) => chain.some((body, k) => longest[k] !== body))
}

function toPathSpec(part: PathPart): TendonPathSpec {
  if ('geom' in part) return { geom: part.geom.name as string, ...(part.side ? { side: part.side.name } : {}) }
  return 'pulley' in part ? part : pointOf(part.site.body, part.site.pose.position)
}

export function pointOf(body: MjcfBody, point: readonly [number, number, number]): PointSpec {
  return { body: body.name, point }
}
