/**
 * Sets the repository up: npm packages, Debian packages, build. Safe to run again: what is in place is left alone.
 *
 *   node scripts/setup.mjs [--no-system]
 *
 * Optional Debian packages never fail the run; what cannot be installed is named together with what will not work.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { at, capture, root, run, say, tsc, vite } from './lib.mjs'

/** Debian packages: the program that shows they are there, and what is lost without them. */
const packages = [
  { name: 'chromium', program: '/usr/bin/chromium', without: 'the browser tests of the studio page are skipped' },
  {
    name: 'libvulkan1',
    program: `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/libvulkan.so.1`,
    without: 'the tests of batches on a GPU are skipped in Node',
  },
  {
    name: 'openmpi-bin',
    program: '/usr/bin/mpirun.openmpi',
    without: 'limber run --parallel mpi does not work, and its tests are skipped',
  },
  {
    name: 'libopenmpi-dev',
    program: '/usr/bin/mpicc.openmpi',
    without: 'limber run --parallel mpi does not work, and its tests are skipped',
  },
  { name: 'iproute2', program: '/sbin/ip', without: 'the tests with two hosts on one machine are skipped' },
  { name: 'nats-server', program: '/usr/sbin/nats-server', without: 'the tests of sweeps over several machines are skipped' },
]

/** Resolves to true when everything that must be there is there. */
export async function setup({ system = true } = {}) {
  const [major] = process.versions.node.split('.')
  if (Number(major) < 20) {
    say(`setup: Node 20 or newer is needed, this is ${process.versions.node}`)
    return false
  }
  if (!(await installNpm())) return false
  const [built] = await Promise.all([build(), system && installDebian()])
  return built
}

async function installNpm() {
  const why = npmReason()
  if (!why) {
    say('setup: npm packages are in place')
    return true
  }
  say(`setup: npm ci (${why})`)
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  // the build below replaces the prepare hook
  if ((await run(npm, ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'])) === 0) return true
  say('setup: npm ci failed; check the network and the npm configuration, then run it again')
  return false
}

/** Why packages must be installed, or undefined when they need not be. */
function npmReason() {
  const installed = at('node_modules/.package-lock.json')
  const wanted = at('package-lock.json')
  if (!existsSync(installed)) return 'node_modules is missing'
  if (statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return undefined
  // a checkout touches the lockfile without changing it, so versions decide
  const { packages: locked } = JSON.parse(readFileSync(wanted, 'utf8'))
  for (const [path, entry] of Object.entries(locked)) {
    if (!path.includes('node_modules/') || entry.link || entry.optional) continue
    const manifest = at(`${path}/package.json`)
    if (!existsSync(manifest)) return `${path} is missing`
    if (JSON.parse(readFileSync(manifest, 'utf8')).version !== entry.version) return `${path} is not ${entry.version}`
  }
  return undefined
}

async function installDebian() {
  const missing = packages.filter((p) => !existsSync(p.program))
  if (missing.length === 0) {
    say('setup: system packages are in place')
    return
  }
  const names = missing.map((p) => p.name)
  const prefix = await aptPrefix()
  if (prefix) {
    say(`setup: apt-get install ${names.join(' ')}`)
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const apt = (...args) => capture(prefix[0] ?? 'apt-get', [...prefix.slice(1), ...(prefix.length ? ['apt-get'] : []), ...args], { env })
    const results = [await apt('update'), await apt('install', '-y', '--no-install-recommends', ...names)]
    const failed = results.find((r) => r.status !== 0)
    if (failed)
      say(
        failed.output
          .trim()
          .split('\n')
          .slice(-5)
          .map((line) => `  ${line}`)
          .join('\n'),
      )
  }
  for (const p of missing.filter((p) => !existsSync(p.program))) {
    say(`setup: ${p.name} could not be installed${prefix ? '' : ' (no root, no passwordless sudo, or no apt-get)'}: ${p.without}`)
    say(`       to install it yourself: sudo apt-get install ${p.name}`)
  }
}

/** Words before `apt-get`: none as root, sudo when it asks no password; undefined when packages cannot be installed. */
async function aptPrefix() {
  const works = async (...command) => (await capture(command[0], command.slice(1))).status === 0
  if (!(await works('apt-get', '--version'))) return undefined
  if (process.getuid?.() === 0) return []
  return (await works('sudo', '-n', 'true')) ? ['sudo', '-n'] : undefined
}

async function build() {
  const compiler = tsc()
  const bundler = vite()
  if (!compiler || !bundler) {
    say('setup: typescript or vite is missing; install the development packages: npm ci')
    return false
  }
  say('setup: compile')
  const compiled =
    (await run(process.execPath, [at('tools/kernels/build.mjs')])) === 0 && (await run(process.execPath, [...compiler, '-b'])) === 0
  if (!compiled) say('setup: the compiler reported errors')
  say('setup: build the studio page')
  const bundled = (await run(process.execPath, [...bundler, 'build', '--logLevel', 'warn'], { cwd: at('studio') })) === 0
  if (!bundled) say('setup: the studio page could not be built')
  return compiled && bundled
}

if (process.argv[1] === `${root}/scripts/setup.mjs`)
  process.exitCode = (await setup({ system: !process.argv.includes('--no-system') })) ? 0 : 1
