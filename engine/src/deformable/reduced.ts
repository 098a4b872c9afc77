/**
 * A reduced domain: what is left of an elastic mesh once its motion is confined to r modes, x_k = X_k + Σ_l U_kl q_l [Barbic].
 *
 * All of it is in the axes of the mesh, in SI units, and nothing in it depends on where the domain is used: instances share one. The body that
 * a domain becomes has the frame of the mesh; a basis that is clamped vanishes at the interface to the parent, so that this frame moves with it.
 */
import type { Vec } from '../math/types.js'

export interface Reduced {
  /** r */
  readonly modes: number
  /** rest positions X_k, 3 a vertex */
  readonly vertices: Vec
  /** lumped masses m_k, a number a vertex; all sums over the domain use these */
  readonly masses: Vec
  /** U_l, 3 numbers a vertex, mode after mode: Uᵀ M U = 1 */
  readonly shapes: Vec
  /** corners of an element: 4 of a tetrahedron, 8 of a voxel, whose corner c is at the far end along x, y, z where bit 0, 1, 2 of c is set */
  readonly corners: 4 | 8
  readonly elements: Int32Array
  /** triangles of the boundary, counter-clockwise seen from outside */
  readonly surface: Int32Array
  /**
   * The elastic energy V(q) = Σ_{i≤j} c2 q_i q_j + Σ_{i≤j≤k} c3 q_i q_j q_k + Σ_{i≤j≤k≤l} c4 q_i q_j q_k q_l, exact for a St. Venant–Kirchhoff
   * material; coefficients in the order of nested loops i, then j from i on, and so forth.
   */
  readonly energy2: Vec
  readonly energy3: Vec
  readonly energy4: Vec
  /** where other bodies may be attached; the first is the one to the parent where the basis is clamped there */
  readonly interfaces: readonly Interface[]
  readonly clamped: boolean
  /** of the linear modes of the mesh that the basis was made from, Hz, ascending */
  readonly frequencies: Vec
  readonly material: Material
}

export interface Interface {
  readonly name: string
  readonly vertices: Int32Array
}

export interface Material {
  /** Pa */
  readonly young: number
  readonly poisson: number
  /** kg/m³ */
  readonly density: number
}
