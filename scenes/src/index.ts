/**
 * The table of built-in scenes. A new scene is one file and one line here; command line, studio, bench and tests pick it up.
 */
import { chain } from './chain.js'
import { doublePendulum } from './double-pendulum.js'
import { hingeTree } from './hinge-tree.js'
import { humanoid } from './humanoid.js'
import { mobile } from './mobile.js'
import type { Scene } from './scene.js'
import { spider } from './spider.js'
import { swimmer } from './swimmer.js'
import { swingingChain } from './swinging-chain.js'

export { describeRange, type Parameter, type ParameterValues, type Scene } from './scene.js'
export { swimmerGait } from './swimmer.js'

export const scenes: readonly Scene[] = [chain, doublePendulum, humanoid, hingeTree, mobile, swingingChain, swimmer, spider]

/** The scene of that name, or undefined. */
export function findScene(name: string): Scene | undefined {
  return scenes.find((scene) => scene.name === name)
}
