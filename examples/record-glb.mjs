/** A falling chain as an animated .glb, which any glTF viewer plays: node examples/record-glb.mjs [FILE] */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildModel, createSimulation } from 'limber'
import { record } from 'limber/node'

const file = process.argv[2]?.endsWith('.glb') ? process.argv[2] : join(tmpdir(), 'limber-chain.glb')
const links = 8
const bodies = Array.from({ length: links }, (_, k) => ({
  name: `link${k}`,
  parent: k === 0 ? 'world' : `link${k - 1}`,
  position: k === 0 ? [0, 0, 1.5] : [0.15, 0, 0],
  joints: [{ type: 'spherical', damping: 0.002 }],
  geoms: [
    { shape: 'capsule', radius: 0.02, fromto: [0, 0, 0, 0.15, 0, 0], mass: 0.1, color: [0.2, 0.3 + 0.08 * k, 0.9, 1], collide: false },
  ],
}))
const simulation = createSimulation(buildModel({ name: 'chain', bodies }))
const { frames, time, message } = await record(simulation, file, { seconds: 2, fps: 30 })
console.log(`${file}: ${frames} frames up to ${time} s${message}`)
