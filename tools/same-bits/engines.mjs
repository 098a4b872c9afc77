/** The program in Node and in Chromium: the same bundle of the sources. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runInThisContext } from 'node:vm'
import { chromium } from 'playwright-core'
import { build } from 'vite'

const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const chromiumPath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

export const hasChromium = () => existsSync(chromiumPath)

async function bundle() {
  const result = await build({
    configFile: false,
    root: at('tools/same-bits'),
    logLevel: 'silent',
    worker: { format: 'es' },
    resolve: {
      alias: [
        { find: /^limber$/, replacement: at('engine/src/index.ts') },
        { find: /^limber\/core$/, replacement: at('engine/src/core.ts') },
        { find: /^limber-scenes$/, replacement: at('scenes/src/index.ts') },
      ],
    },
    build: {
      write: false,
      lib: { entry: at('tools/same-bits/program.mjs'), name: 'sameBits', formats: ['iife'] },
      rollupOptions: { external: [/^node:/, /^koffi$/], output: { codeSplitting: false } },
    },
  })
  const outputs = Array.isArray(result) ? result : [result]
  return outputs
    .flatMap(({ output }) => output)
    .filter(({ type }) => type === 'chunk')
    .map(({ code }) => code)
    .join('\n')
}

/** Both engines, each with `call(name, ...arguments)`, and `close`. */
export async function openEngines() {
  const code = await bundle()
  const program = runInThisContext(`${code}; sameBits`)
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    timeout: 180_000,
  })
  const page = await browser.newPage()
  page.setDefaultTimeout(0)
  await page.setContent('<!doctype html><title>same bits</title>')
  await page.addScriptTag({ content: code })
  const version = browser.version()
  return {
    node: { name: `Node ${process.versions.node}`, call: async (name, ...args) => program[name](...args) },
    chromium: {
      name: `Chromium ${version}`,
      // eslint-disable-next-line no-undef
      call: (name, ...args) => page.evaluate(([f, list]) => globalThis.sameBits?.[f](...list) ?? sameBits[f](...list), [name, args]),
    },
    close: () => browser.close(),
  }
}
