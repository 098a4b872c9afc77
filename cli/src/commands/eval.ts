/**
 * `limber eval`: dynamics at one state.
 */
import type { Command } from 'commander'
import {
  createData,
  createRecorder,
  createState,
  type Data,
  energy,
  forwardDynamics,
  type GivenState,
  inverseDynamics,
  leftOut,
  type Model,
  massMatrix,
  readSensors,
  recordedModel,
  type State,
  sensorKinds,
  solvers,
} from 'limber'
import { act, addCommand, type Session, success } from '../command.js'
import { applyKeyframe } from '../keyframe.js'
import { loadModel, type ModelOptions } from '../model-file.js'
import { count, joules, type Output, table } from '../output.js'
import { applyState, readStateFile } from '../state-file.js'

interface EvalOptions extends ModelOptions {
  readonly json?: boolean
  readonly state?: string
  readonly keyframe?: string
}

export function registerEval(program: Command, session: Session): void {
  const command = addCommand(program, {
    name: 'eval',
    usage: '<model>',
    summary: 'evaluate the dynamics once',
    description:
      'Evaluates accelerations, joint forces, mass matrix, bias, energy and sensors at one state.\n' +
      'The state file is JSON: {"q": [...], "v": [...], "tau": [...], "a": [...]}, every part optional.\n' +
      'a: accelerations under tau (zero by default). tau: joint forces for the a of the state file, else for the computed a.\n' +
      'bias: joint forces for zero acceleration.',
    examples: ['limber eval robot.xml --json', 'limber eval robot.urdf --state pose.json'],
  })
    .option('--state <file>', 'state file; without it the initial state')
    .option('--keyframe <name>', 'start from this keyframe of the model, its controls included')
  act<EvalOptions>(command, session, async ([file = ''], options, output) => {
    const { model } = await loadModel(file, options)
    const given = options.state === undefined ? {} : await readStateFile(options.state, model)
    const result = evaluate(model, given, options.keyframe)
    if (result.mass === null)
      output.note(`limber: mass: ${model.nv} × ${model.nv} numbers are not printed (${printedMatrix} × ${printedMatrix} at most)`)
    // what a solver of the tree alone would leave out; limits and contact act only where they are met
    const left = leftOut(model, { ...solvers.ode, holds: ['limits', 'contact'] }, { contact: false }).map((line) => line.split(':')[0])
    if (left.length > 0) output.note(`limber: ${left.join(' and ')}: not in a, tau, mass and bias, which are those of the tree alone`)
    output.document(result)
    print(result, output)
    return success
  })
}

type Evaluation = ReturnType<typeof evaluate>

function evaluate(model: Model, given: GivenState, keyframe: string | undefined) {
  const { nq, nv } = model
  const data = createData(model)
  const state = createState(model)
  if (keyframe !== undefined) applyKeyframe(model, state, keyframe)
  applyState(state, given)

  forwardDynamics(model, data, state, state.tau)
  const a = data.a.slice()
  inverseDynamics(model, data, state, given.a ? Float64Array.from(given.a) : a)
  const tau = data.tau.slice()
  inverseDynamics(model, data, state, new Float64Array(nv))
  const bias = data.tau.slice()
  const mass = nv <= printedMatrix ? massRows(model, data, state) : null
  const { kinetic, potential } = energy(model, data, state)
  const bodies = listPoses(model, state, data.X_WB)
  const sensors = listSensors(model, data, state)
  return {
    nq,
    nv,
    joints: model.joints,
    a,
    tau,
    mass,
    bias,
    energy: { kinetic, potential },
    bodies,
    ...(sensors.length > 0 ? { sensors } : {}),
  }
}

/** What each sensor shows, with the accelerations of the tree alone. */
function listSensors(model: Model, data: Data, state: State) {
  const { names, kind, start, size } = model.sensors
  const shown = new Float64Array(size)
  readSensors(model, data, state, shown)
  return names.map((name, k) => ({ name, type: sensorKinds[kind[k]].name, values: shown.slice(start[k], start[k + 1]) }))
}

function massRows(model: Model, data: Data, state: State): Float64Array[] {
  const { nv } = model
  const dense = new Float64Array(nv * nv)
  massMatrix(model, data, state, dense)
  return Array.from({ length: nv }, (_, i) => dense.slice(i * nv, (i + 1) * nv))
}

/** Pose of every body but the world; the poses are those that `energy` left behind. */
function listPoses(model: Model, state: State, X_WB: Float64Array) {
  const recorded = recordedModel(model)
  const recorder = createRecorder(recorded, { energy: false })
  recorder.record({ t: state.t, q: state.q, v: state.v, X_WB })
  const { poses = new Float64Array() } = recorder.recording()
  return recorded.bodies
    .map((name, i) => ({ name, position: poses.slice(7 * i, 7 * i + 3), quaternion: poses.slice(7 * i + 3, 7 * i + 7) }))
    .slice(1)
}

/** beyond it a document does not fit into one string: 20 characters a number, and strings end at 5e8 */
const printedMatrix = 3000
const shownMatrix = 12

function print(result: Evaluation, output: Output): void {
  const { nq, nv, joints, a, tau, bias, mass, energy: e, bodies, sensors = [] } = result
  output.line(`${count(nq, 'coordinate')}, ${count(nv, 'velocity', 'velocities')}`)
  output.line()
  const rows: (string | number)[][] = [['joint', 'dof', 'a', 'tau', 'bias']]
  for (const joint of joints) {
    for (let k = joint.iv; k < joint.iv + joint.nv; k++) rows.push([joint.name, k, value(a[k]), value(tau[k]), value(bias[k])])
  }
  for (const row of table(rows)) output.line(row)
  output.line()
  if (mass && nv <= shownMatrix) {
    output.line('mass matrix')
    for (const row of table([[], ...mass.map((line) => Array.from(line, (x) => value(x)))]).slice(1)) output.line(`  ${row}`)
  } else if (mass) output.line(`mass matrix: ${nv} × ${nv}, printed with --json`)
  output.line()
  output.line(`energy: kinetic ${joules(e.kinetic)}, potential ${joules(e.potential)}`)
  output.line()
  const poses = bodies.map(({ name, position, quaternion }) => [
    name,
    ...Array.from(position, (x) => value(x)),
    ...Array.from(quaternion, (x) => value(x)),
  ])
  for (const row of table([['body', 'x', 'y', 'z', 'qw', 'qx', 'qy', 'qz'], ...poses])) output.line(row)
  if (sensors.length === 0) return
  output.line()
  const shown = sensors.map(({ name, type, values }) => [name, type, Array.from(values, (x) => value(x)).join(' ')])
  for (const row of table([['sensor', 'type', 'shows'], ...shown])) output.line(row)
}

function value(x = 0): number {
  return Number(x.toPrecision(6))
}
