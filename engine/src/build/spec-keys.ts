/**
 * The keys of a Spec, for those who give one as an object. Files are held to the schema of `io/scene`, which has the same keys (a test compares them)
 * and comes with a validator that the core does without.
 */

/** Keys of an object; `nested` where their values are objects again. */
export interface Keys {
  readonly known: ReadonlyMap<string, Nested | undefined>
  /** further keys by the value of the key `by` */
  readonly by?: string
  readonly variants?: Readonly<Record<string, Keys>>
}

export interface Nested {
  readonly keys: Keys
  /** a list of such objects */
  readonly list: boolean
  /** something else is allowed in their place */
  readonly loose: boolean
}

/** Key names apart by blanks. In `nested` a name ends in `[]` where the value is a list, and in `?` where it may be something else. */
function keys(names: string, nested: Readonly<Record<string, Keys>> = {}): Keys {
  const known = new Map<string, Nested | undefined>(
    names
      .split(' ')
      .filter(Boolean)
      .map((name) => [name, undefined]),
  )
  for (const [name, inner] of Object.entries(nested)) {
    known.set(name.replace(/\[\]|\?/g, ''), { keys: inner, list: name.includes('['), loose: name.endsWith('?') })
  }
  return { known }
}

/** Keys that depend on the value of one of them. */
function keysBy(by: string, common: string, variants: Readonly<Record<string, string | Keys>>): Keys {
  const entries = Object.entries(variants).map(([tag, own]): [string, Keys] => {
    const { known } = typeof own === 'string' ? keys(own) : own
    return [tag, { known: new Map([...keys(`${by} ${common}`).known, ...known]) }]
  })
  return { known: keys(`${by} ${common}`).known, by, variants: Object.fromEntries(entries) }
}

const SOFT = 'solref solimp'
const SHAPES = { sphere: 'radius', capsule: 'radius length', cylinder: 'radius length', box: 'size', ellipsoid: 'radii' }

const softness = keys(SOFT)
const point = keys('body point vertex')
const axis = keys('body point vertex axis')
const ends = (names: string, of: Keys): Keys => keys(names, { a: of, b: of })
const frame = keys('site body position quaternion')
const curve = keys('range force scale lmin lmax vmax fpmax fvmax')

const geom = keysBy(
  'shape',
  `name position quaternion mass density color collide visible friction condim priority solmix ${SOFT} margin gap category mask fluid`,
  {
    ...SHAPES,
    capsule: 'radius length fromto',
    cylinder: 'radius length fromto',
    box: 'size fromto',
    plane: 'size',
    mesh: 'mesh',
    heightfield: 'size rows columns heights',
  },
)

const site = keys('name position quaternion')

const joint = keys(
  'name type axis axis2 anchor pitch reference initial stiffness rest damping armature limits limitMargin friction forceRange ' +
    'actuatorGravityCompensation velocityLimit',
  { limitSoftness: softness, frictionSoftness: softness },
)

const body = keys('name parent position quaternion drag gravityCompensation driven', {
  inertia: keys('mass com tensor axes unchecked'),
  'joints[]': joint,
  'geoms[]': geom,
  'sites[]': site,
  damping: keys('angular linear'),
  deformation: keys('points modes', { 'points[]': keys('mass position'), 'modes[]': keys('shape stiffness damping rest initial') }),
  domain: keys('name scale frequency contact phase color', { damping: keys('mass stiffness') }),
  'attach?': keys('points vertex'),
})

const tendon = keys('name stiffness damping rest armature limits limitMargin friction', {
  'path[]': keys('body point vertex pulley geom side'),
  'joints[]': keys('joint coefficient'),
  limitSoftness: softness,
  frictionSoftness: softness,
})

const load = keys('name body point vertex force torque frame', {
  moving: keys('start duration', { 'along[]': keys('body from to') }),
})

const actuator = keys('name joint tendon site gear gain bias controlRange forceRange', {
  dynamics: keys('type time range early'),
  muscle: keys('lengthRange', { active: curve, passive: curve }),
})

const constraint = keysBy('type', `name active ${SOFT}`, {
  point: ends('axes', point),
  hinge: ends('a b', axis),
  planar: ends('normal', point),
  weld: 'a b position quaternion',
  coupling: 'joint of polynomial',
  'tendon-coupling': 'tendon of polynomial',
  distance: ends('distance', point),
  motion: keys('joint body point direction axis offset speed amplitude frequency phase follow', {
    rise: keys('size start duration steepness'),
  }),
})

const sensor = keys('name type joint tendon actuator body cutoff field', {
  at: frame,
  relative: frame,
  zone: keysBy('shape', '', SHAPES),
})

/** Those of a Spec. `$schema` is for editors of files, and stays in what `JSON.parse` makes of one. */
export const SPEC_KEYS = keys('$schema name gravity angle timestep touchFixedParents exclude places', {
  contact: keys('stiffness friction slip'),
  medium: keys('density viscosity wind', { 'gusts[]': keys('velocity frequency phase') }),
  softFriction: keys('cone impratio noslip'),
  solver: keys('name options'),
  'bodies[]': body,
  world: keys('', { 'geoms[]': geom, 'sites[]': site }),
  'springs[]': keys('name stiffness damping rest', { a: point, b: point }),
  'tendons[]': tendon,
  'loads[]': load,
  'actuators[]': actuator,
  'constraints[]': constraint,
  'meshes[]': keys('name vertices faces'),
  'domains[]': keys('name data'),
  'sensors[]': sensor,
  'keyframes[]': keys('name time q v control act'),
  'ignored[]': keys('path what why'),
  'pairs[]': keys(`a b condim friction ${SOFT} margin gap`),
})
