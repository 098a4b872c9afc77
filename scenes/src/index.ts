/**
 * The table of built-in scenes. A new scene is one file and one line in `rigid.ts`, `robots/index.ts` or `deformable/index.ts`; command line, studio, bench and tests pick
 * it up.
 */
import { deformableScenes } from './deformable/index.js'
import { rigidScenes } from './rigid.js'
import { robotScenes } from './robots/index.js'
import type { Scene } from './scene.js'

export { type Drive, describeRange, type Parameter, type ParameterValues, type Scene, wrongValue } from './scene.js'
export { swimmerGait } from './swimmer.js'

export const scenes: readonly Scene[] = [...rigidScenes, ...robotScenes, ...deformableScenes]

/** The scene of that name, or undefined. */
export function findScene(name: string): Scene | undefined {
  return scenes.find((scene) => scene.name === name)
}
