/**
 * Classes of the dragon's parts. A part grows along its z; its y is up where it lies, and where its crest stands.
 */

import type { DomainSpec } from 'limber'
import { pow } from '../portable.js'
import { type Part, part, reduceOnce } from './classes.js'
import { disc, type LoftShape, loft } from './loft.js'

const flesh = { young: 1e6, poisson: 0.4, density: 600 }
const skin = { young: 1e6, poisson: 0.4, density: 300 }

type Section = LoftShape['section']

/** A round part, `wide` times as wide as high, of which the uppermost line stands out at every other ring. */
function crested(radius: (t: number) => number, levels: number, crest: number, wide = 1): Section {
  return (u, v, t) => {
    const [x, y] = disc(u, v)
    const top = u === 0 && v === 1 && Math.round(t * levels) % 2 === 1 ? 1 + crest : 1
    return [wide * radius(t) * x, radius(t) * top * y]
  }
}

const straight = (from: number, to: number) => (t: number) => from + (to - from) * t

/** A thin part between two rims. */
function plate(half: (t: number) => number, thickness: number, dish = 0): Section {
  return (u, v, t) => [half(t) * u, thickness * (1.1 - 0.6 * t) * v - dish * half(t) * u * u]
}

/** shrinking from one segment to the next */
export const neckRatio = 0.86
export const tailRatio = 0.82
export const torsoLength = 0.8

/** The trunk between the legs. It lies on the rock with its underside, and carries chest and hips at its ends. */
export function bellyClass(): DomainSpec {
  const { mesh, base, rings } = loft({ cells: [2, 2, 4], length: torsoLength, section: crested(() => 0.42, 4, 0.35, 0.85) })
  const low = Array.from(mesh.vertices.keys()).filter((k) => k % 3 === 1 && mesh.vertices[k] < -0.29)
  const fixed = low.map((k) => (k - 1) / 3)
  return { name: 'belly', data: reduceOnce(mesh, { material: flesh, fixed, interfaces: { rear: base, front: rings.tip }, modes: 14 }) }
}

export function dragonParts() {
  const limb = (name: string, from: number, to: number, length: number, modes: number, bend = 0): Part =>
    part(name, loft({ cells: [2, 2, 5], length, bend, section: crested(straight(from, to), 5, 0) }), flesh, modes)
  const segment = (name: string, radius: number, ratio: number, length: number, bend: number, modes: number): Part =>
    part(name, loft({ cells: [2, 2, 6], length, bend, section: crested(straight(radius, ratio * radius), 6, 0.4) }), flesh, modes)
  const torso = (name: string, to: number): Part =>
    part(name, loft({ cells: [2, 2, 4], length: 0.65, bend: 0.15, section: crested(straight(0.42, to), 4, 0.35, 0.85) }), flesh, 14)
  const web = (name: string, length: number, root: number, tip: number): Part => {
    // the rear edge runs out to a point
    const section = plate((t) => root + (tip - root) * pow(t, 1.4), 0.012, 0.12)
    return part(name, loft({ cells: [4, 1, 6], length, bend: -0.35, section }), skin, 10)
  }
  const snout = (t: number): number => (t < 0.3 ? 0.15 + 0.25 * t : 0.225 - 0.19 * (t - 0.3))
  return {
    belly: bellyClass(),
    chest: torso('chest', 0.27),
    hips: torso('hips', 0.26),
    neckUp: segment('neck-up', 0.25, neckRatio, 0.42, 0.42, 12),
    neckOver: segment('neck-over', 0.25, neckRatio, 0.42, -0.5, 12),
    head: part('head', loft({ cells: [2, 2, 5], length: 0.62, bend: -0.35, section: crested(snout, 5, 0.1, 0.85) }), flesh, 14),
    jaw: part('jaw', loft({ cells: [2, 1, 5], length: 0.42, section: plate((t) => 0.14 - 0.08 * t, 0.045) }), flesh, 10),
    horn: part('horn', loft({ cells: [2, 2, 5], length: 0.4, bend: 0.8, section: crested(straight(0.055, 0.01), 5, 0) }), flesh, 8),
    tail: segment('tail', 0.24, tailRatio, 0.55, 0.16, 12),
    spade: part(
      'spade',
      loft({ cells: [4, 1, 5], length: 0.36, section: plate((t) => (t === 0 ? 0.05 : 0.2 * (1.08 - t)), 0.02) }),
      flesh,
      10,
    ),
    thigh: limb('thigh', 0.19, 0.11, 0.5, 12),
    shin: limb('shin', 0.11, 0.075, 0.46, 12),
    foot: part('foot', loft({ cells: [4, 1, 4], length: 0.3, section: plate((t) => 0.08 + 0.08 * t, 0.04) }), flesh, 10),
    arm: limb('arm', 0.1, 0.065, 0.9, 12, 0.25),
    forearm: limb('forearm', 0.065, 0.03, 1.15, 11, -0.45),
    web: web('web', 1.15, 0.48, 0.14),
  }
}
