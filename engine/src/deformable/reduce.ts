/**
 * From a mesh to a reduced domain: linear modes, modal derivatives, a basis of r shapes, the elastic energy as a polynomial in them [Barbic].
 */
import type { Vec } from '../math/types.js'
import { ModelError } from '../model/model-error.js'
import { checkElements, checkFaces } from './check-mesh.js'
import { elementTables, lumpedMasses } from './elements.js'
import { type EnergyTask, energyFromGrams, energyGram, energyTask } from './energy.js'
import { type Selection, selectVertices } from './interfaces.js'
import { linearModes } from './linear-modes.js'
import { massPca } from './mass-pca.js'
import { facesOf, type Mesh, surfaceOf } from './mesh.js'
import { modalDerivatives, spread } from './modal-derivatives.js'
import type { Interface, Material, Reduced } from './reduced.js'
import { createStaticSolve, tripod } from './static-solve.js'
import { createElasticity } from './stvk.js'

export interface ReduceOptions {
  readonly material: Material
  /** vertices held by the parent, the interface named `parent`; without, the mesh is free, for a root in free flight */
  readonly fixed?: Selection
  /** where other bodies may be attached, by name */
  readonly interfaces?: Readonly<Record<string, Selection>>
  /** r; none for a rigid part */
  readonly modes: number
  /** of the mesh, that the basis is made from; as many as `modes` without, but from 6 to 20 */
  readonly linearModes?: number
  /** called now and then with the part that is done */
  readonly progress?: (done: number, what: string) => void
}

/** A domain without its energy, and what that is made from. */
export interface Basis {
  readonly domain: Omit<Reduced, 'energy2' | 'energy3' | 'energy4'>
  readonly energy: EnergyTask
}

/** vertices whose distance from a line is less than this part of its length count as on it */
const ON_A_LINE = 1e-6
/** name of the interface to the parent */
const PARENT = 'parent'

export function reduce(mesh: Mesh, options: ReduceOptions): Reduced {
  const { domain, energy } = reduceBasis(mesh, options)
  const count = energy.parts.length - 1
  const grams: Vec[] = []
  for (let part = 0; part < count; part++) {
    grams.push(energyGram(energy, part))
    options.progress?.(energyProgress(part + 1, count), 'elastic energy')
  }
  return { ...domain, ...energyFromGrams(grams, domain.modes) }
}

/** part of the work that is done with the basis, roughly */
const BASIS_SHARE = 0.4

/** Part of the whole work that is done with `done` of the parts of the energy. */
export function energyProgress(done: number, parts: number): number {
  return BASIS_SHARE + ((1 - BASIS_SHARE) * done) / parts
}

/** All but the energy. */
export function reduceBasis(mesh: Mesh, options: ReduceOptions): Basis {
  checkOptions(options)
  checkElements(mesh)
  const { material, modes, progress } = options
  const elastic = createElasticity(mesh, material, elementTables(mesh))
  const faces = facesOf(mesh)
  checkFaces(mesh, faces)
  const masses = lumpedMasses(mesh, elastic.tables, material.density)
  const interfaces = interfacesOf(mesh, options)
  const clamped = options.fixed !== undefined
  const all = mesh.vertices.length
  const common = { vertices: mesh.vertices, masses, corners: mesh.corners, elements: mesh.elements, surface: surfaceOf(faces) }
  const rest = { ...common, interfaces, clamped, material }
  const finish = (shapes: Vec, frequencies: Vec): Basis => ({
    domain: { ...rest, modes, shapes, frequencies },
    energy: energyTask(elastic, shapes, modes),
  })
  if (modes === 0) return finish(new Float64Array(0), new Float64Array(0))

  progress?.(0, 'stiffness')
  const place = numberFree(all / 3, clamped ? interfaces[0].vertices : new Int32Array(0))
  // stiffness and quadratic forces are exact with fewer points than the energy
  const coarse = createElasticity(mesh, material, elementTables(mesh, 2))
  const statics = createStaticSolve(coarse, masses, place)
  progress?.(0.1, 'linear modes')
  const linear = linearModes(statics, options.linearModes ?? Math.min(20, Math.max(6, modes)))
  progress?.(0.2, 'modal derivatives')
  const derivatives = modalDerivatives(coarse, statics, linear)
  progress?.(0.35, 'basis')
  const U = massPca(linear, derivatives, statics.masses, modes)
  const found = U.length / (3 * statics.free.length)
  if (found < modes) throw new ModelError([{ path: 'modes', message: tooMany(modes, found, linear.count) }])
  const shapes = spread(U, statics.free, all, modes)
  return finish(
    shapes,
    linear.squares.map((x) => Math.sqrt(x) / (2 * Math.PI)),
  )
}

function tooMany(modes: number, found: number, linear: number): string {
  return `expected at most ${found} (what ${linear} linear modes and their derivatives span), got ${modes}; ask for fewer, or for more linear modes`
}

function interfacesOf(mesh: Mesh, { fixed, interfaces = {} }: ReduceOptions): Interface[] {
  const out: Interface[] = []
  if (fixed !== undefined) {
    const vertices = selectVertices(mesh, fixed, 'fixed')
    if (vertices.length === mesh.vertices.length / 3) {
      const message = `expected some vertices that are not held, got all ${vertices.length} held; hold only those at the interface to the parent`
      throw new ModelError([{ path: 'fixed', message }])
    }
    const held = Float64Array.from({ length: 3 * vertices.length }, (_, i) => mesh.vertices[3 * vertices[Math.floor(i / 3)] + (i % 3)])
    if (!(tripod(held).width > ON_A_LINE)) {
      const message = `expected vertices that are not all on one line, got ${vertices.length} on one, about which the mesh can turn; hold a face`
      throw new ModelError([{ path: 'fixed', message }])
    }
    out.push({ name: PARENT, vertices })
  }
  for (const [name, selection] of Object.entries(interfaces)) {
    out.push({ name, vertices: selectVertices(mesh, selection, `interfaces/${name}`) })
  }
  return out
}

function numberFree(count: number, held: Int32Array): Int32Array {
  const place = new Int32Array(count)
  for (const v of held) place[v] = -1
  let n = 0
  for (let v = 0; v < count; v++) if (place[v] === 0) place[v] = n++
  return place
}

function checkOptions({ material, modes, linearModes: linear }: ReduceOptions): void {
  const problems = []
  const { young, poisson, density } = material
  if (!(young > 0)) problems.push({ path: 'material/young', message: `expected a positive number of Pa, got ${young}` })
  if (!(poisson > -1 && poisson < 0.5)) {
    problems.push({ path: 'material/poisson', message: `expected a number from −1 to 0.5, both excluded, got ${poisson}` })
  }
  if (!(density > 0)) problems.push({ path: 'material/density', message: `expected a positive number of kg/m³, got ${density}` })
  if (!(Number.isInteger(modes) && modes >= 0)) problems.push({ path: 'modes', message: `expected a whole number from 0 on, got ${modes}` })
  if (linear !== undefined && !(Number.isInteger(linear) && linear > 0)) {
    problems.push({ path: 'linearModes', message: `expected a whole number from 1 on, got ${linear}` })
  }
  if (problems.length > 0) throw new ModelError(problems)
}
