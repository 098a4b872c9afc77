/**
 * What the page and the worker that owns the simulation say to each other.
 */
import type { BodySpec, Ignored, OptionInfo, OptionValue, Spec, UrdfActuation, UrdfBase, Vec3 } from 'limber'
import type { Parameter, ParameterValues, Scene } from 'limber-scenes'

/** A dropped file; `name` is its path inside what was dropped. */
export interface SourceFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** What a URDF does not say; what is left out follows the file: servos where it has effort limits, a floor where a free base has none. */
export interface UrdfSetting {
  readonly base?: UrdfBase
  readonly floor?: boolean
  readonly actuators?: UrdfActuation | 'none'
}

/** The URDF that is shown, and how it was read. */
export interface UrdfInfo extends Required<UrdfSetting> {
  readonly main: string
}

/** How one of the compared simulations is run; what is left out follows the model. */
export interface LaneSettings {
  readonly solver?: string
  readonly timestep?: number
  readonly options?: Readonly<Record<string, OptionValue>>
}

/** A point of a body, in its frame. */
export interface BodyPoint {
  readonly body: number
  readonly point: Vec3
  /** on a body that deforms: vertices of its domain that the point moves with, by these weights; `point` is where it was when it was picked */
  readonly mesh?: { readonly vertices: readonly number[]; readonly weights: readonly number[] }
}

export interface NewSpring {
  readonly a: BodyPoint
  readonly b: BodyPoint
  readonly stiffness: number
  readonly damping: number
}

export type TableFormat = 'csv' | 'mcap' | 'json' | 'glb' | 'scene'

/** Opens a mechanism; `opening` is the number by which the page knows the request again. */
export type Opening = { readonly lanes: readonly LaneSettings[]; readonly opening?: number } & (
  | { readonly type: 'scene'; readonly name: string; readonly values: ParameterValues }
  /** the model and whatever it includes, or a trajectory */
  | { readonly type: 'files'; readonly files: readonly SourceFile[]; readonly main?: string; readonly urdf?: UrdfSetting }
  /** scene JSON from the editor; `apply` false only checks it */
  | { readonly type: 'text'; readonly text: string; readonly apply: boolean }
)

export type Request =
  | Opening
  /** goes on where another worker ended, and stands there; `from` opened the model */
  | { readonly type: 'restore'; readonly from: Opening; readonly kept: Kept }
  /** asks for a sign of life */
  | { readonly type: 'ping' }
  | { readonly type: 'lanes'; readonly lanes: readonly LaneSettings[] }
  | { readonly type: 'play'; readonly playing: boolean }
  | { readonly type: 'speed'; readonly speed: number }
  | { readonly type: 'step' }
  /** back to the start; with a keyframe, by number or name, to that, from then on (−1 or another name: the model's initial position) */
  | { readonly type: 'reset'; readonly keyframe?: number | string }
  /** what an actuator is told; no number hands all of them back to the scene, where that moves them itself */
  | { readonly type: 'control'; readonly actuator: number; readonly value?: number }
  /** puts a coordinate there while the simulation stands; pulls it there while it runs, until `release` */
  | { readonly type: 'joint'; readonly iq: number; readonly iv: number; readonly value: number }
  /** asks for what can be commanded and plotted, by name */
  | { readonly type: 'handles' }
  /** sends these numbers with the frames, by their names; none stops that */
  | { readonly type: 'watch'; readonly topic: WatchTopic; readonly channels: readonly string[]; readonly version: number }
  /** goes to a kept moment, by its number */
  | { readonly type: 'seek'; readonly frame: number }
  | { readonly type: 'drag'; readonly grip: BodyPoint; readonly target: Vec3 }
  | { readonly type: 'release' }
  | { readonly type: 'push'; readonly grip: BodyPoint; readonly impulse: Vec3 }
  | { readonly type: 'pin'; readonly grip: BodyPoint }
  | { readonly type: 'unpin' }
  | { readonly type: 'spring'; readonly spring: NewSpring }
  /** sends numbers of this body with the frames; −1 stops that */
  | { readonly type: 'inspect'; readonly body: number }
  | { readonly type: 'export'; readonly id: number; readonly format: TableFormat }
  /** poses of the kept moments, for the player page */
  | { readonly type: 'motion'; readonly id: number }
  | { readonly type: 'sketch'; readonly name: string }
  /** asks for all scenes: at first only those are known that are soon there */
  | { readonly type: 'scenes' }
  /** asks for the JSON Schema of scene files */
  | { readonly type: 'schema' }
  /** the way to the view that draws */
  | { readonly type: 'view'; readonly port: MessagePort }
  /** whether the view wants the contacts of every frame */
  | { readonly type: 'contacts'; readonly on: boolean }
  /** where the camera is, for the level of detail; empty: it is not followed */
  | { readonly type: 'camera'; readonly place: readonly number[] }

/**
 * A frame is one array: header, then statistics of each lane, then poses of each lane (seven numbers a body: position,
 * quaternion w x y z; the world first), then coordinates of the modes of each lane.
 */
export const header = { t: 0, frame: 1, frames: 2, epoch: 3, playing: 4, size: 6 } as const

/** What is known of a lane at a moment; the plots are made from this table. */
export const statistics = [
  't',
  'kinetic',
  'potential',
  'residual',
  'stepTime',
  'iterations',
  'evaluations',
  'order',
  'stepSize',
  'rejected',
  'difference',
  'cost',
  'active',
  'neglected',
] as const
export type Statistic = (typeof statistics)[number]
export const statistic = Object.fromEntries(statistics.map((name, i) => [name, i])) as Readonly<Record<Statistic, number>>

export function frameSize(lanes: number, nbody: number, modes: number): number {
  return modesAt(lanes, lanes, nbody, modes)
}

/** Length of what comes before the poses, which is all that the page reads of a frame. */
export function headSize(lanes: number): number {
  return header.size + lanes * statistics.length
}

export function statisticsAt(lane: number): number {
  return header.size + lane * statistics.length
}

export function posesAt(lane: number, lanes: number, nbody: number): number {
  return header.size + lanes * statistics.length + lane * 7 * nbody
}

export function modesAt(lane: number, lanes: number, nbody: number, modes: number): number {
  return posesAt(lanes, lanes, nbody) + lane * modes
}

/** Shared memory of the frames: a count of frames written, and a ring of slots. */
export const ringSlots = 16
export interface Ring {
  readonly count: Int32Array<SharedArrayBuffer>
  readonly slots: Float64Array<SharedArrayBuffer>
}

/** What the page needs to know of a scene: it does not load the scenes themselves. */
export interface SceneInfo extends Pick<Scene, 'name' | 'title' | 'description' | 'camera' | 'size' | 'shown'> {
  readonly parameters: Readonly<Record<string, ParameterInfo>>
}

export interface ParameterInfo extends Parameter {
  /** what it may be, in words */
  readonly range: string
}

export interface SolverInfo {
  readonly name: string
  readonly description: string
  readonly options: Readonly<Record<string, OptionInfo>>
}

export interface BodyInfo {
  readonly name: string
  readonly parent: number
  readonly mass: number
}

export interface JointInfo {
  readonly name: string
  readonly type: string
  readonly body: number
  readonly iq: number
  readonly nq: number
  readonly iv: number
  readonly nv: number
}

export interface SpringInfo {
  readonly a: BodyPoint
  readonly b: BodyPoint
  readonly stiffness: number
  readonly rest: number
}

export interface LaneInfo {
  readonly solver: string
  readonly timestep: number
  readonly options: Readonly<Record<string, OptionValue>>
  /** why this lane runs something else than was asked for; empty when it does not */
  readonly refusal: string
  /** what of the model this solver leaves out */
  readonly warnings: readonly string[]
  /** free-standing mechanisms that have a level of detail each; 0: the solver has none */
  readonly trees: number
}

/** A spring of the hand that holds a point of a body where it is. */
export interface Grip extends BodyPoint {
  target: [number, number, number]
  readonly stiffness: number
  readonly damping: number
}

/** What was added by hand to the model that was opened. */
export interface Added {
  readonly springs: NonNullable<Spec['springs']>
  readonly bodies: readonly BodySpec[]
}

/** All that another worker needs to go on where this one is: the page keeps the last one it hears of. */
export interface Kept {
  readonly epoch: number
  readonly settings: readonly LaneSettings[]
  /** number of the keyframe it starts from */
  readonly start: number
  readonly added: Added
  readonly pinned: readonly BodyPoint[]
  /** of each lane */
  readonly pins: readonly (readonly Grip[])[]
  /** the scene moves the actuators */
  readonly driving: boolean
  readonly t: number
  /** number of the kept moment */
  readonly frame: number
  /** of each lane; none of a recording */
  readonly snapshots: readonly Uint8Array[]
  /** of the first lane, as they are drawn; empty unless they were asked for */
  readonly contacts: Float64Array
}

export interface Loaded {
  readonly type: 'loaded'
  /** numbers of the requests that opened it: of the model, and of the recording that is played */
  readonly openings: readonly number[]
  /** of the model, for files */
  readonly name: string
  readonly title: string
  readonly origin: 'scene' | 'file' | 'editor' | 'trajectory'
  /** true: another mechanism */
  readonly fresh: boolean
  readonly bodies: readonly BodyInfo[]
  readonly joints: readonly JointInfo[]
  readonly lanes: readonly LaneInfo[]
  /** solvers that can run this model, or why not */
  readonly refusals: Readonly<Record<string, string | null>>
  readonly nq: number
  readonly nv: number
  readonly hasConstraints: boolean
  readonly ignored: readonly Ignored[]
  readonly notes: readonly string[]
  /** other models among the files */
  readonly others: readonly string[]
  /** only where the model is a URDF */
  readonly urdf?: UrdfInfo
  readonly pins: number
  /** name of the keyframe that it starts from; empty: the model's initial position */
  readonly start: string
  readonly springs: number
  readonly actuators: number
  readonly epoch: number
  readonly ring?: Ring
  /** length of a whole frame in the ring */
  readonly frameSize: number
}

/** who wants to know: plots hear of every frame, sliders a few times a second */
export type WatchTopic = 'plots' | 'control'

/** Numbers that were asked for, one row a time. */
export interface Watched {
  readonly type: 'watched'
  readonly topic: WatchTopic
  /** that of the request */
  readonly version: number
  /** all that is known of the past, not what comes after it */
  readonly whole: boolean
  readonly playing: boolean
  readonly times: readonly number[]
  readonly rows: readonly (readonly number[])[]
}

/** A coordinate that can be set by a number. */
export interface CoordinateInfo {
  /** that of its joint, with a number where the joint has several */
  readonly name: string
  readonly body: number
  readonly iq: number
  readonly iv: number
  readonly unit: string
  /** of the file; infinite where it states none */
  readonly low: number
  readonly high: number
  /** the actuator that is told where it should be; −1: none */
  readonly servo: number
}

export interface ActuatorInfo {
  readonly name: string
  readonly unit: string
  readonly low: number
  readonly high: number
  /** whether the file states that range */
  readonly stated: boolean
  /** what it moves, in words */
  readonly moves: string
  /** whether the force that it exerts is known */
  readonly force: string
}

/** What of a mechanism has a name and can be commanded or plotted. */
export interface Handles {
  readonly epoch: number
  readonly keyframes: readonly string[]
  /** number of the keyframe that it starts from; −1: the model's initial position */
  readonly start: number
  /** the scene moves the actuators itself */
  readonly driven: boolean
  readonly actuators: readonly ActuatorInfo[]
  readonly coordinates: readonly CoordinateInfo[]
  /** everything that can be plotted */
  readonly channels: readonly ChannelGroup[]
}

export interface ChannelGroup {
  readonly title: string
  readonly channels: readonly { readonly id: string; readonly name: string; readonly unit: string }[]
}

export interface Inspection {
  readonly body: number
  readonly t: number
  /** in the world: position, quaternion w x y z */
  readonly pose: readonly number[]
  readonly q: readonly number[]
  readonly v: readonly number[]
  readonly tau: readonly number[]
  /** of the body's origin and along its axes: angular, linear */
  readonly velocity: readonly number[]
}

export interface TextProblem {
  readonly line: number
  readonly column: number
  readonly message: string
}

export type Reply =
  | {
      readonly type: 'ready'
      readonly scenes: readonly SceneInfo[]
      readonly solvers: readonly SolverInfo[]
      readonly shared: boolean
    }
  | Loaded
  | { readonly type: 'kept'; readonly kept: Kept }
  /** the worker has the lock of its name for as long as it lives */
  | { readonly type: 'held' }
  | { readonly type: 'pong' }
  /** all there are */
  | { readonly type: 'scenes'; readonly scenes: readonly SceneInfo[] }
  /** what takes time before the next `loaded` */
  | { readonly type: 'busy'; readonly text: string }
  /** what comes before the poses; only where memory cannot be shared */
  | { readonly type: 'head'; readonly head: Float64Array }
  /** names of the groupings of bodies that the solver of the first lane reports, when they change */
  | { readonly type: 'groups'; readonly names: readonly string[] }
  | { readonly type: 'refused'; readonly problems: readonly string[] }
  /** the solver gave up; the simulation stands still */
  | { readonly type: 'stopped'; readonly reason: string }
  /** bits of the state after a seek, for those who want to see that they are the same */
  | { readonly type: 'sought'; readonly frame: number; readonly t: number; readonly hash: string }
  | { readonly type: 'inspection'; readonly inspection: Inspection }
  | { readonly type: 'handles'; readonly handles: Handles }
  | Watched
  | { readonly type: 'checked'; readonly problems: readonly TextProblem[]; readonly text: string }
  | { readonly type: 'exported'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer>; readonly name: string }
  | { readonly type: 'motion'; readonly id: number; readonly times: Float64Array; readonly poses: Float32Array; readonly nbody: number }
  | { readonly type: 'failed'; readonly id: number; readonly problems: readonly string[] }
  | { readonly type: 'schema'; readonly schema: object }
  | { readonly type: 'sketch'; readonly name: string; readonly sketch: Sketch }

/** Enough of a scene to draw a small picture of it. */
export interface Sketch {
  readonly solver: string
  readonly nbody: number
  readonly nv: number
  /** x y z of each body, the world first; and its parent */
  readonly points: readonly number[]
  readonly parents: readonly number[]
}
