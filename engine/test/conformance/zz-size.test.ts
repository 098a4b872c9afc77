import { gzipSync } from 'node:zlib'
import { it } from 'vitest'
import { bundle, bundleInParts } from './bundle.js'
const kb = (code: string): number => gzipSync(code, { level: 9 }).length / 1000
it('sizes', async () => {
  for (const lines of [["export * from 'limber/core'"], ["export * from 'limber/core'", "export { position } from 'limber'"], ["export * from 'limber/core'", "export { redmax } from 'limber'"],["export * from 'limber/core'", "export { createSimulation } from 'limber'"]]) console.log(lines[1], kb(await bundle({ text: lines.join('\n') }, 'minified')))
  for (const t of ["export * from 'limber/core'\nexport { createBatch } from 'limber'"]) {
    const parts = await bundleInParts(t)
    console.log(kb(parts.filter((p) => p.first).map((p) => p.code).join('\n')), parts.filter((p)=>!p.first).map((p)=>p.file+' '+kb(p.code).toFixed(1)).join(', '))
  }
})
