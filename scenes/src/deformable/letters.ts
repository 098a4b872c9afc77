/**
 * The word of J. Barbic, Y. Zhao, Real-time Large-deformation Substructuring (2011), Table 1: eight deformable letters of 20 modes and seven rigid
 * links between them, 15 domains and 160 modes, in free flight. The fourth letter is the root: its basis is that of a free mesh.
 */
import { type BodySpec, type Box, type DomainSpec, type LoadSpec, type Spec, type Triple, tetrahedra, voxelGrid } from 'limber'
import { defineScene } from '../scene.js'
import { domainsOf, instance, reduceOnce } from './classes.js'

const rubber = { young: 4e5, poisson: 0.4, density: 1100 }
const modes = 20
/** edge of a cell, cells of depth, and between letters, m */
const cell = 0.05
const depth = 2
const gap = 2

/** rows of cells from the top */
const shapes: Readonly<Record<string, string>> = {
  S: '.#####./#######/##...##/##...../######./.######/.....##/##...##/#######/.#####.',
  I: '######/######/..##../..##../..##../..##../..##../..##../######/######',
  G: '.#####./#######/##...##/##...../##...../##..###/##..###/##...##/#######/.#####.',
  R: '######./#######/##...##/##...##/#######/######./##.##../##..##./##...##/##...##',
  A: '..###../.#####./##...##/##...##/##...##/#######/#######/##...##/##...##/##...##',
  P: '######./#######/##...##/##...##/#######/######./##...../##...../##...../##.....',
  H: '##...##/##...##/##...##/##...##/#######/#######/##...##/##...##/##...##/##...##',
}
const word = ['S', 'I', 'G', 'G', 'R', 'A', 'P', 'H'] as const
/** the letter that flies free */
const root = 3
/** lower row of the link after each letter, from the bottom: both neighbours reach it with their sides */
const links = [1, 0, 2, 2, 0, 0, 5] as const

const paints = [
  [0.85, 0.25, 0.22, 1],
  [0.93, 0.55, 0.18, 1],
  [0.95, 0.78, 0.22, 1],
  [0.45, 0.68, 0.28, 1],
  [0.2, 0.62, 0.6, 1],
  [0.22, 0.45, 0.75, 1],
  [0.42, 0.32, 0.68, 1],
  [0.75, 0.3, 0.58, 1],
] as const
const steel = [0.55, 0.58, 0.62, 1] as const

const widthOf = (letter: string): number => shapes[letter].indexOf('/')

/** Filled cells, counted from the lower left. */
function cellsOf(letter: string): Triple[] {
  const rows = shapes[letter].split('/').reverse()
  return rows.flatMap((row, z) =>
    Array.from(row).flatMap((c, x) => (c === '#' ? Array.from({ length: depth }, (_, y): Triple => [x, y, z]) : [])),
  )
}

/** Faces of cells at this x that a link of two rows meets. */
const side = (x: number, row: number): Box => ({ min: [cell * x, 0, cell * row], max: [cell * x, cell * depth, cell * (row + 2)] })

/** A letter that hangs on its neighbour towards the root, with an interface to the other one. */
function letterClass(k: number): DomainSpec {
  const letter = word[k]
  const left = k > 0 ? side(0, links[k - 1]) : undefined
  const right = k < word.length - 1 ? side(widthOf(letter), links[k]) : undefined
  const fixed = k < root ? right : k > root ? left : undefined
  const interfaces = { ...(left && k <= root ? { left } : {}), ...(right && k >= root ? { right } : {}) }
  const mesh = tetrahedra(voxelGrid({ cells: cellsOf(letter), edge: cell }))
  return { name: `letter${k + 1}`, data: reduceOnce(mesh, { material: rubber, ...(fixed ? { fixed } : {}), interfaces, modes }) }
}

function linkClass(): DomainSpec {
  const mesh = voxelGrid({ size: [gap, depth, 2], edge: cell })
  const ends = { left: side(0, 0), right: side(gap, 0) }
  return { name: 'link', data: reduceOnce(mesh, { material: rubber, interfaces: ends, modes: 0 }) }
}

export const letters = defineScene({
  name: 'letters',
  title: 'Letters in flight',
  description:
    'SIGGRAPH in rubber, weightless: eight deformable letters of 20 modes, rigid links between them. A short push sets the word spinning.',
  parameters: {
    push: { default: 60, unit: 'N', min: 0, max: 2000, description: 'force on both ends of the word during the first fifth of a second' },
    hertz: { default: 1.6, unit: 'Hz', min: 0.2, max: 50, description: 'lowest frequency of a letter that is held at its link' },
  },
  size: { bodies: 15, dof: 166 },
  camera: [0.5, -3.6, 0.9, 0, 0, 0.2],
  build({ push, hertz }): Spec {
    const classes = word.map((_, k) => letterClass(k))
    const link = linkClass()
    // lower left corners along the word, its middle over the origin
    const starts: number[] = []
    let at = 0
    for (const letter of word) {
      starts.push(at)
      at += cell * (widthOf(letter) + gap)
    }
    const middle = (at - cell * gap) / 2
    const placeOfLink = (k: number): number => starts[k] + cell * widthOf(word[k])

    const letter = (k: number): BodySpec => {
      const domain = instance(classes[k], { hertz: k === root ? 3 * hertz : hertz, color: paints[k], damping: 0.01 })
      if (k === root)
        return { name: `letter${k + 1}`, position: [starts[k] - middle, 0, 0], joints: [{ name: 'flight', type: 'free' }], domain }
      const by = k < root ? k : k - 1
      return { name: `letter${k + 1}`, parent: `link${by + 1}`, position: [starts[k] - placeOfLink(by), 0, -cell * links[by]], domain }
    }
    const bar = (k: number): BodySpec => {
      const on = k < root ? k + 1 : k
      const position = [placeOfLink(k) - starts[on], 0, cell * links[k]] as const
      const name = `link${k + 1}`
      return { name, parent: `letter${on + 1}`, attach: k < root ? 'left' : 'right', position, domain: { name: 'link', color: steel } }
    }
    return {
      name: 'letters',
      gravity: [0, 0, 0],
      timestep: 1 / 240,
      // the chain is long and turns fast: two iterations lose a third of its small linear momentum in a second, four a thousandth
      solver: { name: 'substructuring', options: { iterations: 4 } },
      domains: domainsOf([...classes, link]),
      bodies: [...word.map((_, k) => letter(k)), ...links.map((_, k) => bar(k))],
      loads:
        push > 0
          ? [shove('link1', [0, push, 0.5 * push]), shove('link7', [0, -push, 0.5 * push]), shove('link4', [0, 0.3 * push, -push])]
          : [],
    }
  },
})

function shove(body: string, force: readonly [number, number, number]): LoadSpec {
  return { name: `shove-${body}`, force, moving: { duration: 0.2, along: [{ body, from: [0.05, 0.05, 0.05], to: [0.05, 0.05, 0.051] }] } }
}
