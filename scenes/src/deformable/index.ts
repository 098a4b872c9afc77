/**
 * The table of scenes whose bodies deform. Each reduces the meshes of its parts when it is built, which takes seconds; by itself, so that a page
 * fetches neither them nor the reduction before one is asked for.
 */
import type { Scene } from '../scene.js'
import { dragon } from './dragon.js'
import { flower } from './flower.js'
import { letters } from './letters.js'
import { oak } from './oak.js'
import { softGripper } from './soft-gripper.js'
import { station } from './station.js'

export { watchReduction } from './watch.js'

export const deformableScenes: readonly Scene[] = [flower, letters, dragon, station, oak, softGripper]
