/**
 * Sites of a spec: named frames on bodies.
 */
import { norm } from '../math/own.js'
import { ONE } from '../math/values/spatial.js'
import type { Sites } from '../model/shapes.js'
import { quatToMatrix } from '../printed/arrays.js'
import type { Problems } from './problems.js'
import type { Spec, Vec3 } from './spec.js'
import type { BodyTree } from './tree.js'

export interface PlacedSite {
  readonly body: number
  readonly path: string
  readonly position: Vec3
  readonly quaternion: readonly number[]
}

/** By name; of several with one name the last. */
export function collectSites(spec: Spec, tree: BodyTree): Map<string, PlacedSite> {
  const sites = new Map<string, PlacedSite>()
  const add = (body: number, path: string, list: Spec['bodies'][number]['sites']): void => {
    for (const [k, s] of (list ?? []).entries())
      sites.set(s.name, { body, path: `${path}/sites/${k}`, position: s.position ?? [0, 0, 0], quaternion: s.quaternion ?? [1, 0, 0, 0] })
  }
  add(0, 'world', spec.world?.sites)
  tree.bodies.forEach(({ spec: body, at }, k) => {
    add(k + 1, `bodies/${at}`, body.sites)
  })
  return sites
}

export function buildSites(spec: Spec, tree: BodyTree, problems: Problems): Sites {
  const sites = [...collectSites(spec, tree)]
  const X_BS = new Float64Array(12 * sites.length)
  sites.forEach(([, { path, position, quaternion }], k) => {
    X_BS.set(ONE.flat(), 12 * k)
    const turn = Float64Array.from(problems.vector(`${path}/quaternion`, quaternion, 4, [1, 0, 0, 0]))
    if (norm(turn) > 1e-9) quatToMatrix(X_BS, 12 * k, turn, 0)
    else problems.add(`${path}/quaternion`, 'expected a quaternion w x y z of length one, got zero; no turn is 1 0 0 0')
    X_BS.set(problems.vector(`${path}/position`, position, 3, [0, 0, 0]), 12 * k + 9)
  })
  return { count: sites.length, names: sites.map(([name]) => name), body: Int32Array.from(sites, ([, { body }]) => body), X_BS }
}
