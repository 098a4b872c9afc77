/** A restored run factors as the run that it was taken from, whatever rows that one has met before. */
import { addStiffEntry, buildModel, createSimulation, type Force, openStiffRow } from 'limber'
import { expect, it } from 'vitest'

const LINKS = 9
const STEPS = 60

/** Dampers between hinges that are three apart, while the first is ahead of the other: rows that come and go. */
const ratchets: Force = {
  name: 'ratchets',
  rows: LINKS,
  apply(_m, d, { q, v }) {
    for (let k = 0; k + 3 < LINKS; k++) {
      if (q[k] < q[k + 3]) continue
      d.qf[k] -= v[k] - v[k + 3]
      d.qf[k + 3] += v[k] - v[k + 3]
    }
  },
  linearize(_m, _d, { q }, terms) {
    for (let k = 0; k + 3 < LINKS; k++) {
      if (q[k] < q[k + 3]) continue
      terms.damping[openStiffRow(terms)] = 1
      terms.J[addStiffEntry(terms, -1 - k)] = 1
      terms.J[addStiffEntry(terms, -1 - k - 3)] = -1
    }
  },
}

const model = buildModel({
  gravity: [0, 0, -9.81],
  timestep: 0.02,
  bodies: Array.from({ length: LINKS }, (_, k) => ({
    name: `link${k}`,
    parent: k === 0 ? 'world' : `link${k - 1}`,
    position: [0, 0, k === 0 ? 0 : -0.3] as const,
    inertia: { mass: 1, com: [0, 0, -0.15] as const, tensor: [0.02, 0.02, 0.001, 0, 0, 0] as const },
    joints: [{ type: 'revolute', axis: [0.1 * (k % 2), 1, 0] as const, initial: Math.sin(2 * k) }],
  })),
  springs: [{ a: { body: 'link1' }, b: { body: 'link7' }, stiffness: 200, damping: 1, rest: 1 }],
})

it.each(['auto', 'newton', 'linear', 'second-order'])('goes on with the same bits where rows come and go, scheme %s', (scheme) => {
  for (const linear of ['direct', 'auto']) {
    const create = () => createSimulation(model, { solver: 'redmax', scheme, linear, forces: [ratchets] })
    const whole = create()
    const snapshots: Uint8Array[] = []
    for (let k = 0; k < STEPS; k++) {
      if (k % 7 === 3) snapshots.push(whole.snapshot())
      whole.step()
    }
    expect(whole.report.message).toBe('')
    for (const snapshot of snapshots) {
      const fresh = create()
      fresh.restore(snapshot)
      fresh.step(Math.round((whole.state.t - fresh.state.t) / 0.02))
      expect(fresh.state).toEqual(whole.state)
    }
  }
})
