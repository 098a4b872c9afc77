/** Bundles TypeScript of this package with the workspace's own bundler, as a web page or a child process would load it. */
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'

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

/** The code of one file (a script, when it is minified: modules keep their white space) that holds `entry` (a path, or the text of a module) and all it imports. */
export async function bundle(entry: { readonly path: string } | { readonly text: string }, format: 'module' | 'minified'): Promise<string> {
  const result = await build({
    configFile: false,
    root: source('..'),
    logLevel: 'silent',
    resolve: {
      alias: [
        { find: /^limber$/, replacement: source('index.ts') },
        { find: /^limber\/core$/, replacement: source('core.ts') },
        { find: /^limber-scenes$/, replacement: source('../../scenes/src/index.ts') },
      ],
    },
    plugins: 'text' in entry ? [virtualModule(ENTRY, entry.text)] : [],
    build: {
      write: false,
      minify: format === 'minified',
      lib: { entry: 'path' in entry ? entry.path : ENTRY, name: 'limber', formats: [format === 'minified' ? 'iife' : 'es'] },
      rollupOptions: { external: [/^node:/] },
    },
  })
  const outputs = Array.isArray(result) ? result : [result]
  return outputs
    .flatMap((one) => ('output' in one ? one.output : []))
    .map((file) => (file.type === 'chunk' ? file.code : ''))
    .join('\n')
}
