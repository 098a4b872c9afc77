/**
 * Level of detail by the camera: how much the acceleration of each free-standing tree counts to a solver that neglects some.
 *
 * On the screen a motion is smaller in proportion to its distance. A solver adds up squares, so a tree at distance d counts (r/d)² of one
 * at the distance r from which it fills the picture, and no tree counts more than that.
 */
import type { Data, Detail } from 'limber'

/** half the angle of view of the camera, as a tangent */
const halfView = Math.tan(Math.PI / 9)

const LEAST = 1e-9

export function importanceAt(distance: number, reference: number): number {
  // a point counts too, if little
  return distance <= reference ? 1 : Math.max((reference / distance) ** 2, LEAST)
}

/** Reads X_WB. Writes the importance of each tree as seen from `camera`; undefined: all count alike. */
export function followCamera({ treeOf, importance }: Detail, { X_WB }: Data, camera: readonly number[] | undefined): void {
  if (!camera) {
    importance.fill(1)
    return
  }
  const trees = importance.length
  // middle of the bodies of each tree, and how far the farthest is from it
  const middle = new Float64Array(3 * trees)
  const count = new Float64Array(trees)
  treeOf.forEach((tree, i) => {
    if (tree < 0) return
    count[tree]++
    for (let r = 0; r < 3; r++) middle[3 * tree + r] += X_WB[12 * i + 9 + r]
  })
  for (let k = 0; k < middle.length; k++) middle[k] /= count[Math.floor(k / 3)]
  const radius = new Float64Array(trees)
  treeOf.forEach((tree, i) => {
    if (tree >= 0) radius[tree] = Math.max(radius[tree], between(X_WB, 12 * i + 9, middle, 3 * tree))
  })
  for (let tree = 0; tree < trees; tree++) {
    importance[tree] = importanceAt(between(camera, 0, middle, 3 * tree), radius[tree] / halfView)
  }
}

function between(a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): number {
  return Math.hypot(a[i] - b[j], a[i + 1] - b[j + 1], a[i + 2] - b[j + 2])
}
