/**
 * Bodies as lines in the world: from each body to those it carries, and of the last of a branch as far beyond its centre of mass as it begins
 * before it.
 */
import type { Data, Model } from 'limber'

export type Point3 = readonly [number, number, number]

export interface Bone {
  readonly body: number
  readonly from: Point3
  readonly to: Point3
}

/** Point x[o …] of a body in the world. Reads X_WB. */
export function pointOf({ X_WB }: Data, body: number, x: ArrayLike<number>, o: number): Point3 {
  // a pose is a rotation row by row and a place
  const row = (r: number): number => {
    const k = 12 * body + 3 * r
    return X_WB[12 * body + 9 + r] + X_WB[k] * x[o] + X_WB[k + 1] * x[o + 1] + X_WB[k + 2] * x[o + 2]
  }
  return [row(0), row(1), row(2)]
}

/** Reads X_WB. A line belongs to the body whose joint is at its start; where several hang on one body, each adds a line of it. */
export function bonesOf({ parent, nbody, inertia }: Model, data: Data): Bone[] {
  const bones: Bone[] = []
  const origin = [0, 0, 0]
  const carries = new Set(parent.subarray(1))
  for (let i = 1; i < nbody; i++) {
    if (parent[i] > 0) bones.push({ body: parent[i], from: pointOf(data, parent[i], origin, 0), to: pointOf(data, i, origin, 0) })
    const tip = [1, 2, 3].map((r) => (2 * inertia[10 * i + r]) / inertia[10 * i])
    if (!carries.has(i)) bones.push({ body: i, from: pointOf(data, i, origin, 0), to: pointOf(data, i, tip, 0) })
  }
  return bones
}
