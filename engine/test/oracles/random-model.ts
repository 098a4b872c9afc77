/**
 * Seeded random MJCF and URDF: trees with the attributes that carry mechanics, drawn independently, so that their combinations get met that
 * nobody thinks of. Every model is one that MuJoCo compiles: bodies have mass, and no body has a ball beside a hinge, which
 * MuJoCo refuses in one order and which leaves the mass matrix singular in the other.
 */
import { createRandom } from '../random.js'

interface Draw {
  /** uniform in [−size, size], three decimals so that a failing model can be read */
  spread(size: number): string
  /** uniform in [low, high] */
  between(low: number, high: number): string
  vector(count: number, size: number): string
  chance(p: number): boolean
  pick<T>(list: readonly T[]): T
  count(low: number, high: number): number
}

/** What the tree offers to those that refer to it. */
interface Names {
  readonly sites: string[]
  readonly scalars: string[]
  bodies: number
}

const CLASSES = ['main', 'outer', 'inner', 'other'] as const
const EULER = ['xyz', 'XYZ', 'zyx', 'ZYZ', 'xYz', 'yXZ'] as const

export function randomMjcf(seed: number): string {
  const draw = createDraw(seed)
  const names: Names = { sites: ['world'], scalars: [], bodies: 0 }
  const radian = draw.chance(0.5)
  const angle = (size: number) => draw.spread(radian ? size : size * 57.3)
  const trees = Array.from({ length: draw.count(1, 3) }, () => body(draw, angle, names, 0)).join('\n')
  return `<mujoco model="random ${seed}">
<compiler angle="${radian ? 'radian' : 'degree'}" eulerseq="${draw.pick(EULER)}"${compiler(draw)}/>
${option(draw)}
${defaults(draw, angle)}
<asset><mesh name="mesh" vertex="0 0 0 .3 0 0 0 .25 0 .05 .05 .4" face="0 2 1 0 1 3 0 3 2 1 2 3" scale="${draw.between(0.5, 1.5)} 1 -1"/></asset>
<worldbody><site name="world" pos="${draw.vector(3, 1)}"/><geom type="plane" size="1 1 1"/>
${trees}
</worldbody>
${tendons(draw, names)}
</mujoco>`
}

function createDraw(seed: number): Draw {
  const random = createRandom(seed).unit
  const between = (low: number, high: number) => (low + (high - low) * random()).toFixed(3)
  const count = (low: number, high: number) => low + Math.floor((high - low + 1) * random())
  const spread = (size: number) => between(-size, size)
  return {
    spread,
    between,
    count,
    vector: (n, size) => Array.from({ length: n }, () => spread(size)).join(' '),
    chance: (p) => random() < p,
    pick: (list) => list[count(0, list.length - 1)],
  }
}

function compiler(draw: Draw): string {
  let out = ''
  if (draw.chance(0.2)) out += ` settotalmass="${draw.between(1, 20)}"`
  if (draw.chance(0.2)) out += ` boundmass="${draw.between(0.1, 1)}" boundinertia="${draw.between(0.001, 0.05)}"`
  if (draw.chance(0.3)) out += ' inertiafromgeom="true"'
  if (draw.chance(0.3)) out += ' inertiagrouprange="0 2"'
  if (draw.chance(0.3)) out += ' alignfree="true"'
  // the moments that this generator writes may break the triangle inequality
  return `${out} balanceinertia="true"`
}

function option(draw: Draw): string {
  let attributes = ''
  if (draw.chance(0.7)) attributes += ` gravity="${draw.vector(3, 9)}"`
  if (draw.chance(0.3)) attributes += ` density="${draw.between(0, 50)}"`
  if (draw.chance(0.3)) attributes += ` viscosity="${draw.between(0, 0.5)}"`
  if (draw.chance(0.3)) attributes += ` wind="${draw.vector(3, 3)}"`
  const flags = ['gravity', 'spring', 'damper'].filter(() => draw.chance(0.08)).map((flag) => ` ${flag}="disable"`)
  return `<option${attributes}><flag energy="enable"${flags.join('')}/></option>`
}

function defaults(draw: Draw, angle: (size: number) => string): string {
  const parts = () => {
    let out = ''
    if (draw.chance(0.6)) out += `<joint${passive(draw, 0.4)}${draw.chance(0.3) ? ` axis="${axis(draw)}"` : ''}/>`
    if (draw.chance(0.6))
      out += `<geom${draw.chance(0.5) ? ` density="${draw.between(100, 2000)}"` : ''}${draw.chance(0.2) ? ' shellinertia="true"' : ''}${draw.chance(0.3) ? ` euler="${[angle(1), angle(1), angle(1)].join(' ')}"` : ''}/>`
    if (draw.chance(0.3)) out += `<site pos="${draw.vector(3, 0.1)}"/>`
    if (draw.chance(0.3)) out += `<tendon stiffness="${draw.between(0, 20)}" damping="${draw.between(0, 1)}"/>`
    return out
  }
  return `<default>${parts()}<default class="outer">${parts()}<default class="inner">${parts()}</default></default><default class="other">${parts()}</default></default>`
}

function axis(draw: Draw): string {
  return `${draw.spread(1)} ${draw.between(0.2, 1)} ${draw.spread(1)}`
}

/** Each with probability p. */
function passive(draw: Draw, p: number): string {
  let out = ''
  if (draw.chance(p)) out += ` stiffness="${draw.between(0, 20)}"`
  if (draw.chance(p)) out += ` damping="${draw.between(0, 2)}"`
  if (draw.chance(p)) out += ` armature="${draw.between(0, 0.2)}"`
  return out
}

function pose(draw: Draw, angle: (size: number) => string): string {
  const at = draw.chance(0.9) ? ` pos="${draw.vector(3, 0.4)}"` : ''
  const turns = [
    '',
    ` quat="${draw.vector(3, 1)} ${draw.between(0.2, 1)}"`,
    ` euler="${[angle(2), angle(2), angle(2)].join(' ')}"`,
    ` axisangle="${axis(draw)} ${angle(3)}"`,
    ` xyaxes="1 ${draw.vector(2, 0.5)} ${draw.spread(0.5)} 1 ${draw.spread(0.5)}"`,
    ` zaxis="${axis(draw)}"`,
  ]
  return at + draw.pick(turns)
}

function style(draw: Draw): string {
  return draw.chance(0.25) ? ` class="${draw.pick(CLASSES)}"` : ''
}

function body(draw: Draw, angle: (size: number) => string, names: Names, depth: number): string {
  const id = names.bodies++
  const free = depth === 0 && draw.chance(0.4)
  const inner = [
    free ? freeJoint(draw) : joints(draw, angle, names, id),
    inertial(draw, angle),
    ...Array.from({ length: draw.count(1, 3) }, (_, k) => geom(draw, angle, k === 0)),
  ]
  names.sites.push(`s${id}`)
  inner.push(`<site name="s${id}" pos="${draw.vector(3, 0.2)}"/>`)
  if (draw.chance(0.2)) inner.push(`<frame${pose(draw, angle)}>${geom(draw, angle, false)}</frame>`)
  if (draw.chance(0.15)) {
    inner.push(
      `<replicate count="2" offset="${draw.vector(3, 0.2)}"><body${pose(draw, angle)}><joint type="slide" axis="${axis(draw)}"/>${geom(draw, angle, true)}</body></replicate>`,
    )
  }
  const children = depth < 3 ? draw.count(0, 2) : 0
  for (let k = 0; k < children; k++) {
    const child = body(draw, angle, names, depth + 1)
    inner.push(draw.chance(0.2) ? `<frame${pose(draw, angle)}>${child}</frame>` : child)
  }
  const extras = `${draw.chance(0.2) ? ` childclass="${draw.pick(CLASSES)}"` : ''}${draw.chance(0.2) ? ` gravcomp="${draw.between(0, 1.5)}"` : ''}`
  return `<body name="b${id}"${pose(draw, angle)}${extras}>${inner.join('\n')}</body>`
}

function freeJoint(draw: Draw): string {
  return draw.chance(0.5) ? '<freejoint/>' : `<joint type="free"${passive(draw, 0.5)}/>`
}

function joints(draw: Draw, angle: (size: number) => string, names: Names, id: number): string {
  const out: string[] = []
  let turned = false
  let hinged = false
  for (let k = draw.count(0, 3); k > 0; k--) {
    const types: readonly ('hinge' | 'slide' | 'ball')[] = hinged
      ? ['hinge', 'slide']
      : turned
        ? ['slide']
        : ['hinge', 'hinge', 'slide', 'ball']
    const type = draw.pick(types)
    turned ||= type === 'ball'
    hinged ||= type === 'hinge'
    const name = `j${id}-${k}`
    const reference = type === 'slide' ? () => draw.spread(0.3) : () => angle(0.5)
    let attributes = `${style(draw)}${passive(draw, 0.3)}`
    if (draw.chance(0.5)) attributes += ` pos="${draw.vector(3, 0.2)}"`
    if (type !== 'ball') {
      names.scalars.push(name)
      if (k > 1 || draw.chance(0.6)) attributes += ` axis="${axis(draw)}"`
      if (draw.chance(0.3)) attributes += ` ref="${reference()}"`
      if (draw.chance(0.3)) attributes += ` springref="${reference()}"`
      if (draw.chance(0.15)) attributes += ` springdamper="${draw.between(0.2, 1)} ${draw.between(0.3, 1.5)}"`
    }
    out.push(`<joint name="${name}" type="${type}"${attributes}/>`)
  }
  return out.join('')
}

function inertial(draw: Draw, angle: (size: number) => string): string {
  if (!draw.chance(0.3)) return ''
  const moments = ['', '', ''].map(() => draw.between(0.01, 0.03)).join(' ')
  const mass = `mass="${draw.between(0.2, 2)}"`
  if (draw.chance(0.5)) return `<inertial ${mass} pos="${draw.vector(3, 0.1)}" fullinertia="${moments} ${draw.vector(3, 0.004)}"/>`
  return `<inertial ${mass} pos="${draw.vector(3, 0.1)}" euler="${angle(1)} ${angle(1)} ${angle(1)}" diaginertia="${moments}"/>`
}

/** `sure`: one that has mass whatever the classes and groups say. */
function geom(draw: Draw, angle: (size: number) => string, sure: boolean): string {
  const size = () => draw.between(0.03, 0.2)
  const sizes = { sphere: 1, capsule: 2, cylinder: 2, ellipsoid: 3, box: 3, mesh: 0 } as const
  const type = draw.pick(['sphere', 'capsule', 'cylinder', 'ellipsoid', 'box', 'mesh'] as const)
  let attributes = ` type="${type}"${style(draw)}`
  const count = sizes[type]
  if (type === 'mesh') attributes += ` mesh="mesh"${pose(draw, angle)} shellinertia="false"`
  else if (count > 1 && draw.chance(0.3)) attributes += ` size="${size()}" fromto="0 0 .1 ${draw.vector(2, 0.3)} -.2"`
  else attributes += ` size="${Array.from({ length: count }, size).join(' ')}"${pose(draw, angle)}`
  if (sure) attributes += ` ${draw.chance(0.5) ? `mass="${draw.between(0.3, 3)}"` : `density="${draw.between(200, 2000)}"`}`
  else {
    if (draw.chance(0.2)) attributes += ` mass="${draw.between(0, 1)}"`
    if (draw.chance(0.3)) attributes += ` density="${draw.between(0, 2000)}"`
    if (draw.chance(0.3)) attributes += ` group="${draw.count(0, 4)}"`
  }
  return `<geom${attributes}/>`
}

function tendons(draw: Draw, names: Names): string {
  const out: string[] = []
  const spring = () => {
    const length = [draw.between(0.1, 0.5), draw.between(0.5, 1)]
    const rest = draw.pick(['', ` springlength="${length[0]}"`, ` springlength="${length.join(' ')}"`])
    return `${style(draw)}${draw.chance(0.7) ? ` stiffness="${draw.between(0, 30)}"` : ''}${draw.chance(0.5) ? ` damping="${draw.between(0, 2)}"` : ''}${rest}`
  }
  if (names.sites.length > 2) {
    const [a, b, c] = [names.sites[0], names.sites[1], names.sites[names.sites.length - 1]]
    out.push(`<spatial${spring()}><site site="${a}"/><site site="${b}"/><site site="${c}"/></spatial>`)
    if (draw.chance(0.5)) {
      out.push(
        `<spatial${spring()}><site site="${a}"/><site site="${c}"/><pulley divisor="${draw.between(1, 3)}"/><site site="${b}"/><site site="${c}"/></spatial>`,
      )
    }
  }
  if (names.scalars.length > 1) {
    const terms = names.scalars.slice(0, 3).map((joint) => `<joint joint="${joint}" coef="${draw.spread(2)}"/>`)
    out.push(`<fixed${spring()}>${terms.join('')}</fixed>`)
  }
  return out.length > 0 ? `<tendon>${out.join('')}</tendon>` : ''
}

/** Seeded random URDF: links with turned inertials or collision shapes, every joint type that MuJoCo takes, fixed links between. */
export function randomUrdf(seed: number): string {
  const draw = createDraw(seed)
  const links = draw.count(2, 9)
  const parts: string[] = []
  for (let k = 0; k < links; k++) {
    const type = draw.pick(['revolute', 'continuous', 'prismatic', 'fixed', 'planar'] as const)
    parts.push(`<link name="l${k}">${draw.chance(0.8) ? urdfInertial(draw) : urdfCollision(draw)}</link>`)
    if (k === 0) continue
    const damping = draw.chance(0.3) ? `<dynamics damping="${draw.between(0, 2)}" friction="${draw.between(0, 1)}"/>` : ''
    const limit = type === 'revolute' || type === 'prismatic' ? '<limit lower="-1" upper="1" effort="5" velocity="2"/>' : ''
    const rotation = draw.chance(0.7) ? ` rpy="${draw.vector(3, 3)}"` : ''
    const line = draw.chance(0.8) ? `<axis xyz="${axis(draw)}"/>` : ''
    const origin = `<origin xyz="${draw.vector(3, 0.4)}"${rotation}/>`
    parts.push(
      `<joint name="j${k}" type="${type}"><parent link="l${draw.count(0, k - 1)}"/><child link="l${k}"/>${origin}${line}${limit}${damping}</joint>`,
    )
  }
  // the order of elements says nothing in URDF
  if (draw.chance(0.5)) parts.reverse()
  return `<robot name="random ${seed}">\n${parts.join('\n')}\n</robot>`
}

/**
 * The same with settings of MuJoCo's compiler, and with what they are there for: links without mass, without inertial, or with an inertia
 * a hair beside their frame. MuJoCo refuses some of them, since what moves must weigh something.
 */
export function randomUrdfWithSettings(seed: number): { readonly text: string; readonly fused: boolean } {
  const draw = createDraw(1000 + seed)
  const fused = draw.chance(0.5)
  const settings = [
    'balanceinertia="true"',
    fused ? draw.pick(['', 'fusestatic="true"']) : 'fusestatic="false"',
    draw.chance(0.4) ? `boundmass="${draw.between(0, 0.5)}"` : '',
    draw.chance(0.4) ? `boundinertia="${draw.between(0, 0.05)}"` : '',
    draw.chance(0.3) ? `settotalmass="${draw.between(1, 20)}"` : '',
    draw.chance(0.5) ? `inertiafromgeom="${draw.pick(['true', 'false', 'auto'])}"` : '',
    draw.chance(0.3) ? `discardvisual="${draw.pick(['true', 'false'])}"` : '',
  ]
  const text = randomUrdf(seed)
    .replace(/<inertial>.*?<\/inertial>/g, (inertial) => {
      const kind = draw.count(0, 9)
      if (kind === 0) return ''
      if (kind === 1) return inertial.replace(/<mass [^>]*>/, '<mass value="0"/>')
      return kind < 5 ? nearFrame(draw) : inertial
    })
    .replace(/<robot[^>]*>/, `$&<mujoco><compiler ${settings.join(' ')}/></mujoco>`)
  return { text, fused }
}

/** Centre of mass and axes up to 1.5e-6 from the link's: MuJoCo takes them for the link's within 1e-6. */
function nearFrame(draw: Draw): string {
  const hair = () => `${draw.spread(1.5)}e-6 ${draw.spread(1.5)}e-6 ${draw.spread(1.5)}e-6`
  const moments = `ixx="${draw.between(3, 4)}e-5" iyy="2.5e-5" izz="2e-5" ixy="0" ixz="0" iyz="0"`
  const rotation = draw.chance(0.5) ? ` rpy="${hair()}"` : ''
  return `<inertial><origin xyz="${hair()}"${rotation}/><mass value="${draw.between(0.01, 1)}"/><inertia ${moments}/></inertial>`
}

function urdfInertial(draw: Draw): string {
  const tensor = ['ixx', 'iyy', 'izz'].map((name) => `${name}="${draw.between(0.02, 0.03)}"`)
  const products = ['ixy', 'ixz', 'iyz'].map((name) => `${name}="${draw.spread(0.004)}"`)
  const rotation = draw.chance(0.5) ? ` rpy="${draw.vector(3, 2)}"` : ''
  return `<inertial><origin xyz="${draw.vector(3, 0.1)}"${rotation}/><mass value="${draw.between(0.2, 3)}"/><inertia ${[...tensor, ...products].join(' ')}/></inertial>`
}

function urdfCollision(draw: Draw): string {
  const size = () => draw.between(0.05, 0.2)
  const shapes = [
    `<box size="${size()} ${size()} ${size()}"/>`,
    `<sphere radius="${size()}"/>`,
    `<cylinder radius="${size()}" length="${size()}"/>`,
  ]
  const one = () =>
    `<collision><origin xyz="${draw.vector(3, 0.2)}" rpy="${draw.vector(3, 2)}"/><geometry>${draw.pick(shapes)}</geometry></collision>`
  return draw.chance(0.5) ? one() : one() + one()
}
