/**
 * Animated glTF of bodies that deform, as another program reads it.
 */
import { validateBytes } from 'gltf-validator'
import {
  buildModel,
  createData,
  createRecorder,
  createSimulation,
  forwardKinematics,
  type Recording,
  type Reduced,
  recordedModel,
  reduce,
  type Spec,
  voxelGrid,
  writeGlb,
} from 'limber'
import * as THREE from 'three'
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js'
import { describe, expect, it } from 'vitest'

/** glTF stores float32 of lengths up to 1 m, in a sum over the modes */
const TOLERANCE = 1e-6

const material = { young: 2e5, poisson: 0.4, density: 1000 }
const beam: Reduced = reduce(voxelGrid({ size: [6, 1, 1], edge: 0.1 }), {
  material,
  fixed: { min: [-1, -1, -1], max: [0, 1, 1] },
  interfaces: { end: { min: [0.59, -1, -1], max: [1, 1, 1] } },
  modes: 5,
})

/** Two beams one after the other, the second of another size and with a finer mesh inside, and a rigid ball at its end. */
const spec: Spec = {
  name: 'beams',
  domains: [{ name: 'beam', data: beam }],
  meshes: [
    {
      name: 'finer',
      vertices: [0.1, 0.02, 0.05, 0.55, 0.02, 0.05, 0.3, 0.08, 0.05, 0.3, 0.05, 0.09],
      faces: [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3],
    },
  ],
  bodies: [
    { name: 'first', position: [0, 0, 1], domain: { name: 'beam', color: [1, 0, 0, 1] } },
    {
      ...{ name: 'second', parent: 'first', position: [0.6, 0, 0], domain: { name: 'beam', scale: 0.8 } },
      geoms: [{ shape: 'mesh', mesh: 'finer' }],
    },
    { name: 'ball', parent: 'second', attach: 'end', position: [0.48, 0, 0], geoms: [{ shape: 'sphere', radius: 0.05, mass: 0.1 }] },
  ],
}

function record(poses: boolean): Recording {
  const model = buildModel(spec)
  const simulation = createSimulation(model, { timestep: 0.01 })
  const data = createData(model)
  const recorder = createRecorder(recordedModel(model), { poses })
  for (let k = 0; k < 21; k++) {
    const { t, q, v } = simulation.state
    forwardKinematics(model, data, q, v)
    recorder.record({ t, q, v, X_WB: data.X_WB })
    simulation.step()
  }
  return recorder.recording()
}

/** As an ordinary viewer has it. */
async function open(bytes: Uint8Array): Promise<{ scene: THREE.Object3D; play(t: number): void }> {
  const loaded = await new GLTFLoader().parseAsync(bytes.slice().buffer, '')
  const mixer = new THREE.AnimationMixer(loaded.scene)
  for (const clip of loaded.animations) mixer.clipAction(clip).play()
  return {
    scene: loaded.scene,
    play(t) {
      mixer.setTime(t)
      loaded.scene.updateMatrixWorld(true)
    },
  }
}

describe.each([true, false])('glTF of domains, poses recorded: %s', (poses) => {
  const recording = record(poses)
  const bytes = writeGlb(spec, recording)

  it('passes the validator', async () => {
    const { issues } = (await validateBytes(bytes)) as { issues: { numErrors: number; numWarnings: number; messages: object[] } }
    expect([issues.numErrors, issues.numWarnings], JSON.stringify(issues.messages.slice(0, 3))).toEqual([0, 0])
  })

  it('puts every vertex where the engine has it, at a recorded time', async () => {
    const { scene, play } = await open(bytes)
    const model = buildModel(spec)
    const data = createData(model)
    const frame = 15
    play(recording.times[frame])
    const q = recording.q.subarray(frame * model.nq, (frame + 1) * model.nq)
    forwardKinematics(model, data, q, new Float64Array(model.nv))
    const first = scene.getObjectByName('first_surface')
    if (!(first instanceof THREE.Mesh)) throw new Error('no mesh of the first beam')
    const X = data.X_WB.subarray(12, 24)
    const at = new THREE.Vector3()
    const rest = first.geometry.getAttribute('position')
    let largest = 0
    for (let k = 0; k < rest.count; k++) {
      first.getVertexPosition(k, at).applyMatrix4(first.matrixWorld)
      // the vertex of the mesh that stands there at rest
      const v = nearest(beam.vertices, [rest.getX(k), rest.getY(k), rest.getZ(k)])
      const local = [0, 1, 2].map((a) => beam.vertices[3 * v + a] + modal(beam, q, v, a))
      const [x, y, z] = [0, 1, 2].map((r) => X[3 * r] * local[0] + X[3 * r + 1] * local[1] + X[3 * r + 2] * local[2] + X[9 + r])
      largest = Math.max(largest, Math.abs(local[2] - beam.vertices[3 * v + 2]))
      // z up to y up
      expect(at.distanceTo(new THREE.Vector3(x, z, -y))).toBeLessThan(TOLERANCE)
    }
    expect(largest).toBeGreaterThan(0.02)
    const ball = scene.getObjectByName('ball')?.getWorldPosition(at)
    const [x, y, z] = data.X_WB.subarray(36 + 9, 48)
    expect(ball?.distanceTo(new THREE.Vector3(x, z, -y))).toBeLessThan(TOLERANCE)
  })

  it('turns normals with the surface', async () => {
    const { scene, play } = await open(bytes)
    play(recording.times[15])
    const first = scene.getObjectByName('first_surface') as THREE.Mesh
    const { position, normal } = first.geometry.attributes
    const weights = first.morphTargetInfluences ?? []
    const targets = first.geometry.morphAttributes['normal'] ?? []
    const at = (k: number) => first.getVertexPosition(k, new THREE.Vector3())
    const index = first.geometry.index as THREE.BufferAttribute
    let turned = 0
    for (let f = 0; f < index.count; f += 3) {
      const [i, j, k] = [index.getX(f), index.getX(f + 1), index.getX(f + 2)]
      const face = at(j)
        .sub(at(i))
        .cross(at(k).sub(at(i)))
        .normalize()
      for (const v of [i, j, k]) {
        const n = new THREE.Vector3().fromBufferAttribute(normal, v)
        const before = n.clone()
        weights.forEach((w, l) => n.addScaledVector(new THREE.Vector3().fromBufferAttribute(targets[l], v), w))
        turned = Math.max(turned, before.angleTo(n))
        // flat faces between vertices of a curved surface
        expect(n.angleTo(face)).toBeLessThan(0.12)
      }
    }
    expect(position.count).toBeGreaterThan(20)
    expect(turned).toBeGreaterThan(0.1)
  })

  it('moves an embedded mesh in place of the surface', async () => {
    const { scene, play } = await open(bytes)
    const finer = scene.getObjectByName('finer') as THREE.Mesh
    const before = finer.getVertexPosition(0, new THREE.Vector3())
    play(recording.times[15])
    expect(finer.morphTargetInfluences).toHaveLength(5)
    expect(finer.getVertexPosition(0, new THREE.Vector3()).distanceTo(before)).toBeGreaterThan(1e-4)
    expect(scene.getObjectByName('second_surface')).toBeUndefined()
    expect(finer.getWorldScale(new THREE.Vector3()).x).toBeCloseTo(0.8, 6)
  })
})

function nearest(X: ArrayLike<number>, [x, y, z]: readonly number[]): number {
  let best = 0
  const distance = (v: number) => (X[3 * v] - x) ** 2 + (X[3 * v + 1] - y) ** 2 + (X[3 * v + 2] - z) ** 2
  for (let v = 1; 3 * v < X.length; v++) if (distance(v) < distance(best)) best = v
  return best
}

function modal({ modes, shapes, vertices }: Reduced, q: Float64Array, v: number, a: number): number {
  let sum = 0
  for (let l = 0; l < modes; l++) sum += q[l] * shapes[l * vertices.length + 3 * v + a]
  return sum
}
