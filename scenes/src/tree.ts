/**
 * The trees of Baxter's thesis (section 4.3; numbers of its public code). On a fixed trunk every level adds a crossbar to each tip and
 * an upright on both of its ends, all hinged, 3 (2^L − 1) bodies in all. Springs join the uprights of each bar (`tree`), or only the
 * tops of neighbouring leaves that are no siblings (`alternate-tree`). The four corner leaves are pulled down and outwards.
 *
 * The source is y-up; here its y is z. Odd levels lie along x and hinge about y, even ones the other way. The springs are stated by
 * strain (k/L, d/L).
 */

import type { BodySpec, LoadSpec, Spec, SpringSpec, Vec3 } from 'limber'
import { cloth, warmShade } from './colors.js'
import { backdrop } from './ground.js'
import { pow, squared } from './portable.js'
import { defineScene, type ValuesOf } from './scene.js'

const thickness = 0.5
const trunk = 3
const density = 1
const spring = { stiffness: 1e5, damping: 1 }
const pull = 10

const parameters = {
  levels: { default: 4, integer: true, min: 1, max: 14, description: 'levels of branches; 3 (2^levels − 1) hinges' },
} as const

interface Leaf {
  readonly name: string
  readonly x: number
  readonly y: number
  readonly parent: string
}

export const tree = defineScene({
  name: 'tree',
  title: 'Tree of crossbars',
  description: 'A binary tree of bars and uprights, springs between the two uprights of every bar, pulled apart at its corners.',
  parameters,
  build: (values) => buildTree('tree', values),
})

export const alternateTree = defineScene({
  name: 'alternate-tree',
  title: 'Tree with a net between its leaves',
  description: 'The tree of crossbars, with springs only between the tops of neighbouring leaves that hang on different bars.',
  parameters,
  build: (values) => buildTree('alternate-tree', values),
})

function buildTree(name: 'tree' | 'alternate-tree', { levels }: ValuesOf<typeof parameters>): Spec {
  const bodies: BodySpec[] = []
  const siblings: SpringSpec[] = []
  const leaves: Leaf[] = []
  let mass = density * trunk * squared(thickness)

  // depth first, a bar then its two uprights with all they carry
  const grow = (level: number, at: string, root: string, position: Vec3, x: number, y: number): void => {
    const alongX = level % 2 === 1
    const axis: Vec3 = alongX ? [0, 1, 0] : [1, 0, 0]
    const bar = 10 * pow(0.8, level - 1)
    const post = 3 * pow(0.95, level)
    const end = 0.49 * bar
    const hinge = (hinged: string) => [{ name: `${hinged}-hinge`, type: 'revolute' as const, axis, stiffness: 1e3, damping: 1 }]
    const color = warmShade(levels > 1 ? (level - 1) / (levels - 1) : 0)
    const damping = { angular: 1, linear: 1 }
    mass += density * squared(thickness) * (bar + 2 * post)
    bodies.push({
      name: `bar${at}`,
      parent: root,
      position,
      joints: hinge(`bar${at}`),
      geoms: [{ shape: 'box', size: alongX ? [bar, thickness, thickness] : [thickness, bar, thickness], density, color, collide: false }],
      damping,
    })
    for (const [digit, side] of [
      ['0', -1],
      ['1', 1],
    ] as const) {
      const own = `post${at}${digit}`
      const shift: Vec3 = alongX ? [side * end, 0, 0] : [0, side * end, 0]
      bodies.push({
        name: own,
        parent: `bar${at}`,
        position: shift,
        joints: hinge(own),
        geoms: [{ shape: 'box', size: [thickness, thickness, post], position: [0, 0, post / 2], density, color, collide: false }],
        damping,
      })
      if (level === levels) leaves.push({ name: own, parent: `bar${at}`, x: x + shift[0], y: y + shift[1] })
      else grow(level + 1, `${at}${digit}`, own, [0, 0, post], x + shift[0], y + shift[1])
    }
    siblings.push({
      a: { body: `post${at}0`, point: [0, 0, post / 2] },
      b: { body: `post${at}1`, point: [0, 0, post / 2] },
      stiffness: spring.stiffness / (2 * end),
      damping: spring.damping / (2 * end),
    })
  }
  grow(1, '', 'world', [0, 0, trunk], 0, 0)

  return {
    name,
    gravity: [0, 0, -9.8],
    timestep: 0.01,
    solver: { name: 'redmax' },
    bodies,
    world: {
      geoms: [
        backdrop(0),
        { shape: 'box', size: [thickness, thickness, trunk], position: [0, 0, trunk / 2], color: cloth, collide: false },
      ],
    },
    springs: name === 'tree' ? siblings : net(leaves, 3 * pow(0.95, levels)),
    loads: corners(leaves, pull * mass),
  }
}

/** Springs between the tops of leaves that are next to each other on a line of the grid and stand on different bars. */
function net(leaves: readonly Leaf[], top: number): SpringSpec[] {
  const springs: SpringSpec[] = []
  for (const [line, along] of [
    ['x', 'y'],
    ['y', 'x'],
  ] as const) {
    const rows = new Map<string, Leaf[]>()
    for (const leaf of leaves) {
      // positions are sums of the same numbers in different order
      const key = leaf[line].toFixed(6)
      const row = rows.get(key)
      if (row) row.push(leaf)
      else rows.set(key, [leaf])
    }
    for (const row of rows.values()) {
      row.sort((a, b) => a[along] - b[along])
      for (const [k, a] of row.entries()) {
        const b = row[k + 1]
        if (!b || a.parent === b.parent) continue
        const length = b[along] - a[along]
        springs.push({
          a: { body: a.name, point: [0, 0, top] },
          b: { body: b.name, point: [0, 0, top] },
          stiffness: spring.stiffness / length,
          damping: spring.damping / length,
        })
      }
    }
  }
  return springs
}

/** On the leaves outermost in x and in y: down and away. */
function corners(leaves: readonly Leaf[], force: number): LoadSpec[] {
  const far = (key: 'x' | 'y'): number => Math.max(...leaves.map((leaf) => Math.abs(leaf[key]))) - 1e-6
  const [x, y] = [far('x'), far('y')]
  return leaves
    .filter((leaf) => Math.abs(leaf.x) >= x && Math.abs(leaf.y) >= y)
    .map((leaf) => ({
      name: `pull-${leaf.name}`,
      body: leaf.name,
      force: [force * Math.sign(leaf.x), force * Math.sign(leaf.y), -force],
    }))
}
