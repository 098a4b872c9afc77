/**
 * Bodies that deform, in the picture: skins of domains, one draw call each however many bodies wear it. Fetched with the first scene that has some.
 */
import { createSkins, type Skin, type Spec } from 'limber'
import * as THREE from 'three'
import type { BodyPoint } from '../../worker/protocol.js'
import type { BodyFrames, Look } from '../instances.js'
import { type Batch, createBatch, type Wearer } from './batch.js'
import { createJoins, type Instance } from './joins.js'
import { pickBatch, pointsOf } from './pick.js'

export interface SoftBodies {
  readonly meshes: readonly THREE.InstancedMesh[]
  /** whether a body is drawn here */
  has(body: number): boolean
  /** reads poses, and the modes that begin at `start` of the block */
  update(frames: BodyFrames, block: Float64Array, start: number): void
  pick(ray: THREE.Raycaster): (BodyPoint & { readonly world: THREE.Vector3; readonly distance: number }) | undefined
  /** the point where it is now in its body; as it is where it does not move */
  settle(point: BodyPoint): BodyPoint
  paint(color: (body: number) => THREE.Color | undefined): void
  /** makes the box hold all of them */
  expand(box: THREE.Box3): void
  dispose(): void
}

/** sums of vertices times modes up to which a processor draws smooth skins */
const smoothMost = 400_000
const plain = [0.72, 0.74, 0.78, 1] as const

export type DrawSoftBodies = (spec: Spec, index: ReadonlyMap<string, number>, modeStart: readonly number[], look: Look) => SoftBodies

export const drawSoftBodies: DrawSoftBodies = (spec, index, modeStart, look) => {
  const { ghost, coarse } = look
  const skinsOf = createSkins(spec)
  const groups = new Map<string, { readonly skin: Skin; readonly alpha: number; readonly wearers: Wearer[]; readonly names: string[] }>()
  for (const body of spec.bodies) {
    for (const { key, skin, color: [r, g, b, alpha] = plain } of skinsOf(body)) {
      const group = groups.get(`${key} ${alpha}`) ?? { skin: skin(), alpha, wearers: [], names: [] }
      groups.set(`${key} ${alpha}`, group)
      const number = index.get(body.name) ?? 0
      const color = ghost === undefined ? new THREE.Color().setRGB(r, g, b, THREE.SRGBColorSpace) : new THREE.Color(ghost)
      group.wearers.push({ body: number, scale: body.domain?.scale ?? 1, start: modeStart[number] ?? -1, color })
      group.names.push(body.name)
    }
  }
  const made = [...groups.values()].map(({ skin, alpha, wearers, names }) => ({ alpha, names, batch: createBatch(skin, wearers) }))
  const batches = made.map(({ batch }) => batch)
  const instances = new Map<string, Instance[]>()
  for (const { batch, names } of made) {
    batch.wearers.forEach(({ body, scale }, place) => {
      instances.set(names[place], [...(instances.get(names[place]) ?? []), { batch, place, body, scale }])
    })
  }
  const joins = createJoins(spec, instances)
  const work = batches.reduce((sum, { skin, places }) => sum + places * skin.positions.length * skin.modes, 0)
  const smooth = !coarse || work < 3 * smoothMost
  const meshes = made.map(({ batch, alpha }) => batch.mesh(look, smooth, alpha, joins.fixesOf(batch)))
  for (const batch of batches) batch.paint(() => undefined)
  const first = new Map<number, { readonly batch: Batch; readonly place: number }>()
  for (const batch of batches) batch.wearers.forEach(({ body }, place) => first.set(body, { batch, place }))
  const domains = new Map(spec.domains?.map(({ name, data }) => [name, data]))
  const domainOf = new Map(spec.bodies.map(({ name, domain }) => [index.get(name) ?? 0, domain && domains.get(domain.name)]))

  return {
    meshes,
    has: (body) => first.has(body),
    update(frames, block, start) {
      for (const batch of batches) batch.place(frames, block, start)
      joins.update()
      for (const batch of batches) batch.send()
    },
    pick({ ray }) {
      let best: ReturnType<SoftBodies['pick']>
      for (const batch of batches) {
        const hit = pickBatch(batch, ray)
        if (!hit || (best && best.distance <= hit.distance)) continue
        const { place, point, mesh, world, distance } = hit
        best = { body: batch.wearers[place].body, point, mesh, world, distance }
      }
      return best
    },
    settle(point) {
      const at = first.get(point.body)
      const domain = domainOf.get(point.body)
      if (!point.mesh || !at || !domain) return point
      const { batch, place } = at
      const { vertices, weights } = point.mesh
      const size = domain.vertices.length
      const now = [0, 1, 2].map((a) => {
        let sum = 0
        vertices.forEach((v, k) => {
          sum += weights[k] * domain.vertices[3 * v + a]
          for (let l = 0; l < domain.modes; l++) {
            sum += weights[k] * batch.coordinates[domain.modes * place + l] * domain.shapes[l * size + 3 * v + a]
          }
        })
        return batch.wearers[place].scale * sum
      })
      return { ...point, point: [now[0], now[1], now[2]] }
    },
    paint(color) {
      for (const batch of batches) batch.paint(color)
    },
    expand(box) {
      const matrix = new THREE.Matrix4()
      for (const batch of batches) {
        const rest = new THREE.Box3().setFromPoints(pointsOf(batch.skin.positions))
        for (let place = 0; place < batch.places; place++) box.union(rest.clone().applyMatrix4(batch.matrixAt(matrix, place)))
      }
    },
    dispose() {
      for (const batch of batches) batch.dispose()
    },
  }
}
