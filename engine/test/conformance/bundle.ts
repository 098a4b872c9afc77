/** Bundles TypeScript of this package with the workspace's own bundler, as a web page or a child process would load it. */
import { fileURLToPath } from 'node:url'
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite'

const source = (path: string): string => fileURLToPath(new URL(`../../src/${path}`, import.meta.url))

const ENTRY = 'virtual-entry.ts'

/** A module that is only this text. */
function virtualModule(name: string, text: string): Plugin {
  return {
    name,
    resolveId: (id) => (id.endsWith(name) ? `\0${name}` : null),
    load: (id) => (id === `\0${name}` ? text : null),
  }
}

const common: InlineConfig = {
  configFile: false,
  root: source('..'),
  logLevel: 'silent',
  worker: { format: 'es' },
  resolve: {
    alias: [
      { find: /^limber$/, replacement: source('index.ts') },
      { find: /^limber\/core$/, replacement: source('core.ts') },
      { find: /^limber\/js-kernels$/, replacement: source('js-kernels.ts') },
      { find: /^limber\/node$/, replacement: source('node.ts') },
      { find: /^limber\/on-demand$/, replacement: source('on-demand.ts') },
      { find: /^limber\/parallel$/, replacement: source('parallel.ts') },
      { find: /^limber-scenes$/, replacement: source('../../scenes/src/index.ts') },
    ],
  },
}

/** The code of one file (a script, when it is minified: modules keep their white space) that holds `entry` (a path, or the text of a module) and all it imports. */
export async function bundle(entry: { readonly path: string } | { readonly text: string }, format: 'module' | 'minified'): Promise<string> {
  const { chunks } = await buildFiles({
    ...common,
    plugins: 'text' in entry ? [virtualModule(ENTRY, entry.text)] : [],
    build: {
      write: false,
      minify: format === 'minified',
      lib: { entry: 'path' in entry ? entry.path : ENTRY, name: 'limber', formats: [format === 'minified' ? 'iife' : 'es'] },
      // one file, also of what is fetched on demand
      rollupOptions: { external: [/^node:/, /^koffi$/], output: { codeSplitting: false } },
    },
  })
  return chunks.map((chunk) => chunk.code).join('\n')
}

export interface Part {
  /** path among the parts */
  readonly file: string
  readonly code: string
  /** the page begins with it; else it is fetched when asked for */
  readonly first: boolean
  readonly entry: boolean
}

/** The minified files of a page with this module, those of its threads included. */
export async function bundleInParts(text: string): Promise<Part[]> {
  const { chunks, threads } = await buildFiles({
    ...common,
    plugins: [virtualModule(ENTRY, text)],
    build: { write: false, modulePreload: false, rollupOptions: { input: ENTRY, preserveEntrySignatures: 'strict' } },
  })
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  // what the entry needs at once, and what that needs
  const needed = new Set(chunks.filter((chunk) => chunk.isEntry).map((chunk) => chunk.fileName))
  for (const file of needed) for (const next of byFile.get(file)?.imports ?? []) needed.add(next)
  return [
    ...chunks.map(({ fileName, code, isEntry }) => ({ file: fileName, code, first: needed.has(fileName), entry: isEntry })),
    ...threads.map(({ fileName, source }) => ({ file: fileName, code: String(source), first: false, entry: false })),
  ]
}

async function buildFiles(config: InlineConfig): Promise<{ chunks: Rolldown.OutputChunk[]; threads: Rolldown.OutputAsset[] }> {
  const result = await build(config)
  const files = (Array.isArray(result) ? result : [result]).flatMap((one) => ('output' in one ? one.output : []))
  return {
    chunks: files.filter((file) => file.type === 'chunk'),
    threads: files.filter((file) => file.type === 'asset').filter(({ fileName }) => fileName.endsWith('.js')),
  }
}
