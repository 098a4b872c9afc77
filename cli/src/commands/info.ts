/**
 * `limber info`: what a file holds, what was ignored, and which solvers can run it.
 */
import type { Command } from 'commander'
import { explainLinear, type LinearChoice, leftOut, type Model, type Spec, solvers } from 'limber'
import { autoSolver } from '../choose-solver.js'
import { act, addCommand, type Session, success } from '../command.js'
import { loadModel, type ModelFile, nameOf } from '../model-file.js'
import { count, type Output, table } from '../output.js'

export function registerInfo(program: Command, session: Session): void {
  const command = addCommand(program, {
    name: 'info',
    usage: '<model>',
    summary: 'show what a model holds and which solvers can run it',
    examples: ['limber info robot.xml', 'limber info chain --json'],
  })
  act<{ json?: boolean }>(command, session, async ([file = ''], _options, output) => {
    const info = describe(await loadModel(file))
    output.document(info)
    print(info, output)
    return success
  })
}

type Info = ReturnType<typeof describe>

function describe(loaded: ModelFile) {
  const { file, spec, model } = loaded
  const bodies = Array.from(model.bodyOrder.subarray(1), (i) => ({
    name: model.bodies[i]?.name ?? '',
    parent: model.bodies[model.parent[i] ?? 0]?.name ?? 'world',
    mass: model.inertia[10 * i] ?? 0,
    joints: model.joints.filter((joint) => joint.body === i).map((joint) => joint.name),
  }))
  return {
    model: nameOf(loaded),
    file,
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
    auto: autoSolver(model),
    linear: model.nv > 0 && solvers.redmax.refuses(model) === null ? explainLinear(model) : null,
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

const parts = ['springs', 'tendons', 'loads', 'actuators', 'constraints', 'meshes'] as const

function print(info: Info, output: Output): void {
  const title = (text: string) => output.line(`\n${output.style('bold', text)}`)
  output.line(`${output.style('bold', info.model)}  ${info.file}`)
  output.line(
    `${count(info.nbody - 1, 'body', 'bodies')}, ${count(info.joints.length, 'joint')}, ${count(info.nq, 'coordinate')}, ` +
      `${count(info.nv, 'degree of freedom', 'degrees of freedom')}, ` +
      `mass ${Number(info.mass.toPrecision(6))} kg`,
  )
  output.line(`gravity ${Array.from(info.gravity).join(' ')} m/s², step ${info.timestep} s`)

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
