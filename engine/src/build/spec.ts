/**
 * Spec: a mechanism as plain JSON, by name. What people write, what readers make and writers take.
 *
 * Units: metres, kilograms, seconds, radians. Right-handed, z up. Quaternions w x y z.
 * A pose given on a body is that of the body frame in its parent's frame with every joint at its reference.
 * The scene file format is this interface, validated by `io/scene-schema.ts`.
 */
import type { Reduced } from '../deformable/reduced.js'
import type { JointTypeName } from '../joints/joint-type.js'
import type { Place } from '../model/model-error.js'
import type { GeomSpec, ShapeSpec } from './geom-spec.js'

export type { JointTypeName } from '../joints/joint-type.js'
export type * from './geom-spec.js'

export type Vec3 = readonly [number, number, number]
/** w x y z; normalised by the builder */
export type Quat = readonly [number, number, number, number]
/** ixx iyy izz ixy ixz iyz */
export type Tensor = readonly [number, number, number, number, number, number]

export interface Spec {
  readonly name?: string
  /** default 0 0 -9.81 */
  readonly gravity?: Vec3
  readonly medium?: MediumSpec
  /** penalty contact of bodies with the world's geoms; absent: nothing touches */
  readonly contact?: ContactSpec
  /** unit in which the source writes angles, for those who show them; all angles here are radians. Default radian */
  readonly angle?: 'radian' | 'degree'
  /** suggested step in seconds */
  readonly timestep?: number
  /** suggested solver, and its options */
  readonly solver?: SolverSpec
  /** in any order; `parent` makes the tree. Coordinates are numbered in this order, a parent always before its children */
  readonly bodies: readonly BodySpec[]
  /** what is fixed to the world: floors, walls */
  readonly world?: { readonly geoms?: readonly GeomSpec[]; readonly sites?: readonly SiteSpec[] }
  readonly springs?: readonly SpringSpec[]
  readonly tendons?: readonly TendonSpec[]
  readonly loads?: readonly LoadSpec[]
  readonly actuators?: readonly ActuatorSpec[]
  readonly constraints?: readonly ConstraintSpec[]
  readonly meshes?: readonly MeshSpec[]
  /** reduced elastic meshes that bodies are made of */
  readonly domains?: readonly DomainSpec[]
  readonly sensors?: readonly SensorSpec[]
  readonly keyframes?: readonly KeyframeSpec[]
  readonly softFriction?: SoftFrictionSpec
  /** pairs of geoms that touch in their own way, whatever their bodies, `collide`, categories and masks say */
  readonly pairs?: readonly ContactPairSpec[]
  /** true: a body may touch a parent that is fixed to the world, as in MJCF. Default false: bodies that a joint connects never touch */
  readonly touchFixedParents?: boolean
  /** pairs of bodies that never touch */
  readonly exclude?: readonly (readonly [string, string])[]
  /** what the reader did not take over */
  readonly ignored?: readonly Ignored[]
  /** where the parts stood in the source: key is a path such as `bodies/3` or `bodies/3/joints/0` */
  readonly places?: Readonly<Record<string, Place>>
}

/** What a reader gives: the list of what it did not take over is always there, if only empty. */
export type ReadSpec = Spec & { readonly ignored: readonly Ignored[] }

export interface Ignored {
  /** place in the source document, with line and column where known: `mujoco/asset/texture[2] (12:5)` */
  readonly path: string
  readonly what: string
  readonly why: string
}

export interface SolverSpec {
  readonly name: string
  readonly options?: Readonly<Record<string, string | number | boolean>>
}

/** Still air or water around the mechanism: forces from each body's equivalent inertia box. */
export interface MediumSpec {
  /** kg/m³ */
  readonly density?: number
  /** Pa s */
  readonly viscosity?: number
  /** velocity of the medium in the world, m/s */
  readonly wind?: Vec3
  /** what comes on top of it for bodies that deform and have `drag` */
  readonly gusts?: readonly GustSpec[]
}

/** velocity · sin(2π frequency t + phase), with a further phase for each body (`domain`) */
export interface GustSpec {
  /** m/s in the world */
  readonly velocity: Vec3
  /** Hz */
  readonly frequency: number
  /** rad. Default 0 */
  readonly phase?: number
}

/** Spheres, capsules, boxes and cylinders of bodies against planes, boxes and spheres of the world. */
export interface ContactSpec {
  /** N/m at each contact point */
  readonly stiffness: number
  /** Coulomb's coefficient, default 0 */
  readonly friction?: number
  /** m/s: sliding slower than this is resisted in proportion. Default 0.01 */
  readonly slip?: number
}

/**
 * How an imported contact, limit or constraint gives way, in MuJoCo's numbers. solref: time constant and damping ratio, or −stiffness and
 * −damping; 0 0 is hard, the default. solimp: impedance at no depth and at `width`, width, midpoint, power; default 0.9 0.95 0.001 0.5 2.
 */
export interface SoftnessSpec {
  readonly solref?: readonly [number, number]
  readonly solimp?: readonly [number, number, number, number, number]
}

/** How friction of soft contacts gives way beside their normals: MuJoCo's options of these names. What is hard does not slip, whatever they say. */
export interface SoftFrictionSpec {
  /** default pyramidal */
  readonly cone?: 'pyramidal' | 'elliptic'
  /** so many times stiffer than normals. Default 1 */
  readonly impratio?: number
  /** true: it does not slip where it holds. Default false */
  readonly noslip?: boolean
}

/** A contact between two geoms, by name. */
export interface ContactPairSpec extends SoftnessSpec {
  readonly a: string
  readonly b: string
  /** default 3 */
  readonly condim?: 1 | 3 | 4 | 6
  /** sliding along two directions, torsional, rolling about two. Default 1 1 0.005 0.0001 0.0001 */
  readonly friction?: readonly [number, number, number, number, number]
  /** as of geoms. Default 0 */
  readonly margin?: number
  readonly gap?: number
}

export interface BodySpec {
  readonly name: string
  /** name of another body, or `world` (the default) */
  readonly parent?: string
  readonly position?: Vec3
  readonly quaternion?: Quat
  /** when left out: the sum over the geoms that state `mass` or `density`; none of these is a massless frame */
  readonly inertia?: InertiaSpec
  /** in sequence from parent to body; none is a fixed joint */
  readonly joints?: readonly JointSpec[]
  readonly geoms?: readonly GeomSpec[]
  readonly sites?: readonly SiteSpec[]
  /** viscous drag on the body's own motion at its centre of mass: N s/m for linear, N m s for angular */
  readonly damping?: { readonly angular?: number; readonly linear?: number }
  /** viscous drag of the medium along the body's own axes, spread like its mass: N s/m each */
  readonly drag?: Vec3
  /** share of the weight that is carried: 0 none (default), 1 weightless */
  readonly gravityCompensation?: number
  /**
   * Stands in the world without joints, and goes where it is told (`simulation.body(name).moveTo`), whatever pushes it. Its pose is six degrees of
   * freedom, as of a free joint `<name>.pose`; they come after those of all other bodies
   */
  readonly driven?: boolean
  /** further coordinates by which the body deforms: what deformable bodies compile to */
  readonly deformation?: DeformationSpec
  /** the same from a reduced elastic mesh, whose frame is that of the body; instead of `deformation` */
  readonly domain?: BodyDomainSpec
  /**
   * On a parent that deforms, what the frame of this body's joints moves with: an interface of the parent's domain by name; points of the
   * parent by number, at least three and not on one line; or one point, with which it is shifted but not turned, and where it stands unless
   * `position` says otherwise. Default: on a domain the interface nearest to `position`, else nothing
   */
  readonly attach?: string | AttachSpec
}

export type AttachSpec = { readonly points: readonly number[] } | { readonly vertex: number }

/**
 * Point masses, beside the body's own inertia, that move along linear modes: position + Σ shape · η, with a coordinate η for each mode. The
 * body's own frame stays; what is to move with the modes, loads and springs too, is put on a child body, fixed if need be, with `attach`.
 */
export interface DeformationSpec {
  readonly points: readonly { readonly mass: number; readonly position: Vec3 }[]
  readonly modes: readonly ModeSpec[]
}

export interface ModeSpec {
  /** displacement of each point for η = 1, in the body frame */
  readonly shape: readonly Vec3[]
  /** spring towards `rest`, in units of energy: ½ stiffness (η − rest)² */
  readonly stiffness?: number
  readonly damping?: number
  /** η at which the spring is slack. Default 0 */
  readonly rest?: number
  /** η at the start. Default: rest */
  readonly initial?: number
}

export interface DomainSpec {
  readonly name: string
  readonly data: Reduced
}

/** A body's use of a domain; bodies share what it holds. Its mass comes beside the body's own inertia. */
export interface BodyDomainSpec {
  /** name of an entry of `domains` */
  readonly name: string
  /** size against the mesh: all lengths times this, frequencies divided by it. Default 1 */
  readonly scale?: number
  /** all frequencies times this. Default 1 */
  readonly frequency?: number
  /** of the modes, D = mass · M + stiffness · K: 1/s and s. Default 0 */
  readonly damping?: { readonly mass?: number; readonly stiffness?: number }
  /** vertices that touch the world's geoms by the penalty of `contact` */
  readonly contact?: readonly number[]
  /** of gusts here, rad. Default: another one for each body */
  readonly phase?: number
  /** r g b a of its surface, 0 to 1, which is seen where no mesh is embedded in it: a geom of shape `mesh` without mass, in frame and size of the domain's mesh */
  readonly color?: readonly [number, number, number, number]
}

export interface InertiaSpec {
  readonly mass: number
  /** centre of mass in the body frame */
  readonly com?: Vec3
  /** about the centre of mass, in body axes */
  readonly tensor?: Tensor
  /** orientation of the principal axes in the body frame; only drag needs it, and only where two moments are equal and the axes a choice */
  readonly axes?: Quat
  /** true: moments that no body has, one beyond the sum of the others, are taken as they are; as files of some robots have them. Default false */
  readonly unchecked?: boolean
}

/**
 * One joint. `revolute prismatic helical cylindrical` turn about or slide along `axis` through `anchor`;
 * `universal` turns about `axis`, then about `axis2` (carried along); `planar` slides along `axis` and `axis2`, then turns about
 * axis × axis2; `spherical` turns about `anchor`; `free` has q = position and quaternion in the parent frame, and takes
 * the body's own pose as its initial value. Axes and anchor are in the body frame.
 */
export interface JointSpec {
  readonly name?: string
  readonly type: JointTypeName
  /** default 0 0 1 (universal and planar: 1 0 0) */
  readonly axis?: Vec3
  /** universal, planar: default 0 1 0 */
  readonly axis2?: Vec3
  /** default 0 0 0 */
  readonly anchor?: Vec3
  /** helical: metres per radian */
  readonly pitch?: number
  /** coordinates at which the body stands as drawn (nq numbers, or one for all); not for spherical and free. Default 0 */
  readonly reference?: number | readonly number[]
  /** coordinates at the start (nq numbers). Default: the reference; for free the body's pose */
  readonly initial?: number | readonly number[]
  /** spring towards `rest`, N m/rad or N/m: one number for all degrees of freedom, or nv of them */
  readonly stiffness?: number | readonly number[]
  /** coordinates at which the spring is slack (nq numbers). Default: the reference */
  readonly rest?: number | readonly number[]
  readonly damping?: number | readonly number[]
  /** inertia added to the diagonal of the mass matrix */
  readonly armature?: number | readonly number[]
  /** one degree of freedom: lower, upper; spherical: 0, largest angle */
  readonly limits?: readonly [number, number]
  /** rad or m: how far from its limits they begin to push. Default 0 */
  readonly limitMargin?: number
  readonly limitSoftness?: SoftnessSpec
  /** dry friction, N m or N */
  readonly friction?: number
  readonly frictionSoftness?: SoftnessSpec
  /** total actuator force is kept inside */
  readonly forceRange?: readonly [number, number]
  /** true: the compensation of gravity counts as force of the actuators, and `forceRange` holds for their sum. Default false */
  readonly actuatorGravityCompensation?: boolean
  /** largest speed, as stated by the source; not enforced */
  readonly velocityLimit?: number
}

export interface SiteSpec {
  readonly name: string
  readonly position?: Vec3
  readonly quaternion?: Quat
}

/** A point fixed to a body, in its frame; body `world` for the ground. */
export interface PointSpec {
  readonly body: string
  readonly point?: Vec3
  /** of a body that deforms: the number of a point of it, with which this one moves; `point` then counts from there, along the axes of the body */
  readonly vertex?: number
}

/** Spring and damper between two points. */
export interface SpringSpec {
  readonly name?: string
  readonly a: PointSpec
  readonly b: PointSpec
  /** N/m */
  readonly stiffness: number
  /** N s/m along the line */
  readonly damping?: number
  /** metres; default: the distance at the start */
  readonly rest?: number
}

/** A line over points (`path`), or a weighted sum of joint coordinates (`joints`), with a spring and a damper on its length. */
export interface TendonSpec {
  readonly name?: string
  readonly path?: readonly TendonPathSpec[]
  readonly joints?: readonly { readonly joint: string; readonly coefficient: number }[]
  readonly stiffness?: number
  readonly damping?: number
  /** slack between the two lengths; default: the length with every joint at its rest position */
  readonly rest?: number | readonly [number, number]
  readonly armature?: number
  readonly limits?: readonly [number, number]
  /** m: how far from its limits they begin to push. Default 0 */
  readonly limitMargin?: number
  readonly limitSoftness?: SoftnessSpec
  readonly friction?: number
  readonly frictionSoftness?: SoftnessSpec
}

/**
 * Points in order; a pulley ends a branch and divides the lengths that follow. Between two points may stand a geom, by name, a sphere or a
 * cylinder that the line goes round: the shorter way, or on the side of the site `side`; inside, where that site is inside.
 */
export type TendonPathSpec = PointSpec | { readonly pulley: number } | { readonly geom: string; readonly side?: string }

/** A constant force and torque on a body, or one that travels over bodies: exactly one of `body` and `moving`. Default frame `world`. */
export interface LoadSpec {
  readonly name?: string
  readonly body?: string
  /** with `body`; default: its centre of mass */
  readonly point?: Vec3
  /** with `body`, one that deforms: the number of a point of it that the load acts on */
  readonly vertex?: number
  readonly moving?: MovingSpec
  readonly force?: Vec3
  readonly torque?: Vec3
  readonly frame?: 'world' | 'body'
}

/** From one leg to the next at constant speed; before `start` and after start + duration there is no load. */
export interface MovingSpec {
  /** seconds; default 0 */
  readonly start?: number
  /** seconds for the whole way */
  readonly duration: number
  /** straight lines on bodies, in their frames, in order */
  readonly along: readonly { readonly body: string; readonly from: Vec3; readonly to: Vec3 }[]
}

/**
 * Force = gain · u + bias, with gain = g0 + g1 l + g2 l̇ and bias = b0 + b1 l + b2 l̇;
 * u the control (or the activation, with `dynamics`), l the transmission's length.
 */
export interface ActuatorSpec {
  readonly name?: string
  /** exactly one of joint, tendon, site */
  readonly joint?: string
  readonly tendon?: string
  /** wrench in the frame of this site: gear = force then torque */
  readonly site?: string
  /** default 1; spherical joints and sites take several numbers */
  readonly gear?: readonly number[]
  readonly gain?: Vec3
  readonly bias?: Vec3
  readonly dynamics?: DynamicsSpec
  /** curves of a muscle in place of gain, bias or both */
  readonly muscle?: MuscleSpec
  readonly controlRange?: readonly [number, number]
  readonly forceRange?: readonly [number, number]
}

/** The activation w follows the control u: integrator ẇ = u, filter ẇ = (u − w)/time, filterexact the same without error, muscle. */
export interface DynamicsSpec {
  readonly type: 'integrator' | 'filter' | 'filterexact' | 'muscle'
  /** seconds; of a muscle: to rise, to fall, and the width over which one passes into the other. An integrator has none */
  readonly time?: number | Vec3
  readonly range?: readonly [number, number]
  /** the force takes the activation of the next step. Default false */
  readonly early?: boolean
}

export interface MuscleSpec {
  /** least and largest length of the transmission, gear included */
  readonly lengthRange: readonly [number, number]
  readonly active?: MuscleCurveSpec
  readonly passive?: MuscleCurveSpec
}

/** As in MuJoCo; lengths in units of the best one. */
export interface MuscleCurveSpec {
  /** what the ends of lengthRange are; default 0.75 1.05 */
  readonly range?: readonly [number, number]
  /** N; negative (the default): scale over the acceleration that a unit force gives at the start */
  readonly force?: number
  /** default 200 */
  readonly scale?: number
  /** default 0.5, 1.6 */
  readonly lmin?: number
  readonly lmax?: number
  /** best lengths a second; default 1.5 */
  readonly vmax?: number
  /** passive force at lmax, largest force of a muscle that is being lengthened, in units of force; default 1.3, 1.2 */
  readonly fpmax?: number
  readonly fvmax?: number
}

/**
 * A loop closure, a relation between joints, or a prescribed motion; `rows` below are the degrees of freedom it takes away.
 * All of them hold at the start, or the builder says by how much they do not.
 */
export type ConstraintSpec = SoftnessSpec & {
  readonly name?: string
  readonly active?: boolean
} /** two points stay together along these directions of the world (default: all three, a ball closure) */ & (
    | { readonly type: 'point'; readonly a: PointSpec; readonly b: PointSpec; readonly axes?: readonly Vec3[] }
    /** a door hinge, 5 rows: the points stay together and the axes parallel */
    | { readonly type: 'hinge'; readonly a: AxisSpec; readonly b: AxisSpec }
    /** 1 row: point b stays in the plane through point a; normal in the frame of a's body, default 0 0 1 */
    | { readonly type: 'planar'; readonly a: PointSpec; readonly b: PointSpec; readonly normal?: Vec3 }
    /** 6 rows. Frame b in frame a keeps this pose; default: that of the start */
    | {
        readonly type: 'weld'
        readonly a: string
        readonly b: string
        readonly position?: Vec3
        readonly quaternion?: Quat
      }
    /** 1 row; default: the distance at the start */
    | { readonly type: 'distance'; readonly a: PointSpec; readonly b: PointSpec; readonly distance?: number }
    /**
     * 1 row: q(joint) = reference + Σ polynomial[k] (q(of) − reference(of))^k ; without `of` the joint is held at reference + polynomial[0].
     * A gear is a coupling with polynomial [0, ratio]
     */
    | { readonly type: 'coupling'; readonly joint: string; readonly of?: string; readonly polynomial: readonly number[] }
    | { readonly type: 'tendon-coupling'; readonly tendon: string; readonly of?: string; readonly polynomial: readonly number[] }
    /**
     * Prescribed motion by f(t) = offset + speed t + amplitude sin(2π frequency t + phase) + rise; all default to 0.
     * With `joint`, of one degree of freedom: q = f(t), 1 row. With `body` and `direction`: the point moves by f(t) along that direction of
     * the world from where it is at the start, 1 row. With `body` and `axis`: the body turns by f(t) about that direction of the world from
     * how it stands at the start, 3 rows. Three directions and one axis prescribe all of a body's motion.
     */
    | {
        readonly type: 'motion'
        /** exactly one of joint and body */
        readonly joint?: string
        readonly body?: string
        /** with direction, in the body frame; default 0 0 0 */
        readonly point?: Vec3
        /** with body: exactly one of direction and axis */
        readonly direction?: Vec3
        readonly axis?: Vec3
        /** rad or m */
        readonly offset?: number
        /** rad/s or m/s */
        readonly speed?: number
        /** rad or m */
        readonly amplitude?: number
        /** Hz */
        readonly frequency?: number
        /** rad */
        readonly phase?: number
        readonly rise?: RiseSpec
        /** `speed`: only f′ counts, and the motion goes on from whatever the pose is. Default position */
        readonly follow?: 'position' | 'speed'
      }
  )

/** size / (1 + exp(−2 steepness ((t − start)/duration − ½))), and from start + duration on the size itself */
export interface RiseSpec {
  /** rad or m */
  readonly size: number
  /** seconds; default 0 */
  readonly start?: number
  /** seconds */
  readonly duration: number
  /** default 7 */
  readonly steepness?: number
}

/** A point fixed to a body and a direction through it, both in its frame. Default axis 0 0 1 */
export interface AxisSpec extends PointSpec {
  readonly axis?: Vec3
}

export interface MeshSpec {
  readonly name: string
  /** x y z of every vertex */
  readonly vertices: readonly number[]
  /** three vertex numbers a triangle */
  readonly faces: readonly number[]
}

/** An instrument, with MuJoCo's names and meanings. */
export interface SensorSpec {
  readonly name?: string
  /** touch, accelerometer, gyro, framepos, jointpos, …: see `sensorKinds` */
  readonly type: string
  /** one of these, as the type asks for; none for e_potential, e_kinetic and clock */
  readonly at?: FrameSpec
  readonly joint?: string
  readonly tendon?: string
  readonly actuator?: string
  /** the topmost of a part of the tree */
  readonly body?: string
  /** of the types that begin with frame: seen from this frame, not from the world */
  readonly relative?: FrameSpec
  /** positive: numbers are kept between −cutoff and cutoff */
  readonly cutoff?: number
  /** magnetometer: the field in the world. Default 0 -0.5 0 */
  readonly field?: Vec3
  /** touch: contacts in this shape about `at` count. Default a sphere of 5 mm */
  readonly zone?: ShapeSpec
}

/** A frame fixed to a body: that of a site, or at a pose in the body's own. */
export type FrameSpec = { readonly site: string } | { readonly body: string; readonly position?: Vec3; readonly quaternion?: Quat }

export interface KeyframeSpec {
  readonly name?: string
  readonly time?: number
  readonly q?: readonly number[]
  readonly v?: readonly number[]
  readonly control?: readonly number[]
  readonly act?: readonly number[]
}
