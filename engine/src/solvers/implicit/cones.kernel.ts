/**
 * Force of a contact at rates ω, its tangent G = −df/dω and φ = f + G ω, for elliptic cones and for pyramids.
 *
 * Elliptic, with e = ω̂ − ω, y_n = q e_n, y_t = q_t e_t (angular parts scaled by their friction over μ), y_r = |y_t|, t = y_t/y_r, ρ = μ q/q_t:
 *   stick  y_r ≤ μ y_n, 0 ≤ y_n      f = y
 *   open   y_n ≤ −ρ y_r     f = 0
 *   slide  otherwise        f_n = (y_n + ρ y_r)/(1 + μ ρ),  f_t = μ f_n t
 * Pyramid: an inequality row along each edge n ± μ_j t_j, f = Σ max(0, q_e e·edge) edge.
 * φ of a contact that sticks does not depend on ω, so that a lane computed again beside its neighbour keeps its bits.
 */
import { add, type Int, scale, sub } from '../../math/values/columns.js'
import {
  type Articulated,
  cross,
  dot,
  type Force,
  type Motion,
  mulArticulated,
  NO_FORCE,
  tensor,
  upper,
  type Vec3,
  ZERO,
} from '../../math/values/spatial.js'
import type { Kind } from './kinds.kernel.js'
import type { Ground, GroundStep, Spin } from './tables.js'

export type Law = {
  readonly force: Force
  readonly G: Articulated
  readonly phi: Force
  /** number of the branch; `isCurved`: G changes along it */
  readonly branch: number
  readonly isCurved: boolean
}

const square = (x: Vec3): number => dot(x, x)
const symmetric = (a: Vec3, b: Vec3) => upper(add(tensor(a, b), tensor(b, a)))

/** Angular rates scaled by torsional and rolling friction over sliding friction. */
const scaleSpin = ({ torsion, rolling }: Spin, n: Vec3, x: Vec3): Vec3 => add(scale(rolling, x), scale((torsion - rolling) * dot(n, x), n))

function elliptic(kind: Kind, g: Ground, s: GroundStep, c: Int, w: Motion): Law {
  const { hat, q, qt, mu } = s.spot[c]
  const n = kind.normal(s, c)
  const spin = kind.spin(s, c)
  const e = sub(hat, w.v)
  const yn = q * dot(n, e)
  const slip = scale(qt, kind.across(n, e))
  const twist = kind.angular(scale(qt, scaleSpin(spin, n, sub(spin.hat, w.w))))
  const yr = Math.sqrt(square(slip) + square(twist))
  const ratio = mu * g.perImpratio[0]
  // without friction both sides are zero
  const isStuck = yn >= 0 && yr <= mu * yn
  const isOpen = !isStuck && yn <= -ratio * yr
  const isSliding = !isStuck && !isOpen
  const per = 1 / (1 + mu * ratio)
  const fn = (yn + ratio * yr) * per
  const perSlip = 1 / (yr > 0 ? yr : 1)
  const k = mu * fn * perSlip

  // force
  const normalForce = isStuck ? yn : isOpen ? 0 : fn
  const share = isStuck ? 1 : isOpen ? 0 : k
  const force: Force = {
    n: kind.angular(scale(share, scaleSpin(spin, n, twist))),
    f: add(scale(normalForce, n), scale(share, slip)),
  }

  // G = c P + e d dᵀ + b (n dᵀ + d nᵀ) + a n nᵀ, P the projection across the normal, d the direction of slip
  const slope = q * per
  const along = isStuck ? qt : isOpen ? 0 : k * qt
  const bend = isSliding ? mu * mu * slope - k * qt : 0
  const mixed = isSliding ? mu * slope : 0
  const stiff = isStuck ? q : isOpen ? 0 : slope
  const d = scale(perSlip, slip)
  const turn = kind.angular(scale(perSlip, scaleSpin(spin, n, twist)))
  const nn = upper(tensor(n, n))
  const dd = upper(tensor(d, d))
  const rolling = along * spin.rolling * spin.rolling
  const torsion = along * spin.torsion * spin.torsion
  const G: Articulated = {
    A: add([rolling, 0, 0, rolling, 0, rolling], scale(torsion - rolling, nn), scale(bend, upper(tensor(turn, turn)))),
    B: add(scale(bend, tensor(turn, d)), scale(mixed, tensor(turn, n))),
    C: add(add([along, 0, 0, along, 0, along], scale(stiff - along, nn)), scale(bend, dd), scale(mixed, symmetric(n, d))),
  }

  // φ
  const bent = add(force, mulArticulated(G, w))
  const stuck: Force = {
    n: kind.angular(scale(qt, scaleSpin(spin, n, scaleSpin(spin, n, spin.hat)))),
    f: add(scale(qt, hat), scale((q - qt) * dot(n, hat), n)),
  }
  const phi = isStuck ? stuck : isOpen ? NO_FORCE : bent
  return { force, G, phi, branch: isOpen ? 0 : isStuck ? 1 : 2, isCurved: isSliding }
}

type Edges = { readonly force: Force; readonly G: Articulated; readonly phi: Force; readonly branch: number }
const NO_EDGES: Edges = {
  force: NO_FORCE,
  G: { A: [0, 0, 0, 0, 0, 0], B: [ZERO, ZERO, ZERO], C: [0, 0, 0, 0, 0, 0] },
  phi: NO_FORCE,
  branch: 0,
}

/** Adds an inequality row along `edge` with stiffness q. */
function addEdge({ force, G, phi, branch }: Edges, edge: Force, q: number, hat: Motion, w: Motion): Edges {
  const target = dot(edge.n, hat.w) + dot(edge.f, hat.v)
  const rate = dot(edge.n, w.w) + dot(edge.f, w.v)
  const y = q * (target - rate)
  const pushes = y > 0
  const stiff = pushes ? q : 0
  const C = upper(tensor(edge.f, edge.f))
  const A = upper(tensor(edge.n, edge.n))
  return {
    force: add(force, scale(pushes ? y : 0, edge)),
    G: { A: add(G.A, scale(stiff, A)), B: add(G.B, scale(stiff, tensor(edge.n, edge.f))), C: add(G.C, scale(stiff, C)) },
    phi: add(phi, scale(stiff * target, edge)),
    branch: branch + branch + (pushes ? 1 : 0),
  }
}

function pyramid(kind: Kind, s: GroundStep, c: Int, w: Motion): Law {
  const { hat, q, qt, mu } = s.spot[c]
  const n = kind.normal(s, c)
  const { hat: spinHat, torsion, rolling } = kind.spin(s, c)
  const target: Motion = { w: kind.angular(spinHat), v: hat }
  const t1 = kind.first(s, c)
  const t2 = cross(n, t1)
  // a contact without friction has one row, along its normal
  const alone = addEdge(NO_EDGES, { n: ZERO, f: n }, mu > 0 ? 0 : q, target, w)
  const both = (edges: Edges, way: Force, friction: number, stiffness: number): Edges => {
    const plus: Force = { n: scale(friction, way.n), f: add(n, scale(friction, way.f)) }
    const minus: Force = { n: scale(-friction, way.n), f: sub(n, scale(friction, way.f)) }
    return addEdge(addEdge(edges, plus, stiffness, target, w), minus, stiffness, target, w)
  }
  const sliding = both(both(alone, { n: ZERO, f: t1 }, mu, qt), { n: ZERO, f: t2 }, mu, qt)
  const twisting = both(sliding, { n: kind.angular(n), f: ZERO }, torsion * mu, torsion > 0 ? qt : 0)
  const rolling1 = both(twisting, { n: kind.angular(t1), f: ZERO }, rolling * mu, rolling > 0 ? qt : 0)
  const { force, G, phi, branch } = both(rolling1, { n: kind.angular(t2), f: ZERO }, rolling * mu, rolling > 0 ? qt : 0)
  return { force, G, phi, branch, isCurved: false }
}

/** The law of slot c at rates w. */
export function lawOf(kind: Kind, g: Ground, s: GroundStep, c: Int, w: Motion): Law {
  return g.elliptic === 1 ? elliptic(kind, g, s, c, w) : pyramid(kind, s, c, w)
}
