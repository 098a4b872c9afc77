/**
 * What the page and the worker that owns the simulation say to each other.
 */
import type { Spec } from 'limber'
import type { ParameterValues } from 'limber-scenes'

export interface SourceFile {
  readonly name: string
  readonly bytes: Uint8Array
}

export type Request =
  | { readonly type: 'scene'; readonly name: string; readonly values: ParameterValues }
  /** the model and whatever it includes */
  | { readonly type: 'files'; readonly files: readonly SourceFile[] }
  | { readonly type: 'play'; readonly playing: boolean }
  | { readonly type: 'speed'; readonly speed: number }
  | { readonly type: 'step' }
  | { readonly type: 'reset' }

/** One moment: seven numbers a body (position, quaternion w x y z), the world first. */
export interface Frame {
  readonly t: number
  readonly poses: Float64Array
  readonly kinetic: number
  readonly potential: number
}

export interface Loaded {
  readonly type: 'loaded'
  readonly spec: Spec
  readonly title: string
  /** false for a built-in scene */
  readonly fromFile: boolean
  /** names in the order of the poses */
  readonly bodies: readonly string[]
  readonly nv: number
  readonly solver: string
  readonly timestep: number
  /** what the reader or the engine leaves out, one sentence each */
  readonly remarks: readonly string[]
  readonly first: Frame
}

export type Reply =
  | Loaded
  | { readonly type: 'frame'; readonly frame: Frame }
  | { readonly type: 'refused'; readonly problems: readonly string[] }
  /** the solver gave up; the simulation stands still */
  | { readonly type: 'stopped'; readonly reason: string }
