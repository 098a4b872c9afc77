/**
 * `<mujoco><compiler/><option/><size/></mujoco>` inside a URDF: what it says about inertias, meshes, gravity and the medium.
 */
import type { Spec, Vec3 } from '../../build/spec.js'
import { addProblem, markUsed, readBoolean, readEnum, readNumber, readString, readVec3, unusedAttributes, type XmlElement } from '../xml.js'
import { ignore, ignoreElement, onlyChild, type UrdfContext } from './context.js'

export interface UrdfExtension {
  readonly inertiafromgeom: 'true' | 'false' | 'auto'
  readonly balanceinertia: boolean
  readonly boundmass: number
  readonly boundinertia: number
  /** negative: leave the masses */
  readonly settotalmass: number
  readonly meshdir: string
  /** whether the folders in the names of meshes count for nothing */
  readonly strippath: boolean
  /** whether MuJoCo passes over what is only to look at */
  readonly discardvisual: boolean
  /** as written, if it is */
  readonly fusestatic: boolean | undefined
  readonly autolimits: boolean
  readonly option: Pick<Spec, 'gravity' | 'timestep' | 'medium'>
}

const sameMotion = 'the motion does not depend on it'

export function readExtension(context: UrdfContext, robot: XmlElement): UrdfExtension {
  const mujoco = onlyChild(context, robot, 'mujoco')
  const compiler = mujoco && onlyChild(context, mujoco, 'compiler')
  const option = mujoco && onlyChild(context, mujoco, 'option')
  const size = mujoco && onlyChild(context, mujoco, 'size')
  if (size) ignoreElement(context, size, 'sizes of MuJoCo arrays: nothing here is allocated by them')
  const { reader } = context
  const limit = (name: string): number => {
    const value = (compiler && readNumber(reader, compiler, name)) ?? 0
    if (value < 0) addProblem(reader, compiler as XmlElement, `expected a number of at least 0, got ${value}`, name)
    return value
  }
  const word = (name: string): string => (compiler && (readString(reader, compiler, name) as string | undefined)) ?? ''
  const discardvisual = compiler && readBoolean(reader, compiler, 'discardvisual')
  if (compiler) {
    if (readEnum(reader, compiler, 'angle', ['degree', 'radian']) === 'degree') {
      ignore(context, compiler, 'compiler angle="degree"', 'URDF angles are radians, also in MuJoCo')
    }
    if (discardvisual) ignore(context, compiler, 'compiler discardvisual', `visual geoms are kept to look at; ${sameMotion}`)
    // how MuJoCo works or writes
    for (const name of ['usethread', 'saveinertial', 'eulerseq']) markUsed(reader, compiler, name)
  }
  return {
    inertiafromgeom: (compiler && readEnum(reader, compiler, 'inertiafromgeom', ['true', 'false', 'auto'])) ?? 'auto',
    balanceinertia: (compiler && readBoolean(reader, compiler, 'balanceinertia')) ?? false,
    boundmass: limit('boundmass'),
    boundinertia: limit('boundinertia'),
    settotalmass: (compiler && readNumber(reader, compiler, 'settotalmass')) ?? -1,
    meshdir: word('meshdir') || word('assetdir'),
    strippath: (compiler && readBoolean(reader, compiler, 'strippath')) ?? false,
    discardvisual: discardvisual ?? true,
    fusestatic: compiler && readBoolean(reader, compiler, 'fusestatic'),
    autolimits: (compiler && readBoolean(reader, compiler, 'autolimits')) ?? true,
    option: option ? readOption(context, option) : {},
  }
}

function readOption(context: UrdfContext, option: XmlElement): UrdfExtension['option'] {
  const { reader } = context
  const gravity: Vec3 | undefined = readVec3(reader, option, 'gravity')
  const timestep = readNumber(reader, option, 'timestep')
  if (timestep !== undefined && !(timestep > 0)) addProblem(reader, option, `expected a positive number, got ${timestep}`, 'timestep')
  const density = readNumber(reader, option, 'density')
  const viscosity = readNumber(reader, option, 'viscosity')
  const wind = readVec3(reader, option, 'wind')
  const medium = {
    ...(density === undefined ? {} : { density }),
    ...(viscosity === undefined ? {} : { viscosity }),
    ...(wind === undefined ? {} : { wind }),
  }
  const weightless = readFlags(context, option)
  for (const child of option.children) {
    if (child.name !== 'flag') ignoreElement(context, child, 'setting of MuJoCo, not of the mechanism')
  }
  return {
    ...(weightless ? { gravity: [0, 0, 0] as const } : gravity === undefined ? {} : { gravity }),
    ...(timestep === undefined ? {} : { timestep }),
    ...(Object.keys(medium).length === 0 ? {} : { medium }),
  }
}

/** forces that MuJoCo can leave out and this does not; a joint of a URDF has no spring */
const forces = ['damper', 'passive']

/** Whether `<flag>` takes gravity away. Other forces that it takes away are named; the rest is how MuJoCo solves. */
function readFlags(context: UrdfContext, option: XmlElement): boolean {
  const flag = onlyChild(context, option, 'flag')
  if (!flag) return false
  const { reader } = context
  const off = (name: string): boolean => readEnum(reader, flag, name, ['enable', 'disable']) === 'disable'
  for (const name of forces) {
    if (off(name)) ignore(context, flag, `flag ${name}="disable"`, 'affects motion: dampers of the joints act all the same')
  }
  const others = unusedAttributes(reader, flag).filter((name) => name !== 'gravity')
  for (const name of others) {
    markUsed(reader, flag, name)
    ignore(context, flag, `flag ${name}`, 'setting of MuJoCo, not of the mechanism')
  }
  return off('gravity')
}
