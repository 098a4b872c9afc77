/**
 * `limber reduce`: from a mesh to a reduced domain, kept in a cache by its content.
 */
import { resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { type Box, type Mesh, ModelError, type Reduced, type ReduceOptions, type Selection, type Triple, writeReduced } from 'limber'
import { loadVolumeMesh, reduceOnThreads } from 'limber/node'
import { act, addCommand, type Session, success } from '../command.js'
import { checkFolder } from '../formats.js'
import { count, type Output, short } from '../output.js'
import { inFile, refuse } from '../problem.js'
import { cached, cacheName, keep } from '../reduced-cache.js'
import { positiveNumber, wholeNumber } from '../values.js'
import { writeBeside } from '../write-beside.js'

interface Options {
  readonly json?: boolean
  readonly out: string
  readonly modes: number
  readonly linearModes?: number
  readonly young: number
  readonly poisson: number
  readonly density: number
  readonly fix?: Box
  /** boxes, or the files of meshes that share faces with this one */
  readonly interface?: Readonly<Record<string, Box | string>>
  readonly voxels?: number
  readonly threads?: number
  readonly cache: boolean
}

export function registerReduce(program: Command, session: Session): void {
  const command = addCommand(program, {
    name: 'reduce',
    usage: '<mesh>',
    summary: 'reduce an elastic mesh to a few modes, a domain for deformable bodies',
    description:
      'Reduces an elastic mesh to a few modes with exact large-deformation forces: a domain that bodies of a scene can be.\n' +
      'Reads Gmsh .msh (2.2, 4.0, 4.1), Vega .veg, TetGen .node/.ele; with --voxels the surfaces .obj, .stl, .ply, .dae. Lengths are in metres.',
    examples: [
      'limber reduce stem.msh --fix -1,-1,-0.001,1,1,0.001 --modes 20 --out stem.limber',
      'limber reduce leaf.obj --voxels 12 --fix -1,-1,-1,0.01,1,1 --interface tip=0.9,-1,-1,1.1,1,1 --out leaf.limber',
    ],
  })
    .requiredOption('-o, --out <file>', 'the reduced domain')
    .option('--modes <r>', 'modes of the domain; 0 for a rigid part', wholeNumber(0), 20)
    .option('--linear-modes <k>', 'linear modes that the basis is made from; default: as many as modes, from 6 to 20', wholeNumber(1))
    .option('--young <Pa>', "Young's modulus", positiveNumber, 1e6)
    .option('--poisson <nu>', "Poisson's ratio, from −1 to 0.5, both excluded", Number, 0.4)
    .option('--density <kg/m3>', 'density', positiveNumber, 1000)
    .option('--fix <box>', 'x0,y0,z0,x1,y1,z1: vertices in this box are held by the parent; without, the mesh is free', readBox)
    .option(
      '--interface <name=box>',
      'vertices that another body may be attached to, in a box or shared with a mesh (NAME=FILE); repeat for more',
      collectPlace,
    )
    .option('--voxels <n>', 'voxels along the longest side, for surfaces', wholeNumber(1))
    .option('--threads <n>', 'threads for the elements; default: as many as there are processors', wholeNumber(1))
    .option('--no-cache', 'compute even if the same mesh was reduced before, and keep nothing')
  act<Options>(command, session, async ([file = ''], options, output) => {
    checkFolder(options.out)
    if (resolve(file) === resolve(options.out)) refuse(options.out, 'the result would overwrite the mesh; give another name')
    const begin = performance.now()
    output.progress('reading')
    const { voxels } = options
    const { mesh, ignored } = await inFile(file, () => loadVolumeMesh(file, voxels === undefined ? {} : { voxels }))
    const { domain, bytes, known } = await inFile(file, () => named(() => domainOf(mesh, options, output)))
    output.progress('')
    writeBeside(options.out, bytes)
    const seconds = (performance.now() - begin) / 1000
    const mass = domain.masses.reduce((sum, m) => sum + m, 0)
    const [vertices, elements] = [mesh.vertices.length / 3, mesh.elements.length / mesh.corners]
    const kind = mesh.corners === 4 ? ['tetrahedron', 'tetrahedra'] : ['voxel']
    output.line(
      `wrote ${options.out}: ${count(domain.modes, 'mode')} of ${count(vertices, 'vertex', 'vertices')} and ${count(elements, kind[0], kind[1])}`,
    )
    output.line(`mass ${short(mass)} kg${known ? ', from the cache' : ''}, ${short(seconds)} s`)
    for (const { name, vertices: list } of domain.interfaces) output.line(`interface ${name}: ${count(list.length, 'vertex', 'vertices')}`)
    if (domain.modes > 0) output.line(`frequencies of the mesh, Hz: ${Array.from(domain.frequencies.slice(0, 8), short).join(', ')}`)
    if (ignored.length > 0) output.line(`not read from ${file}:`)
    for (const { path, what, why } of ignored) output.line(`  ${path}: ${what}: ${why}`)
    const { modes, frequencies } = domain
    output.document({ vertices, elements, modes, mass, frequencies, seconds, cached: known, ignored })
    return success
  })
}

interface Found {
  readonly domain: Reduced
  readonly bytes: Uint8Array
  /** from the cache */
  readonly known: boolean
}

async function domainOf(mesh: Mesh, options: Options, output: Output): Promise<Found> {
  const { modes, linearModes, young, poisson, density, fix, interface: interfaces, threads } = options
  const wanted: ReduceOptions = {
    modes,
    material: { young, poisson, density },
    ...(linearModes === undefined ? {} : { linearModes }),
    ...(fix === undefined ? {} : { fixed: fix }),
    ...(interfaces === undefined ? {} : { interfaces: await placesOf(interfaces) }),
  }
  const name = cacheName(mesh, wanted)
  const before = options.cache ? await cached(name) : undefined
  if (before) return { ...before, known: true }
  const progress = (done: number, what: string): void => output.progress(bar(done, what))
  const domain = await reduceOnThreads(mesh, { ...wanted, progress }, threads)
  const bytes = writeReduced(domain)
  if (options.cache) keep(name, bytes)
  return { domain, bytes, known: false }
}

/** Boxes, and the meshes in place of their files. */
async function placesOf(places: Readonly<Record<string, Box | string>>): Promise<Readonly<Record<string, Selection>>> {
  const out: Record<string, Selection> = {}
  for (const [name, place] of Object.entries(places)) {
    out[name] = typeof place === 'string' ? (await inFile(place, () => loadVolumeMesh(place))).mesh : place
  }
  return out
}

function bar(done: number, what: string): string {
  const width = 30
  const full = Math.round(width * done)
  return `[${'#'.repeat(full)}${'.'.repeat(width - full)}] ${String(Math.round(100 * done)).padStart(3)} % ${what}`
}

/** options by what the engine calls them */
const optionOf: readonly (readonly [RegExp, string])[] = [
  [/^fixed$/, '--fix'],
  [/^interfaces\/(.*)$/, '--interface $1'],
  [/^modes$/, '--modes'],
  [/^linearModes$/, '--linear-modes'],
  [/^material\/(.*)$/, '--$1'],
]

/** Runs `action`; problems name the option that they are about. */
async function named<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    throw new ModelError(
      error.problems.map((problem) => ({ ...problem, path: optionOf.reduce((path, [from, to]) => path.replace(from, to), problem.path) })),
    )
  }
}

function readBox(text: string): Box {
  const numbers = text.split(',').map((word) => (word.trim() === '' ? Number.NaN : Number(word)))
  if (numbers.length !== 6 || !numbers.every(Number.isFinite)) throw new InvalidArgumentError('Expected six numbers x0,y0,z0,x1,y1,z1.')
  const pick = (choose: (a: number, b: number) => number): Triple =>
    [0, 1, 2].map((a) => choose(numbers[a] ?? 0, numbers[a + 3] ?? 0)) as unknown as Triple
  return { min: pick(Math.min), max: pick(Math.max) }
}

function collectPlace(text: string, before: Readonly<Record<string, Box | string>> = {}): Readonly<Record<string, Box | string>> {
  const at = text.indexOf('=')
  if (at <= 0) throw new InvalidArgumentError('Expected NAME=x0,y0,z0,x1,y1,z1, or NAME=FILE of a mesh that shares faces with this one.')
  const name = text.slice(0, at)
  if (Object.hasOwn(before, name) || name === 'parent') throw new InvalidArgumentError(`The interface ${name} is there already.`)
  const place = text.slice(at + 1)
  return { ...before, [name]: /[a-z]/i.test(place.replace(/\de[-+\d]/gi, '')) ? place : readBox(place) }
}
