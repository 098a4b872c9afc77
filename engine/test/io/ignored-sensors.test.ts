/** Sensors that are not computed are listed with the reason that applies to them. */
import { parseMjcf } from 'limber'
import { expect, it } from 'vitest'

const model = (sensors: string): string => `<mujoco><worldbody><camera name="eye"/><geom name="floor" type="plane" size="0 0 1"/>
  <body pos="0 0 1"><freejoint/><geom name="ball" type="sphere" size="0.1"/><site name="tip"/></body></worldbody>
  <sensor>${sensors}</sensor></mujoco>`
const ignored = (sensors: string) => (parseMjcf(model(sensors)).ignored ?? []).filter(({ what }) => what.startsWith('sensor'))

it('lists contact sensors as such, and says where contacts are found', () => {
  for (const attributes of ['geom1="ball" geom2="floor"', 'geom1="ball" num="3" data="force dist" reduce="mindist"']) {
    expect(ignored(`<contact name="touch" ${attributes}/>`)).toEqual([
      expect.objectContaining({ what: 'sensor contact', why: expect.stringContaining('simulation.contacts()') }),
    ])
  }
})

it('says of a camera only where there is one', () => {
  const [frame] = ignored('<framepos objtype="camera" objname="eye"/>')
  expect(frame.what).toBe('sensor framepos of a camera')
  const [ray] = ignored('<rangefinder site="tip" data="dist point"/>')
  expect(ray.what).toBe('sensor rangefinder with data')
})
