/**
 * npm's prepare hook: after a plain `npm ci` the `limber` command and `import 'limber'` work.
 * An install never fails here: without the development tools there is nothing to build with, and a tree that does not compile
 * must still be installable so that it can be mended.
 */
import { existsSync } from 'node:fs'
import { at, run, say, tsc, vite } from './lib.mjs'

const compiler = tsc()
if (!compiler || !existsSync(at('tsconfig.json'))) {
  say('prepare: typescript is not installed (npm ci --omit=dev?), so nothing was built')
} else {
  const printed = await run(process.execPath, [at('tools/kernels/build.mjs')])
  if (printed !== 0 || (await run(process.execPath, [...compiler, '-b'])) !== 0)
    say('prepare: the build reported errors; mend them and run: npm run build')
  const bundler = vite()
  if (bundler && existsSync(at('studio/index.html'))) {
    if ((await run(process.execPath, [...bundler, 'build', '--logLevel', 'warn'], { cwd: at('studio') })) !== 0) {
      say('prepare: the studio page was not built; run: npm run build')
    }
  }
}
