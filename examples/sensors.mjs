/** Sensors of a robot that drops onto a floor, recorded as JSON beside its motion, and read back. */
import { buildModel, createSimulation, parseMjcf, readTrajectoryJson, recordBytes } from 'limber'

const model = buildModel(
  parseMjcf(`<mujoco>
    <worldbody>
      <geom name="floor" type="plane" size="2 2 0.1"/>
      <body name="drone" pos="0 0 0.5">
        <freejoint/>
        <geom type="box" size="0.1 0.1 0.03" mass="0.8"/>
        <site name="imu"/>
        <site name="down" euler="180 0 0"/>
      </body>
    </worldbody>
    <sensor>
      <accelerometer name="imu" site="imu"/>
      <rangefinder name="height" site="down"/>
      <touch name="skid" site="imu"/>
    </sensor>
  </mujoco>`),
)
const bytes = await recordBytes(createSimulation(model), 'json', { seconds: 1, fps: 10, include: ['sensors', 'contacts'] })
const { model: recorded, times, sensors, contacts } = readTrajectoryJson(bytes)

const width = recorded.extras.sensors.reduce((sum, { size }) => sum + size, 0)
console.log('columns:', recorded.extras.sensors.map(({ name, size }) => `${name} (${size})`).join(', '))
for (const [k, t] of times.entries()) {
  const [, , up, height] = sensors.subarray(k * width, (k + 1) * width)
  const weight = contacts[3 * k + 2]
  console.log(`t = ${t.toFixed(1)} s: height ${height.toFixed(3)} m, felt ${up.toFixed(2)} m/s², floor carries ${weight.toFixed(2)} N`)
}
