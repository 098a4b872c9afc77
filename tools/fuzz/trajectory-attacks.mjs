/** Attacks on the readers of recordings. */
import { readCsv, readMcap, readNpy, readTrajectoryJson } from 'limber'
import { bytes, noise, repeat } from './attack-parts.mjs'

/** @type {{ name: string, expect: 'refused' | 'read' | 'either', run: () => unknown }[]} */
export const trajectoryAttacks = []
const attack = (name, expect, run) => trajectoryAttacks.push({ name, expect, run })

const recorded = { name: 'm', joints: [{ name: 'j', type: 'revolute', iq: 0, nq: 1, iv: 0, nv: 1 }], bodies: ['world', 'b'] }
const trajectory = { format: 'limber-trajectory', version: 1, model: recorded, times: [0], q: [[0]], v: [[0]] }
attack('a trajectory of 10¹⁵ coordinates', 'refused', () =>
  readTrajectoryJson(JSON.stringify({ ...trajectory, model: { ...recorded, joints: [{ ...recorded.joints[0], iq: 1e15, iv: 1e15 }] } })),
)
attack('a trajectory of 10⁸ coordinates and a thousand short frames', 'refused', () =>
  readTrajectoryJson(
    JSON.stringify({
      ...trajectory,
      q: Array.from({ length: 1000 }, () => []),
      model: { ...recorded, joints: [{ ...recorded.joints[0], nq: 1e8 }] },
    }),
  ),
)
attack('a trajectory of 100,000 open brackets', 'refused', () => readTrajectoryJson('['.repeat(100_000)))
attack('a trajectory of 5,000,000 open brackets', 'refused', () => readTrajectoryJson('{"a":'.repeat(5_000_000)))
attack('a trajectory with a string that does not end', 'refused', () => readTrajectoryJson(`{"format": "${'x'.repeat(20_000_000)}`))
attack('a trajectory with two million empty rows', 'refused', () =>
  readTrajectoryJson(`${JSON.stringify(trajectory).slice(0, -1)}, "poses": [${'[],'.repeat(2_000_000)}[]]}`),
)
attack('a trajectory with a million keys that are not ours', 'read', () =>
  readTrajectoryJson(`${JSON.stringify(trajectory).slice(0, -1)}${repeat(300_000, (k) => `,"k${k}":0`)}}`),
)
attack('a trajectory with a row of a million numbers', 'refused', () =>
  readTrajectoryJson(JSON.stringify({ ...trajectory, q: [new Array(1_000_000).fill(0.1)] })),
)
attack('a trajectory with a number of a million digits', 'either', () =>
  readTrajectoryJson(JSON.stringify(trajectory).replace('"times":[0]', `"times":[${'1'.repeat(1_000_000)}]`)),
)
attack('a trajectory in pieces of one byte', 'read', () =>
  readTrajectoryJson(
    Array.from(bytes(JSON.stringify({ ...trajectory, model: { ...recorded, name: 'n'.repeat(3000) } })), (byte) => Uint8Array.of(byte)),
  ),
)
attack('a trajectory without anything', 'refused', () => readTrajectoryJson('null'))
attack('NumPy whose shape lies', 'refused', () => {
  const head = `{'descr': '<f8', 'fortran_order': False, 'shape': (999999999999, 3), }`
  const file = new Uint8Array(128)
  file.set([0x93, ...bytes('NUMPY'), 1, 0, 118, 0])
  file.set(bytes(head), 10)
  return readNpy(file, recorded)
})
attack('NumPy whose header is longer than the file', 'refused', () =>
  readNpy(new Uint8Array([0x93, ...bytes('NUMPY'), 2, 0, 255, 255, 255, 255]), recorded),
)
attack('NumPy with a header of a megabyte of brackets', 'refused', () => {
  const file = new Uint8Array(1_000_000).fill(40)
  file.set([0x93, ...bytes('NUMPY'), 2, 0, 0, 66, 15, 0])
  return readNpy(file, recorded)
})
attack('CSV of a million columns', 'either', () => readCsv(`t${',a.q'.repeat(300_000)}\n${'0,'.repeat(300_000)}0\n`))
attack('CSV of a million rows of one number', 'either', () => readCsv(`t\n${'0\n'.repeat(300_000)}`))
attack('CSV with columns named as what every object has', 'either', () => readCsv('t,constructor.q,__proto__.q,toString.v\n0,0,0,0\n'))
attack('MCAP of noise behind its magic bytes', 'refused', () =>
  readMcap(new Uint8Array([0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a, ...noise(20_000)])),
)
attack('MCAP whose record states 10¹⁸ bytes', 'refused', () =>
  readMcap(new Uint8Array([0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a, 1, 255, 255, 255, 255, 255, 255, 255, 127, 0])),
)
