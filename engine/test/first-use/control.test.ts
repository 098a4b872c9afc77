/** What a new user expects of controls and keyframes, with the public API alone. */
import { buildModel, createSimulation, createState, type Model, parseMjcf, parseState, type State } from 'limber'
import { describe, expect, it } from 'vitest'

/** one step of an implicit method of first order, for each of two seconds */
const SETTLED = 1e-3

const arm = (): Model =>
  buildModel(
    parseMjcf(`<mujoco>
      <compiler angle="radian"/>
      <option gravity="0 0 0" timestep="0.005"/>
      <worldbody>
        <body name="upper"><joint name="shoulder" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -0.4" size="0.03"/>
          <body name="lower" pos="0 0 -0.4"><joint name="elbow" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.02"/></body>
        </body>
      </worldbody>
      <actuator>
        <position name="raise" joint="shoulder" kp="40" kv="4"/>
        <position name="bend" joint="elbow" kp="20" kv="2"/>
      </actuator>
      <keyframe>
        <key name="home" time="1.5" qpos="0.4 -0.6" qvel="0.1 0.2" ctrl="0.4 -0.6"/>
      </keyframe>
    </mujoco>`),
  )

describe('control', () => {
  it('has a number for every actuator from the start, all zero', () => {
    const model = arm()
    expect(Array.from(createState(model).control)).toEqual([0, 0])
    expect(Array.from(createSimulation(model).state.control)).toEqual([0, 0])
    expect(model.notes.join()).not.toContain('control')
  })

  it.each(['auto', 'redmax', 'ode', 'position'])('at zero pulls a servo to zero, with %s', (solver) => {
    const simulation = createSimulation(arm(), { solver })
    simulation.reset({ q: Float64Array.of(0.5, -0.4) })
    simulation.advance(2)
    expect(simulation.report.message).toBe('')
    for (const x of simulation.state.q) expect(Math.abs(x)).toBeLessThan(SETTLED)
  })

  it('comes with a keyframe, as q, v and time do', () => {
    const model = arm()
    const simulation = createSimulation(model)
    simulation.reset(model.keyframes[0])
    const { t, q, v, control } = simulation.state
    expect([t, ...q, ...v, ...control]).toEqual([1.5, 0.4, -0.6, 0.1, 0.2, 0.4, -0.6])
    simulation.advance(2)
    expect(simulation.state.q[0]).toBeCloseTo(0.4, 3)
    expect(simulation.state.q[1]).toBeCloseTo(-0.6, 3)
    // and the keyframe is still what it was
    simulation.state.control.fill(7)
    expect(Array.from(model.keyframes[0].control)).toEqual([0.4, -0.6])
  })

  it('is refused where its length is wrong, by the number and the names of the actuators', () => {
    const model = arm()
    const simulation = createSimulation(model)
    const refusal = (got: number): string => `control: expected 2 numbers, got ${got}; one for each actuator: 'raise', 'bend'`
    expect(() => simulation.reset({ control: Float64Array.of(1) })).toThrow(refusal(1))
    expect(() => simulation.reset({ control: new Float64Array(0) })).toThrow(refusal(0))
    for (const act of [() => simulation.step(), () => simulation.advance(0.1), () => simulation.snapshot()]) {
      simulation.state.control = new Float64Array(3)
      expect(act).toThrow(new RangeError(refusal(3)))
    }
    simulation.state.control = Float64Array.of(0.1, 0.2)
    expect(simulation.step().status).toBe('ok')
    expect(() => parseState('{"control": [1, 2, 3]}', model)).toThrow(
      'control: expected 2 numbers, got 3; expected control[0] for raise, control[1] for bend',
    )
    expect(() => parseState('{"control": [1, "a"]}', model)).toThrow('it belongs to actuator bend')
    const plain = buildModel({ bodies: [] })
    expect(() => createSimulation(plain).reset({ control: Float64Array.of(1) })).toThrow(
      'control: expected 0 numbers, got 1; the model has no actuators',
    )
  })

  it('is part of a snapshot', () => {
    const [whole, parts] = [createSimulation(arm()), createSimulation(arm())]
    whole.state.control.set([0.3, 0.1])
    whole.step(10)
    parts.restore(whole.snapshot())
    const bits = ({ q, v, control }: State): number[] => [...q, ...v, ...control]
    whole.step(10)
    parts.step(10)
    expect(bits(parts.state)).toEqual(bits(whole.state))
  })
})
