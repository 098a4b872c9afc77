/**
 * `limber eval`: dynamics at one state.
 */
import type { Command } from 'commander'
import { createData, createState, energy, forwardDynamics, forwardKinematics, inverseDynamics, massMatrix, matrixToQuat, type Model } from 'limber'
import { act, addCommand, type Session, success } from '../command.js'
import { applyKeyframe } from '../keyframe.js'
import { loadModel } from '../model-file.js'
import { type Output, short, table } from '../output.js'
import { applyState, type GivenState, readStateFile } from '../state-file.js'

interface EvalOptions {
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
      'Evaluates accelerations, joint forces, mass matrix, bias and energy at one state.\n' +
      'The state file is JSON: {"q": [...], "v": [...], "tau": [...], "a": [...]}, every part optional.\n' +
      'a: accelerations under tau (zero by default). tau: joint forces for the a of the state file, else for the computed a.\n' +
      'bias: joint forces for zero acceleration.',
    examples: ['limber eval robot.xml --json', 'limber eval robot.urdf --state pose.json'],
  })
    .option('--state <file>', 'state file; without it the initial state')
    .option('--keyframe <name>', 'start from this keyframe of the model')
  act<EvalOptions>(command, session, async ([file = ''], options, output) => {
    const { model } = await loadModel(file)
    const given = options.state === undefined ? {} : await readStateFile(options.state, model)
    const result = evaluate(model, given, options.keyframe)
    output.document(result)
    print(result, output)
    return success
  })
}

type Evaluation = ReturnType<typeof evaluate>

function evaluate(model: Model, given: GivenState, keyframe: string | undefined) {
  const { nq, nv, nbody } = model
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
  const dense = new Float64Array(nv * nv)
  massMatrix(model, data, state, dense)
  const mass = Array.from({ length: nv }, (_, i) => dense.slice(i * nv, (i + 1) * nv))
  const { kinetic, potential } = energy(model, data, state)
  forwardKinematics(model, data, state.q, state.v)
  const quaternion = new Float64Array(4)
  const bodies = Array.from({ length: nbody - 1 }, (_, k) => {
    const o = 12 * (k + 1)
    matrixToQuat(quaternion, 0, data.X_WB, o)
    return { name: model.bodies[k + 1]?.name ?? '', position: data.X_WB.slice(o + 9, o + 12), quaternion: quaternion.slice() }
  })
  return { nq, nv, joints: model.joints, a, tau, mass, bias, energy: { kinetic, potential }, bodies }
}

const shownMatrix = 12

function print(result: Evaluation, output: Output): void {
  const { nq, nv, joints, a, tau, bias, mass, energy: e, bodies } = result
  output.line(`${nq} coordinates, ${nv} velocities`)
  output.line()
  const rows: (string | number)[][] = [['joint', 'dof', 'a', 'tau', 'bias']]
  for (const joint of joints) {
    for (let k = joint.iv; k < joint.iv + joint.nv; k++) rows.push([joint.name, k, value(a[k]), value(tau[k]), value(bias[k])])
  }
  for (const row of table(rows)) output.line(row)
  output.line()
  if (nv <= shownMatrix) {
    output.line('mass matrix')
    for (const row of table([[], ...mass.map((line) => Array.from(line, (x) => value(x)))]).slice(1)) output.line(`  ${row}`)
  } else output.line(`mass matrix: ${nv} × ${nv}, printed with --json`)
  output.line()
  output.line(`energy: kinetic ${short(e.kinetic)} J, potential ${short(e.potential)} J`)
  output.line()
  const poses = bodies.map(({ name, position, quaternion }) => [name, ...Array.from(position, (x) => value(x)), ...Array.from(quaternion, (x) => value(x))])
  for (const row of table([['body', 'x', 'y', 'z', 'qw', 'qx', 'qy', 'qz'], ...poses])) output.line(row)
}

function value(x = 0): number {
  return Number(x.toPrecision(6))
}
