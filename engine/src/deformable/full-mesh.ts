/**
 * The reference for reduced domains: the whole mesh, every vertex by its own three coordinates, St. Venant–Kirchhoff elasticity without reduction,
 * in an inertial frame. Newmark's scheme (β = ¼, γ = ½) with Newton's method to convergence, or linear modes.
 *
 *   M a + D v + f(u) = M g + p,   D = α M + β K(u)
 */

import { createBlockLdl, factorBlocks, solveBlocks } from '../linalg/sparse/block-ldl.js'
import { blockAt, blockProduct } from '../linalg/sparse/block-matrix.js'
import { dissect } from '../linalg/sparse/dissect.js'
import { elementTables, lumpedMasses } from './elements.js'
import { type Selection, selectVertices } from './interfaces.js'
import { linearModes } from './linear-modes.js'
import type { Mesh } from './mesh.js'
import type { Material } from './reduced.js'
import { createStaticSolve } from './static-solve.js'
import { createElasticity, elasticEnergy, elasticForce, stiffnessPattern, tangentStiffness } from './stvk.js'

export interface FullMeshOptions {
  readonly material: Material
  /** held at rest; none for a mesh in free flight */
  readonly fixed?: Selection
  readonly gravity?: readonly [number, number, number]
  /** α and β */
  readonly damping?: { readonly mass?: number; readonly stiffness?: number }
}

export interface FullMesh {
  /** displacements, velocities and accelerations of all vertices, 3 each; held ones stay as they are */
  readonly u: Float64Array
  readonly v: Float64Array
  readonly a: Float64Array
  readonly masses: Float64Array
  /** p, forces on the vertices from outside besides gravity; the caller's to write */
  readonly load: Float64Array
  /** One step; throws where Newton's method does not get there. */
  step(h: number): void
  /** Displacements at rest under the load, from where they are, into u. */
  settle(): void
  energy(): { kinetic: number; elastic: number }
  /** The lowest frequencies, Hz, without rigid motions. */
  frequencies(count: number): Float64Array
}

/** Newton stops when its step is this part of the displacements */
const TOLERANCE = 1e-11
const MOST_ITERATIONS = 50

export function createFullMesh(mesh: Mesh, { material, fixed, gravity = [0, 0, 0], damping = {} }: FullMeshOptions): FullMesh {
  const tables = elementTables(mesh)
  const elastic = createElasticity(mesh, material, tables)
  const masses = lumpedMasses(mesh, tables, material.density)
  const { mass: alpha = 0, stiffness: beta = 0 } = damping
  const held = new Set(fixed === undefined ? [] : selectVertices(mesh, fixed, 'fixed'))
  let free = 0
  const place = masses.map((_, v) => (held.has(v) ? -1 : free++))
  const numbering = Int32Array.from(place)
  const positions = Float64Array.from(mesh.vertices).filter((_, i) => numbering[Math.floor(i / 3)] >= 0)
  const K = stiffnessPattern(elastic, numbering)
  const A = { ...K, value: new Float64Array(K.value.length) }
  const factor = createBlockLdl(K, dissect(K, positions))
  const size = mesh.vertices.length
  const [u, v, a, load, f] = [0, 1, 2, 3, 4].map(() => new Float64Array(size)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  const x = new Float64Array(3 * free)
  const y = new Float64Array(3 * free)
  const coordinates = Int32Array.from(mesh.vertices.keys()).filter((i) => numbering[Math.floor(i / 3)] >= 0)
  const m = Float64Array.from(coordinates, (i) => masses[Math.floor(i / 3)])
  const outside = (i: number): number => masses[Math.floor(i / 3)] * gravity[i % 3] + load[i]

  /** u += (s K + t M)⁻¹ r with r in x; the length of the step in parts of the displacements */
  const solve = (s: number, t: number): number => {
    for (let p = 0; p < A.value.length; p++) A.value[p] = s * K.value[p]
    for (let k = 0; k < free; k++) for (let c = 0; c < 3; c++) A.value[9 * blockAt(A, k, k) + 4 * c] += t * m[3 * k]
    if (!factorBlocks(factor, A)) throw new Error('the tangent stiffness is not positive definite: take a smaller step')
    solveBlocks(factor, x)
    let change = 0
    let whole = Number.MIN_VALUE
    coordinates.forEach((i, k) => {
      u[i] += x[k]
      change = Math.max(change, Math.abs(x[k]))
      whole = Math.max(whole, Math.abs(u[i]))
    })
    return change / whole
  }
  const newton = (iterate: () => number): void => {
    for (let k = 0; k < MOST_ITERATIONS; k++) if (iterate() < TOLERANCE) return
    throw new Error(`Newton's method does not converge in ${MOST_ITERATIONS} iterations: take a smaller step`)
  }

  return {
    u,
    v,
    a,
    masses,
    load,
    settle() {
      newton(() => {
        elasticForce(elastic, f, u)
        tangentStiffness(elastic, K, numbering, u)
        coordinates.forEach((i, k) => {
          x[k] = outside(i) - f[i]
        })
        return solve(1, 0)
      })
    },
    step(h) {
      // with β = ¼, γ = ½:  a⁺ = 4 (u⁺ − u − h v)/h² − a,  v⁺ = v + ½ h (a + a⁺)
      const [u0, v0, a0] = [u.slice(), v.slice(), a.slice()]
      const follow = (): void => {
        for (const i of coordinates) {
          a[i] = (4 * (u[i] - u0[i] - h * v0[i])) / (h * h) - a0[i]
          v[i] = v0[i] + 0.5 * h * (a0[i] + a[i])
        }
      }
      newton(() => {
        follow()
        elasticForce(elastic, f, u)
        tangentStiffness(elastic, K, numbering, u)
        coordinates.forEach((i, k) => {
          x[k] = v[i]
        })
        blockProduct(K, y, x)
        coordinates.forEach((i, k) => {
          x[k] = outside(i) - f[i] - m[k] * (a[i] + alpha * v[i]) - beta * y[k]
        })
        return solve(1 + (2 * beta) / h, 4 / (h * h) + (2 * alpha) / h)
      })
      follow()
    },
    energy: () => ({ kinetic: 0.5 * v.reduce((s, w, i) => s + masses[Math.floor(i / 3)] * w * w, 0), elastic: elasticEnergy(elastic, u) }),
    frequencies: (count) =>
      linearModes(createStaticSolve(elastic, masses, numbering), count).squares.map((s) => Math.sqrt(s) / (2 * Math.PI)),
  }
}
