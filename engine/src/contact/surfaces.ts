/**
 * How two geoms rub and give way where they touch, by MuJoCo's rules.
 *
 * A pair that the file names says all of it. Else the geom with the higher priority does; of equal ones the larger condim and coefficients
 * count, and softness is mixed in proportion to solmix (the smaller numbers where solref is −stiffness, −damping). Margins and gaps add up.
 * Where MuJoCo has no rule: of a hard geom and a soft one, the soft one gives way.
 */
import type { Vec } from '../math/types.js'
import type { Int } from '../math/values/columns.js'
import type { Shapes } from '../model/shapes.js'
import type { Contacts } from './contacts.js'
import { findPair } from './may-touch.js'

/** a smaller solmix counts as none */
const LEAST_MIX = 1e-15

/** Distance within which geoms a and b are reported whatever the search asks for. */
export function ownMargin(g: Shapes, a: Int, b: Int): number {
  const p = g.pairs.count > 0 ? findPair(g, a, b) : -1
  return p >= 0 ? g.pairs.margin[p] + g.pairs.gap[p] : g.margin[a] + g.margin[b] + g.gap[a] + g.gap[b]
}

/** Writes dim, friction, softness and offset of contact k, between geoms a and b. */
export function combineSurfaces(c: Contacts, g: Shapes, a: Int, b: Int, k: Int): void {
  const { dim, friction, softness, offset } = c
  const p = g.pairs.count > 0 ? findPair(g, a, b) : -1
  if (p >= 0) {
    const { pairs } = g
    dim[k] = pairs.condim[p]
    for (let r = 0; r < 5; r++) friction[5 * k + r] = pairs.friction[5 * p + r]
    copySoftness(softness, 7 * k, pairs.solref, pairs.solimp, p)
    offset[k] = pairs.margin[p]
    return
  }
  offset[k] = g.margin[a] + g.margin[b]
  // the one that decides, if any does
  const order = g.priority[a] - g.priority[b]
  const x = order < 0 ? b : a
  const y = order > 0 ? a : b
  dim[k] = g.condim[x] > g.condim[y] ? g.condim[x] : g.condim[y]
  for (let r = 0; r < 3; r++) {
    const mu = g.friction[3 * x + r] > g.friction[3 * y + r] ? g.friction[3 * x + r] : g.friction[3 * y + r]
    // sliding, torsional, rolling → 0 1, 2, 3 4
    friction[5 * k + (r === 0 ? 0 : r + 1)] = mu
    if (r !== 1) friction[5 * k + (r === 0 ? 1 : 4)] = mu
  }
  const hardA = isHard(g, a)
  const hardB = isHard(g, b)
  if (hardA || hardB || x === y) copySoftness(softness, 7 * k, g.solref, g.solimp, hardA ? b : hardB ? a : x)
  else mixSoftness(softness, 7 * k, g, a, b)
}

function isHard(g: Shapes, i: Int): boolean {
  return g.solref[2 * i] === 0 && g.solref[2 * i + 1] === 0
}

function copySoftness(out: Vec, o: Int, solref: Vec, solimp: Vec, i: Int): void {
  for (let r = 0; r < 2; r++) out[o + r] = solref[2 * i + r]
  for (let r = 0; r < 5; r++) out[o + 2 + r] = solimp[5 * i + r]
}

function mixSoftness(out: Vec, o: Int, { solmix, solref, solimp }: Shapes, a: Int, b: Int): void {
  const noneA = solmix[a] < LEAST_MIX
  const noneB = solmix[b] < LEAST_MIX
  const share = noneA && noneB ? 0.5 : noneA ? 0 : noneB ? 1 : solmix[a] / (solmix[a] + solmix[b])
  const standard = solref[2 * a] > 0 && solref[2 * b] > 0
  for (let r = 0; r < 2; r++) {
    const x = solref[2 * a + r]
    const y = solref[2 * b + r]
    out[o + r] = standard ? share * x + (1 - share) * y : x < y ? x : y
  }
  for (let r = 0; r < 5; r++) out[o + 2 + r] = share * solimp[5 * a + r] + (1 - share) * solimp[5 * b + r]
}

/** The same as numbers: how geoms a and b touch. Allocates. */
export function contactSurface(g: Shapes, a: number, b: number) {
  const out = { dim: new Int32Array(1), friction: new Float64Array(5), softness: new Float64Array(7), offset: new Float64Array(1) }
  combineSurfaces(out as unknown as Contacts, g, a, b, 0)
  return {
    dim: out.dim[0],
    friction: out.friction,
    solref: out.softness.subarray(0, 2),
    solimp: out.softness.subarray(2),
    margin: out.offset[0],
  }
}
