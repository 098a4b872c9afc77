/**
 * The MJCF vocabulary (MuJoCo 3.14): which attributes and children each element may carry. Elements that share a tag but differ by
 * place (a `joint` in a body, in a tendon, in an equality) have rows of their own; `tag=row` in a list of children says which.
 */
import { addProblem, suggestFor, type XmlElement, type XmlReader } from '../../xml.js'

interface Row {
  readonly attributes: ReadonlySet<string>
  /** tag → row */
  readonly children: ReadonlyMap<string, string>
}

const orientation = 'quat axisangle xyaxes zaxis euler'
const limitSolver = 'solreflimit solimplimit solreffriction solimpfriction'
const actuatorBase = 'name class group nsample interp delay ctrlrange user'
const actuatorGear = 'lengthrange gear damping armature cranklength'
const transmission = 'joint jointinparent tendon slidersite cranksite site refsite'
const actuator = `${actuatorBase} ctrllimited forcelimited forcerange ${actuatorGear} ${transmission}`
const equality = 'name class active solref solimp'
const tendon = `name class group limited actuatorfrclimited range actuatorfrcrange ${limitSolver} frictionloss springlength margin stiffness damping armature user`
const contact = 'condim group priority friction solmix solref solimp margin gap surfacevel adhesion'
const sensor = 'name nsample interp delay interval cutoff noise user'
const tree = 'body frame replicate inertial joint freejoint geom attach site camera light plugin composite flexcomp'
const pairOf = 'geom1 geom2 body1 body2'
const framed = `${sensor} objtype objname reftype refname`

const actuatorTags = 'general motor position velocity intvelocity orientation=so3 pid damper cylinder muscle adhesion dcmotor'

const siteSensors = 'touch accelerometer velocimeter gyro force torque magnetometer'.split(' ')
const jointSensors = 'jointpos jointvel jointactuatorfrc ballquat ballangvel jointlimitpos jointlimitvel jointlimitfrc'.split(' ')
const tendonSensors = 'tendonpos tendonvel tendonactuatorfrc tendonlimitpos tendonlimitvel tendonlimitfrc'.split(' ')
const actuatorSensors = 'actuatorpos actuatorvel actuatorfrc'.split(' ')
const frameSensors = 'framepos framequat framexaxis frameyaxis framezaxis framelinvel frameangvel'.split(' ')
const bodySensors = 'subtreecom subtreelinvel subtreeangmom'.split(' ')

const rows: Record<string, readonly [attributes: string, children?: string]> = {
  mujoco: [
    'model',
    // the last three are parts of a tree for other files to include; MuJoCo takes them here too, and makes nothing of them
    'compiler option size statistic visual default extension asset worldbody deformable contact tendon equality actuator sensor custom keyframe body frame replicate',
  ],
  compiler: [
    'autolimits boundmass boundinertia settotalmass balanceinertia strippath coordinate angle fitaabb eulerseq meshdir texturedir discardvisual usethread fusestatic inertiafromgeom inertiagrouprange saveinertial assetdir alignfree conflict',
    'lengthrange',
  ],
  lengthrange: ['mode useexisting uselimit accel maxforce timeconst timestep inttotal interval tolrange'],
  option: [
    'timestep impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance gravity wind magnetic density viscosity o_margin o_solref o_solimp o_friction integrator cone jacobian solver iterations ls_iterations noslip_iterations ccd_iterations sdf_iterations sdf_initpoints actuatorgroupdisable',
    'flag',
  ],
  flag: [
    'constraint equality frictionloss limit contact spring damper gravity clampctrl warmstart filterparent actuation refsafe sensor midphase eulerdamp autoreset nativeccd island multiccd override energy fwdinv invdiscrete sleep diagexact ipc',
  ],
  size: [
    'memory njmax nconmax nstack nuserdata nkey nuser_body nuser_jnt nuser_geom nuser_site nuser_cam nuser_tendon nuser_actuator nuser_sensor',
  ],
  statistic: ['meaninertia meanmass meansize extent center'],
  visual: ['', 'global quality headlight map scale rgba'],
  global: ['cameraid orthographic fovy ipd azimuth elevation linewidth glow offwidth offheight realtime ellipsoidinertia bvactive'],
  quality: ['shadowsize offsamples numslices numstacks numquads'],
  headlight: ['ambient diffuse specular active'],
  map: ['stiffness stiffnessrot force torque alpha fogstart fogend znear zfar haze shadowclip shadowscale actuatortendon'],
  scale: [
    'forcewidth contactwidth contactheight connect com camera light selectpoint jointlength jointwidth actuatorlength actuatorwidth framelength framewidth constraint slidercrank frustum',
  ],
  rgba: [
    'fog haze force inertia joint actuator actuatornegative actuatorpositive com camera light selectpoint connect contactpoint contactforce contactfriction contacttorque contactgap rangefinder constraint slidercrank crankbroken frustum bv bvactive',
  ],
  default: [
    'class',
    `default mesh=default_mesh material joint geom site camera light pair equality=default_equality tendon=default_tendon ${actuatorTags}`,
  ],
  default_mesh: ['scale maxhullvert inertia', 'plugin'],
  default_equality: ['active solref solimp'],
  default_tendon: [`group limited range ${limitSolver} frictionloss springlength width material margin stiffness damping rgba user`],
  extension: ['', 'plugin=extension_plugin'],
  extension_plugin: ['plugin', 'instance'],
  instance: ['name', 'config'],
  config: ['key value'],
  asset: ['', 'mesh hfield skin texture material model'],
  mesh: [
    'name class content_type file vertex normal texcoord face refpos refquat scale smoothnormal maxhullvert inertia builtin params material',
    'plugin',
  ],
  plugin: ['plugin instance', 'config'],
  hfield: ['name content_type file nrow ncol size elevation'],
  skin: ['name file material rgba inflate vertex texcoord face group', 'bone'],
  bone: ['body bindpos bindquat vertid vertweight'],
  texture: [
    'name type colorspace content_type file gridsize gridlayout fileright fileleft fileup filedown filefront fileback builtin rgb1 rgb2 mark markrgb random width height hflip vflip nchannel',
  ],
  material: ['name class texture texrepeat texuniform emission specular shininess reflectance metallic roughness rgba', 'layer'],
  layer: ['texture role'],
  model: ['name file content_type'],
  worldbody: ['', tree],
  body: [`name childclass pos ${orientation} mocap gravcomp sleep simple user`, tree],
  frame: [`name childclass pos ${orientation}`, tree],
  replicate: ['count offset euler sep childclass', tree],
  attach: ['model body frame prefix'],
  inertial: [`pos ${orientation} mass diaginertia fullinertia`],
  joint: [
    `name class type group pos axis springdamper limited actuatorfrclimited ${limitSolver} stiffness range actuatorfrcrange actuatorgravcomp margin ref springref armature damping frictionloss user`,
  ],
  freejoint: ['name group align'],
  geom: [
    `name class type contype conaffinity ${contact} size material mass density shellinertia fromto pos ${orientation} hfield mesh fitscale rgba fluidshape fluidcoef user`,
    'plugin',
  ],
  site: [`name class type group pos ${orientation} material mesh size fromto rgba user`],
  camera: [
    `name class projection fovy ipd resolution output pos ${orientation} mode target focal focalpixel principal principalpixel sensorsize user`,
  ],
  light: [
    'name class directional type castshadow active pos dir bulbradius intensity range attenuation cutoff softness exponent ambient diffuse specular mode target texture',
  ],
  composite: [
    'prefix type count offset vertex initial curve size quat',
    'joint=composite_joint skin=composite_skin geom=composite_geom site=composite_site plugin',
  ],
  composite_joint: [`kind group stiffness damping armature solreffix solimpfix type axis limited range margin ${limitSolver} frictionloss`],
  composite_skin: ['texcoord material group rgba inflate subgrid'],
  composite_geom: [`type contype conaffinity ${contact} size material rgba mass density`],
  composite_site: ['group size material mesh rgba'],
  flexcomp: [
    'name type group dim dof count cellcount spacing radius rigid mass inertiabox scale file point element texcoord material rgba flatskin pos quat axisangle xyaxes zaxis euler origin',
    'edge=flexcomp_edge elasticity contact=flex_contact pin plugin',
  ],
  flexcomp_edge: ['equality solref solimp stiffness damping'],
  elasticity: ['young poisson damping thickness elastic2d'],
  flex_contact: ['contype conaffinity condim priority friction solmix solref solimp margin gap internal selfcollide activelayers passive'],
  pin: ['id range grid gridrange'],
  deformable: ['', 'flex skin'],
  flex: [
    'name group dim radius material rgba flatskin body vertex element texcoord elemtexcoord node nodecoord cellcount dof',
    'contact=flex_contact edge=flex_edge elasticity',
  ],
  flex_edge: ['stiffness damping'],
  contact: ['', 'pair exclude'],
  pair: ['name class geom1 geom2 condim friction solref solreffriction solimp gap margin adhesion'],
  exclude: ['name body1 body2'],
  tendon: ['', 'spatial fixed'],
  spatial: [`${tendon} width material rgba`, 'site=spatial_site geom=spatial_geom pulley'],
  spatial_site: ['site'],
  spatial_geom: ['geom sidesite'],
  pulley: ['divisor'],
  fixed: [tendon, 'joint=fixed_joint'],
  fixed_joint: ['joint coef'],
  equality: ['', 'connect weld joint=equality_joint tendon=equality_tendon flex=equality_flex flexvert=equality_flex flexstrain'],
  connect: [`${equality} body1 body2 anchor site1 site2`],
  weld: [`${equality} body1 body2 relpose anchor site1 site2 torquescale`],
  equality_joint: [`${equality} joint1 joint2 polycoef`],
  equality_tendon: [`${equality} tendon1 tendon2 polycoef`],
  equality_flex: [`${equality} flex`],
  flexstrain: [`${equality} flex cell`],
  actuator: ['', `${actuatorTags} plugin=actuator_plugin`],
  general: [`${actuator} actlimited actrange body actdim input velrange ffrange dyntype gaintype biastype dynprm gainprm biasprm actearly`],
  motor: [actuator],
  position: [`${actuator} inheritrange kp kv dampratio timeconst`],
  velocity: [`${actuator} kv`],
  intvelocity: [`${actuator} actlimited actrange inheritrange kp kv dampratio`],
  so3: [`${actuatorBase} forcelimited forcerange joint site refsite kp kv dampratio input`],
  pid: [`${actuator} posrange velrange ffrange inheritrange kp kv dampratio ki imax slewmax input`],
  damper: [`${actuatorBase} forcelimited forcerange ${actuatorGear} ${transmission} kv`],
  cylinder: [`${actuator} timeconst area diameter bias`],
  muscle: [`${actuator} timeconst tausmooth range force scale lmin lmax vmax fpmax fvmax`],
  adhesion: [`${actuatorBase} forcelimited forcerange body gain`],
  dcmotor: [
    `${actuatorBase} ctrllimited ${actuatorGear} ${transmission} motorconst resistance nominal saturation inductance cogging controller thermal lugre input`,
  ],
  actuator_plugin: [`${actuator} plugin instance actlimited actrange actdim dyntype dynprm actearly`, 'config'],
  sensor: [
    '',
    `${[...siteSensors, ...jointSensors, ...tendonSensors, ...actuatorSensors, ...frameSensors, ...bodySensors].join(' ')} camprojection rangefinder framelinacc frameangacc insidesite distance=pair_sensor normal=pair_sensor fromto=pair_sensor contact=contact_sensor e_potential=plain_sensor e_kinetic=plain_sensor clock=plain_sensor tactile user=user_sensor plugin=plugin_sensor`,
  ],
  ...Object.fromEntries(siteSensors.map((tag) => [tag, [`${sensor} site`] as const])),
  ...Object.fromEntries(jointSensors.map((tag) => [tag, [`${sensor} joint`] as const])),
  ...Object.fromEntries(tendonSensors.map((tag) => [tag, [`${sensor} tendon`] as const])),
  ...Object.fromEntries(actuatorSensors.map((tag) => [tag, [`${sensor} actuator`] as const])),
  ...Object.fromEntries(frameSensors.map((tag) => [tag, [framed] as const])),
  ...Object.fromEntries(bodySensors.map((tag) => [tag, [`${sensor} body`] as const])),
  camprojection: [`${sensor} site camera`],
  rangefinder: [`${sensor} site camera data`],
  framelinacc: [`${sensor} objtype objname`],
  frameangacc: [`${sensor} objtype objname`],
  insidesite: [`${sensor} site objtype objname`],
  pair_sensor: [`${sensor} ${pairOf}`],
  contact_sensor: [`${sensor} ${pairOf} subtree1 subtree2 site num data reduce`],
  plain_sensor: [sensor],
  tactile: ['name geom mesh nsample interp delay interval cutoff user'],
  user_sensor: ['name objtype objname datatype needstage dim cutoff noise user'],
  plugin_sensor: ['name plugin instance cutoff objtype objname reftype refname user', 'config'],
  custom: ['', 'numeric text tuple'],
  numeric: ['name size data'],
  text: ['name data'],
  tuple: ['name', 'element'],
  element: ['objtype objname prm'],
  keyframe: ['', 'key'],
  key: ['name time qpos qvel act mpos mquat ctrl'],
}

const split = (list: string): string[] => list.split(' ').filter((word) => word !== '')

const schema: ReadonlyMap<string, Row> = new Map(
  Object.entries(rows).map(([name, [attributes, children]]) => [
    name,
    {
      attributes: new Set(split(attributes)),
      children: new Map(
        split(children ?? '').map((child) => {
          const [tag, row] = child.split('=') as [string, string?]
          return [tag, row ?? tag]
        }),
      ),
    },
  ]),
)

/** what only an object itself can say, so that a default class may not */
const NOT_IN_DEFAULT = new Set(split(`name class lengthrange ${transmission} body target geom1 geom2 tausmooth`))

/** children of which a parent takes at most one */
const SINGLE: Record<string, readonly string[]> = { body: ['inertial'], option: ['flag'] }

/** Elements that are known, and what MuJoCo passes over: it does not look for strange words inside `frame` and `replicate`. */
export interface Checked {
  readonly known: ReadonlySet<XmlElement>
  readonly passed: { readonly element: XmlElement; readonly name?: string; readonly message: string }[]
}

/**
 * Notes every element and attribute that MJCF does not know, with the nearest known name. Elements that are not among the known ones
 * must not be read.
 */
export function checkSchema(reader: XmlReader, root: XmlElement): Checked {
  const known = new Set<XmlElement>()
  const passed: Checked['passed'] = []
  const visit = (element: XmlElement, rowName: string, inDefault: boolean, inFrame: boolean): void => {
    const row = schema.get(rowName)
    if (!row) return
    known.add(element)
    for (const name of Object.keys(element.attributes)) {
      // namespaces and places of schemas, as editors write them; MuJoCo allows them there only
      if (element === root && (name === 'xmlns' || name.includes(':'))) continue
      if (row.attributes.has(name)) {
        if (inDefault && rowName !== 'default' && (NOT_IN_DEFAULT.has(name) || (name === 'texture' && rowName === 'light'))) {
          addProblem(reader, element, `attribute '${name}' cannot be in a default class: write it on the ${element.name} itself`, name)
        }
        continue
      }
      const message = `unknown attribute '${name}' on ${element.name}${suggestFor(reader, name, row.attributes) || listKnown(row.attributes)}`
      if (inFrame) passed.push({ element, name, message })
      else addProblem(reader, element, message, name)
    }
    const counts = new Map<string, number>()
    for (const child of element.children) {
      const next = row.children.get(child.name)
      if (next === undefined) {
        addProblem(
          reader,
          child,
          `unknown element '${child.name}' in ${element.name}${suggestFor(reader, child.name, row.children.keys())}`,
        )
        continue
      }
      counts.set(child.name, (counts.get(child.name) ?? 0) + 1)
      if (counts.get(child.name) === 2 && SINGLE[rowName]?.includes(child.name)) {
        const message = `expected one ${child.name} in ${element.name}, got another`
        if (inFrame) passed.push({ element: child, message: `${message}; the last one counts` })
        else addProblem(reader, child, message)
      }
      visit(child, next, rowName === 'default', inFrame || element.name === 'frame' || element.name === 'replicate')
    }
  }
  visit(root, 'mujoco', false, false)
  return { known, passed }
}

/** What may stand there, for a name that is near to none of it; nothing where the list would be longer than a line. */
function listKnown(known: ReadonlySet<string>): string {
  const list = [...known].join(', ')
  if (known.size === 0) return '; it takes none'
  return list.length > 200 ? '; remove it, or check its spelling' : `; expected one of ${list}`
}
