/**
 * St. Venant–Kirchhoff elasticity of a mesh, unreduced: energy, force, tangent stiffness and the quadratic part of the force [Barbic05].
 *
 *   F = 1 + H,   E = ½ (H + Hᵀ + Hᵀ H),   S = λ tr(E) 1 + 2 μ E
 *   W = Σ w (½ λ tr(E)² + μ E : E),   f_a = Σ w F S g_a
 */
import { type BlockMatrix, blockAt, createBlockMatrix } from '../linalg/sparse/block-matrix.js'
import type { Vec } from '../math/types.js'
import { type ElementTables, elementTables } from './elements.js'
import type { Mesh } from './mesh.js'
import type { Material } from './reduced.js'

export interface Lame {
  readonly lambda: number
  readonly mu: number
}

export function lameOf({ young, poisson }: Material): Lame {
  return { lambda: (young * poisson) / ((1 + poisson) * (1 - 2 * poisson)), mu: young / (2 * (1 + poisson)) }
}

/** A mesh with what its elements need. */
export interface Elasticity {
  readonly mesh: Mesh
  readonly tables: ElementTables
  readonly lame: Lame
}

export function createElasticity(mesh: Mesh, material: Material, tables = elementTables(mesh)): Elasticity {
  return { mesh, tables, lame: lameOf(material) }
}

/** H at a point of integration, whose gradients begin at G[g], of displacements that begin at u[o]; 9 numbers from out[at] on. */
export function displacementGradient(
  { corners, elements }: Mesh,
  G: Vec,
  e: number,
  g: number,
  u: Vec,
  o: number,
  out: Vec,
  at: number,
): void {
  for (let k = 0; k < 9; k++) out[at + k] = 0
  for (let c = 0; c < corners; c++) {
    const v = o + 3 * elements[corners * e + c]
    const x = G[g + 3 * c]
    const y = G[g + 3 * c + 1]
    const z = G[g + 3 * c + 2]
    for (let i = 0; i < 3; i++) {
      out[at + 3 * i] += u[v + i] * x
      out[at + 3 * i + 1] += u[v + i] * y
      out[at + 3 * i + 2] += u[v + i] * z
    }
  }
}

/** W(u) */
export function elasticEnergy(elastic: Elasticity, u: Vec): number {
  const { lambda, mu } = elastic.lame
  const { F, E } = createStrain()
  let sum = 0
  eachPoint(elastic, (e, g, w) => {
    strain(elastic, e, g, u, F, E)
    const trace = E[0] + E[4] + E[8]
    let square = 0
    for (let k = 0; k < 9; k++) square += E[k] * E[k]
    sum += w * (0.5 * lambda * trace * trace + mu * square)
  })
  return sum
}

/** f ← dW/du */
export function elasticForce(elastic: Elasticity, f: Vec, u: Vec): void {
  f.fill(0)
  const { F, E } = createStrain()
  const P = new Float64Array(9)
  eachPoint(elastic, (e, g, w) => {
    strain(elastic, e, g, u, F, E)
    toStress(elastic.lame, E)
    multiply(P, F, E)
    addForce(elastic, f, e, g, w, P)
  })
}

/** f_a += w P g_a for the corners of element e. */
function addForce({ mesh, tables }: Elasticity, f: Vec, e: number, g: number, w: number, P: Vec): void {
  const { corners, elements } = mesh
  const G = tables.gradients
  for (let c = 0; c < corners; c++) {
    const v = 3 * elements[corners * e + c]
    const x = w * G[g + 3 * c]
    const y = w * G[g + 3 * c + 1]
    const z = w * G[g + 3 * c + 2]
    f[v] += P[0] * x + P[1] * y + P[2] * z
    f[v + 1] += P[3] * x + P[4] * y + P[5] * z
    f[v + 2] += P[6] * x + P[7] * y + P[8] * z
  }
}

/** A matrix with the pattern of the stiffness, over the vertices that `place` numbers; −1 stands for those left out. */
export function stiffnessPattern({ mesh }: Elasticity, place: Int32Array): BlockMatrix {
  let n = 0
  for (const p of place) if (p >= n) n = p + 1
  return createBlockMatrix(
    n,
    mesh.elements.map((v) => place[v]),
    mesh.corners,
  )
}

/** K ← d²W/du² at u (at rest without), over the vertices that `place` numbers. */
export function tangentStiffness(elastic: Elasticity, K: BlockMatrix, place: Int32Array, u?: Vec): void {
  const { mesh, tables } = elastic
  const { corners, elements } = mesh
  const { table } = tables
  const tangent = createTangent(elastic)
  const rest = u ?? new Float64Array(mesh.vertices.length)
  K.value.fill(0)
  for (let e = 0; e < table.length; e++) {
    // at rest neighbours with the same table have the same matrix
    if (u || e === 0 || table[e] !== table[e - 1]) elementTangent(elastic, tangent, e, rest)
    const { block } = tangent
    for (let b = 0; b < corners; b++) {
      const column = place[elements[corners * e + b]]
      if (column < 0) continue
      for (let a = 0; a < corners; a++) {
        const row = place[elements[corners * e + a]]
        if (row < column) continue
        const o = 9 * blockAt(K, row, column)
        const from = 9 * (corners * a + b)
        for (let k = 0; k < 9; k++) K.value[o + k] += block[from + k]
      }
    }
  }
}

interface Tangent {
  readonly F: Vec
  readonly E: Vec
  readonly FFt: Vec
  /** F g_a and S g_a of the corners */
  readonly Fg: Vec
  readonly Sg: Vec
  /** K_ab, 9 a pair of corners, row-major */
  readonly block: Vec
}

function createTangent({ mesh: { corners } }: Elasticity): Tangent {
  const numbers = (n: number): Vec => new Float64Array(n)
  return { ...createStrain(), FFt: numbers(9), Fg: numbers(3 * corners), Sg: numbers(3 * corners), block: numbers(9 * corners * corners) }
}

/** K_ab = Σ w ((g_a·S g_b) 1 + λ F g_a (F g_b)ᵀ + μ F g_b (F g_a)ᵀ + μ (g_a·g_b) F Fᵀ) */
function elementTangent(elastic: Elasticity, { F, E, FFt, Fg, Sg, block }: Tangent, e: number, u: Vec): void {
  const { corners, points, table, weights, gradients: G } = elastic.tables
  const { lambda, mu } = elastic.lame
  block.fill(0)
  for (let p = points * table[e]; p < points * (table[e] + 1); p++) {
    const g = 3 * corners * p
    const w = weights[p]
    strain(elastic, e, g, u, F, E)
    toStress(elastic.lame, E)
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) FFt[3 * i + j] = F[3 * i] * F[3 * j] + F[3 * i + 1] * F[3 * j + 1] + F[3 * i + 2] * F[3 * j + 2]
    }
    for (let c = 0; c < 3 * corners; c += 3) {
      const x = G[g + c]
      const y = G[g + c + 1]
      const z = G[g + c + 2]
      for (let i = 0; i < 3; i++) {
        Fg[c + i] = F[3 * i] * x + F[3 * i + 1] * y + F[3 * i + 2] * z
        Sg[c + i] = E[3 * i] * x + E[3 * i + 1] * y + E[3 * i + 2] * z
      }
    }
    let o = 0
    for (let a = 0; a < 3 * corners; a += 3) {
      for (let b = 0; b < 3 * corners; b += 3) {
        const gg = w * mu * (G[g + a] * G[g + b] + G[g + a + 1] * G[g + b + 1] + G[g + a + 2] * G[g + b + 2])
        const gSg = w * (G[g + a] * Sg[b] + G[g + a + 1] * Sg[b + 1] + G[g + a + 2] * Sg[b + 2])
        for (let i = 0; i < 3; i++) {
          const first = w * lambda * Fg[a + i]
          const second = w * mu * Fg[b + i]
          for (let j = 0; j < 3; j++) block[o + 3 * i + j] += first * Fg[b + j] + second * Fg[a + j] + gg * FFt[3 * i + j]
          block[o + 4 * i] += gSg
        }
        o += 9
      }
    }
  }
}

/** Every point of integration: its element, where its gradients begin, its weight. */
function eachPoint({ tables }: Elasticity, visit: (e: number, g: number, w: number) => void): void {
  const { points, corners, table, weights } = tables
  for (let e = 0; e < table.length; e++) {
    for (let p = points * table[e]; p < points * (table[e] + 1); p++) visit(e, 3 * corners * p, weights[p])
  }
}

function createStrain(): { F: Vec; E: Vec } {
  return { F: new Float64Array(9), E: new Float64Array(9) }
}

/** Writes F and E at a point of integration. */
function strain(elastic: Elasticity, e: number, g: number, u: Vec, F: Vec, E: Vec): void {
  displacementGradient(elastic.mesh, elastic.tables.gradients, e, g, u, 0, F, 0)
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      E[3 * i + j] = 0.5 * (F[3 * i + j] + F[3 * j + i] + F[i] * F[j] + F[3 + i] * F[3 + j] + F[6 + i] * F[6 + j])
    }
  }
  for (let i = 0; i < 3; i++) F[4 * i] += 1
}

/** E ← S = λ tr(E) 1 + 2 μ E */
function toStress({ lambda, mu }: Lame, E: Vec): void {
  const t = lambda * (E[0] + E[4] + E[8])
  for (let k = 0; k < 9; k++) E[k] *= 2 * mu
  for (let i = 0; i < 3; i++) E[4 * i] += t
}

function multiply(out: Vec, a: Vec, b: Vec): void {
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j]
}
