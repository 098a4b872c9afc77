/**
 * Spec (and a recording) → binary glTF 2.0: one node a body, flat under a root that turns z up into glTF's y up; geoms as their children.
 *
 * Flat, because recordings hold poses in the world. Geometry is stored once for equal shapes, materials once for equal colours.
 * A recording becomes one animation with linear channels for what moves. Domains have a morph target a mode, with their coordinates as weights.
 */

import { buildModel } from '../../build/build-model.js'
import { placeSpec } from '../../build/geometry/segment.js'
import type { BodySpec, Spec } from '../../build/spec.js'
import { norm } from '../../math/own.js'
import type { Vec } from '../../math/types.js'
import { mat3From, vec3From } from '../../math/values/arrays.js'
import { matrixQuat } from '../../math/values/rotation.js'
import { createData } from '../../model/data.js'
import { forwardKinematics } from '../../tree/kinematics.js'
import type { ByteSink, FrameSource } from '../trajectory/frames.js'
import { checkRecording, type RecordedJoint, type RecordedModel, type Recording, recordedSize } from '../trajectory/recording.js'
import { createSpecTree, posesAt, type SpecTree } from '../write/spec-tree.js'
import { animationOf, type BodyTrack, type WeightTrack } from './animation.js'
import { type Color, type Drawable, drawablesOf } from './drawables.js'
import { type FramesAnimation, planAnimation } from './frames-animation.js'
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
  const { glb, document } = createDocument(spec, moveAs(spec, recording), poses)
  return glb.finish(document)
}

/** The same as text: a .gltf file with its numbers inside, as base64. */
export function writeGltf(spec: Spec, recording?: Recording, poses?: BodyPoses): string {
  const { glb, document } = createDocument(spec, moveAs(spec, recording), poses)
  return glb.finishText(document)
}

/** The nodes that can move. */
interface Movable {
  readonly glb: GlbFile
  readonly tree: SpecTree
  /** of the bodies of the tree */
  readonly bodyNodes: readonly number[]
  readonly skins: readonly { readonly node: number; readonly body: string }[]
}

/** The animation of a recording in memory. */
function moveAs(spec: Spec, recording: Recording | undefined): (movable: Movable) => object | undefined {
  if (!recording) return () => undefined
  checkRecording(recording)
  return ({ glb, tree, bodyNodes, skins }) => {
    const tracks = tracksOf(spec, tree, recording, bodyNodes)
    const weights = skins.flatMap(({ node, body }) => weightsOf(tree, recording, node, body))
    return animationOf(glb, recording.times, tracks, weights, recording.model.name)
  }
}

/** `writeGlb` of frames that may be too many for memory; returns the length of the file. */
export function writeGlbFrames(spec: Spec, source: FrameSource, sink: ByteSink): number {
  let plan: FramesAnimation | undefined
  const { glb, document } = createDocument(spec, ({ glb, tree, bodyNodes, skins }) => {
    const numbers = new Map(source.model.bodies.map((name, i) => [name, i]))
    const tracks = tree.bodies.flatMap(({ spec: { name } }, k) => {
      const body = numbers.get(name)
      return body === undefined ? [] : [{ node: bodyNodes[k], body }]
    })
    const weights = skins.flatMap(({ node, body }) => {
      const modes = modesOf(source.model, body)
      return modes ? [{ node, iq: modes.iq, count: modes.nq, scale: tree.byName.get(body)?.spec.domain?.scale ?? 1 }] : []
    })
    plan = planAnimation(glb, source, tracks, weights)
    return plan?.animation
  })
  const { data, length } = glb.finishInto(document, sink)
  plan?.write(sink, data)
  return length
}

function createDocument(
  given: Spec,
  animate: (movable: Movable) => object | undefined,
  poses?: BodyPoses,
): { glb: GlbFile; document: object } {
  const spec = placeSpec(given)
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

  const skins: { readonly node: number; readonly body: string }[] = []
  const addBody = (name: string, color: Color, pose: readonly number[] | undefined) => {
    const children = (drawables.get(name) ?? []).flatMap((drawable) => {
      const mesh = parts.mesh(drawable, color)
      if (mesh === undefined) return []
      const node = addNode(drawableNode(drawable, mesh))
      if (drawable.deforms) skins.push({ node, body: name })
      return [node]
    })
    const place = pose ? { translation: pose.slice(0, 3), rotation: toXyzw(pose.slice(3, 7)) } : {}
    const index = addNode({ name, ...(children.length > 0 ? { children } : {}), ...place })
    top.push(index)
    return index
  }
  if (drawables.get('world')?.length) addBody('world', worldColor(), undefined)
  const bodyNodes = tree.bodies.map(({ spec: { name } }, k) => addBody(name, bodyColor(k), stands[k]))
  nodes[0] = { name: spec.name || 'mechanism', ...(top.length > 0 ? { children: top } : {}), rotation: Z_UP_TO_Y_UP }

  const animation = animate({ glb, tree, bodyNodes, skins })
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
  const n = norm(quaternion) || 1
  return {
    name,
    mesh,
    ...(position.some((x) => x !== 0) ? { translation: position } : {}),
    ...(quaternion[0] === n ? {} : { rotation: toXyzw(quaternion.map((x) => x / n)) }),
    ...(scale.some((x) => x !== 1) ? { scale } : {}),
  }
}

interface Primitive {
  readonly attributes: object
  readonly indices: number
  readonly targets?: readonly object[]
}

/** Meshes and materials, each stored once. A mesh is a geometry in a colour; the numbers of a geometry are shared by its colours. */
function createParts(glb: GlbFile) {
  const meshes: object[] = []
  const materials: object[] = []
  const primitives = new Map<string, Primitive | undefined>()
  const meshNumbers = new Map<string, number>()
  const materialNumbers = new Map<string, number>()

  function primitive({ key, geometry }: Drawable): Primitive | undefined {
    if (!primitives.has(key)) {
      const { positions, normals, indices, targets = [] } = geometry()
      const attributes = (rows: { readonly positions: readonly number[] | Vec; readonly normals: readonly number[] | Vec }) => ({
        POSITION: glb.addFloats(rows.positions, 'VEC3', 'vertex', true),
        NORMAL: glb.addFloats(rows.normals, 'VEC3', 'vertex', false),
      })
      const make = () => ({
        attributes: attributes({ positions, normals }),
        indices: glb.addIndices(indices),
        ...(targets.length > 0 ? { targets: targets.map(attributes) } : {}),
      })
      primitives.set(key, indices.length === 0 ? undefined : make())
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
      // a viewer shows the targets by these names, at rest until an animation moves them
      const names = shape.targets?.map((_, l) => `mode ${l + 1}`)
      const modes = names ? { weights: names.map(() => 0), extras: { targetNames: names } } : {}
      number = meshes.push({ name: drawable.key.slice(0, 60), primitives: [{ ...shape, material: look }], ...modes }) - 1
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
function tracksOf(spec: Spec, tree: SpecTree, recording: Recording, nodes: readonly number[]): BodyTrack[] {
  const { times, poses, model } = recording
  const nbody = model.bodies.length
  if (!poses) return spec.bodies.some(deforms) ? modelTracks(spec, tree, recording, nodes) : computedTracks(tree, recording, nodes)
  const numbers = new Map(model.bodies.map((name, i) => [name, i]))
  return tree.bodies.flatMap(({ spec: { name } }, k) => {
    const i = numbers.get(name)
    if (i === undefined) return []
    const values = new Float64Array(7 * times.length)
    for (let f = 0; f < times.length; f++) values.set(poses.subarray(7 * (f * nbody + i), 7 * (f * nbody + i + 1)), 7 * f)
    return [{ node: nodes[k], values }]
  })
}

/** Coordinates of the modes of a body, in the size of its mesh. */
function weightsOf(tree: SpecTree, { times, q, model }: Recording, node: number, body: string): WeightTrack[] {
  const modes = modesOf(model, body)
  if (!modes) return []
  const { nq } = recordedSize(model)
  const scale = tree.byName.get(body)?.spec.domain?.scale ?? 1
  const values = new Float64Array(times.length * modes.nq)
  for (let f = 0; f < times.length; f++) {
    for (let l = 0; l < modes.nq; l++) values[f * modes.nq + l] = q[f * nq + modes.iq + l] / scale
  }
  return [{ node, count: modes.nq, values }]
}

function modesOf(model: RecordedModel, body: string): RecordedJoint | undefined {
  return model.joints.find(({ name, type, nq }) => type === 'modes' && name === `${body}.modes` && nq > 0)
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

const deforms = ({ domain, deformation }: BodySpec): boolean => domain !== undefined || deformation !== undefined

/** Frames on bodies that deform move with their modes, which only a model follows. */
function modelTracks(spec: Spec, tree: SpecTree, { times, q }: Recording, nodes: readonly number[]): BodyTrack[] {
  const model = buildModel(spec)
  const { nq, nv, bodies } = model
  if (q.length !== times.length * nq) return []
  const data = createData(model)
  const still = new Float64Array(nv)
  const names = bodies.map(({ name }) => name)
  const tracks = nodes.map((node) => ({ node, values: new Float64Array(7 * times.length) }))
  for (let f = 0; f < times.length; f++) {
    forwardKinematics(model, data, q.subarray(f * nq, (f + 1) * nq), still)
    for (const [k, pose] of standing(tree, { bodies: names, X_WB: data.X_WB }).entries()) tracks[k].values.set(pose, 7 * f)
  }
  return tracks
}

function toXyzw([w, x, y, z]: readonly number[]): number[] {
  return [x, y, z, w]
}
