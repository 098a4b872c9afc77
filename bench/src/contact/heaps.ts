/**
 * Loose bodies for timings with contact, as MJCF text that both engines read. Places and sizes come from one seeded sequence: the same text on
 * every machine.
 */

const STEP = 0.005

const wrap = (name: string, bodies: readonly string[], assets = ''): string => `<mujoco model="${name}">
  <option timestep="${STEP}"/>
  <size memory="200M"/>
  <default><geom friction="0.5"/></default>
  ${assets === '' ? '' : `<asset>${assets}</asset>`}
  <worldbody>${bodies.join('')}</worldbody>
</mujoco>`

const FLOOR = '<geom type="plane" size="0 0 1"/>'

/** A floor and four walls at this distance from the middle. */
const binOf = (half: number): string[] => [
  FLOOR,
  ...[
    [half, 0],
    [-half, 0],
    [0, half],
    [0, -half],
  ].map(([x, y]) => `<geom type="plane" size="0 0 1" pos="${x} ${y} 0" zaxis="${-Math.sign(x)} ${-Math.sign(y)} 0"/>`),
]

interface Draws {
  between(low: number, high: number): number
  quat(): string
}

/** Lehmer's generator, with the factor of Park and Miller. */
function createDraws(seed: number): Draws {
  let state = seed
  const unit = (): number => {
    state = (state * 16807) % 2147483647
    return state / 2147483647
  }
  return {
    between: (low, high) => low + (high - low) * unit(),
    quat: () => {
      // [Shoemake 1992]: uniform over all rotations
      const [a, b, c] = [unit(), 2 * Math.PI * unit(), 2 * Math.PI * unit()]
      const [r, s] = [Math.sqrt(1 - a), Math.sqrt(a)]
      return [r * Math.sin(b), r * Math.cos(b), s * Math.sin(c), s * Math.cos(c)].map((x) => x.toFixed(6)).join(' ')
    },
  }
}

const body = (name: string, pos: readonly number[], geom: string, quat = '1 0 0 0'): string =>
  `<body name="${name}" pos="${pos.map((x) => x.toFixed(4)).join(' ')}" quat="${quat}"><freejoint/><geom ${geom}/></body>`

const times = <T>(n: number, f: (k: number) => T): T[] => Array.from({ length: n }, (_, k) => f(k))

export function stackOfBoxes(n: number): string {
  const boxes = times(n, (k) => body(`box ${k}`, [0, 0, 0.1 + 0.2 * k], 'type="box" size="0.1 0.1 0.1" mass="1"'))
  return wrap('stack', [FLOOR, ...boxes])
}

/** Boxes of different sizes fall one after the other into a bin. */
export function heapOfBoxes(n: number): string {
  const { between, quat } = createDraws(7)
  const edge = (): string => between(0.06, 0.1).toFixed(4)
  const boxes = times(n, (k) =>
    body(
      `box ${k}`,
      [between(-0.2, 0.2), between(-0.2, 0.2), 0.25 + 0.22 * k],
      `type="box" size="${edge()} ${edge()} ${edge()}" density="1000"`,
      quat(),
    ),
  )
  return wrap('heap of boxes', [...binOf(0.35), ...boxes])
}

export function ballsInBin(n: number): string {
  const { between } = createDraws(11)
  const balls = times(n, (k) =>
    body(
      `ball ${k}`,
      [between(-0.2, 0.2), between(-0.2, 0.2), 0.1 + 0.15 * Math.floor(k / 2) + 0.01 * (k % 2)],
      'type="sphere" size="0.07" density="1000"',
    ),
  )
  return wrap('balls in a bin', [...binOf(0.3), ...balls])
}

/** Capsules rain into a bin, five at a time. */
export function heapOfCapsules(n: number): string {
  const { between, quat } = createDraws(13)
  const capsules = times(n, (k) => {
    const angle = (2 * Math.PI * k) / 5
    const at = [
      0.25 * Math.cos(angle) + between(-0.03, 0.03),
      0.25 * Math.sin(angle) + between(-0.03, 0.03),
      0.2 + 0.25 * Math.floor(k / 5),
    ]
    return body(`capsule ${k}`, at, 'type="capsule" size="0.04 0.08" density="1000"', quat())
  })
  return wrap('heap of capsules', [...binOf(0.45), ...capsules])
}

/** The corners of four convex solids of about 8 cm: octahedron, prism, truncated cube, a stone of 24 random corners. As files in OBJ. */
export function meshFiles(): Readonly<Record<string, string>> {
  const { between } = createDraws(17)
  const octahedron = [0, 1, 2].flatMap((axis) => [-0.08, 0.08].map((x) => [0, 1, 2].map((r) => (r === axis ? x : 0))))
  const prism = [-0.05, 0.05].flatMap((z) => times(6, (k) => [0.07 * Math.cos((Math.PI * k) / 3), 0.07 * Math.sin((Math.PI * k) / 3), z]))
  const signs = [-1, 1]
  const truncated = signs.flatMap((a) =>
    signs.flatMap((b) =>
      [0, 1, 2].flatMap((axis) => signs.map((c) => times(3, (r) => (r === axis ? 0.035 * c : 0.065 * (r === (axis + 1) % 3 ? a : b))))),
    ),
  )
  const stone = times(24, () => {
    const [z, angle] = [between(-1, 1), between(0, 2 * Math.PI)]
    const r = Math.sqrt(1 - z * z)
    return [0.08 * r * Math.cos(angle), 0.07 * r * Math.sin(angle), 0.06 * z]
  })
  const solids = { octahedron, prism, truncated, stone }
  return Object.fromEntries(Object.entries(solids).map(([name, corners]) => [`${name}.obj`, objOf(corners)]))
}

type Point = readonly number[]

function objOf(corners: readonly Point[]): string {
  const vertices = corners.map((corner) => `v ${corner.map((x) => x.toFixed(6)).join(' ')}`)
  const faces = facesOf(corners).map((face) => `f ${face.map((k) => k + 1).join(' ')}`)
  return [...vertices, ...faces, ''].join('\n')
}

/** Polygons of the hull, counter-clockwise from outside, by trying the plane of every triple: fine for some tens of corners. */
function facesOf(corners: readonly Point[]): number[][] {
  const faces = new Map<string, number[]>()
  const n = corners.length
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      for (let k = j + 1; k < n; k++) {
        const face = faceThrough(corners, i, j, k)
        if (face) faces.set(face.toSorted((x, y) => x - y).join(), face)
      }
    }
  }
  return [...faces.values()]
}

/** The corners in the plane of three, in their order about its outward normal; undefined where others lie on both sides. */
function faceThrough(corners: readonly Point[], i: number, j: number, k: number): number[] | undefined {
  const a = corners[i]
  const normal = cross(minus(corners[j], a), minus(corners[k], a))
  const size = Math.hypot(...normal)
  const depth = corners.map((p) => dot(normal, minus(p, a)) / size)
  const [front, behind] = [Math.max(...depth) > 1e-9, Math.min(...depth) < -1e-9]
  if (front && behind) return undefined
  const outward = normal.map((x) => (front ? -x : x) / size)
  const on = depth.flatMap((d, p) => (Math.abs(d) < 1e-9 ? [p] : []))
  const middle = [0, 1, 2].map((r) => on.reduce((sum, p) => sum + corners[p][r], 0) / on.length)
  const u = minus(a, middle)
  const v = cross(outward, u)
  const angle = (p: number): number => Math.atan2(dot(v, minus(corners[p], middle)), dot(u, minus(corners[p], middle)))
  return on.toSorted((p, q) => angle(p) - angle(q))
}

const minus = (a: Point, b: Point): number[] => a.map((x, r) => x - b[r])
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const cross = (a: Point, b: Point): number[] => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

export function heapOfMeshes(n: number): string {
  const { between, quat } = createDraws(19)
  const names = Object.keys(meshFiles())
  const assets = names.map((file) => `<mesh name="${file.slice(0, -4)}" file="${file}"/>`)
  const stones = times(n, (k) =>
    body(
      `stone ${k}`,
      [between(-0.2, 0.2), between(-0.2, 0.2), 0.2 + 0.2 * k],
      `type="mesh" mesh="${names[k % names.length].slice(0, -4)}" density="1000"`,
      quat(),
    ),
  )
  return wrap('heap of meshes', [...binOf(0.35), ...stones], assets.join(''))
}
