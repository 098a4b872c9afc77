/**
 * Triangles of a polygon, choosing the same diagonals as the OBJ loader behind MuJoCo, so that the volumes of faces that are
 * not quite flat agree: a quad is cut along its shorter diagonal (along 1–3 when both are equal), larger polygons
 * lose ears in the coordinate plane in which their first corner is widest. Decisions are taken in float32, as there; a polygon
 * whose ears are not found keeps the triangles cut so far.
 */

const f = Math.fround

/** damaged files hold polygons of any length; cutting them takes time with the square of it */
const MAX_CORNERS = 5000

/** steps that cutting all polygons of a file may take: a few tenths of a second */
export const CUTTING = 30_000_000

/** Appends the triangles of `polygon` (vertex numbers) to `faces`. Returns false if part of the polygon could not be cut. */
export function triangulate(
  faces: number[],
  polygon: readonly number[],
  vertices: readonly number[],
  budget = { steps: CUTTING },
): boolean {
  const n = polygon.length
  if (n < 3 || n > MAX_CORNERS) return false
  const at = (k: number): number => polygon[k] as number
  if (n === 3) {
    faces.push(at(0), at(1), at(2))
    return true
  }
  if (n === 4) {
    if (distance2(vertices, at(0), at(2)) < distance2(vertices, at(1), at(3))) faces.push(at(0), at(1), at(2), at(0), at(2), at(3))
    else faces.push(at(0), at(1), at(3), at(1), at(2), at(3))
    return true
  }
  return clipEars(faces, polygon, vertices, budget)
}

function distance2(v: readonly number[], a: number, b: number): number {
  let sum = 0
  for (let k = 0; k < 3; k++) {
    const d = f((v[3 * b + k] as number) - (v[3 * a + k] as number))
    sum = f(sum + f(d * d))
  }
  return sum
}

function clipEars(faces: number[], polygon: readonly number[], vertices: readonly number[], budget: { steps: number }): boolean {
  const [ax, ay] = plane(polygon, vertices)
  const left = polygon.slice()
  const px = (i: number): number => vertices[3 * (left[i] as number) + ax] as number
  const py = (i: number): number => vertices[3 * (left[i] as number) + ay] as number
  let guess = 0
  let tries = left.length
  let before = left.length
  let steps = Math.min(budget.steps, 20 * left.length * left.length)
  budget.steps -= steps

  // tries: how many corners may be refused in a row
  while (left.length > 3 && tries > 0 && steps > 0) {
    const n = left.length
    if (guess >= n) guess -= n
    if (before !== n) {
      before = n
      tries = n
    } else tries--

    const a = guess
    const b = (guess + 1) % n
    const c = (guess + 2) % n
    const cross = f(f(f(px(b) - px(a)) * f(py(c) - py(b))) - f(f(py(b) - py(a)) * f(px(c) - px(b))))
    const area = f(f(f(px(a) * py(b)) - f(py(a) * px(b))) * 0.5)

    // a corner that turns the wrong way, or one with another vertex inside, is no ear
    let ear = !(f(cross * area) < 0)
    const x = [px(a), px(b), px(c)]
    const y = [py(a), py(b), py(c)]
    for (let k = 3; ear && k < n; k++) {
      const o = (guess + k) % n
      if (insideTriangle(x, y, px(o), py(o))) ear = false
      steps--
    }
    if (!ear) {
      guess++
      continue
    }
    faces.push(left[a] as number, left[b] as number, left[c] as number)
    left.splice(b, 1)
  }
  budget.steps += steps
  if (left.length !== 3) return false
  faces.push(left[0] as number, left[1] as number, left[2] as number)
  return true
}

/** The two coordinates to work in: those across the largest component of the first proper corner's normal. */
function plane(polygon: readonly number[], v: readonly number[]): [number, number] {
  const n = polygon.length
  for (let k = 0; k < n; k++) {
    const i = 3 * (polygon[k] as number)
    const j = 3 * (polygon[(k + 1) % n] as number)
    const l = 3 * (polygon[(k + 2) % n] as number)
    const e = (a: number, b: number, c: number): number => f((v[b + c] as number) - (v[a + c] as number))
    const cx = Math.abs(f(f(e(i, j, 1) * e(j, l, 2)) - f(e(i, j, 2) * e(j, l, 1))))
    const cy = Math.abs(f(f(e(i, j, 2) * e(j, l, 0)) - f(e(i, j, 0) * e(j, l, 2))))
    const cz = Math.abs(f(f(e(i, j, 0) * e(j, l, 1)) - f(e(i, j, 1) * e(j, l, 0))))
    const epsilon = 2 ** -23
    if (cx > epsilon || cy > epsilon || cz > epsilon) {
      if (cx > cy && cx > cz) return [1, 2]
      return cz > cx && cz > cy ? [0, 1] : [0, 2]
    }
  }
  return [1, 2]
}

/** Even–odd test. */
function insideTriangle(x: readonly number[], y: readonly number[], tx: number, ty: number): boolean {
  let inside = false
  for (let i = 0, j = 2; i < 3; j = i++) {
    const xi = x[i] as number
    const yi = y[i] as number
    const xj = x[j] as number
    const yj = y[j] as number
    if (yi > ty !== yj > ty && tx < f(f(f(f(xj - xi) * f(ty - yi)) / f(yj - yi)) + xi)) inside = !inside
  }
  return inside
}
