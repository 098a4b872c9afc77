/**
 * Energies of a step that are summed over springs, joints, bodies and points: each adds its value to E, its gradient to W = (W3 | w) of bodies
 * and to `joint`, and its second derivative to `bodies` and `joints` (`energy/step-problem`).
 */
import { loadInBody } from '../../../forces/loads.kernel.js'
import type { Law, Touch } from '../../../forces/penalty.kernel.js'
import { pointAt, pointVelocity } from '../../../forces/points.kernel.js'
import { type Line, SHORTEST, type Springs, springLine } from '../../../forces/springs.kernel.js'
import { add, type Int, type Ints, type Lanes, negate, type Shared, scale, sub, type Varied } from '../../../math/values/columns.js'
import type { Articulated, Force, Mat3, Motion, Pose, Sym3, Vec3 } from '../../../math/values/spatial.js'
import {
  diagonal,
  dot,
  full,
  mul,
  rotate,
  rotateBack,
  shiftInertia,
  skew,
  tensor,
  transpose,
  turnSym,
  upper,
  ZERO,
} from '../../../math/values/spatial.js'
import type { Tree } from '../../../model/tables.js'
import type { PointGradient } from '../euler/newton-factor.kernel.js'

/** What terms add to, and what they read. */
export interface Sums {
  /** poses on trial and at the start of the step, and its size */
  readonly X_WB: Lanes<Pose>
  readonly X0: Lanes<Pose>
  readonly h: Lanes<number>
  /** the inertial energy, and all others */
  readonly E: Lanes<{ readonly inertial: number; readonly potential: number }>
  readonly W: Lanes<PointGradient>
  readonly joint: Lanes<number>
  readonly bodies: Lanes<Articulated>
  readonly joints: Lanes<number>
}

const NOTHING: Mat3 = [ZERO, ZERO, ZERO]

function addEnergy(p: Sums, value: number): void {
  const { inertial, potential } = p.E[0]
  p.E[0] = { inertial, potential: potential + value }
}

/** An energy of the point x of body i with gradient g and second derivative H in the world: W += g (x;1)ᵀ, bodies += Γᵀ H Γ, Γ = (−[x] 1). */
function addPoint(p: Sums, i: Int, x: Vec3, g: Vec3, H: Sym3): void {
  if (i === 0) return
  addPointGradient(p.W, p.X_WB, i, x, g)
  p.bodies[i] = add(p.bodies[i], shiftInertia({ A: diagonal(0), B: NOTHING, C: turnSym(transpose(p.X_WB[i].R), H) }, x))
}

function addPointGradient(W: Lanes<PointGradient>, X: Lanes<Pose>, i: Int, x: Vec3, g: Vec3): void {
  const own = rotateBack(X[i].R, g)
  W[i] = add(W[i], { W3: tensor(own, x), w: own })
}

/** W += the gradient of wrenches that pull at bodies: (−½ [n] | −f). @kernel */
export function addWrenches(m: Tree, W: Lanes<PointGradient>, f: Lanes<Force>): void {
  for (let i = 1; i < m.nbody; i++) W[i] = sub(W[i], { W3: scale(0.5, skew(f[i].n)), w: f[i].f })
}

/** ½ c x²/h^power of the stretch x of joints; the second derivative where `curved` is 1. @kernel */
export function pullTowards(m: Tree, p: Sums, x: Lanes<number>, coefficient: Varied<number>, power: Int, curved: Int): void {
  const h = p.h[0]
  let s = 1 / h
  if (power === 0) s = 1
  if (power === 2) s = 1 / (h * h)
  let sum = 0
  for (let k = 0; k < m.nv; k++) {
    const c = s * coefficient[k]
    sum = sum + 0.5 * c * x[k] * x[k]
    p.joint[k] = p.joint[k] + c * x[k]
    if (curved === 1) p.joints[k] = p.joints[k] + c
  }
  addEnergy(p, sum)
}

/**
 * ½ k (l − rest)² + d/(2h) (l − l₀)², of which the second derivative is (k + d/h) n nᵀ + t/l (1 − n nᵀ), t the tension. Between two bodies each
 * gets its own part, without what t/l < 0 takes away.
 * @kernel
 */
export function addSpringEnergy(t: Springs, start: Lanes<Line>, p: Sums): void {
  let sum = 0
  for (let k = 0; k < t.count; k++) {
    const { x, length } = springLine(t, p.X_WB, k)
    const rate = t.damping[k] / p.h[0]
    const stretch = length - t.rest[k]
    const moved = length - start[k].length
    const tension = t.stiffness[k] * stretch + rate * moved
    sum = sum + 0.5 * (t.stiffness[k] * stretch * stretch + rate * moved * moved)
    if (length > SHORTEST) {
      const n = scale(1 / length, x)
      let across = tension / length
      if (t.bodyA[k] > 0) {
        if (t.bodyB[k] > 0) across = Math.max(0, across)
      }
      const H = add(scale(t.stiffness[k] + rate - across, upper(tensor(n, n))), diagonal(across))
      const g = scale(tension, n)
      addPoint(p, t.bodyB[k], t.pointB[k], g, H)
      addPoint(p, t.bodyA[k], t.pointA[k], negate(g), H)
    }
  }
  addEnergy(p, sum)
}

/**
 * W0, of poses X0, += the gradient with respect to where bodies began of what dampers add to the residual along the twists φ: −d/h (l − l₀) l′ has
 * d/h l′ that pulls at l₀, l′ = n · (the velocities of the ends under φ).
 * @kernel
 */
export function pullAtStart(t: Springs, start: Lanes<Line>, p: Sums, phi: Lanes<Motion>, X0: Lanes<Pose>, W0: Lanes<PointGradient>): void {
  for (let k = 0; k < t.count; k++) {
    const { x, length } = springLine(t, p.X_WB, k)
    const before = start[k].length
    if (t.damping[k] > 0 && length > SHORTEST && before > SHORTEST) {
      const velocity = (i: Int, x: Vec3): Vec3 => pointVelocity(p.X_WB[i], phi[i], x)
      const rate = dot(x, sub(velocity(t.bodyB[k], t.pointB[k]), velocity(t.bodyA[k], t.pointA[k])))
      const pull = (-t.damping[k] * rate) / (length * p.h[0] * before)
      const g = scale(pull, springLine(t, X0, k).x)
      addPointGradient(W0, X0, t.bodyB[k], t.pointB[k], g)
      addPointGradient(W0, X0, t.bodyA[k], t.pointA[k], negate(g))
    }
  }
}

export interface Loads {
  readonly count: Int
  readonly body: Ints
  /** 1 where it turns with the body */
  readonly follows: Ints
  readonly point: Shared<Vec3>
  readonly wrench: Shared<Force>
}

/** −f · x of forces fixed in the world; torques, and forces that turn with their body, have a gradient only. @kernel */
export function addLoadEnergy(t: Loads, p: Sums): void {
  let sum = 0
  for (let k = 0; k < t.count; k++) {
    const i = t.body[k]
    const X = p.X_WB[i]
    const pull = loadInBody(X, t.wrench[k], t.follows[k])
    if (t.follows[k] === 0) sum = sum - dot(t.wrench[k].f, pointAt(X, t.point[k]))
    p.W[i] = sub(p.W[i], { W3: add(scale(0.5, skew(pull.n)), tensor(pull.f, t.point[k])), w: pull.f })
  }
  addEnergy(p, sum)
}

export interface DragEnergy {
  readonly count: Int
  readonly body: Ints
  /** 1 where it acts against the medium, not the world */
  readonly windy: Ints
  readonly wind: Shared<Vec3>
  readonly C: Lanes<Sym3>
  /** second, first and zeroth moments */
  readonly N: Lanes<{ readonly P: Sym3; readonly c: Vec3; readonly m: number }>
}

const trace = (S: Sym3): number => S[0] + S[3] + S[5]

/** P × C = PC + CP − tr(P) C − tr(C) P + (tr(P) tr(C) − tr(PC)) 1 */
export function freudenthal(P: Sym3, C: Sym3): Sym3 {
  const PC = mul(full(P), full(C))
  const common = trace(P) * trace(C) - (PC[0][0] + PC[1][1] + PC[2][2])
  return add(sub(sub(upper(add(PC, transpose(PC))), scale(trace(P), C)), scale(trace(C), P)), diagonal(common))
}

/**
 * 1/(2h) tr(C ΔT N ΔTᵀ), of which the second derivative is ∫ Γᵀ C Γ/h over the moments N: linear part N₀ C, mixed [N₁] C, angular N₂ × C
 * (Freudenthal's product), C in body axes.
 * @kernel
 */
export function dragBodies(t: DragEnergy, p: Sums): void {
  const h = p.h[0]
  let sum = 0
  for (let k = 0; k < t.count; k++) {
    const i = t.body[k]
    const { R, p: moved } = sub(p.X_WB[i], p.X0[i])
    const still = t.windy[k] === 1 ? sub(moved, scale(h, t.wind[0])) : moved
    const C = scale(1 / h, t.C[k])
    const { P, c, m } = t.N[k]
    // A = C ΔT N/h = (A3 | a)
    const U3 = mul(full(C), R)
    const u = rotate(full(C), still)
    const A3 = add(mul(U3, full(P)), tensor(u, c))
    const a = add(rotate(U3, c), scale(m, u))
    sum = sum + 0.5 * (dot(A3[0], R[0]) + dot(A3[1], R[1]) + dot(A3[2], R[2]) + dot(a, still))
    const B = transpose(p.X_WB[i].R)
    p.W[i] = add(p.W[i], { W3: mul(B, A3), w: rotate(B, a) })
    const Cb = turnSym(B, C)
    p.bodies[i] = add(p.bodies[i], { A: freudenthal(P, Cb), B: mul(skew(c), full(Cb)), C: scale(m, Cb) })
  }
  addEnergy(p, sum)
}

export interface ContactEnergy {
  readonly count: Int
  readonly obstacles: Int
  readonly body: Ints
  readonly point: Shared<Vec3>
  readonly law: Shared<Law>
  /** how each point meets each obstacle, on trial and at the start of the step */
  readonly now: Lanes<Touch>
  readonly start: Lanes<Touch>
}

/**
 * ½ k d² for the depth d, and friction, h μ k d₀ f(s) of the speed s = |t|/h, t the way along the plane of the start; f'(s)/(s h) across, and while
 * sliding nothing along the motion.
 * @kernel
 */
export function pressPoints(c: ContactEnergy, p: Sums): void {
  const h = p.h[0]
  const { stiffness, friction, slip } = c.law[0]
  let sum = 0
  for (let k = 0; k < c.count; k++) {
    for (let e = k * c.obstacles; e < (k + 1) * c.obstacles; e++) {
      const { depth, normal, point } = c.now[e]
      const before = c.start[e]
      const load = friction * stiffness * Math.max(0, before.depth)
      if (depth > 0 || load > 0) {
        const push = stiffness * Math.max(0, depth)
        const N = before.normal
        const moved = sub(point, before.point)
        const t = sub(moved, scale(dot(moved, N), N))
        const speed = Math.sqrt(dot(t, t)) / h
        const slides = speed > slip
        const a = load / (h * (slides ? speed : slip))
        const b = slides ? a / (speed * speed * h * h) : 0
        sum = sum + 0.5 * push * depth + h * load * (slides ? speed - 0.5 * slip : (0.5 * speed * speed) / slip)
        const along = scale(depth > 0 ? stiffness : 0, upper(tensor(normal, normal)))
        const across = sub(sub(diagonal(a), scale(a, upper(tensor(N, N)))), scale(b, upper(tensor(t, t))))
        addPoint(p, c.body[k], c.point[k], sub(scale(a, t), scale(push, normal)), add(along, across))
      }
    }
  }
  addEnergy(p, sum)
}
