/**
 * The scene file format as a zod schema: interface `Spec` of `build/spec.ts`, strict, with units in every description.
 *
 * Checks shapes, types and ranges of single values. What needs the whole mechanism (names that refer to each other, cycles,
 * positive definite inertias, numbers of coordinates) is the builder's business.
 * `places` belongs to readers, not to files, and so is not part of the format.
 */
import * as z from 'zod'
import type { JointTypeName } from '../../build/spec.js'
import { sensorKinds } from '../../model/sensors.js'
import { constraint, point } from './scene-constraints.js'
import {
  bits,
  condim,
  index,
  name,
  nonnegative,
  number,
  option,
  orientation,
  perCoordinate,
  perFreedom,
  position,
  positive,
  quat,
  range,
  shade,
  size3,
  softness,
  softnessFields,
  tensor,
  text,
  vec3,
} from './scene-fields.js'
import { checkSegment, type EitherEnds, fromto } from './scene-segment.js'

/** Joint types that files may name. */
export const JOINT_TYPES = ['fixed', 'revolute', 'prismatic', 'helical', 'cylindrical', 'universal', 'planar', 'spherical', 'free'] as const

const shapeFields = {
  name: option(name().describe('Name of the geom')),
  position: position(),
  quaternion: orientation(),
  mass: option(nonnegative().describe('Mass, kg; wins over density')),
  density: option(nonnegative().describe('Density, kg/m³')),
  color: option(z.tuple([shade(), shade(), shade(), shade()]).describe('Red, green, blue, opacity: 0 to 1')),
  collide: option(z.boolean().describe('false: only to look at, or to touch the geoms that `pairs` names with it. Default true')),
  visible: option(z.boolean().describe('false: only for contact. Default true')),
  friction: option(
    z
      .union([nonnegative(), size3()])
      .describe(
        'Coefficient of sliding friction, or of sliding, torsional (m) and rolling (m). Default 1 0.005 0.0001; of two geoms the larger',
      ),
  ),
  condim: option(condim().describe('What contacts resist: 1 approach, 3 sliding, 4 also spinning, 6 also rolling. Default 3')),
  priority: option(z.int().describe('The geom with the higher one alone decides on friction, condim and softness. Default 0')),
  solmix: option(nonnegative().describe('Weight of its softness against that of the other geom. Default 1')),
  ...softnessFields,
  margin: option(number().describe('Contacts push from this distance on, those of two geoms added, m. Default 0')),
  gap: option(number().describe('Contacts are reported this much sooner, m. Default 0')),
  category: option(bits().describe('Bits: what this geom is. Default 1')),
  mask: option(bits().describe('Bits: what it may touch; one of the two masks is enough. Default 1')),
  fluid: option(
    z
      .tuple([z.number(), z.number(), z.number(), z.number(), z.number()])
      .describe('The medium acts on the ellipsoid of this size: blunt, slender and angular drag, Kutta and Magnus lift'),
  ),
}

const anyGeom = z
  .discriminatedUnion('shape', [
    z.strictObject({ shape: z.literal('sphere'), radius: nonnegative().describe('Radius, m'), ...shapeFields }),
    z
      .strictObject({
        shape: z.literal('capsule'),
        radius: nonnegative().describe('Radius, m'),
        length: option(nonnegative().describe('Length of the straight part along z, m; exactly one of length and fromto')),
        fromto: fromto(),
        ...shapeFields,
      })
      .check(checkSegment),
    z
      .strictObject({
        shape: z.literal('cylinder'),
        radius: nonnegative().describe('Radius, m'),
        length: option(nonnegative().describe('Length along z, m; exactly one of length and fromto')),
        fromto: fromto(),
        ...shapeFields,
      })
      .check(checkSegment),
    z
      .strictObject({
        shape: z.literal('box'),
        size: z
          .union([size3(), z.tuple([nonnegative(), nonnegative()])])
          .describe('Full edge lengths, m: three, or the two across the line of fromto'),
        fromto: fromto(),
        ...shapeFields,
      })
      .check(checkSegment),
    z.strictObject({ shape: z.literal('ellipsoid'), radii: size3().describe('Half axes, m'), ...shapeFields }),
    z.strictObject({
      shape: z.literal('plane'),
      size: option(z.tuple([nonnegative(), nonnegative()]).describe('Edge lengths to draw, m; endless for contact')),
      ...shapeFields,
    }),
    z.strictObject({ shape: z.literal('mesh'), mesh: name().describe('Name of an entry of `meshes`'), ...shapeFields }),
    z
      .strictObject({
        shape: z.literal('heightfield'),
        size: z.tuple([nonnegative(), nonnegative()]).describe('Extent along x and y, m, centred'),
        rows: z.int().min(2).describe('Number of rows, along y'),
        columns: z.int().min(2).describe('Number of columns, along x'),
        heights: z.array(number()).describe('rows × columns heights, m, row by row along x'),
        ...shapeFields,
      })
      .check((context) => {
        const { rows, columns, heights } = context.value
        if (heights.length === rows * columns) return
        context.issues.push({
          code: 'custom',
          input: heights,
          path: ['heights'],
          message: `expected rows × columns = ${rows * columns} heights, got ${heights.length}`,
        })
      }),
  ])
  .meta({ id: 'Geom', description: 'A shape fixed to a body: for looks, contact and mass' })
// what the checks have found, which types of single keys cannot say
const geom = anyGeom as unknown as z.ZodType<EitherEnds<z.infer<typeof anyGeom>>, EitherEnds<z.input<typeof anyGeom>>>

const site = z
  .strictObject({ name: name().describe('Name of the site'), position: position(), quaternion: orientation() })
  .meta({ id: 'Site', description: 'A named frame fixed to a body' })

const jointType: z.ZodType<JointTypeName, JointTypeName> = z.enum(JOINT_TYPES)

const joint = z
  .strictObject({
    name: option(name().describe('Name of the joint')),
    type: jointType.describe('Kind of joint'),
    axis: option(vec3().describe('Axis in the body frame. Default 0 0 1; universal and planar: 1 0 0')),
    axis2: option(vec3().describe('Second axis of universal and planar joints, in the body frame. Default 0 1 0')),
    anchor: option(vec3().describe('Point of the axis or centre of rotation, in the body frame, m. Default 0 0 0')),
    pitch: option(number().describe('Helical: advance, m/rad')),
    reference: option(perCoordinate().describe('Coordinates at which the body stands as drawn, rad or m. Default 0')),
    initial: option(perCoordinate().describe('Coordinates at the start, rad or m. Default: the reference')),
    stiffness: option(perFreedom().describe('Spring towards `rest`, N m/rad or N/m')),
    rest: option(perCoordinate().describe('Coordinates at which the spring is slack, rad or m. Default: the reference')),
    damping: option(perFreedom().describe('Viscous damping, N m s/rad or N s/m')),
    armature: option(perFreedom().describe('Inertia added to the diagonal of the mass matrix, kg m² or kg')),
    limits: option(range().describe('Lower and upper bound, rad or m; spherical: 0 and the largest angle')),
    limitMargin: option(nonnegative().describe('How far from its limits they begin to push, rad or m. Default 0')),
    limitSoftness: option(softness()),
    friction: option(nonnegative().describe('Dry friction, N m or N')),
    frictionSoftness: option(softness()),
    forceRange: option(range().describe('Total actuator force is kept inside, N m or N')),
    actuatorGravityCompensation: option(
      z
        .boolean()
        .describe('true: compensation of gravity counts as force of the actuators, and forceRange holds for their sum. Default false'),
    ),
    velocityLimit: option(nonnegative().describe('Largest speed as stated by the source, rad/s or m/s; not enforced')),
  })
  .meta({ id: 'Joint', description: 'One joint between a body and its parent' })

const deformation = z
  .strictObject({
    points: z
      .array(z.strictObject({ mass: nonnegative().describe('Mass, kg'), position: vec3().describe('In the body frame at rest, m') }))
      .describe("Point masses, beside the body's own inertia"),
    modes: z
      .array(
        z.strictObject({
          shape: z.array(vec3()).describe('Displacement of each point for a coordinate of 1, in the body frame, m'),
          stiffness: option(nonnegative().describe('Spring on the coordinate, J. Default 0')),
          damping: option(nonnegative().describe('Damper on the coordinate, J s. Default 0')),
          rest: option(number().describe('Coordinate at which the spring is slack. Default 0')),
          initial: option(number().describe('Coordinate at the start. Default: rest')),
        }),
      )
      .describe('Linear modes; each is a further coordinate of the body, after those of its joints'),
  })
  .meta({ id: 'Deformation', description: 'Point masses that move along linear modes' })

const domain = z
  .strictObject({
    name: name().describe('Name of an entry of `domains`'),
    scale: option(positive().describe('Size against the mesh: lengths times this, frequencies divided by it. Default 1')),
    frequency: option(positive().describe('All frequencies times this. Default 1')),
    damping: option(
      z
        .strictObject({
          mass: option(nonnegative().describe('Share of the mass, 1/s. Default 0')),
          stiffness: option(nonnegative().describe('Share of the stiffness, s. Default 0')),
        })
        .describe('Damping of the modes: mass · M + stiffness · K'),
    ),
    contact: option(z.array(index()).describe('Vertices that touch the geoms of the world by the penalty of `contact`')),
    phase: option(number().describe('Phase of gusts here, rad. Default: another one for each body')),
    color: option(z.tuple([shade(), shade(), shade(), shade()]).describe('Of its surface: red, green, blue, opacity, 0 to 1')),
  })
  .meta({
    id: 'BodyDomain',
    description: 'A reduced elastic mesh that the body is made of, beside its inertia; its frame is that of the body',
  })

const body = z
  .strictObject({
    name: name().describe('Name of the body, unique'),
    parent: option(name().describe('Name of another body, or `world` (the default)')),
    position: option(vec3().describe("Position in the parent's frame with every joint at its reference, m. Default 0 0 0")),
    quaternion: option(quat().describe("Orientation w x y z in the parent's frame. Default 1 0 0 0")),
    inertia: option(
      z
        .strictObject({
          mass: nonnegative().describe('Mass, kg'),
          com: option(vec3().describe('Centre of mass in the body frame, m. Default 0 0 0')),
          tensor: option(tensor().describe('ixx iyy izz ixy ixz iyz about the centre of mass in body axes, kg m²')),
          axes: option(quat().describe('Principal axes w x y z in the body frame, for drag where two moments are equal')),
          unchecked: option(
            z.boolean().describe('True: moments of which one exceeds the sum of the others are taken as they are. Default false'),
          ),
        })
        .describe('Inertia; when left out, the sum over the geoms that state a mass or a density'),
    ),
    joints: option(z.array(joint).describe('In sequence from parent to body; none is a fixed joint')),
    geoms: option(z.array(geom).describe('Shapes fixed to the body')),
    sites: option(z.array(site).describe('Named frames fixed to the body')),
    damping: option(
      z
        .strictObject({
          angular: option(nonnegative().describe('N m s/rad')),
          linear: option(nonnegative().describe('N s/m')),
        })
        .describe("Viscous drag on the body's motion, at its centre of mass"),
    ),
    drag: option(size3().describe('Viscous drag of the medium along the axes of the body, spread like its mass, N s/m each')),
    gravityCompensation: option(number().describe('Share of the weight that is carried: 0 none (default), 1 weightless')),
    driven: option(z.boolean().describe('Goes where a program tells it, whatever pushes it; in the world, without joints. Default false')),
    deformation: option(deformation),
    domain: option(domain),
    attach: option(
      z
        .union([
          name().describe("An interface of the parent's domain"),
          z.strictObject({ points: z.array(index()).describe('Points of the parent, at least three and not on one line') }),
          z.strictObject({ vertex: index().describe('A point of the parent: the frame is shifted with it, but not turned') }),
        ])
        .describe(
          "On a parent that deforms, what the frame of this body's joints moves with. Default: on a domain the interface nearest to `position`, else nothing",
        ),
    ),
  })
  .meta({ id: 'Body', description: 'A body and its joints to its parent' })

const spring = z
  .strictObject({
    name: option(name().describe('Name of the spring')),
    a: point,
    b: point,
    stiffness: nonnegative().describe('N/m'),
    damping: option(nonnegative().describe('N s/m along the line')),
    rest: option(nonnegative().describe('Rest length, m. Default: the distance at the start')),
  })
  .meta({ id: 'Spring', description: 'Spring and damper between two points' })

const pulley = z
  .strictObject({ pulley: positive().describe('Divisor of the lengths that follow') })
  .meta({ id: 'Pulley', description: 'Ends a branch of a tendon and divides the lengths that follow' })

const wrap = z
  .strictObject({
    geom: name().describe('Name of a sphere or cylinder that the tendon goes round, between two points'),
    side: option(name().describe('Name of a site on whose side it passes; one inside the geom leads it inside')),
  })
  .meta({ id: 'Wrap', description: 'A geom that a tendon goes round' })

const tendon = z
  .strictObject({
    name: option(name().describe('Name of the tendon')),
    path: option(z.array(z.union([point, pulley, wrap])).describe('Points in order, with geoms between them and pulleys between branches')),
    joints: option(
      z
        .array(z.strictObject({ joint: name().describe('Name of a joint'), coefficient: number().describe('Length per coordinate') }))
        .describe('Length as a weighted sum of joint coordinates'),
    ),
    stiffness: option(nonnegative().describe('N/m')),
    damping: option(nonnegative().describe('N s/m')),
    rest: option(z.union([number(), range()]).describe('Rest length, or the two lengths between which it is slack, m')),
    armature: option(nonnegative().describe('Inertia added along the length, kg')),
    limits: option(range().describe('Least and largest length, m')),
    limitMargin: option(nonnegative().describe('How far from its limits they begin to push, m. Default 0')),
    limitSoftness: option(softness()),
    friction: option(nonnegative().describe('Dry friction, N')),
    frictionSoftness: option(softness()),
  })
  .meta({ id: 'Tendon', description: 'A line over points or a sum of joint coordinates, with spring and damper' })

const moving = z
  .strictObject({
    start: option(number().describe('When the load comes, s. Default 0')),
    duration: positive().describe('Time for the whole way, s'),
    along: z
      .array(
        z.strictObject({
          body: name().describe('Name of a body'),
          from: vec3().describe('Start of the leg in the frame of the body, m'),
          to: vec3().describe('End of the leg, m'),
        }),
      )
      .min(1)
      .describe('Straight lines on bodies, in order; the speed is constant'),
  })
  .meta({ id: 'Moving', description: 'The way of a load that travels over bodies' })

const load = z
  .strictObject({
    name: option(name().describe('Name of the load')),
    body: option(name().describe('Name of a body; exactly one of body and moving')),
    point: option(vec3().describe('Where the force acts, in the body frame, m. Default: the centre of mass')),
    vertex: option(index().describe('A point of a body that deforms, by number, on which the force acts')),
    moving: option(moving),
    force: option(vec3().describe('N')),
    torque: option(vec3().describe('N m')),
    frame: option(z.enum(['world', 'body']).describe('Axes of force and torque. Default world')),
  })
  .meta({ id: 'Load', description: 'A constant force and torque on a body, or one that travels over bodies' })

const muscleCurve = z
  .strictObject({
    range: option(range().describe('Ends of the length range in units of the best length. Default 0.75 1.05')),
    force: option(number().describe('N; negative: scale over the acceleration of a unit force. Default -1')),
    scale: option(number().describe('Default 200')),
    lmin: option(number().describe('Least length with a force, in units of the best. Default 0.5')),
    lmax: option(number().describe('Largest length with a force. Default 1.6')),
    vmax: option(number().describe('Speed without force, best lengths a second. Default 1.5')),
    fpmax: option(number().describe('Passive force at lmax, in units of force. Default 1.3')),
    fvmax: option(number().describe('Force of a muscle that is being lengthened, in units of force. Default 1.2')),
  })
  .meta({ id: 'MuscleCurve', description: 'Force of a muscle over its length and rate, as in MuJoCo' })

const actuator = z
  .strictObject({
    name: option(name().describe('Name of the actuator')),
    joint: option(name().describe('Name of the driven joint; exactly one of joint, tendon, site')),
    tendon: option(name().describe('Name of the driven tendon')),
    site: option(name().describe('Name of the site whose frame takes the wrench')),
    gear: option(z.array(number()).min(1).describe('Transmission ratio; sites: force then torque. Default 1')),
    gain: option(vec3().describe('g0 g1 g2: gain = g0 + g1 length + g2 rate. Default 1 0 0')),
    bias: option(vec3().describe('b0 b1 b2: bias = b0 + b1 length + b2 rate. Default 0 0 0')),
    dynamics: option(
      z
        .strictObject({
          type: z.enum(['integrator', 'filter', 'filterexact', 'muscle']).describe('How the activation follows the control'),
          time: option(z.union([number(), vec3()]).describe('Time constant, s; of a muscle: to rise, to fall, width between the two')),
          range: option(range().describe('Activation is kept inside')),
          early: option(z.boolean().describe('The force takes the activation of the next step')),
        })
        .describe('Activation dynamics; none by default'),
    ),
    muscle: option(
      z
        .strictObject({
          lengthRange: range().describe('Least and largest length of the transmission'),
          active: option(muscleCurve),
          passive: option(muscleCurve),
        })
        .describe('Curves of a muscle in place of gain (active) and bias (passive)'),
    ),
    controlRange: option(range().describe('Control is kept inside')),
    forceRange: option(range().describe('Force is kept inside, N or N m')),
  })
  .meta({ id: 'Actuator', description: 'Force = gain · control + bias on a joint, a tendon or a site' })

const mesh = z
  .strictObject({
    name: name().describe('Name of the mesh'),
    vertices: z.array(number()).refine(byThree, threeMessage('numbers x y z of every vertex')).describe('x y z of every vertex, m'),
    faces: z
      .array(z.int().nonnegative())
      .refine(byThree, threeMessage('vertex numbers of every triangle'))
      .describe('Three vertex numbers a triangle, from 0, counter-clockwise seen from outside'),
  })
  .meta({ id: 'Mesh', description: 'A triangle mesh' })

const domainFile = z
  .union([
    z.strictObject({
      name: name().describe('Name of the domain'),
      file: text().min(1).describe('Reduced domain as `limber reduce` writes it, beside the scene'),
    }),
    z.strictObject({ name: name().describe('Name of the domain'), data: text().min(1).describe('The bytes of such a file, base64') }),
  ])
  .meta({ id: 'Domain', description: 'A reduced elastic mesh, which bodies may share' })

function byThree(list: readonly unknown[]): boolean {
  return list.length % 3 === 0
}

function threeMessage(what: string): { error: (issue: { readonly input?: unknown }) => string } {
  return { error: (issue) => `expected three ${what}, got ${Array.isArray(issue.input) ? issue.input.length : 0} numbers in all` }
}

const keyframe = z
  .strictObject({
    name: option(name().describe('Name of the keyframe')),
    time: option(number().describe('s')),
    q: option(z.array(number()).describe('All coordinates, in the order of the model')),
    v: option(z.array(number()).describe('All velocities, in the order of the model')),
    control: option(z.array(number()).describe('One control an actuator')),
    act: option(z.array(number()).describe('One activation for each actuator with dynamics')),
  })
  .meta({ id: 'Keyframe', description: 'A stored state' })

const frame = z
  .union([
    z.strictObject({ site: name().describe('Name of a site') }),
    z.strictObject({
      body: name().describe('Name of a body'),
      position: option(vec3().describe('In the body frame, m')),
      quaternion: option(quat().describe('In the body frame')),
    }),
  ])
  .meta({ id: 'Frame', description: 'A frame fixed to a body' })

const zone = z
  .discriminatedUnion('shape', [
    z.strictObject({ shape: z.literal('sphere'), radius: positive().describe('Radius, m') }),
    z.strictObject({
      shape: z.literal('capsule'),
      radius: positive().describe('Radius, m'),
      length: positive().describe('Straight part, m'),
    }),
    z.strictObject({ shape: z.literal('cylinder'), radius: positive().describe('Radius, m'), length: positive().describe('Length, m') }),
    z.strictObject({ shape: z.literal('box'), size: size3().describe('Full edge lengths, m') }),
    z.strictObject({ shape: z.literal('ellipsoid'), radii: size3().describe('Half axes, m') }),
  ])
  .meta({ id: 'Zone', description: 'Where contacts count for a touch sensor' })

const sensor = z
  .strictObject({
    name: option(name().describe('Name of the sensor')),
    type: z.enum(sensorKinds.map((kind) => kind.name)).describe('What it measures; names and meanings are those of MJCF'),
    at: option(frame),
    joint: option(name().describe('Name of a joint')),
    tendon: option(name().describe('Name of a tendon')),
    actuator: option(name().describe('Name of an actuator')),
    body: option(name().describe('Topmost body of a part of the tree')),
    relative: option(frame),
    cutoff: option(nonnegative().describe('Numbers are kept between -cutoff and cutoff. Default 0: no bound')),
    field: option(vec3().describe('Magnetic field of a magnetometer, in the world. Default 0 -0.5 0')),
    zone: option(zone),
  })
  .meta({ id: 'Sensor', description: 'An instrument' })

const contactPair = z
  .strictObject({
    a: name().describe('Name of a geom'),
    b: name().describe('Name of another geom'),
    condim: option(condim().describe('As of geoms. Default 3')),
    friction: option(
      z
        .tuple([nonnegative(), nonnegative(), nonnegative(), nonnegative(), nonnegative()])
        .describe('Sliding along two directions, torsional, rolling about two. Default 1 1 0.005 0.0001 0.0001'),
    ),
    ...softnessFields,
    margin: option(number().describe('They push from this distance on, m. Default 0')),
    gap: option(number().describe('They are reported this much sooner, m. Default 0')),
  })
  .meta({ id: 'ContactPair', description: 'Two geoms that touch whatever their bodies, categories and masks say' })

const ignored = z
  .strictObject({
    path: text().describe('Place in the source document'),
    what: text().describe('What was not taken over'),
    why: text().describe('The reason'),
  })
  .meta({ id: 'Ignored', description: 'What a reader did not take over from another format' })

const specFields = {
  name: option(text().describe('Name of the mechanism')),
  gravity: option(vec3().describe('m/s². Default 0 0 -9.81')),
  contact: option(
    z
      .strictObject({
        stiffness: nonnegative().describe('N/m at each contact point'),
        friction: option(nonnegative().describe('Coefficient of friction. Default 0')),
        slip: option(positive().describe('Sliding slower than this is resisted in proportion, m/s. Default 0.01')),
      })
      .describe('Penalty contact of bodies with the geoms of the world. Absent: nothing touches'),
  ),
  medium: option(
    z
      .strictObject({
        density: option(nonnegative().describe('kg/m³')),
        viscosity: option(nonnegative().describe('Pa s')),
        wind: option(vec3().describe('Velocity of the medium in the world, m/s')),
        gusts: option(
          z
            .array(
              z.strictObject({
                velocity: vec3().describe('In the world, m/s'),
                frequency: nonnegative().describe('Hz'),
                phase: option(number().describe('rad. Default 0')),
              }),
            )
            .describe('Sines on top of the wind, for bodies that deform and have `drag`'),
        ),
      })
      .describe('Air or water around the mechanism'),
  ),
  softFriction: option(
    z
      .strictObject({
        cone: option(z.enum(['pyramidal', 'elliptic']).describe('Default pyramidal')),
        impratio: option(positive().describe('So many times stiffer than normals. Default 1')),
        noslip: option(z.boolean().describe('true: it does not slip where it holds. Default false')),
      })
      .describe("How friction of soft contacts gives way, in MuJoCo's terms; what is hard does not slip"),
  ),
  angle: option(z.enum(['radian', 'degree']).describe('Unit to show angles in; all angles of this file are radians. Default radian')),
  timestep: option(positive().describe('Suggested step, s')),
  solver: option(
    z
      .strictObject({
        name: name().describe('Name of the solver'),
        options: option(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).describe('Options of the solver')),
      })
      .describe('Suggested solver'),
  ),
  bodies: z.array(body).describe('In any order; `parent` makes the tree, the order of the list the order of the coordinates'),
  world: option(
    z
      .strictObject({
        geoms: option(z.array(geom).describe('Floors and walls')),
        sites: option(z.array(site).describe('Named frames of the world')),
      })
      .describe('What is fixed to the world'),
  ),
  springs: option(z.array(spring).describe('Springs and dampers between points')),
  tendons: option(z.array(tendon).describe('Tendons')),
  loads: option(z.array(load).describe('Constant forces and torques')),
  actuators: option(z.array(actuator).describe('Actuators, in the order of the controls')),
  constraints: option(z.array(constraint).describe('Loop closures and couplings')),
  meshes: option(z.array(mesh).describe('Triangle meshes that geoms refer to')),
  domains: option(z.array(domainFile).describe('Reduced elastic meshes that bodies are made of')),
  sensors: option(z.array(sensor).describe('Instruments')),
  keyframes: option(z.array(keyframe).describe('Stored states')),
  pairs: option(z.array(contactPair).describe('Pairs of geoms that touch in their own way')),
  touchFixedParents: option(
    z
      .boolean()
      .describe(
        'true: a body may touch a parent that is fixed to the world, as in MuJoCo. Default false: neighbours across a joint never touch',
      ),
  ),
  exclude: option(z.array(z.tuple([name(), name()])).describe('Pairs of bodies that never touch')),
  ignored: option(z.array(ignored).describe('What a reader did not take over from another format')),
}

/** A scene file: a mechanism, and the editors' `$schema` key. */
export const sceneSchema = z.strictObject({ $schema: option(text().describe('Address of this schema, for editors')), ...specFields })
