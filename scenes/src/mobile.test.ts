import { buildModel, createData, createSimulation, createState, energy, forwardDynamics } from 'limber'
import { describe, expect, it } from 'vitest'
import { mobile } from './mobile.js'
import { type Wedge, wedgeInertia, wedgeMesh } from './wedge.js'

/** Gauss–Legendre over the volume: s in depth, then across, then along; the integrand is polynomial but for the round sides. */
function integrate({ a, b, c, h }: Wedge, f: (x: number, y: number, z: number) => number): number {
  const n = 60
  const cell = 1 / n
  const nodes = [-0.7745966692414834, 0, 0.7745966692414834]
  const weights = [5 / 18, 8 / 18, 5 / 18]
  let sum = 0
  for (let i = 0; i < n; i++) {
    for (let p = 0; p < 3; p++) {
      const s = (i + 0.5 + 0.5 * nodes[p]) * cell
      for (let j = 0; j < n; j++) {
        for (let q = 0; q < 3; q++) {
          // y = r sin, so that the ends of the round part are smooth
          const angle = ((j + 0.5 + 0.5 * nodes[q]) * cell - 0.5) * Math.PI
          const r = s * c
          const y = r * Math.sin(angle)
          const half = a + s * (b - a) + r * Math.cos(angle)
          const w = weights[p] * weights[q] * cell * cell * h * Math.PI * r * Math.cos(angle)
          for (let k = 0; k < 3; k++) sum += w * 2 * half * weights[k] * f(half * nodes[k], y, -s * h)
        }
      }
    }
  }
  return sum
}

describe('the wedge', () => {
  it.each([
    { a: 0.2, b: 0.1, c: 0.2, h: 0.5 },
    { a: 0.2, b: 0.3, c: 0.2, h: 1 },
    { a: 0.2, b: 0, c: 2.86, h: 1 },
  ])('has the inertia that integration over its volume gives, %o', (wedge) => {
    const rho = 2
    const { mass, com = [0, 0, 0], tensor = [] } = wedgeInertia(wedge, rho)
    const m = rho * integrate(wedge, () => 1)
    expect(mass).toBeCloseTo(m, 8)
    expect(com[2]).toBeCloseTo((rho * integrate(wedge, (_x, _y, z) => z)) / m, 8)
    const z2 = mass * com[2] * com[2]
    expect((tensor[0] ?? 0) + z2).toBeCloseTo(rho * integrate(wedge, (_x, y, z) => y * y + z * z), 7)
    expect((tensor[1] ?? 0) + z2).toBeCloseTo(rho * integrate(wedge, (x, _y, z) => x * x + z * z), 7)
    expect(tensor[2]).toBeCloseTo(rho * integrate(wedge, (x, y) => x * x + y * y), 7)
  })

  it('has the numbers of a second program to 1e-9', () => {
    const { mass, com = [0, 0, 0], tensor = [] } = wedgeInertia({ a: 0.2, b: 0.1, c: 0.2, h: 0.5 }, 2)
    const z2 = mass * com[2] * com[2]
    expect(mass).toBeCloseTo(0.0952212354, 9)
    expect(mass * com[2]).toBeCloseTo(-0.0323746299, 9)
    expect((tensor[0] ?? 0) + z2).toBeCloseTo(0.0128545127, 9)
    expect(tensor[2]).toBeCloseTo(0.0024795279, 9)
    expect((tensor[1] ?? 0) + z2).toBeCloseTo(0.0141913858, 9)
  })

  it.each([0, 0.1])('is drawn as a closed surface with outward faces, b = %f', (b) => {
    const wedge = { a: 0.2, b, c: 0.2, h: 0.5 }
    const { vertices, faces } = wedgeMesh('wedge', wedge)
    const edges = new Map<string, number>()
    const key = (i: number) =>
      vertices
        .slice(3 * i, 3 * i + 3)
        .map((x) => x.toFixed(9).replace('-0.000000000', '0.000000000'))
        .join(' ')
    let volume = 0
    for (let f = 0; f < faces.length; f += 3) {
      const [i, j, k] = faces.slice(f, f + 3) as [number, number, number]
      for (const [p, q] of [
        [i, j],
        [j, k],
        [k, i],
      ] as const) {
        edges.set(`${key(p)}|${key(q)}`, (edges.get(`${key(p)}|${key(q)}`) ?? 0) + 1)
      }
      const at = (v: number, r: number) => vertices[3 * v + r] ?? 0
      for (const [r, s, t] of [
        [0, 1, 2],
        [1, 2, 0],
        [2, 0, 1],
      ] as const) {
        volume += (at(i, r) * (at(j, s) * at(k, t) - at(j, t) * at(k, s))) / 6
      }
    }
    for (const [edge, count] of edges) {
      const [from, to] = edge.split('|')
      expect([edge, edges.get(`${to}|${from}`)]).toEqual([edge, count])
    }
    // a polygon inscribed in the round sides loses little
    expect(volume / wedgeInertia(wedge, 1).mass).toBeGreaterThan(0.98)
    expect(volume / wedgeInertia(wedge, 1).mass).toBeLessThan(1)
  })
})

describe('mobile', () => {
  it.each([
    [{ s: 3, l: 4, o: 5 }, 124],
    [{ s: 3, l: 5, o: 9 }, 455],
    [{ s: 1, l: 12, o: 3 }, 12],
    [{ s: 2, l: 3, o: 11 }, 36],
  ])('with %o has %i joints', (values, joints) => {
    expect(buildModel(mobile.build(values)).nv).toBe(joints)
  })

  it.each(['printed', 'arc', 'scaled'])('hangs at rest without elongation, radius %s', (radius) => {
    const model = buildModel(mobile.build({ s: 3, l: 3, o: 4, elongation: 0, radius }))
    const data = createData(model)
    forwardDynamics(model, data, createState(model))
    expect(Math.max(...data.a.map(Math.abs))).toBeLessThan(1e-11)
  })

  it('starts with the topmost joint turned, all others straight', () => {
    const { q } = createState(buildModel(mobile.build({ s: 2, l: 3, o: 3, elongation: 0.5 })))
    expect(Array.from(q)).toEqual([0.5, ...new Array(q.length - 1).fill(0)])
  })
})

describe('mobile with redmax, second-order', () => {
  it('keeps its energy to 3 J of some 1,000 J while its chains whip', () => {
    const model = buildModel(mobile.build({}))
    const sim = createSimulation(model, { solver: 'redmax', scheme: 'second-order' })
    const data = createData(model)
    const total = (): number => {
      const { kinetic, potential } = energy(model, data, sim.state)
      return kinetic + potential
    }
    const start = total()
    let most = 0
    for (let k = 0; k < 5; k++) {
      expect(sim.advance(1).status).toBe('ok')
      most = Math.max(most, Math.abs(total() - start))
    }
    // some 1,000 J of kinetic energy; stages that are linearised once gain 11 J
    expect(most).toBeLessThan(3)
  })
})
