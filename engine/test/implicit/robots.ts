/** Two robots of the tests in five situations on the ground, and environments that all differ. */
import { readFileSync } from 'node:fs'
import { buildModel, type Model, parseMjcf } from 'limber'

const read = (name: string): string => readFileSync(new URL(`../robots/${name}.xml`, import.meta.url), 'utf8')

/** Contacts with the floor only, in both engines. */
const onFloor = (text: string): string =>
  text
    .replace('<geom friction="1"/>', '')
    .replace('<default>', '<default><geom contype="0" conaffinity="1" friction="1"/>')
    .replace(/(<geom name="floor" )/, '$1contype="1" conaffinity="1" ')
const atRoot = (text: string, z: string, turn: string): string => text.replace(/qpos="0 0 [\d.]+ 1 0 0 0/, `qpos="0 0 ${z} ${turn}`)
/** Motors off. */
const limp = (text: string): string => text.replace(/<actuator>[\s\S]*<\/actuator>/, '').replace(/ctrl="[^"]*"/, '')

export const situations: Readonly<Record<string, string>> = {
  'humanoid standing': onFloor(read('humanoid')),
  'humanoid lying': limp(atRoot(onFloor(read('humanoid')), '0.25', '0.70710678 0 -0.70710678 0')),
  'humanoid falling': atRoot(onFloor(read('humanoid')), '1.1', '0.93 0.2 0.3 0.05'),
  'quadruped standing': onFloor(read('quadruped')),
  'quadruped dropped': atRoot(onFloor(read('quadruped')), '0.6', '0.95 0.25 0.15 0.1'),
}

export const selfTouching: Readonly<Record<string, string>> = {
  'humanoid with itself': read('humanoid').replaceAll('<geom class="inner"', '<geom'),
}

export const modelOf = (text: string): Model => buildModel(parseMjcf(text))

/** Numbers from −1 to 1, the same for the same seed. */
export function createRandom(seed: number): () => number {
  let x = seed
  return () => {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0
    return (x / 2 ** 32) * 2 - 1
  }
}

/** Rows of q near the keyframe. */
export function scattered({ nq, keyframes }: Model, count: number, seed: number, size = 0.05): Float64Array {
  const random = createRandom(seed)
  const q = new Float64Array(count * nq)
  for (let e = 0; e < count; e++) {
    q.set(keyframes[0].q, e * nq)
    for (let k = 7; k < nq; k++) q[e * nq + k] += size * random()
    q[e * nq + 2] += size * (1 + random())
    for (let k = 3; k < 7; k++) q[e * nq + k] += 0.02 * random()
    const length = Math.hypot(...q.subarray(e * nq + 3, e * nq + 7))
    for (let k = 3; k < 7; k++) q[e * nq + k] /= length
  }
  return q
}

/** The keyframe's control for every environment. */
export const held = ({ keyframes, nu }: Model, count: number): Float64Array => {
  const out = new Float64Array(count * nu)
  for (let e = 0; e < count; e++) out.set(keyframes[0].control, e * nu)
  return out
}
