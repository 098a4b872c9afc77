/**
 * The cable-stayed bridge of Baxter's thesis (section 4.1; numbers of its public code): a deck of hinged boxes held by 30 cables
 * from two towers, which stand still or are chains of stiff hinges themselves, and a car that drives over it in five seconds.
 *
 * The source is y-up; here x → x, y → z, z → −y, so that every hinge turns about −y. Its cables are stated by strain: tension
 * k (l − L)/L + (d/L) l̇, which is a stiffness k/L and a damping d/L.
 */

import type { BodySpec, GeomSpec, LoadSpec, Spec, SpringSpec, Vec3 } from 'limber'
import { arcOfLinks } from './arc.js'
import { cloth, steel, warmShade } from './colors.js'
import { backdrop } from './ground.js'
import { hypot } from './portable.js'
import { defineScene } from './scene.js'

const span = 24
const camber = 0.6
const deckHeight = 3
const deck = { thickness: 0.15, width: 1.6 }
const tower = { x: 5, height: 10, thickness: 0.5, width: 1.8 }
const cableCount = 30
/** The two sets of numbers of the source: hinges in N m/rad and N m s, cables by strain in N and N s. */
const materials = {
  timing: { deck: [1e3, 1], tower: [9.2e6, 1e3], cable: [1e7, 1e3] },
  video: { deck: [1e8, 1e4], tower: [1e8, 1e3], cable: [2.5e7, 1e4] },
} as const
type Material = (typeof materials)[keyof typeof materials]
const density = 1000
const carWeight = 4800
const crossing = 5
const axis: Vec3 = [0, -1, 0]
const damping = { angular: 1, linear: 1 }

export const bridge = defineScene({
  name: 'bridge',
  title: 'Cable-stayed bridge',
  description: 'A deck of hinged boxes hangs on 30 stiff cables from two towers, rigid or made of stiff hinges; a car may drive over it.',
  parameters: {
    bodies: { default: 20, integer: true, min: 2, max: 100_000, description: 'boxes of the deck, and of each flexible tower' },
    towers: { default: 'rigid', choices: ['rigid', 'flexible'], description: 'towers that stand still, or chains of stiff hinges' },
    material: {
      default: 'timing',
      choices: ['timing', 'video'],
      description: "soft hinges as in the source's timings, or stiff as in its videos",
    },
    car: { default: 0, min: 0, max: 1e4, description: 'weight of the car, times 4800 N; 0 is no car' },
  },
  shown: { car: 10 },
  build({ bodies: n, towers, material, car }): Spec {
    const numbers = materials[material]
    const [stiffness, friction] = numbers.deck
    const arc = arcOfLinks(n, span, camber)
    const bodies: BodySpec[] = []
    for (let k = 0; k < n; k++) {
      bodies.push({
        name: `deck${k + 1}`,
        parent: k === 0 ? 'world' : `deck${k}`,
        position: k === 0 ? [-span / 2, 0, deckHeight] : [arc.link, 0, 0],
        quaternion: arc.orientation(k),
        // the first hinge lies in its bearing without a spring
        joints: [{ name: `deck-hinge${k + 1}`, type: 'revolute', axis, ...(k === 0 ? {} : { stiffness, damping: friction }) }],
        geoms: [
          {
            shape: 'box',
            size: [arc.link, deck.width, deck.thickness],
            position: [arc.link / 2, 0, 0],
            density,
            color: k % 2 === 0 ? steel : [0.54, 0.58, 0.63, 1],
            collide: false,
          },
        ],
        damping,
      })
    }
    if (towers === 'flexible') {
      for (const [side, x] of sides) bodies.push(...towerBodies(side, x, n, numbers))
    }
    return {
      name: 'bridge',
      gravity: [0, 0, -9.8],
      timestep: 0.01,
      solver: { name: 'redmax' },
      bodies,
      world: { geoms: [backdrop(0), ...piers(), ...(towers === 'rigid' ? sides.map(([, x]) => standingTower(x)) : [])] },
      springs: cables(n, towers === 'flexible', numbers),
      constraints: [
        {
          type: 'point',
          name: 'far-bearing',
          a: { body: `deck${n}`, point: [arc.link, 0, 0] },
          b: { body: 'world', point: [span / 2, 0, deckHeight] },
          axes: [
            [1, 0, 0],
            [0, 0, 1],
          ],
        },
      ],
      ...(car > 0 ? { loads: [carLoad(n, arc.link, car)] } : {}),
    }
  },
})

const sides = [
  ['left', -tower.x],
  ['right', tower.x],
] as const

function towerBodies(side: string, x: number, n: number, { tower: [stiffness, friction] }: Material): BodySpec[] {
  const height = tower.height / n
  return Array.from({ length: n }, (_, k) => ({
    name: `${side}${k + 1}`,
    parent: k === 0 ? 'world' : `${side}${k}`,
    position: k === 0 ? [x, 0, 0] : [0, 0, height],
    joints: [{ name: `${side}-hinge${k + 1}`, type: 'revolute', axis, stiffness, damping: friction }],
    geoms: [
      {
        shape: 'box',
        size: [tower.thickness, tower.width, height],
        position: [0, 0, height / 2],
        density,
        color: warmShade(n > 1 ? k / (n - 1) : 0),
        collide: false,
      },
    ],
    damping,
  }))
}

/** Each cable ends in the deck at the middle of its share of the length; the first half go to the left tower's top. */
function cables(n: number, flexible: boolean, { cable: [stiffness, friction] }: Material): SpringSpec[] {
  const arc = arcOfLinks(n, span, camber)
  return Array.from({ length: cableCount }, (_, i) => {
    const share = ((i + 0.5) / cableCount) * n
    const k = Math.min(n - 1, Math.floor(share))
    const along = (share - k) * arc.link
    const [x, , z] = arc.point(k, along)
    const [side, towerX] = sides[i < cableCount / 2 ? 0 : 1]
    const length = hypot(x - towerX, z + deckHeight - tower.height)
    return {
      name: `cable${i + 1}`,
      a: { body: `deck${k + 1}`, point: [along, 0, 0] },
      b: flexible ? { body: `${side}${n}`, point: [0, 0, tower.height / n] } : { body: 'world', point: [towerX, 0, tower.height] },
      stiffness: stiffness / length,
      damping: friction / length,
    }
  })
}

function carLoad(n: number, link: number, factor: number): LoadSpec {
  const along = Array.from({ length: n }, (_, k) => ({ body: `deck${k + 1}`, from: [0, 0, 0], to: [link, 0, 0] }) as const)
  return { name: 'car', force: [0, 0, -carWeight * factor], moving: { duration: crossing, along } }
}

function standingTower(x: number): GeomSpec {
  return {
    shape: 'box',
    size: [tower.thickness, tower.width, tower.height],
    position: [x, 0, tower.height / 2],
    color: warmShade(0.5),
    collide: false,
  }
}

function piers(): GeomSpec[] {
  return [-1, 1].map((side) => ({
    shape: 'box',
    size: [0.5, tower.width, deckHeight - deck.thickness],
    position: [side * (span / 2 + 0.25), 0, (deckHeight - deck.thickness) / 2],
    color: cloth,
    collide: false,
  }))
}
