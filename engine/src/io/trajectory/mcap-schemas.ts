/**
 * JSON Schemas of the MCAP channels: Limber's state, and the two Foxglove messages it writes, with their published field names.
 */

const numbers = { type: 'array', items: { type: 'number' } }
const vector3 = { type: 'object', properties: { x: { type: 'number' }, y: { type: 'number' }, z: { type: 'number' } } }
const quaternion = { type: 'object', properties: { ...vector3.properties, w: { type: 'number' } } }
const time = { type: 'object', title: 'time', properties: { sec: { type: 'integer', minimum: 0 }, nsec: { type: 'integer', minimum: 0 } } }

export const STATE_SCHEMA = {
  title: 'limber.State',
  description: 'State of a mechanism',
  type: 'object',
  properties: {
    t: { type: 'number', description: 'time, s' },
    q: { ...numbers, description: 'coordinates, m and rad' },
    v: { ...numbers, description: 'velocities, m/s and rad/s' },
    kinetic: { type: 'number', description: 'kinetic energy, J' },
    potential: { type: 'number', description: 'potential energy, J' },
    sensors: { ...numbers, description: 'readings of all sensors, one after the other' },
    controls: { ...numbers, description: 'one control an actuator' },
    contacts: { ...numbers, description: 'net contact force on each body, x y z along the axes of the world, N' },
  },
}

export const TRANSFORMS_SCHEMA = {
  title: 'foxglove.FrameTransforms',
  description: 'Poses of bodies in the world',
  type: 'object',
  properties: {
    transforms: {
      type: 'array',
      items: {
        title: 'foxglove.FrameTransform',
        type: 'object',
        properties: {
          timestamp: time,
          parent_frame_id: { type: 'string' },
          child_frame_id: { type: 'string' },
          translation: vector3,
          rotation: quaternion,
        },
      },
    },
  },
}
