/**
 * Contact points and obstacles from the geoms of a spec: corners of boxes, ends of capsules, centres of spheres, rims of cylinders on
 * the bodies; planes, boxes and spheres in the world. Nothing touches unless the spec has a `contact` entry.
 */

import { cos, norm, sin } from '../math/own.js'
import type { Vec } from '../math/types.js'
import { ONE } from '../math/values/spatial.js'
import { OBSTACLE_BOX, OBSTACLE_PLANE, OBSTACLE_SPHERE, type Penalty } from '../model/model.js'
import { shapeNames } from '../model/shape-name.js'
import { quatToMatrix, transformPoint } from '../printed/arrays.js'
import type { Problems } from './problems.js'
import type { PlacedGeomSpec as GeomSpec, PlacedSpec as Spec } from './spec.js'
import type { BodyTree } from './tree.js'

const RIM = 8

export function buildPenalty(spec: Spec, tree: BodyTree, problems: Problems): Penalty {
  const given = spec.contact
  const stiffness = problems.number('contact/stiffness', given?.stiffness ?? 0, 'non-negative')
  const friction = problems.number('contact/friction', given?.friction ?? 0, 'non-negative')
  const slip = problems.number('contact/slip', given?.slip ?? 0.01, 'positive')
  const body: number[] = []
  const point: number[] = []
  const radius: number[] = []
  const names: string[] = []
  const obstacleNames: string[] = []
  const kind: number[] = []
  const pose: number[] = []
  const size: number[] = []
  if (given) {
    tree.bodies.forEach(({ spec: one }, k) => {
      const labels = shapeNames(one.geoms ?? [], one.name)
      for (const [g, geom] of (one.geoms ?? []).entries()) {
        if (geom.collide === false) continue
        const X = geomPose(geom)
        for (const [x, y, z, r] of contactPoints(geom)) {
          const p = Float64Array.of(x, y, z)
          transformPoint(p, 0, X, 0, p, 0)
          body.push(k + 1)
          names.push(geom.name || labels[g])
          point.push(...p)
          radius.push(r)
        }
      }
    })
    const labels = shapeNames(spec.world?.geoms ?? [], undefined)
    for (const [g, geom] of (spec.world?.geoms ?? []).entries()) {
      if (geom.collide === false) continue
      if (geom.shape === 'plane') {
        kind.push(OBSTACLE_PLANE)
        size.push(0, 0, 0)
      } else if (geom.shape === 'box') {
        kind.push(OBSTACLE_BOX)
        size.push(...geom.size.map((edge) => 0.5 * edge))
      } else if (geom.shape === 'sphere') {
        kind.push(OBSTACLE_SPHERE)
        size.push(geom.radius, 0, 0)
      } else continue
      pose.push(...geomPose(geom))
      obstacleNames.push(geom.name || labels[g])
    }
  }
  return {
    count: body.length,
    names,
    obstacleNames,
    body: Int32Array.from(body),
    point: Float64Array.from(point),
    radius: Float64Array.from(radius),
    obstacles: kind.length,
    kind: Int32Array.from(kind),
    pose: Float64Array.from(pose),
    size: Float64Array.from(size),
    stiffness,
    friction,
    slip,
  }
}

function geomPose(geom: GeomSpec): Vec {
  const X = new Float64Array(12)
  X.set(ONE.flat())
  if (geom.quaternion)
    quatToMatrix(
      X,
      0,
      Float64Array.from(geom.quaternion).map((x) => x / norm(geom.quaternion ?? [])),
      0,
    )
  X.set(geom.position ?? [0, 0, 0], 9)
  return X
}

/** x y z in the geom's frame, and the radius about it. */
function contactPoints(geom: GeomSpec): [number, number, number, number][] {
  switch (geom.shape) {
    case 'sphere':
      return [[0, 0, 0, geom.radius]]
    case 'capsule':
      return [-0.5, 0.5].map((s) => [0, 0, s * geom.length, geom.radius])
    case 'box': {
      const [a, b, c] = geom.size.map((edge) => 0.5 * edge)
      return [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z): [number, number, number, number] => [x * a, y * b, z * c, 0])))
    }
    case 'cylinder':
      return [-0.5, 0.5].flatMap((s) =>
        Array.from({ length: RIM }, (_, k): [number, number, number, number] => {
          const angle = (2 * Math.PI * k) / RIM
          return [geom.radius * cos(angle), geom.radius * sin(angle), s * geom.length, 0]
        }),
      )
    default:
      return []
  }
}
