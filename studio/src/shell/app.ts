/**
 * What the parts of the page share: the lines to the simulation and to the picture, what is loaded, and who wants to hear of changes.
 */

import type { Samples } from '../panels/samples.js'
import type { Handles, Inspection, LaneSettings, Loaded, SceneInfo, SolverInfo } from '../worker/protocol.js'
import type { Link } from './link.js'
import type { OverlayName } from './looks.js'
import type { Remedy } from './messages.js'
import type { Picture } from './picture.js'

export interface Events {
  loaded: Loaded
  /** header and statistics of the last frame */
  frame: Float64Array
  inspection: Inspection
  selected: number
  playing: boolean
  checked: { readonly problems: readonly { line: number; column: number; message: string }[]; readonly text: string }
  theme: boolean
  plots: readonly [string, string]
  colors: string
  follow: boolean
  /** what can be commanded and plotted, after it was asked for */
  handles: Handles
  /** names of the groupings of bodies that the solver reports */
  groups: readonly string[]
}

export interface App {
  readonly link: Link
  readonly picture: Picture
  readonly samples: Samples
  solvers: readonly SolverInfo[]
  /** none until the simulation has said which there are */
  scenes: readonly SceneInfo[]
  loaded: Loaded | undefined
  /** of what is loaded, once someone asked */
  handles: Handles | undefined
  lanes: readonly LaneSettings[]
  selected: number
  playing: boolean
  speed: number
  show: Set<OverlayName>
  colors: string
  groups: readonly string[]
  /** names of the upper and lower plot */
  plots: readonly [string, string]
  side: boolean
  /** the camera goes along with the mechanism */
  follow: boolean
  on<E extends keyof Events>(event: E, listener: (value: Events[E]) => void): void
  emit<E extends keyof Events>(event: E, value: Events[E]): void
  setLanes(lanes: readonly LaneSettings[]): void
  setPlaying(playing: boolean): void
  /** lanes in views side by side, or as ghosts */
  setSide(side: boolean): void
  setPlots(plots: readonly [string, string]): void
  setOverlay(name: OverlayName, on: boolean): void
  setColors(mode: string): void
  setFollow(on: boolean): void
  select(body: number): void
  /** asks for the handles, unless they are there */
  wantHandles(): void
  /** short news */
  say(text: string): void
  /** an error, with what to do about it */
  fail(heading: string, lines: readonly string[], remedies?: readonly Remedy[]): void
  /** brings the address up to date */
  changed(): void
  /** loads the page anew, and what it shows runs: a crash is no pause that somebody asked for */
  reload(): void
}

type Listeners = { [E in keyof Events]?: ((value: Events[E]) => void)[] }

export function createEvents(): Pick<App, 'on' | 'emit'> {
  const listeners: Listeners = {}
  return {
    on(event, listener) {
      const list = (listeners[event] ??= []) as (typeof listener)[]
      list.push(listener)
    },
    emit(event, value) {
      for (const listener of listeners[event] ?? []) listener(value)
    },
  }
}
