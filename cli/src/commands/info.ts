/**
 * `limber info`: first what decides (what moves, what touches, what is left out, which solver), and with `--all` what a file holds, what was
 * ignored, and which solvers can run it.
 */
import type { Command } from 'commander'
import {
  type ContactSummary,
  completeOptions,
  contactSummary,
  explainLinear,
  holdsContact,
  type LinearChoice,
  leftOut,
  type Model,
  type Options,
  overlapNotes,
  type SolverChoice,
  type Spec,
  solvers,
  withoutFooting,
} from 'limber'
import { autoSolver } from '../choose-solver.js'
import { act, addCommand, type Session, success } from '../command.js'
import { loadModel, type ModelFile, type ModelOptions, nameOf, urdfArguments } from '../model-file.js'
import { count, type Output, table } from '../output.js'
import { refuse } from '../problem.js'
import { type GivenCosts, printShares, processorCount, shareOut } from '../processors.js'
import { isTold } from '../told.js'
import { positiveNumber, positiveOrZero } from '../values.js'

export function registerInfo(program: Command, session: Session): void {
  const command = addCommand(program, {
    name: 'info',
    usage: '<model>',
    summary: 'show what a model holds and which solvers can run it',
    examples: [
      'limber info robot.xml',
      'limber info robot.xml --all',
      'limber info robot.urdf --base free --floor',
      'limber info chain --json',
      'limber info mobile --processors 16',
      'limber info mobile --processors 64 --cmptm 4e-4 --roitm 1.5e-3',
    ],
  })
    .option('--all', 'every body, joint, actuator and solver option, and all that was ignored')
    .option(
      '--processors <count>',
      'share the bodies out over at most so many processors; show who gets which, predicted times and speed-ups',
      processorCount,
    )
    .option('--cmptm <seconds>', 'time that one body takes in an evaluation, in place of the measured one', positiveNumber)
    .option('--roitm <seconds>', 'time of the messages over one edge in an evaluation, in place of that between threads', positiveOrZero)
  act<InfoOptions>(command, session, async ([file = ''], options, output) => {
    if (options.processors === undefined) {
      for (const name of ['cmptm', 'roitm'] as const)
        if (options[name] !== undefined) return refuse(`--${name}`, 'is about processors; give --processors as well')
    }
    const loaded = await loadModel(file, options)
    const shared = options.processors === undefined ? undefined : shareOut(loaded.model, options.processors, options)
    const info = describe(loaded, options.all === true || output.json)
    output.document({ ...info, ...shared })
    printDecisive(info, urdfArguments(options), output)
    if (options.all) print(info, output)
    else output.line('\nlimber info --all lists every body, joint and option of a solver, and all that was ignored')
    if (shared) printShares(shared, output)
    return success
  })
}

interface InfoOptions extends GivenCosts, ModelOptions {
  readonly json?: boolean
  readonly all?: boolean
  readonly processors?: number
}

type Info = ReturnType<typeof describe>

function describe(loaded: ModelFile, whole: boolean) {
  const { file, spec, model } = loaded
  const names = new Map<number, string[]>()
  for (const { body, name } of model.joints) {
    const before = names.get(body)
    if (before) before.push(name)
    else names.set(body, [name])
  }
  const bodies = Array.from(model.bodyOrder.subarray(1), (i) => ({
    name: model.bodies[i]?.name ?? '',
    parent: model.bodies[model.parent[i] ?? 0]?.name ?? 'world',
    mass: model.inertia[10 * i] ?? 0,
    joints: names.get(i) ?? [],
  }))
  const auto = autoSolver(model)
  return {
    model: nameOf(loaded),
    file,
    touches: contactSummary(model),
    // the most important first
    warnings: warningsOf(model, auto),
    nq: model.nq,
    nv: model.nv,
    nbody: model.nbody,
    mass: bodies.reduce((sum, body) => sum + body.mass, 0),
    gravity: model.gravity,
    timestep: model.timestep,
    bodies,
    joints: model.joints,
    ...listParts(spec),
    keyframes: model.keyframes.map((frame, i) => frame.name || String(i)),
    ignored: spec.ignored ?? [],
    notes: model.notes,
    solvers: listSolvers(model),
    auto,
    linear: whole && model.nv > 0 && solvers.redmax.refuses(model) === null ? explainLinear(model) : null,
  }
}

function listParts({ springs = [], tendons = [], loads = [], actuators = [], constraints = [], meshes = [] }: Spec) {
  return {
    springs: springs.map(({ name = '', a, b, stiffness }) => ({ name, a: a.body, b: b.body, stiffness })),
    tendons: tendons.map(({ name = '', path, stiffness = 0 }) => ({ name, kind: path ? 'path' : 'joints', stiffness })),
    loads: loads.map(({ name = '', body = '' }) => ({ name, body })),
    actuators: actuators.map(({ name = '', joint, tendon, site }) => ({ name, on: joint ?? tendon ?? site ?? '' })),
    constraints: constraints.map(({ name = '', type, active = true }) => ({ name, type, active })),
    meshes: meshes.map(({ name, vertices, faces }) => ({ name, vertices: vertices.length / 3, faces: faces.length / 3 })),
  }
}

function listSolvers(model: Model) {
  return Object.values(solvers).map((solver) => {
    const refusal = solver.refuses(model)
    return {
      name: solver.name,
      description: solver.description,
      runs: refusal === null,
      why: refusal ?? '',
      leavesOut: leftOut(model, solver),
      options: solver.options,
    }
  })
}

/** What users should know before a run. */
function warningsOf(model: Model, { name, options }: SolverChoice): string[] {
  const solver = solvers[name]
  if (!solver) return [...withoutFooting(model), ...model.notes]
  const complete = completeOptions(solver, options)
  // robots with keyframes are drawn anyhow, and start at one
  const overlaps = holdsContact(model, solver, complete) ? overlapNotes(model, model.keyframes[0]?.q ?? model.q0) : []
  return [...withoutFooting(model), ...leftOut(model, solver, complete), ...model.notes, ...overlaps]
}

/** names, and sentences, of a list that are told on the first screen */
const few = { names: 6, sentences: 5 }

/** What decides, on one screen. */
function printDecisive(info: Info, given: string, output: Output): void {
  const row = (title: string, text: string): void => output.line(`  ${output.style('bold', title.padEnd(10))}  ${text}`)
  output.line(`${output.style('bold', info.model)}  ${info.file}`)
  row(
    'moves',
    `${count(info.nbody - 1, 'body', 'bodies')} of ${Number(info.mass.toPrecision(6))} kg by ${count(info.joints.length, 'joint')} ` +
      `(${types(info)}), ${count(info.nq, 'coordinate')}, ${count(info.nv, 'degree of freedom', 'degrees of freedom')}`,
  )
  row('touches', describeTouch(info.touches))
  printLeftOut(info, row)
  row('solver', `auto takes ${info.auto.name}${settings(info.auto.options)}: ${info.auto.why}`)
  row('', describeOthers(info))
  row('gravity', `${Array.from(info.gravity).join(' ')} m/s², step ${info.timestep} s`)
  if (info.joints.length > 0) row('joints', names(info.joints.map(({ name }) => name)))
  if (info.actuators.length > 0) row('actuators', `${info.actuators.length}: ${names(info.actuators.map(({ name, on }) => name || on))}`)
  const others = (['springs', 'tendons', 'loads', 'constraints'] as const).filter((part) => info[part].length > 0)
  if (others.length > 0) row('besides', others.map((part) => count(info[part].length, part.slice(0, -1))).join(', '))
  if (info.keyframes.length > 0) row('keyframes', names(info.keyframes))
  const key = info.keyframes[0]
  const start = key === undefined ? '' : ` --keyframe ${/^[\w.-]+$/.test(key) ? key : `'${key}'`}`
  row('run it', `limber run ${info.file}${given}${start} --duration 10`)
}

function printLeftOut({ warnings, ignored, notes }: Info, row: (title: string, text: string) => void): void {
  if (warnings.length === 0) row('left out', 'nothing that changes the motion')
  warnings.slice(0, few.sentences).forEach((warning, k) => {
    row(k === 0 ? 'left out' : '', warning)
  })
  if (warnings.length > few.sentences) row('', `and ${warnings.length - few.sentences} more: --all`)
  const rest = ignored.filter((item) => !isTold({ notes }, item)).length
  if (rest > 0) row('', `${count(rest, 'part')} of the file without effect on the free motion: --all`)
}

function describeTouch({ shapes, moving, onGround, ground, eachOther, reach }: ContactSummary): string {
  if (shapes === 0) return 'nothing: no shape takes part in contact'
  if (moving === 0) return 'nothing: no body that moves has a shape that takes part in contact'
  if (!reach) return `nothing: no two of its ${shapes} shapes can meet`
  const what = [
    ...(onGround.length > 0 ? [`${names(onGround.map(bare))} on ${names(ground.map(bare))}`] : []),
    ...(eachOther ? [`${count(moving, 'shape')} of bodies that move, with each other`] : []),
  ]
  return what.join('; ')
}

/** `shape 'foot' (line 3)` → `foot` */
const bare = (name: string): string => name.replace(/^shape '(.*)'.*$/, '$1').replace(/ \((?:line )?[^()]*\d\)$/, '')

function describeOthers({ solvers: all, auto }: Info): string {
  const able = all.filter(({ name, runs }) => runs && name !== auto.name)
  const whole = able.filter(({ leavesOut }) => leavesOut.length === 0).map(({ name }) => name)
  const partly = able.filter(({ leavesOut }) => leavesOut.length > 0).map(({ name }) => name)
  const unable = all.filter(({ runs }) => !runs).map(({ name }) => name)
  return [
    ...(whole.length > 0 ? [`${whole.join(', ')} can run it too`] : []),
    ...(partly.length > 0 ? [`${partly.join(', ')} leave${partly.length === 1 ? 's' : ''} something out`] : []),
    ...(unable.length > 0 ? [`${unable.join(', ')} cannot`] : []),
  ].join('; ')
}

/** The first few, and how many more. */
function names(list: readonly string[]): string {
  const told = list.slice(0, few.names).join(', ')
  return list.length > few.names ? `${told} and ${list.length - few.names} more` : told
}

/** `18 revolute, 1 free` */
function types({ joints }: Info): string {
  const counts = new Map<string, number>()
  for (const { type } of joints) counts.set(type, (counts.get(type) ?? 0) + 1)
  if (counts.size === 0) return 'nothing moves'
  return [...counts].map(([type, n]) => `${n} ${type}`).join(', ')
}

/** ` with scheme=second-order`, or nothing. */
function settings(options: Options): string {
  const pairs = Object.entries(options).map(([key, value]) => `${key}=${value}`)
  return pairs.length > 0 ? ` with ${pairs.join(', ')}` : ''
}

const parts = ['springs', 'tendons', 'loads', 'actuators', 'constraints', 'meshes'] as const

function print(info: Info, output: Output): void {
  const title = (text: string) => output.line(`\n${output.style('bold', text)}`)
  title('Bodies')
  for (const row of table([['body', 'parent', 'mass (kg)', 'joint', 'type', 'q', 'v'], ...bodyRows(info)])) output.line(`  ${row}`)
  for (const part of parts) {
    if (info[part].length === 0) continue
    title(`${part[0]?.toUpperCase()}${part.slice(1)} (${info[part].length})`)
    for (const item of info[part]) output.line(`  ${describePart(item)}`)
  }
  if (info.keyframes.length > 0) {
    title('Keyframes')
    output.line(`  ${info.keyframes.join(', ')}`)
  }
  if (info.notes.length > 0) {
    title('Of limited effect')
    for (const note of info.notes) output.line(`  ${note}`)
  }
  title(info.ignored.length > 0 ? `Ignored (${info.ignored.length})` : 'Ignored: nothing')
  for (const { path, what, why } of info.ignored) output.line(`  ${path}: ${what}: ${why}`)

  title('Solvers')
  for (const solver of info.solvers) {
    output.line(`  ${solver.name}: ${solver.runs ? `can run it; ${solver.description}` : `cannot run it: ${solver.why}`}`)
    for (const left of solver.leavesOut) output.line(`    ${left}`)
    for (const [key, option] of Object.entries(solver.options)) output.line(`    --set ${key}=${option.default}  ${option.description}`)
  }
  output.line(`  auto takes ${info.auto.name}: ${info.auto.why}`)
  if (info.linear) for (const line of describeLinear(info.linear)) output.line(`  ${line}`)
}

/** What linear=auto of redmax would take, with the numbers that decide. */
function describeLinear({ name, why, rows, joining, loops, iterations, predicted, plan }: LinearChoice): string[] {
  const micros = (x: number): string => `${Number(x.toPrecision(3))} µs`
  const costs = Object.entries(predicted).map(([solver, x]) => `${solver} ${micros(x)}`)
  const all = loops.inside + loops.columns
  const solves = 1 + all
  const place = loops.inside > 0 ? `${loops.inside} inside the elimination, ${loops.columns} as columns` : `all ${all} as columns`
  const predictions =
    costs.length > 0 ? `predicted for a step of ${solves} ${solves === 1 ? 'solve' : 'solves'}: ${costs.join(', ')}; ` : ''
  const order = plan
    ? `; direct eliminates by ${plan.order}, fronts of at most ${plan.widest}, ${plan.products} products, ${plan.kept} numbers kept`
    : ''
  return [
    `redmax with linear=auto takes ${name}: ${why}`,
    `  ${predictions}pcg with ${iterations} ${iterations === 1 ? 'iteration' : 'iterations'}`,
    `  pattern: ${rows} stiff rows, ${joining} of them between moving bodies${order}`,
    ...(all > 0 ? [`  rows of loops, couplings and motions: ${place}; ${loops.why}`] : []),
  ]
}

/** One row a joint; a body without joints has one row too. Names are indented by depth. */
function bodyRows(info: Info): (string | number)[][] {
  const depth = new Map([['world', -1]])
  const joints = new Map(info.joints.map((joint) => [joint.name, joint]))
  return info.bodies.flatMap(({ name, parent, mass, joints: names }) => {
    const level = (depth.get(parent) ?? -1) + 1
    depth.set(name, level)
    const first = [`${'  '.repeat(Math.min(level, 12))}${name}`, parent, Number(mass.toPrecision(6))]
    if (names.length === 0) return [[...first, '-', 'fixed', '-', '-']]
    return names.map((jointName, k) => {
      const joint = joints.get(jointName)
      const cells = joint ? [joint.type, range(joint.iq, joint.nq), range(joint.iv, joint.nv)] : []
      return [...(k === 0 ? first : ['', '', '']), jointName, ...cells]
    })
  })
}

/** `3` or `3…9`: which entries of q or v. */
function range(start: number, count: number): string {
  if (count === 0) return '-'
  return count === 1 ? String(start) : `${start}…${start + count - 1}`
}

function describePart(item: Readonly<Record<string, string | number | boolean>>): string {
  return Object.entries(item)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => (key === 'name' ? String(value) : `${key} ${value}`))
    .join(', ')
}
