/** Small reduced domains, as random as they come: no mesh stands behind them, but every sum, interface and energy is there. */
import type { Reduced, Vec } from 'limber'
import { createRandom, type Random } from '../random.js'

/** A box of 2 × 2 × 3 vertices along z, clamped at its lower end; the modes bend, twist and stretch it, with a little noise. */
export function randomDomain(seed: number, modes: number): Reduced {
  const random = createRandom(seed)
  const vertices: number[] = []
  for (let z = 0; z < 3; z++)
    for (const [x, y] of [
      [-0.1, -0.1],
      [0.1, -0.1],
      [-0.1, 0.1],
      [0.1, 0.1],
    ])
      vertices.push(x, y, 0.2 * z)
  const masses = Float64Array.from({ length: 12 }, () => random.between(0.02, 0.06))
  const shapes = Array.from({ length: modes }, () => {
    const [a, b, c] = random.vec3(1)
    return Array.from({ length: 12 }, (_, k) => {
      const [x, y, z] = vertices.slice(3 * k, 3 * k + 3)
      const share = z / 0.4
      // a turn that grows with z, about the middle of the lower end
      const turn = [b * z - c * y, c * x - a * z, a * y - b * x]
      return turn.map((t) => share * (t + random.spread(0.03)))
    }).flat()
  })
  return {
    modes,
    vertices: Float64Array.from(vertices),
    masses,
    shapes: Float64Array.from(orthonormal(shapes, masses).flat()),
    corners: 8,
    elements: Int32Array.of(0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7, 8, 9, 10, 11),
    surface: new Int32Array(0),
    ...randomEnergy(random, modes),
    interfaces: [
      { name: 'root', vertices: Int32Array.of(0, 1, 2, 3) },
      { name: 'end', vertices: Int32Array.of(8, 9, 10, 11) },
      { name: 'upper half', vertices: Int32Array.of(4, 5, 6, 7, 8, 9, 10, 11) },
    ],
    clamped: true,
    frequencies: new Float64Array(modes),
    material: { young: 1, poisson: 0, density: 1 },
  }
}

/** Uᵀ M U = 1, by Gram and Schmidt. */
function orthonormal(shapes: readonly number[][], masses: Vec): number[][] {
  const product = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, x, k) => sum + masses[Math.floor(k / 3)] * x * b[k], 0)
  const out: number[][] = []
  for (const shape of shapes) {
    let rest = shape
    for (const other of out) {
      const share = product(rest, other)
      rest = rest.map((x, k) => x - share * other[k])
    }
    const length = Math.sqrt(product(rest, rest))
    out.push(rest.map((x) => x / length))
  }
  return out
}

/** ½ qᵀ K q with K = B Bᵀ + 40, and small terms of higher degree. */
function randomEnergy(random: Random, r: number): Pick<Reduced, 'energy2' | 'energy3' | 'energy4'> {
  const B = Array.from({ length: r }, () => Array.from({ length: r }, () => random.spread(4)))
  const energy2: number[] = []
  const energy3: number[] = []
  const energy4: number[] = []
  for (let i = 0; i < r; i++) {
    for (let j = i; j < r; j++) {
      const entry = B[i].reduce((sum, x, k) => sum + x * B[j][k], i === j ? 40 : 0)
      energy2.push(i === j ? entry / 2 : entry)
      for (let k = j; k < r; k++) {
        energy3.push(random.spread(3))
        for (let l = k; l < r; l++) energy4.push(i === j && k === l ? random.between(5, 10) : random.spread(1))
      }
    }
  }
  return { energy2: Float64Array.from(energy2), energy3: Float64Array.from(energy3), energy4: Float64Array.from(energy4) }
}

/** The energy itself, term by term. */
export function energyOf({ modes: r, energy2, energy3, energy4 }: Reduced, q: ArrayLike<number>): number {
  let sum = 0
  let [a, b, c] = [0, 0, 0]
  for (let i = 0; i < r; i++) {
    for (let j = i; j < r; j++) {
      sum += energy2[a++] * q[i] * q[j]
      for (let k = j; k < r; k++) {
        sum += energy3[b++] * q[i] * q[j] * q[k]
        for (let l = k; l < r; l++) sum += energy4[c++] * q[i] * q[j] * q[k] * q[l]
      }
    }
  }
  return sum
}
