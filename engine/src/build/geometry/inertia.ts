/**
 * Inertias of the bodies: as stated, or from the geoms; checked, and put about the body origin.
 */

import { BOX_SIZE } from '../../forces/drag.js'
import type { Vec } from '../../math/types.js'
import type { Problems } from '../problems.js'
import type { PlacedBodySpec as BodySpec, PlacedGeomSpec as GeomSpec, MeshSpec, Quat, Tensor, Vec3 } from '../spec.js'
import type { BodyTree } from '../tree.js'
import { geomMassProperties, type MassProperties, rotateTensor, rotationMatrix, sumMassProperties } from './mass-properties.js'
import { principalAxes } from './principal-axes.js'

// the largest moment may exceed the sum of the others by this part of it: those of thin bodies are written with two digits
const ROUNDED = 0.01

// moments this far below zero, relative to the largest, are rounding and count as zero
const ROUNDING = 1e-9

/** Writes m, m c, J of every body to inertia (10 a body), and its equivalent box to boxes. */
export function buildInertias(tree: BodyTree, meshes: ReadonlyMap<string, MeshSpec>, inertia: Vec, boxes: Vec, problems: Problems): void {
  tree.bodies.forEach(({ spec: body, at }, k) => {
    buildInertia(body, `bodies/${at}`, meshes, inertia, 10 * (k + 1), boxes, BOX_SIZE * (k + 1), problems)
  })
}

/** The same of one body, to inertia[i …] and boxes[b …]. */
export function buildInertia(
  body: BodySpec,
  path: string,
  meshes: ReadonlyMap<string, MeshSpec>,
  inertia: Vec,
  i: number,
  boxes: Vec,
  b: number,
  problems: Problems,
): void {
  const part = massProperties(body, path, meshes, problems)
  if (part.mass === 0 && part.tensor.every((x) => x === 0)) return
  const moments = checkTensor(body, part.tensor, `${path}/inertia`, problems)
  const [cx, cy, cz] = part.com
  const m = part.mass
  const [xx, yy, zz, xy, xz, yz] = part.tensor
  inertia.set(
    [
      m,
      m * cx,
      m * cy,
      m * cz,
      xx + m * (cy * cy + cz * cz),
      xy - m * cx * cy,
      xz - m * cx * cz,
      yy + m * (cx * cx + cz * cz),
      yz - m * cy * cz,
      zz + m * (cx * cx + cy * cy),
    ],
    i,
  )
  if (m > 0) boxes.set([...part.com, ...rotationMatrix(moments.axes), ...boxEdges(m, moments.values)], b)
}

function massProperties(body: BodySpec, path: string, meshes: ReadonlyMap<string, MeshSpec>, problems: Problems): MassProperties {
  const given = body.inertia
  if (!given) {
    const usable = (body.geoms ?? []).filter((geom, g) => geomUsable(geom, `${path}/geoms/${g}`, problems))
    return sumMassProperties(usable.map((geom) => geomMassProperties(geom, meshes)))
  }
  const mass = problems.number(`${path}/inertia/mass`, given.mass, 'non-negative')
  const com = problems.vector(`${path}/inertia/com`, given.com, 3, [0, 0, 0]) as Vec3
  const tensor = problems.vector(`${path}/inertia/tensor`, given.tensor, 6, [0, 0, 0, 0, 0, 0]) as unknown as Tensor
  return { mass, com, tensor }
}

/** Whether the geom can be weighed; says what is in the way. Geoms that state neither mass nor density are only looked at. */
function geomUsable(geom: GeomSpec, path: string, problems: Problems): boolean {
  if (geom.mass === undefined && geom.density === undefined) return false
  const good = (key: string, x: number | undefined): boolean =>
    x === undefined || (Number.isFinite(x) && x >= 0) || Boolean(problems.number(`${path}/${key}`, x, 'non-negative'))
  const sizes = Object.entries(geom).flatMap(([key, value]): [string, number][] => {
    if (key === 'radius' || key === 'length') return [[key, Number(value)]]
    if (key === 'size' || key === 'radii') return (value as readonly number[]).map((x, k) => [`${key}/${k}`, x])
    return []
  })
  return [['mass', geom.mass] as const, ['density', geom.density] as const, ...sizes].map(([key, x]) => good(key, x)).every(Boolean)
}

/** Moments and axes; moments that no body has are a problem: negative ones, and one beyond the sum of the others. */
function checkTensor(body: BodySpec, tensor: Tensor, path: string, problems: Problems): { values: Vec3; axes: Quat } {
  const principal = principalAxes(tensor)
  let { moments: values, quaternion: axes } = principal
  const scale = Math.max(...values.map(Math.abs))
  const [a, b, c] = values
  const excess = Math.max(a - b - c, b - a - c, c - a - b)
  if (values.some((x) => x < -ROUNDING * scale)) {
    const shown = values.map((x) => x.toPrecision(4)).join(', ')
    problems.add(
      `${path}/tensor`,
      `expected a positive definite inertia tensor of body '${body.name}', got principal moments ${shown}; check signs and the order ixx iyy izz ixy ixz iyz`,
    )
  } else if (body.inertia && body.inertia.mass > 0 && body.inertia.unchecked !== true && excess > ROUNDED * scale) {
    const shown = values.map((x) => x.toPrecision(4)).join(', ')
    problems.add(
      `${path}/tensor`,
      `expected the inertia tensor of a body, got principal moments ${shown} of body '${body.name}', of which one exceeds the sum of the others; correct them, or say "unchecked": true`,
    )
  }
  if (body.inertia?.axes) {
    axes = body.inertia.axes
    const [w, x, y, z] = axes
    const turned = rotateTensor(rotationMatrix([w, -x, -y, -z]), tensor)
    values = [turned[0], turned[1], turned[2]]
  }
  return { values, axes }
}

/** Edges of the box with these mass and moments: b_i = √(6 (I_j + I_k − I_i)/m). */
function boxEdges(m: number, [a, b, c]: Vec3): Vec3 {
  const edge = (x: number): number => Math.sqrt((6 * Math.max(x, 1e-15)) / m)
  return [edge(b + c - a), edge(a + c - b), edge(a + b - c)]
}
