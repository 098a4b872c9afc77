/**
 * A stand-in for the dragon of J. Barbic, Y. Zhao, Real-time Large-deformation Substructuring (2011), Table 1: 40 domains with 454 modes, more of them where a
 * part has more elements. It lies on a rock with its belly; neck, tail, wings and legs hang freely.
 */

import type { BodySpec, Spec, Vec3 } from 'limber'
import { backdrop } from '../ground.js'
import { pow } from '../portable.js'
import { defineScene } from '../scene.js'
import { type Assembly, createAssembly, type Holder } from './assembly.js'
import { domainsOf } from './classes.js'
import { dragonParts, neckRatio, tailRatio, torsoLength } from './dragon-parts.js'
import { facing, join, type Pose, plus, scaled } from './pose.js'

const height = 1.25
const scales = [0.2, 0.5, 0.38, 1] as const
const dark = [0.14, 0.38, 0.3, 1] as const
const webs = [0.85, 0.42, 0.2, 1] as const
const bone = [0.9, 0.86, 0.74, 1] as const
const above: Vec3 = [0, 0, 1]
const sides = [
  ['left', 1],
  ['right', -1],
] as const

type Parts = ReturnType<typeof dragonParts>
const on = (parent: string, attach: string): Holder => ({ parent, attach })

export const dragon = defineScene({
  name: 'dragon',
  title: 'Dragon',
  description:
    'A dragon of 40 reduced domains with 454 modes lies on a rock. Its weight and a tug at the snout set neck, wings, legs and tail swinging.',
  parameters: {
    tug: { default: 300, unit: 'N', min: 0, max: 5000, description: 'force on the head to the side during the first third of a second' },
    softness: { default: 1, min: 0.3, max: 3, description: 'divides the frequencies of all parts' },
  },
  size: { bodies: 40, dof: 454 },
  camera: [5.2, -6.2, 3.4, -0.2, 0, 1.4],
  build({ tug, softness }): Spec {
    const parts = dragonParts()
    const assembly = createAssembly()
    grow(assembly, parts, 0.8 / softness)
    const onHead = { body: 'head', from: [0, 0, 0.3], to: [0, 0, 0.301] } as const
    return {
      name: 'dragon',
      gravity: [0, 0, -9.81],
      timestep: 1 / 120,
      solver: { name: 'substructuring' },
      domains: domainsOf(Object.values(parts)),
      bodies: assembly.bodies,
      loads: tug > 0 ? [{ name: 'tug', force: [0, tug, 0.3 * tug], moving: { duration: 0.3, along: [onHead] } }] : [],
      world: {
        geoms: [
          backdrop(0),
          {
            shape: 'cylinder',
            radius: 0.36,
            length: height - 0.36,
            position: [0, 0, (height - 0.36) / 2],
            color: [0.5, 0.48, 0.46, 1],
            collide: false,
          },
        ],
      },
    }
  },
})

function grow({ add }: Assembly, parts: Parts, f: number): void {
  const ahead = facing([1, 0, 0], above)
  const astern = facing([-1, 0, 0], above)
  const at = (position: Vec3, quaternion: Pose['quaternion']): Pose => ({ position, quaternion })
  const skin = { color: scales, damping: 0.05 }
  add('belly', at([-torsoLength / 2, 0, height], ahead), parts.belly, { ...skin, hertz: 20 * f })
  const chest = add('chest', at([torsoLength / 2, 0, height], ahead), parts.chest, { ...skin, hertz: 26 * f }, on('belly', 'front'))
  const hips = add('hips', at([-torsoLength / 2, 0, height], astern), parts.hips, { ...skin, hertz: 26 * f }, on('belly', 'rear'))

  // an S that rises, then leans forward
  let holder = on('chest', 'tip')
  let pose = join(chest, parts.chest.ring(4))
  const bends = [parts.neckUp, parts.neckUp, parts.neckOver, parts.neckOver]
  bends.forEach((of, k) => {
    const scale = pow(neckRatio, k)
    add(`neck${k + 1}`, pose, of, { ...skin, scale, hertz: 20 * f }, holder)
    ;[holder, pose] = [on(`neck${k + 1}`, 'tip'), join(pose, scaled(of.ring(6), scale))]
  })
  const eyes: BodySpec['geoms'] = sides.map(([, s]) => ({
    ...{ shape: 'sphere', radius: 0.04, position: [0.15 * s, 0.1, 0.24], color: [0.98, 0.8, 0.2, 1], collide: false },
  }))
  const head = add('head', pose, parts.head, { ...skin, hertz: 25 * f }, holder, { geoms: eyes })
  const chin = join(head, parts.head.ring(1))
  add(
    'jaw',
    join(chin, at([0, -0.15, 0.02], facing([0, -0.35, 1], [0, 1, 0]))),
    parts.jaw,
    { ...skin, hertz: 9 * f, color: dark },
    on('head', 'ring1'),
  )
  for (const [name, s] of sides) {
    const horn = join(chin, at([0.1 * s, 0.14, 0], facing([0.35 * s, 0.6, -0.75], [0, 0.3, -1])))
    add(`${name}-horn`, horn, parts.horn, { ...skin, hertz: 11 * f, color: bone }, on('head', 'ring1'))
  }

  holder = on('hips', 'tip')
  pose = join(hips, parts.hips.ring(4))
  for (let k = 1; k <= 6; k++) {
    const scale = pow(tailRatio, k - 1)
    add(`tail${k}`, pose, parts.tail, { ...skin, scale, hertz: (14 - k) * f }, holder)
    ;[holder, pose] = [on(`tail${k}`, 'tip'), join(pose, scaled(parts.tail.ring(6), scale))]
  }
  add('spade', pose, parts.spade, { ...skin, hertz: 7 * f, color: webs }, holder)

  for (const [name, s] of sides) {
    leg(`fore-${name}`, 'chest', plus(join(chest, parts.chest.ring(2)).position, [0.05, 0.26 * s, -0.12]), s, 0.95)
    leg(`hind-${name}`, 'hips', plus(join(hips, parts.hips.ring(2)).position, [0.1, 0.28 * s, -0.1]), s, 1)
    wing(name, s)
  }

  /** Thigh backwards and out, shin forward to the ground, foot flat. */
  function leg(name: string, body: string, hip: Vec3, s: number, scale: number): void {
    const soft = { ...skin, scale, hertz: 9 * f }
    const thigh = add(`${name}-thigh`, at(hip, facing([-0.35, 0.4 * s, -1], [1, 0, 0])), parts.thigh, soft, on(body, 'ring2'))
    const knee = join(thigh, scaled(parts.thigh.ring(5), scale)).position
    const shin = add(`${name}-shin`, at(knee, facing([0.4, 0.05 * s, -1], [1, 0, 0])), parts.shin, soft, on(`${name}-thigh`, 'tip'))
    const ankle = join(shin, scaled(parts.shin.ring(5), scale)).position
    add(
      `${name}-foot`,
      at(plus(ankle, [-0.06, 0, 0]), facing([1, 0.1 * s, -0.12], above)),
      parts.foot,
      { ...soft, color: dark },
      on(`${name}-shin`, 'tip'),
    )
  }

  /** Arm up and out, forearm out, three webs behind them. */
  function wing(name: string, s: number): void {
    const shoulder = plus(join(chest, parts.chest.ring(2)).position, [-0.05, 0.2 * s, 0.22])
    const arm = add(
      `${name}-arm`,
      at(shoulder, facing([0.1, 0.75 * s, 0.7], above)),
      parts.arm,
      { ...skin, hertz: 20 * f },
      on('chest', 'ring2'),
    )
    const elbow = join(arm, parts.arm.ring(5)).position
    const fore = add(
      `${name}-forearm`,
      at(elbow, facing([0, s, 0.35], above)),
      parts.forearm,
      { ...skin, hertz: 15 * f },
      on(`${name}-arm`, 'tip'),
    )
    const cloth = { ...skin, color: webs, hertz: 3 * f }
    const inner = join(arm, parts.arm.ring(3)).position
    const middle = join(fore, parts.forearm.ring(2)).position
    const outer = join(fore, parts.forearm.ring(5)).position
    add(`${name}-web1`, at(inner, facing([-1, 0.05 * s, -0.2], [0, -0.7 * s, 0.75])), parts.web, cloth, on(`${name}-arm`, 'ring3'))
    add(`${name}-web2`, at(middle, facing([-1, 0.3 * s, -0.15], [0, -0.2 * s, 1])), parts.web, cloth, on(`${name}-forearm`, 'ring2'))
    add(
      `${name}-web3`,
      at(outer, facing([-0.75, 0.75 * s, -0.05], [0, 0, 1])),
      parts.web,
      { ...cloth, scale: 0.85 },
      on(`${name}-forearm`, 'ring5'),
    )
  }
}
