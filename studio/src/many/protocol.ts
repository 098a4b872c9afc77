/** What the page of many chains and its worker say to each other. */

/** points of a chain: where its links hang, and its end */
export const POINTS = 11

export type Request =
  | { readonly type: 'open'; readonly count: number; readonly device: 'auto' | 'cpu' }
  /** asks for the chains as they are when `now`, in seconds of the page's clock, is reached; `points` is written and comes back */
  | { readonly type: 'frame'; readonly now: number; readonly points: Float32Array<ArrayBuffer> }
  | { readonly type: 'play'; readonly playing: boolean }
  | { readonly type: 'again' }
  | { readonly type: 'gust' }

export interface Opened {
  readonly type: 'opened'
  readonly count: number
  /** where it runs, in words */
  readonly where: string
  /** why it does not run elsewhere */
  readonly notes: readonly string[]
}

/** x, y, z of the points of every chain, each chain about its own place. */
export interface Frame {
  readonly type: 'frame'
  readonly points: Float32Array<ArrayBuffer>
  readonly time: number
  /** steps of one chain a second of the clock, all chains together; and simulated time over that of the clock */
  readonly steps: number
  readonly pace: number
}

export type Reply = Opened | Frame | { readonly type: 'failed'; readonly reason: string }
