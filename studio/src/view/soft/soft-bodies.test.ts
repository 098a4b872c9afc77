import { buildModel, createData, createState, forwardKinematics, type Spec } from 'limber'
import * as THREE from 'three'
import { describe, expect, it } from 'vitest'
import { beam, beams } from '../../../test/beams.js'
import { drawSoftBodies } from './soft-bodies.js'

const look = { shadows: true, coarse: false }

/** The beams as drawn with strongly bent modes. */
function bent(spec: Spec = beams) {
  const model = buildModel(spec)
  const state = createState(model)
  state.q.forEach((_, k) => {
    state.q[k] = 0.06 * Math.sin(2 * k + 1)
  })
  const data = createData(model)
  forwardKinematics(model, data, state.q, state.v)
  const index = new Map(model.bodies.map(({ name }, i) => [name, i]))
  const modeStart = Array.from(model.modes.row, (n) => (n < 0 ? -1 : model.modes.start[n]))
  const soft = drawSoftBodies(spec, index, modeStart, look)
  const modes = Float64Array.from(model.modes.iq, (k) => state.q[k])
  soft.update(Float64Array.from(data.X_WB), modes, 0)
  /** vertex v of the mesh of body i in the world, as the engine has it */
  const vertex = (i: number, v: number): THREE.Vector3 => {
    const first = modeStart[i]
    const [x, y, z] = [0, 1, 2].map((a) => {
      let sum = beam.vertices[3 * v + a]
      for (let l = 0; l < 6; l++) sum += modes[first + l] * beam.shapes[l * beam.vertices.length + 3 * v + a]
      return sum
    })
    const X = data.X_WB.subarray(12 * i, 12 * i + 12)
    const row = (r: number) => X[3 * r] * x + X[3 * r + 1] * y + X[3 * r + 2] * z + X[9 + r]
    return new THREE.Vector3(row(0), row(1), row(2))
  }
  return { soft, vertex }
}

describe('drawSoftBodies', () => {
  it('draws bodies that share a domain in one call', () => {
    const { soft } = bent()
    expect(soft.meshes).toHaveLength(1)
    expect(soft.meshes[0].count).toBe(2)
  })

  it('finds what a ray hits of the deformed surface, and the vertices it moves with', () => {
    const { soft, vertex } = bent()
    // from above on a vertex of the upper face of the second beam
    const top = Array.from({ length: beam.vertices.length / 3 }, (_, v) => v).filter((v) => beam.vertices[3 * v + 2] > 0.099)
    const v = top.find((k) => Math.abs(beam.vertices[3 * k] - 0.2) < 1e-9 && Math.abs(beam.vertices[3 * k + 1] - 0.05) < 1e-9) as number
    const aim = vertex(2, v)
    const ray = new THREE.Raycaster(aim.clone().add(new THREE.Vector3(0, 0, 1)), new THREE.Vector3(0, 0, -1))
    const hit = soft.pick(ray)
    expect(hit?.body).toBe(2)
    // coordinates of skins are single precision
    expect(hit?.world.distanceTo(aim)).toBeLessThan(1e-5)
    const heaviest = hit?.mesh?.weights.reduce((best, w, k, all) => (w > all[best] ? k : best), 0) ?? 0
    expect(hit?.mesh?.vertices[heaviest]).toBe(v)
    const settled = hit ? soft.settle(hit) : undefined
    settled?.point.forEach((x, r) => expect(x).toBeCloseTo(hit?.point[r] ?? Number.NaN, 5))
    // beside the beams there is nothing
    expect(soft.pick(new THREE.Raycaster(new THREE.Vector3(0, 3, 5), new THREE.Vector3(0, 0, -1)))).toBeUndefined()
  })

  it('draws vertices that coincide at rest at one place, and their neighbours half-way there', () => {
    const { soft, vertex } = bent()
    const gaps = [...beam.interfaces[1].vertices].map((v) => {
      const [x, y, z] = beam.vertices.subarray(3 * v, 3 * v + 3)
      const own = Array.from({ length: beam.vertices.length / 3 }, (_, k) => k).find(
        (k) => Math.hypot(beam.vertices[3 * k] - (x - 0.3), beam.vertices[3 * k + 1] - y, beam.vertices[3 * k + 2] - z) < 1e-9,
      ) as number
      return { v, own, upper: vertex(1, v), lower: vertex(2, own) }
    })
    // bent as it is, a seam would be open
    expect(Math.max(...gaps.map(({ upper, lower }) => upper.distanceTo(lower)))).toBeGreaterThan(1e-3)
    const seen = drawnVertices(soft.meshes[0])
    for (const { upper, lower } of gaps) {
      const mean = upper.clone().add(lower).multiplyScalar(0.5)
      const near = (place: number) => Math.min(...seen[place].map(({ x }) => x.distanceTo(mean)))
      expect(near(0)).toBeLessThan(1e-5)
      expect(near(1)).toBeLessThan(1e-5)
    }
    // the ring next to the interface of the first beam is corrected too, by less
    const ring = seen[0].filter(({ rest }) => Math.abs(rest.x - 0.25) < 1e-6)
    expect(ring.length).toBeGreaterThan(0)
    for (const { fix } of ring) expect(fix.length()).toBeGreaterThan(0)
    for (const { rest, fix } of seen[0]) if (rest.x < 0.24) expect(fix.length()).toBe(0)
    // the second beam has no body at its own end
    for (const { rest, fix } of seen[1]) if (rest.x > 0.1) expect(fix.length()).toBe(0)
  })

  it('leaves a gap where a joint is between', () => {
    const hinged = { ...beams, bodies: [beams.bodies[0], { ...beams.bodies[1], joints: [{ type: 'revolute' as const }] }] }
    const { soft } = bent(hinged)
    for (const all of drawnVertices(soft.meshes[0])) for (const { fix } of all) expect(fix.length()).toBe(0)
  })
})

/** What the graphics card makes of textures and attributes: X + Σ U q + correction, for every instance. */
function drawnVertices(mesh: THREE.InstancedMesh): { rest: THREE.Vector3; fix: THREE.Vector3; x: THREE.Vector3 }[][] {
  const shader = { uniforms: {} as Record<string, { value: THREE.DataTexture }>, vertexShader: '', fragmentShader: '' }
  const material = mesh.material as THREE.Material
  material.onBeforeCompile(shader as never, undefined as never)
  const texel = (name: string, k: number) => {
    const data = shader.uniforms[name].value.image.data as Float32Array
    return new THREE.Vector3(data[4 * k], data[4 * k + 1], data[4 * k + 2])
  }
  const modes = shader.uniforms['softModes'].value.image.data as Float32Array
  const position = mesh.geometry.getAttribute('position')
  const slot = mesh.geometry.getAttribute('softSlot')
  const slots = Number(/soft \d+ \w+ (\d+)/.exec(material.customProgramCacheKey())?.[1])
  const place = new THREE.Matrix4()
  return Array.from({ length: mesh.count }, (_, instance) => {
    mesh.getMatrixAt(instance, place)
    return Array.from({ length: position.count }, (_, v) => {
      const rest = new THREE.Vector3().fromBufferAttribute(position, v)
      const fix = slot.getX(v) < 0 ? new THREE.Vector3() : texel('softFixes', instance * slots + slot.getX(v))
      const x = rest.clone().add(fix)
      for (let l = 0; l < 6; l++) x.addScaledVector(texel('softShapes', (v * 6 + l) * 3), modes[4 * 2 * instance + l])
      return { rest, fix: fix.applyMatrix4(place).sub(new THREE.Vector3().setFromMatrixPosition(place)), x: x.applyMatrix4(place) }
    })
  })
}
