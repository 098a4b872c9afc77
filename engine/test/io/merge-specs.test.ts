/** mergeSpecs: two models in one move as each does alone, and nothing of the second is lost. */
import {
  buildModel,
  createData,
  createSimulation,
  createState,
  forwardDynamics,
  integrate,
  type Model,
  mergeSpecs,
  parseMjcf,
  parseScene,
  type Quat,
  type Spec,
  type Vec3,
  writeScene,
} from 'limber'
import { describe, expect, it } from 'vitest'
import { ARM } from '../handles/arm.js'
import { createRandom } from '../random.js'
import { FULL_SPEC } from './sample-specs.js'

const arm = parseMjcf(ARM)
/** every feature; what depends on the direction of the world is left out, so that it may be turned about z */
const { medium: _, ...still } = FULL_SPEC
const full: Spec = { ...still, gravity: [0, 0, -9.81] }
const TURNED: { position: Vec3; quaternion: Quat } = { position: [7, -3, 0.5], quaternion: [Math.cos(0.4), 0, 0, Math.sin(0.4)] }

/** Accelerations of the joints whose names begin so, at a state that the seed gives each joint by its name. */
function accelerations(model: Model, prefix: string, seed: number): Map<string, number[]> {
  const state = createState(model)
  const own = model.joints.filter(({ name }) => name.startsWith(prefix))
  const draw = (scale: number): void => {
    const random = createRandom(seed)
    for (const { iv, nv } of own) for (let k = 0; k < nv; k++) state.v[iv + k] = random.spread(scale)
  }
  draw(0.2)
  integrate(model, state.q, state.v, 1)
  draw(1)
  const random = createRandom(seed)
  const data = createData(model)
  model.actuators.names.forEach((name, k) => {
    if (name.startsWith(prefix)) state.control[k] = random.spread(1)
  })
  forwardDynamics(model, data, state)
  return new Map(own.map(({ name, iv, nv }) => [name.slice(prefix.length), [...data.a.subarray(iv, iv + nv)]]))
}

function expectSame(found: Map<string, number[]>, wanted: Map<string, number[]>): void {
  expect([...found.keys()].sort()).toEqual([...wanted.keys()].sort())
  for (const [name, a] of wanted) {
    // rounding of poses that were turned, through inertias of light links
    for (const [k, x] of a.entries())
      expect(Math.abs((found.get(name)?.[k] ?? Number.NaN) - x), name).toBeLessThan(1e-9 * (1 + Math.abs(x)))
  }
}

describe('mergeSpecs', () => {
  it.each([1, 2, 3])('leaves the dynamics of both as they were, beside each other and turned (seed %i)', (seed) => {
    const merged = buildModel(mergeSpecs(arm, full, { at: TURNED, prefix: 'b/' }))
    expectSame(accelerations(merged, 'b/', seed), accelerations(buildModel(full), '', seed))
    const other = buildModel(mergeSpecs(full, arm, { at: TURNED, prefix: 'b/' }))
    expectSame(accelerations(other, 'b/', seed), accelerations(buildModel(arm), '', seed))
  })

  it('brings everything along', () => {
    const merged = mergeSpecs(arm, full, { at: TURNED, prefix: 'b/' })
    for (const key of [
      'springs',
      'tendons',
      'loads',
      'actuators',
      'constraints',
      'meshes',
      'sensors',
      'pairs',
      'exclude',
      'bodies',
    ] as const) {
      expect(merged[key]?.length ?? 0, key).toBe((arm[key]?.length ?? 0) + (full[key]?.length ?? 0))
    }
    expect(merged.world?.geoms).toHaveLength((arm.world?.geoms?.length ?? 0) + (full.world?.geoms?.length ?? 0))
    expect(merged.ignored?.map(({ what }) => what)).toEqual(expect.arrayContaining((full.ignored ?? []).map(({ what }) => what)))
    // a spec like any other
    const { places: __, ...read } = parseScene(writeScene(merged))
    expect(buildModel(read).nv).toBe(buildModel(arm).nv + buildModel(full).nv)
  })

  it('attaches to a body or a site as a file with both would have it', () => {
    const gripper = parseMjcf(`<mujoco><compiler angle="radian"/><worldbody>
      <geom name="plate" type="box" size=".02 .02 .01"/>
      <body name="jaw" pos="0 .01 .03"><joint name="jaw" type="slide" axis="0 1 0" damping=".3"/><geom name="jaw" type="box" size=".01 .005 .02"/></body>
      </worldbody><actuator><motor name="jaw" joint="jaw"/></actuator></mujoco>`)
    const { places: __, ...plain } = arm
    const jaw = gripper.bodies[0]
    const merged = buildModel(mergeSpecs(plain, gripper, { at: 'tip', prefix: 'g/' }))
    const simulation = createSimulation(merged)
    const tip = simulation.site('tip')
    // the pose of the jaw in the frame of the site is that in its own world
    const expected = tip.position(undefined, jaw.position)
    const found = simulation.body('g/jaw').position()
    for (let r = 0; r < 3; r++) expect(found[r]).toBeCloseTo(expected[r], 12)
    expect(simulation.shape('g/plate').body).toBe('hand')
    expect(simulation.actuator('g/jaw').joint).toBe('g/jaw')
    // the same mechanism written by hand
    const hand: Spec = {
      ...plain,
      actuators: gripper.actuators ?? [],
      bodies: [...plain.bodies, { name: 'flange', parent: 'hand', ...siteOf(plain, 'tip') }, { ...jaw, parent: 'flange' }],
    }
    const byHand = buildModel(hand)
    expectSame(accelerations(merged, 'g/', 5), new Map([...accelerations(byHand, 'jaw', 5)].map(([, a]) => ['jaw', a])))
  })

  it('makes one keyframe of those that have one name, and moves poses of free bodies', () => {
    const box = (name: string, keyframe: string, x: number): Spec => ({
      bodies: [{ name, inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] }, joints: [{ type: 'free' }] }],
      keyframes: [{ name: keyframe, q: [x, 0, 0, 1, 0, 0, 0], v: [0, 0, 0, x, 0, 0] }],
    })
    const quarter: Quat = [Math.SQRT1_2, 0, 0, Math.SQRT1_2]
    const merged = buildModel(mergeSpecs(box('a', 'home', 1), box('b', 'home', 2), { at: { position: [0, 0, 5], quaternion: quarter } }))
    expect(merged.keyframes.map(({ name }) => name)).toEqual(['home'])
    const simulation = createSimulation(merged)
    simulation.reset('home')
    expect([...simulation.body('a').position()]).toEqual([1, 0, 0])
    // two metres along x of a frame that is turned about z
    const [x, y, z] = simulation.body('b').position()
    expect([x, y, z].map((value) => Math.round(1e9 * value) / 1e9 + 0)).toEqual([0, 2, 5])
    const other = buildModel(mergeSpecs(box('a', 'home', 1), box('b', 'away', 2), { prefix: 'b/', at: { position: [0, 0, 5] } }))
    expect(other.keyframes.map(({ name }) => name)).toEqual(['home', 'b/away'])
    expect([...other.keyframes[0].q]).toEqual([1, 0, 0, 1, 0, 0, 0, 0, 0, 5, 1, 0, 0, 0])
    expect([...other.keyframes[1].q]).toEqual([0, 0, 0, 1, 0, 0, 0, 2, 0, 5, 1, 0, 0, 0])
  })

  it('refuses names that both have, with the remedy, and places that are not there', () => {
    expect(() => mergeSpecs(arm, arm)).toThrow("bodies: both specs have 'base'; give mergeSpecs a prefix, { prefix: 'b/' }")
    expect(() => mergeSpecs(arm, full, { at: 'hnad', prefix: 'b/' })).toThrow("got 'hnad'; did you mean 'hand'?")
    expect(() => mergeSpecs(arm, full, { at: { body: 'hnad' }, prefix: 'b/' })).toThrow("did you mean 'hand'?")
  })

  it('says what of the second spec does not count', () => {
    const { ignored = [], gravity } = mergeSpecs(
      { bodies: [], gravity: [0, 0, -1.6] },
      { name: 'pump', bodies: [], medium: { density: 1000 } },
    )
    expect(gravity).toEqual([0, 0, -1.6])
    expect(ignored.map(({ path, what }) => `${path}: ${what}`)).toEqual(["gravity: gravity of 'pump'", "medium: medium of 'pump'"])
    const warnings = createSimulation(buildModel({ bodies: [], ignored })).warnings()
    expect(warnings.join('\n')).toContain("gravity of 'pump'")
  })
})

function siteOf(spec: Spec, name: string): { position: Vec3; quaternion: Quat } {
  const site = spec.bodies.flatMap(({ sites = [] }) => sites).find((candidate) => candidate.name === name)
  return { position: site?.position ?? [0, 0, 0], quaternion: site?.quaternion ?? [1, 0, 0, 0] }
}
