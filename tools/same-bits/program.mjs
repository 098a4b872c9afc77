/** What both engines run: scenes under every solver, and files through every reader; all bits of what comes out. */
import {
  buildModel,
  createData,
  createSimulation,
  forwardDynamics,
  parseMesh,
  parseMjcf,
  parseScene,
  parseUrdf,
  parseVolumeMesh,
  solvers,
} from 'limber'
import { findScene, scenes } from 'limber-scenes'

/** steps of scenes that take seconds for one under some solver */
const FEW = new Map([
  ['flower', 4],
  ['oak', 3],
])

const HASH_START = 0xcbf29ce484222325n
const PRIME = 0x100000001b3n
const MASK = 0xffffffffffffffffn

/** FNV-1a of 64 bits, a word at a time. */
function hashWords(words, start = HASH_START) {
  let hash = start
  for (const word of words) hash = ((hash ^ word) * PRIME) & MASK
  return hash
}

const wordsOf = (numbers) => new BigUint64Array(Float64Array.from(numbers).buffer)
const hex = (hash) => hash.toString(16).padStart(16, '0')

function hashText(text) {
  const words = []
  for (let k = 0; k < text.length; k++) words.push(BigInt(text.charCodeAt(k)))
  return hashWords(words)
}

export const sceneNames = () => scenes.map(({ name }) => name)
export const solverNames = () => Object.keys(solvers)

/** of so many that were asked for, those that the scene is given */
export const stepsOf = (scene, steps) => Math.min(steps, FEW.get(scene) ?? steps)

/** the last model: meshes are reduced when a scene is built, which takes a second for each solver otherwise */
let built = { scene: '', model: undefined }

function start(scene, solver) {
  if (built.scene !== scene) built = { scene, model: buildModel(findScene(scene).build({})) }
  const { model } = built
  try {
    return createSimulation(model, { solver })
  } catch (error) {
    // a family that does not run a model says so; whatever else it throws is a fault
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Hash of the states of so many steps, or undefined where the solver refuses the scene. */
export function hashScene(scene, solver, steps) {
  const simulation = start(scene, solver)
  if (!simulation) return undefined
  let hash = HASH_START
  for (let k = 0; k < stepsOf(scene, steps); k++) {
    simulation.step()
    hash = hashWords(wordsOf([simulation.state.t, ...simulation.state.q, ...simulation.state.v]), hash)
  }
  simulation.close()
  return hex(hash)
}

/** Every step as named numbers: time, coordinates and velocities by joint, poses by body; for finding where two runs part. */
export function trace(scene, solver, steps) {
  const simulation = start(scene, solver)
  if (!simulation) return undefined
  const { model, state } = simulation
  const data = createData(model)
  const labels = ['t']
  for (const { name, body, nq, nv } of model.joints) {
    const where = `body '${model.bodies[body].name}', joint '${name}'`
    for (let k = 0; k < nq; k++) labels.push(`${where}, q[${k}]`)
    for (let k = 0; k < nv; k++) labels.push(`${where}, v[${k}]`)
  }
  for (const { name } of model.bodies) for (let k = 0; k < 12; k++) labels.push(`body '${name}', X_WB[${k}]`)
  const rows = []
  for (let n = 0; n < stepsOf(scene, steps); n++) {
    simulation.step()
    forwardDynamics(model, data, state)
    const row = [state.t]
    for (const { iq, nq, iv, nv } of model.joints) row.push(...state.q.subarray(iq, iq + nq), ...state.v.subarray(iv, iv + nv))
    row.push(...data.X_WB)
    rows.push(Array.from(wordsOf(row), (word) => word.toString(16)))
  }
  simulation.close()
  return { labels, rows }
}

/** Hash of what a reader makes of a file, and of the model that the builder makes of that. */
export function hashFile({ format, name, text, bytes }, files) {
  const resolve = (path) => files[path.slice(path.lastIndexOf('/') + 1)]
  const data = text ?? Uint8Array.from(bytes)
  try {
    if (format === 'MJCF' || format === 'URDF' || format === 'scene') {
      const spec = (format === 'MJCF' ? parseMjcf : format === 'URDF' ? parseUrdf : parseScene)(text, { resolve })
      const model = buildModel(spec)
      const numbers = Object.values(model).flatMap((value) => (value instanceof Float64Array ? [value] : []))
      return hex(numbers.reduce((hash, list) => hashWords(wordsOf(list), hash), hashText(JSON.stringify(spec))))
    }
    const { ignored: _, mesh, ...rest } = /^(Gmsh|Vega)$/.test(format) ? parseVolumeMesh(data, name) : parseMesh(data, name)
    const { vertices, faces, elements } = { ...rest, ...mesh }
    return hex(hashWords(wordsOf([...vertices, ...(faces ?? elements)])))
  } catch (error) {
    return `refused: ${error.message.slice(0, 80)}`
  }
}
