/**
 * `compiler`: how the rest of the file is to be read. Several of them add up, later ones win.
 */
import { addProblem, hasAttribute, readBoolean, readEnum, readNumber, readNumbers, readString, type XmlElement } from '../../xml.js'
import { ignore, ignoreElement, NO_MOTION, type Shared } from './context.js'

export interface Compiler {
  autolimits: boolean
  degree: boolean
  eulerseq: string
  boundmass: number
  boundinertia: number
  /** negative: leave the masses */
  settotalmass: number
  balanceinertia: boolean
  inertiafromgeom: 'false' | 'true' | 'auto'
  inertiagrouprange: readonly [number, number]
  strippath: boolean
  meshdir: string
  fitaabb: boolean
  alignfree: boolean
  fusestatic: boolean
  discardvisual: boolean
  /** what becomes of options of attached models; undefined: they are dropped */
  conflict: 'warning' | 'merge' | 'error' | undefined
}

export function defaultCompiler(): Compiler {
  return {
    autolimits: true,
    degree: true,
    eulerseq: 'xyz',
    boundmass: 0,
    boundinertia: 0,
    settotalmass: -1,
    balanceinertia: false,
    inertiafromgeom: 'auto',
    inertiagrouprange: [0, 5],
    strippath: false,
    meshdir: '',
    fitaabb: false,
    alignfree: false,
    fusestatic: false,
    discardvisual: false,
    conflict: undefined,
  }
}

export function readCompiler(shared: Shared, element: XmlElement, c: Compiler): void {
  const { reader } = shared
  c.autolimits = readBoolean(reader, element, 'autolimits') ?? c.autolimits
  const angle = readEnum(reader, element, 'angle', ['radian', 'degree'])
  if (angle) c.degree = angle === 'degree'
  const eulerseq = readString(reader, element, 'eulerseq')
  if (eulerseq !== undefined) {
    if (/^[xyzXYZ]{3}$/.test(eulerseq)) c.eulerseq = eulerseq
    else addProblem(reader, element, `expected three letters of xyzXYZ, got '${eulerseq}'`, 'eulerseq')
  }
  for (const name of ['boundmass', 'boundinertia'] as const) {
    const value = readNumber(reader, element, name)
    if (value === undefined) continue
    if (value < 0) addProblem(reader, element, `expected a number that is not negative, got '${value}'`, name)
    else c[name] = value
  }
  c.settotalmass = readNumber(reader, element, 'settotalmass') ?? c.settotalmass
  c.balanceinertia = readBoolean(reader, element, 'balanceinertia') ?? c.balanceinertia
  c.inertiafromgeom = readEnum(reader, element, 'inertiafromgeom', ['false', 'true', 'auto']) ?? c.inertiafromgeom
  const range = readNumbers(reader, element, 'inertiagrouprange', 2)
  if (range) c.inertiagrouprange = [range[0] as number, range[1] as number]
  c.strippath = readBoolean(reader, element, 'strippath') ?? c.strippath
  c.meshdir = readString(reader, element, 'meshdir') ?? readString(reader, element, 'assetdir') ?? c.meshdir
  c.fitaabb = readBoolean(reader, element, 'fitaabb') ?? c.fitaabb
  c.alignfree = readBoolean(reader, element, 'alignfree') ?? c.alignfree
  c.conflict = readEnum(reader, element, 'conflict', ['warning', 'merge', 'error']) ?? c.conflict
  if (readEnum(reader, element, 'coordinate', ['local', 'global']) === 'global') {
    addProblem(
      reader,
      element,
      'global coordinates ended with MuJoCo 2.3.3: load and save the file there to get local ones, then remove coordinate="global"',
      'coordinate',
    )
  }
  c.fusestatic = readBoolean(reader, element, 'fusestatic') ?? c.fusestatic
  if (c.fusestatic) {
    ignore(
      shared,
      element,
      'compiler fusestatic: static bodies keep their own names',
      'does not affect motion; mass that becomes part of the ground does not count, as in MuJoCo',
    )
  }
  c.discardvisual = readBoolean(reader, element, 'discardvisual') ?? c.discardvisual
  if (c.discardvisual) ignore(shared, element, 'compiler discardvisual: visual geoms are kept', NO_MOTION)
  for (const name of ['texturedir', 'assetdir', 'usethread', 'saveinertial']) {
    if (hasAttribute(element, name)) readString(reader, element, name)
  }
  for (const child of element.children)
    ignoreElement(shared, child, `compiler ${child.name}`, 'length ranges of muscles: affects actuation only')
}
