/**
 * What the page, the view that draws, and the worker that simulates say to each other about the picture.
 *
 * The view lives in a worker of its own where the browser can draw there, else in the page. It gets its frames straight from the simulation.
 */
import type { Spec } from 'limber'
import type { OverlayName, Tool } from '../shell/looks.js'
import type { BodyInfo, BodyPoint, Request, Ring, SpringInfo } from '../worker/protocol.js'

/** What OrbitControls and the hand read of an event. */
export interface InputEvent {
  readonly type: string
  readonly clientX?: number
  readonly clientY?: number
  readonly pageX?: number
  readonly pageY?: number
  readonly button?: number
  readonly pointerId?: number
  readonly pointerType?: string
  readonly deltaY?: number
  readonly deltaMode?: number
  readonly ctrlKey?: boolean
  readonly metaKey?: boolean
  readonly shiftKey?: boolean
  readonly key?: string
  readonly code?: string
}

/** A part of the canvas, in pixels of the page from its upper left corner. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export type ViewOrder =
  | { readonly type: 'start'; readonly canvas: HTMLCanvasElement | OffscreenCanvas; readonly port: MessagePort }
  /** frames come from here from now on: another worker simulates */
  | { readonly type: 'port'; readonly port: MessagePort }
  /** `free` is what no panel covers */
  | { readonly type: 'size'; readonly width: number; readonly height: number; readonly ratio: number; readonly free: Area }
  | { readonly type: 'input'; readonly event: InputEvent }
  | { readonly type: 'theme'; readonly dark: boolean }
  | { readonly type: 'overlay'; readonly name: OverlayName; readonly on: boolean }
  | { readonly type: 'colors'; readonly mode: string }
  | { readonly type: 'side'; readonly on: boolean }
  | { readonly type: 'select'; readonly body: number }
  | { readonly type: 'tool'; readonly tool: Tool }
  | { readonly type: 'cancel' }
  | { readonly type: 'look'; readonly camera: readonly number[] }
  /** the whole mechanism in view */
  | { readonly type: 'fit' }
  /** the camera goes along */
  | { readonly type: 'follow'; readonly on: boolean }
  /** from now on pictures are those of a film: with background, in full */
  | { readonly type: 'film'; readonly on: boolean }
  | { readonly type: 'pace'; readonly playing: boolean; readonly speed: number }
  /** even when nothing has changed: a film needs a first picture */
  | { readonly type: 'redraw' }
  | { readonly type: 'picture'; readonly id: number }
  | { readonly type: 'shapes'; readonly id: number }

export interface ViewTimings {
  readonly drawCalls: number
  /** milliseconds of work on a picture, median of the last ones */
  readonly work: number
  readonly pictures: number
  /** share of the pixels of the screen, along an edge */
  readonly sharpness: number
  readonly shadows: boolean
  /** N, at which springs have their full colour */
  readonly largestForce: number
  /** how many are shown, in how many patches; N of the strongest patch; N that a metre of arrow stands for */
  readonly contacts: number
  readonly patches: number
  readonly largestContact: number
  readonly arrowScale: number
}

export type ViewNews =
  /** two pictures of a scene that moves are finished */
  | { readonly type: 'moving' }
  /** this thread cannot draw */
  | { readonly type: 'unable'; readonly reason: string }
  /** `dragged`: by a hand that pulls it */
  | { readonly type: 'selected'; readonly body: number; readonly dragged?: boolean }
  | { readonly type: 'said'; readonly text: string }
  | { readonly type: 'request'; readonly request: Request }
  | { readonly type: 'camera'; readonly camera: readonly number[]; readonly moved: boolean }
  | { readonly type: 'cursor'; readonly cursor: string }
  | { readonly type: 'timings'; readonly timings: ViewTimings }
  /** the first picture for a film is drawn */
  | { readonly type: 'filming' }
  | { readonly type: 'picture'; readonly id: number; readonly blob: Blob }
  | { readonly type: 'shapes'; readonly id: number; readonly shapes: DrawnShapes }
  | { readonly type: 'failed'; readonly id: number; readonly message: string }

/** What is drawn, for the page that plays offline. */
export interface DrawnShapes {
  readonly forms: readonly { readonly position: Float32Array; readonly normal: Float32Array; readonly triangles: Uint32Array }[]
  readonly parts: readonly {
    readonly body: number
    readonly form: number
    readonly matrix: readonly number[]
    readonly color: readonly number[]
  }[]
  readonly lines: readonly (readonly number[])[]
  readonly camera: readonly number[]
  readonly reach: number
}

/** From the simulation to the view. */
export interface ViewScene {
  readonly type: 'scene'
  readonly epoch: number
  /** true: another mechanism, so the camera goes where it sees all of it */
  readonly fresh: boolean
  /** left out when the view has it already */
  readonly spec?: Spec
  readonly bodies: readonly BodyInfo[]
  /** of each body 15 numbers: centre of mass, principal axes, edges of the box with the same inertia */
  readonly boxes: Float64Array
  /** whether meshes were not found: bodies that have nothing else to show are drawn as those boxes */
  readonly lost: boolean
  readonly springs: readonly SpringInfo[]
  readonly pins: readonly BodyPoint[]
  readonly lanes: number
  /** coordinates of modes in a frame, and the first of each body, −1 for those that do not deform */
  readonly modes: number
  readonly modeStart: readonly number[]
  readonly ring?: Ring
  readonly first: Float64Array
}

export type Feed =
  | ViewScene
  | { readonly type: 'frame'; readonly block: Float64Array<ArrayBuffer> }
  /** of the first lane; those of one patch follow each other */
  | { readonly type: 'contacts'; readonly list: Float64Array }
  /** group of each body in the first lane, by the name of the grouping */
  | { readonly type: 'groups'; readonly groups: Readonly<Record<string, Int32Array>> }

/** A contact is eleven numbers: point, normal, force on the second body, gap, and the number of the patch it belongs to. */
export const contactAt = { point: 0, normal: 3, force: 6, gap: 9, patch: 10 } as const
export const contactSize = 11

/** degrees, from the lower to the upper edge of a view */
export const fieldOfView = 40

/** From the view to the simulation: a used frame comes back to be filled again. */
export interface UsedFrame {
  readonly buffer: ArrayBuffer
}
