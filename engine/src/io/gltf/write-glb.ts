/**
 * Spec (and a recording) → binary glTF 2.0: one node a body, flat under a root that turns z up into glTF's y up; geoms as their children.
 *
 * Flat, because recordings hold poses in the world. Geometry is stored once for equal shapes, materials once for equal colours.
 * A recording becomes one animation with linear channels for what moves.
 */
import type { Spec } from '../../build/spec.js'
import { mat3From, vec3From } from '../../math/values/arrays.js'
import { matrixQuat } from '../../math/values/rotation.js'
import { checkRecording, type Recording } from '../trajectory/recording.js'
import { createSpecTree, posesAt, type SpecTree } from '../write/spec-tree.js'
import { animationOf, type BodyTrack } from './animation.js'
import { type Color, type Drawable, drawablesOf } from './drawables.js'
import { createGlb, type GlbFile } from './glb-file.js'
import { bodyColor, toLinear, worldColor } from './palette.js'

/** Where bodies stand: names in the order of the numbers, 12 numbers a body (R row by row, then p), as in `Data.X_WB`. */
export interface BodyPoses {
  readonly bodies: readonly string[]
  readonly X_WB: ArrayLike<number>
}

interface Node {
  readonly name: string
  readonly mesh?: number
  readonly children?: readonly number[]
  readonly translation?: readonly number[]
  readonly rotation?: readonly number[]
  readonly scale?: readonly number[]
}

/** quarter turn about x: z up to y up */
const Z_UP_TO_Y_UP = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2]

/** Bytes of a .glb file. With a recording the bodies move; they stand at `poses`, by default those of the start. */
export function writeGlb(spec: Spec, recording?: Recording, poses?: BodyPoses): Uint8Array {
  const { glb, document } = createDocument(spec, recording, poses)
  return glb.finish(document)
}

/** The same as text: a .gltf file with its numbers inside, as base64. */
export function writeGltf(spec: Spec, recording?: Recording, poses?: BodyPoses): string {
  const { glb, document } = createDocument(spec, recording, poses)
  return glb.finishText(document)
}

function createDocument(spec: Spec, recording: Recording | undefined, poses: BodyPoses | undefined): { glb: GlbFile; document: object } {
  if (recording) checkRecording(recording)
  const tree = createSpecTree(spec)
  const glb = createGlb()
  const parts = createParts(glb)
  const drawables = drawablesOf(spec, tree)
  const stands = standing(tree, poses)
  const nodes: Node[] = []
  const addNode = (node: Node) => nodes.push(node) - 1
  // the root comes first
  const top: number[] = []
  addNode({ name: spec.name || 'mechanism' })

  const addBody = (name: string, color: Color, pose: readonly number[] | undefined) => {
    const children = (drawables.get(name) ?? []).flatMap((drawable) => {
      const mesh = parts.mesh(drawable, color)
      return mesh === undefined ? [] : [addNode(drawableNode(drawable, mesh))]
    })
    const place = pose ? { translation: pose.slice(0, 3), rotation: toXyzw(pose.slice(3, 7)) } : {}
    const index = addNode({ name, ...(children.length > 0 ? { children } : {}), ...place })
    top.push(index)
    return index
  }
  if (drawables.get('world')?.length) addBody('world', worldColor(), undefined)
  const bodyNodes = tree.bodies.map(({ spec: { name } }, k) => addBody(name, bodyColor(k), stands[k]))
  nodes[0] = { name: spec.name || 'mechanism', ...(top.length > 0 ? { children: top } : {}), rotation: Z_UP_TO_Y_UP }

  const tracks = recording ? tracksOf(tree, recording, bodyNodes) : []
  const animation = recording ? animationOf(glb, recording.times, tracks, recording.model.name) : undefined
  const document = {
    asset: { version: '2.0', generator: 'limber' },
    scene: 0,
    scenes: [{ name: spec.name || 'scene', nodes: [0] }],
    nodes,
    ...(parts.meshes.length > 0 ? { meshes: parts.meshes, materials: parts.materials } : {}),
    ...(animation ? { animations: [animation] } : {}),
  }
  return { glb, document }
}

function drawableNode(drawable: Drawable, mesh: number): Node {
  const { name, position, quaternion, scale } = drawable
  const n = Math.hypot(...quaternion) || 1
  return {
    name,
    mesh,
    ...(position.some((x) => x !== 0) ? { translation: position } : {}),
    ...(quaternion[0] === n ? {} : { rotation: toXyzw(quaternion.map((x) => x / n)) }),
    ...(scale.some((x) => x !== 1) ? { scale } : {}),
  }
}

/** Meshes and materials, each stored once. A mesh is a geometry in a colour; the numbers of a geometry are shared by its colours. */
function createParts(glb: GlbFile) {
  const meshes: object[] = []
  const materials: object[] = []
  const primitives = new Map<string, object | undefined>()
  const meshNumbers = new Map<string, number>()
  const materialNumbers = new Map<string, number>()

  function primitive({ key, geometry }: Drawable): object | undefined {
    if (!primitives.has(key)) {
      const { positions, normals, indices } = geometry()
      const attributes = () => ({
        POSITION: glb.addFloats(positions, 'VEC3', 'vertex', true),
        NORMAL: glb.addFloats(normals, 'VEC3', 'vertex', false),
      })
      primitives.set(key, indices.length === 0 ? undefined : { attributes: attributes(), indices: glb.addIndices(indices) })
    }
    return primitives.get(key)
  }

  function material(color: Color, open: boolean): number {
    const key = JSON.stringify([color, open])
    let number = materialNumbers.get(key)
    if (number === undefined) {
      const baseColorFactor = toLinear(color)
      number =
        materials.push({
          pbrMetallicRoughness: { baseColorFactor, metallicFactor: 0, roughnessFactor: 0.6 },
          ...(baseColorFactor[3] < 1 ? { alphaMode: 'BLEND' } : {}),
          ...(open ? { doubleSided: true } : {}),
        }) - 1
      materialNumbers.set(key, number)
    }
    return number
  }

  /** undefined when there is not one triangle to draw */
  function mesh(drawable: Drawable, fallback: Color): number | undefined {
    const shape = primitive(drawable)
    if (!shape) return undefined
    const look = material(drawable.color ?? fallback, drawable.open)
    const key = `${look} ${drawable.key}`
    let number = meshNumbers.get(key)
    if (number === undefined) {
      number = meshes.push({ name: drawable.key.slice(0, 60), primitives: [{ ...shape, material: look }] }) - 1
      meshNumbers.set(key, number)
    }
    return number
  }
  return { meshes, materials, mesh }
}

/** Position and quaternion w x y z of every body of the tree. */
function standing(tree: SpecTree, poses: BodyPoses | undefined): number[][] {
  const numbers = new Map(poses?.bodies.map((name, i) => [name, i]))
  return tree.bodies.map(({ spec, initialPose }) => {
    const i = numbers.get(spec.name)
    if (!poses || i === undefined) return [...initialPose.position, ...initialPose.quaternion]
    return [...vec3From(poses.X_WB, 12 * i + 9), ...matrixQuat(mat3From(poses.X_WB, 12 * i))]
  })
}

/** Poses of every body over time: as recorded, or from the recorded coordinates. */
function tracksOf(tree: SpecTree, recording: Recording, nodes: readonly number[]): BodyTrack[] {
  const { times, poses, model } = recording
  const nbody = model.bodies.length
  if (!poses) return computedTracks(tree, recording, nodes)
  const numbers = new Map(model.bodies.map((name, i) => [name, i]))
  return tree.bodies.flatMap(({ spec }, k) => {
    const i = numbers.get(spec.name)
    if (i === undefined) return []
    const values = new Float64Array(7 * times.length)
    for (let f = 0; f < times.length; f++) values.set(poses.subarray(7 * (f * nbody + i), 7 * (f * nbody + i + 1)), 7 * f)
    return [{ node: nodes[k], values }]
  })
}

function computedTracks(tree: SpecTree, { times, q }: Recording, nodes: readonly number[]): BodyTrack[] {
  if (q.length !== times.length * tree.nq) return []
  const tracks = nodes.map((node) => ({ node, values: new Float64Array(7 * times.length) }))
  for (let f = 0; f < times.length; f++) {
    const poses = posesAt(tree, Array.from(q.subarray(f * tree.nq, (f + 1) * tree.nq)))
    for (const [k, { position, quaternion }] of poses.entries()) tracks[k].values.set([...position, ...quaternion], 7 * f)
  }
  return tracks
}

function toXyzw([w, x, y, z]: readonly number[]): number[] {
  return [x, y, z, w]
}
