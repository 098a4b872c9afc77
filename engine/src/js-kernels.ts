/**
 * The JavaScript form of all kernels, with the bits of the WebAssembly one: for pages where that is refused, and for data in memory of
 * one's own. `useKernels(jsKernels)`, from the core, takes it.
 */
import type { JsKernels } from './kernels/memory.js'
import * as adaptive from './printed/adaptive-js.js'
import * as batch from './printed/batch-js.js'
import * as contact from './printed/contact-js.js'
import * as ground from './printed/ground-js.js'
import * as observe from './printed/observe-js.js'
import * as pairs from './printed/pairs-js.js'
import * as position from './printed/position-js.js'
import * as redmax from './printed/redmax-js.js'
import * as trajectories from './printed/trajectories-js.js'
import * as tree from './printed/tree-js.js'

export const jsKernels: JsKernels = { adaptive, batch, contact, ground, observe, pairs, position, redmax, trajectories, tree }
