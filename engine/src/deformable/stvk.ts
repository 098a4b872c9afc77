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

/** H at a point of integration, whose gradients begin at g, of displacements that begin at u[o]; 9 numbers from out[at] on. */
export function displacementGradient({ mesh, tables }: Elasticity, e: number, g: number, u: Vec, o: number, out: Vec, at: number): void {
  const { corners, elements } = mesh
  const G = tables.gradients
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
  let sum = 0
  eachPoint(elastic, (e, g, w) => {
    const { E } = strain(elastic, e, g, u)
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
  const P = new Float64Array(9)
  eachPoint(elastic, (e, g, w) => {
    const { F, E } = strain(elastic, e, g, u)
    multiply(P, F, stress(elastic.lame, E))
    addForce(elastic, f, 0, e, g, w, P)
  })
}

/** f_a += w P g_a for the corners of element e, into f[o …]. */
export function addForce({ mesh, tables }: Elasticity, f: Vec, o: number, e: number, g: number, w: number, P: Vec): void {
  const { corners, elements } = mesh
  const G = tables.gradients
  for (let c = 0; c < corners; c++) {
    const v = o + 3 * elements[corners * e + c]
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

/**
 * K ← d²W/du² at u (at rest without), over the vertices that `place` numbers:
 *   K_ab = Σ w ((g_a·S g_b) 1 + λ F g_a (F g_b)ᵀ + μ F g_b (F g_a)ᵀ + μ (g_a·g_b) F Fᵀ)
 */
export function tangentStiffness(elastic: Elasticity, K: BlockMatrix, place: Int32Array, u?: Vec): void {
  const { mesh, tables, lame } = elastic
  const { corners, elements } = mesh
  const { lambda, mu } = lame
  const G = tables.gradients
  const rest = u ?? new Float64Array(mesh.vertices.length)
  const FFt = new Float64Array(9)
  const Fg = new Float64Array(3 * corners)
  const Sg = new Float64Array(3 * corners)
  K.value.fill(0)
  eachPoint(elastic, (e, g, w) => {
    const { F, E } = strain(elastic, e, g, rest)
    const S = stress(lame, E)
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) FFt[3 * i + j] = F[3 * i] * F[3 * j] + F[3 * i + 1] * F[3 * j + 1] + F[3 * i + 2] * F[3 * j + 2]
    for (let c = 0; c < corners; c++) {
      for (let i = 0; i < 3; i++) {
        const [x, y, z] = [G[g + 3 * c], G[g + 3 * c + 1], G[g + 3 * c + 2]]
        Fg[3 * c + i] = F[3 * i] * x + F[3 * i + 1] * y + F[3 * i + 2] * z
        Sg[3 * c + i] = S[3 * i] * x + S[3 * i + 1] * y + S[3 * i + 2] * z
      }
    }
    for (let b = 0; b < corners; b++) {
      const column = place[elements[corners * e + b]]
      if (column < 0) continue
      for (let a = 0; a < corners; a++) {
        const row = place[elements[corners * e + a]]
        if (row < column) continue
        const o = 9 * blockAt(K, row, column)
        const gg = G[g + 3 * a] * G[g + 3 * b] + G[g + 3 * a + 1] * G[g + 3 * b + 1] + G[g + 3 * a + 2] * G[g + 3 * b + 2]
        const gSg = G[g + 3 * a] * Sg[3 * b] + G[g + 3 * a + 1] * Sg[3 * b + 1] + G[g + 3 * a + 2] * Sg[3 * b + 2]
        for (let i = 0; i < 3; i++) {
          for (let j = 0; j < 3; j++) {
            const k = lambda * Fg[3 * a + i] * Fg[3 * b + j] + mu * (Fg[3 * b + i] * Fg[3 * a + j] + gg * FFt[3 * i + j])
            K.value[o + 3 * i + j] += w * (i === j ? k + gSg : k)
          }
        }
      }
    }
  })
}

/** Every point of integration: its element, where its gradients begin, its weight. */
export function eachPoint({ tables }: Elasticity, visit: (e: number, g: number, w: number) => void): void {
  const { points, corners, table, weights } = tables
  for (let e = 0; e < table.length; e++) {
    for (let p = points * table[e]; p < points * (table[e] + 1); p++) visit(e, 3 * corners * p, weights[p])
  }
}

function strain(elastic: Elasticity, e: number, g: number, u: Vec): { F: Vec; E: Vec } {
  const H = new Float64Array(9)
  displacementGradient(elastic, e, g, u, 0, H, 0)
  const E = new Float64Array(9)
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      E[3 * i + j] = 0.5 * (H[3 * i + j] + H[3 * j + i] + H[i] * H[j] + H[3 + i] * H[3 + j] + H[6 + i] * H[6 + j])
    }
  }
  for (let i = 0; i < 3; i++) H[4 * i] += 1
  return { F: H, E }
}

/** S = λ tr(E) 1 + 2 μ E */
function stress({ lambda, mu }: Lame, E: Vec): Vec {
  const S = E.map((x) => 2 * mu * x)
  const t = lambda * (E[0] + E[4] + E[8])
  for (let i = 0; i < 3; i++) S[4 * i] += t
  return S
}

function multiply(out: Vec, a: Vec, b: Vec): void {
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j]
}
