/**
 * The packages as a user gets them: packed, installed in a fresh project outside the repository, typed under both ways to find modules, run in Node, through
 * `npx`, and in a page that Vite built, on its main thread and in a worker. Nothing is fetched: what others wrote is packed from the repository's own copy.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { build, preview } from 'vite'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from './limber.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const ours = ['engine', 'scenes', 'bench', 'cli', 'studio']
const browser = [process.env['CHROMIUM_PATH'] ?? '', '/usr/bin/chromium'].find(existsSync)
const folder = temporaryFolder()
const project = join(folder.path, 'project')
const put = (name: string, text: string): void => writeFileSync(join(project, name), text)

function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    env: { ...process.env, FORCE_COLOR: undefined },
  })
  expect({ args: args.slice(0, 3), status, stderr: status === 0 ? '' : stderr + stdout }).toEqual({
    args: args.slice(0, 3),
    status: 0,
    stderr: '',
  })
  return stdout
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
const manifest = (path: string): Manifest => JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as Manifest

/** Folders of the packages of others that ours need, directly or not, as far as they are installed here. */
function needed(): string[] {
  const found = new Set<string>()
  const visit = (names: readonly string[]): void => {
    for (const name of names) {
      const path = `node_modules/${name}`
      if (name.startsWith('limber') || found.has(path) || !existsSync(join(root, path))) continue
      found.add(path)
      const { dependencies = {}, optionalDependencies = {} } = manifest(path)
      visit([...Object.keys(dependencies), ...Object.keys(optionalDependencies)])
    }
  }
  for (const path of ours) visit(Object.keys(manifest(path).dependencies ?? {}))
  return [...found]
}

beforeAll(() => {
  const archives = join(folder.path, 'archives')
  mkdirSync(archives)
  mkdirSync(project)
  const pack = [...ours, ...needed()].map((path) => `./${path}`)
  run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', archives, ...pack], root)
  const files = readdirSync(archives)
  expect(files.length).toBe(pack.length)
  // as `npm install a.tgz b.tgz …` writes it
  const nameOf = new Map(
    pack
      .map((path) => [path, manifest(path)] as const)
      .map(([, { name, version }]) => [`${name.replace('@', '').replace('/', '-')}-${version}.tgz`, name]),
  )
  const dependencies = Object.fromEntries(files.map((file) => [nameOf.get(file) ?? file, `file:../archives/${file}`]))
  put('package.json', JSON.stringify({ name: 'project', private: true, type: 'module', dependencies }))
  run('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], project)
})

const program = `import { buildModel, createSimulation, readCsv, type Simulation } from 'limber'
import { record } from 'limber/node'
import { findScene } from 'limber-scenes'
import { readFileSync } from 'node:fs'

const scene = findScene('double-pendulum')
if (!scene) throw new Error('no such scene')
const simulation: Simulation = createSimulation(buildModel(scene.build({})))
const { frames, message }: { frames: number; message: string } = await record(simulation, 'motion.csv', { seconds: 0.5, fps: 40 })
const { times } = readCsv(readFileSync('motion.csv', 'utf8'))
console.log(frames, times.length, times[20], JSON.stringify(message))
`

const shared = `import { buildModel, createSimulation, parseMjcf, recordBytes } from 'limber'

const text = '<mujoco><worldbody><body><joint type="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 1 0 0" size="0.05"/></body></worldbody></mujoco>'

export async function swing(): Promise<string> {
  const simulation = createSimulation(buildModel(parseMjcf(text)))
  const bytes = await recordBytes(simulation, 'glb', { seconds: 0.5, fps: 20 })
  return \`\${String.fromCharCode(...bytes.subarray(0, 4))} \${simulation.state.t.toFixed(3)}\`
}
`
const main = `import { swing } from './swing.js'

const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
worker.onmessage = async ({ data }: MessageEvent<string>) => {
  document.title = \`main \${await swing()}, worker \${data}\`
}
`
const work = `import { swing } from './swing.js'

void swing().then((text) => postMessage(text))
`

/** Files of a folder as they are, with the types that modules need. */
async function servePlain(folder: string): Promise<{ url: string; close(): void }> {
  const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.json': 'application/json' }
  const server = createServer((request, response) => {
    const path = join(folder, new URL(request.url ?? '/', 'http://localhost').pathname)
    if (!existsSync(path)) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' }).end(readFileSync(path))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

describe('a fresh project with the packed packages', () => {
  it('gets all of them, none private, with licence and readme', () => {
    for (const path of ours) {
      const { name, version, private: hidden } = manifest(path)
      const installed = join(project, 'node_modules', name)
      expect(hidden, name).toBeUndefined()
      expect(readdirSync(installed), name).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist', 'package.json']))
      expect((JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Manifest).version).toBe(version)
      for (const file of readdirSync(installed, { recursive: true, encoding: 'utf8' })) expect(file).not.toMatch(/\.test\.|tsbuildinfo/)
    }
  })

  it('has source maps with their sources, and none that lead nowhere', () => {
    for (const path of ours) {
      const installed = join(project, 'node_modules', manifest(path).name)
      for (const file of readdirSync(installed, { recursive: true, encoding: 'utf8' })) {
        expect(file).not.toMatch(/\.d\.ts\.map$/)
        if (!file.endsWith('.map')) continue
        const { sources, sourcesContent } = JSON.parse(readFileSync(join(installed, file), 'utf8')) as Record<string, unknown[] | undefined>
        expect(sourcesContent, `${path}/${file}`).toHaveLength(sources?.length ?? -1)
        expect(
          sourcesContent?.every((text) => typeof text === 'string'),
          `${path}/${file}`,
        ).toBe(true)
      }
    }
  })

  it('lists the licence of everything that comes along', () => {
    const listed = readFileSync(join(root, 'LICENSES.md'), 'utf8')
    expect(listed).toBe(run(process.execPath, [join(root, 'scripts/licences.mjs'), '--print'], root))
    for (const path of ours) {
      for (const name of Object.keys(manifest(path).dependencies ?? {}))
        if (!name.startsWith('limber')) expect(listed, path).toContain(`| ${name} |`)
    }
  })

  it.each([
    ['nodenext', { module: 'nodenext', moduleResolution: 'nodenext' }],
    ['bundler', { module: 'esnext', moduleResolution: 'bundler' }],
  ])('is typed under moduleResolution %s, strictly', (name, how) => {
    mkdirSync(join(project, 'src'), { recursive: true })
    put('src/program.ts', program)
    put('src/swing.ts', shared)
    put('src/main.ts', main)
    put('src/worker.ts', work)
    const compilerOptions = {
      ...{ strict: true, target: 'es2022', lib: ['es2023', 'dom'], types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
      ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, verbatimModuleSyntax: true, ...how },
      // the declarations themselves are checked once
      ...(name === 'nodenext' ? { outDir: 'out', rootDir: 'src' } : { noEmit: true, skipLibCheck: true }),
    }
    put(`tsconfig.${name}.json`, JSON.stringify({ compilerOptions, include: ['src'] }))
    expect(run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', `tsconfig.${name}.json`], project)).toBe('')
  })

  it('runs a program in Node that records to a file', () => {
    expect(run(process.execPath, ['out/program.js'], project)).toBe('21 21 0.5 ""\n')
  })

  it('runs in a page as plain modules, without a bundler', async ({ skip }) => {
    if (!browser) skip('no browser is installed')
    const files = await servePlain(project)
    put(
      'plain.html',
      `<!doctype html><title>waiting</title><script type="module">
import { buildModel, createSimulationWith, ode } from './node_modules/limber/dist/core.js'
const model = buildModel({ bodies: [{ name: 'b', inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] }, joints: [{ name: 'j', type: 'free' }] }] })
const simulation = createSimulationWith(model, ode, { timestep: 0.01 })
simulation.step(100)
document.title = \`\${simulation.state.t.toFixed(2)} \${simulation.state.v.length}\`
</script>`,
    )
    const window = await chromium.launch({ executablePath: browser ?? '', args: ['--no-sandbox'] })
    try {
      const page = await window.newPage()
      const trouble: string[] = []
      page.on('pageerror', (error) => trouble.push(error.message))
      await page.goto(`${files.url}/plain.html`)
      await page.waitForFunction(() => document.title !== 'waiting', undefined, { timeout: 30_000 })
      expect({ title: await page.title(), trouble }).toEqual({ title: '1.00 6', trouble: [] })
    } finally {
      await window.close()
      files.close()
    }
  })

  it('runs the command by npx', () => {
    const npx = (...args: string[]): string => run('npx', ['--offline', '--no-install', 'limber', ...args], project)
    expect(npx('--version').trim()).toBe(manifest('cli').version)
    npx('run', 'chain', '--duration', '0.2', '--out', 'chain.glb')
    expect(readFileSync(join(project, 'chain.glb')).toString('latin1', 0, 4)).toBe('glTF')
    expect(JSON.parse(npx('info', 'humanoid', '--json'))).toBeTypeOf('object')
  })

  it('has the page of the studio where the command looks for it', () => {
    const require = createRequire(join(project, 'node_modules/limber-cli/dist/commands/studio.js'))
    expect(existsSync(join(require.resolve('limber-studio/package.json'), '../dist/index.html'))).toBe(true)
  })

  it('is built by Vite for the main thread and for a worker, and runs there', async ({ skip }) => {
    put('index.html', '<!doctype html><title>waiting</title><script type="module" src="/src/main.ts"></script>')
    put('src/main.ts', main.replace('./worker.js', './worker.ts'))
    await build({ root: project, logLevel: 'error', configFile: false, worker: { format: 'es' }, build: { minify: false } })
    expect(readdirSync(join(project, 'dist/assets')).filter((name) => name.startsWith('worker'))).toHaveLength(1)
    if (!browser) skip('no browser is installed: the page was built, not run')
    const server = await preview({ root: project, configFile: false, logLevel: 'error', preview: { host: '127.0.0.1', port: 0 } })
    const window = await chromium.launch({ executablePath: browser ?? '', args: ['--no-sandbox'] })
    try {
      const page = await window.newPage()
      const trouble: string[] = []
      page.on('pageerror', (error) => trouble.push(error.message))
      await page.goto(server.resolvedUrls?.local[0] ?? '')
      await page.waitForFunction(() => document.title !== 'waiting', undefined, { timeout: 30_000 })
      expect({ title: await page.title(), trouble }).toEqual({ title: 'main glTF 0.500, worker glTF 0.500', trouble: [] })
    } finally {
      await window.close()
      await server.close()
    }
  })
})
