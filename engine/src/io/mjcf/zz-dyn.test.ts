import { it } from 'vitest'
import { compare } from '/tmp/mj/dyn.js'
const W = (s: string, b = '', a = '') => `<mujoco>${b}<worldbody>${s}</worldbody>${a}</mujoco>`
const models: Record<string, string> = {
  pendulum: W(
    '<body pos="0 0 1"><joint axis="0 1 0" damping="0.1" stiffness="2" ref="20" springref="10"/><geom type="capsule" size="0.05" fromto="0 0 0 0.3 0 -0.4"/></body>',
  ),
  free: W('<body pos="0 0 1"><freejoint/><geom type="box" size="0.1 0.2 0.3" pos="0.1 0.2 0"/></body>'),
  freeSpring: W(
    '<body pos="0 0 1" euler="10 20 30"><joint type="free" stiffness="3" damping="0.4"/><geom type="box" size="0.1 0.2 0.3" pos="0.1 0.2 0"/></body>',
  ),
  freeArm: W('<body pos="0 0 1"><joint type="free" armature="1"/><geom type="box" size="0.1 0.2 0.3" pos="0.1 0.2 0"/></body>'),
  ball: W(
    '<body pos="0 0 1"><joint type="ball" pos="0.1 0 0" stiffness="3" damping="0.2" armature="0.3"/><geom type="box" size="0.1 0.2 0.3" pos="0.1 0.2 0"/><body pos="1 0 0"><joint type="slide" axis="1 1 0"/><joint type="ball"/><geom size="0.2" pos="0.3 0 0"/></body></body>',
  ),
  multi: W(
    '<body><joint type="slide" axis="1 0 0" pos="1 2 3"/><joint pos="0.2 0 0"/><joint axis="1 0 0" pos="0 0.4 0"/><joint axis="0 1 0"/><geom type="box" size="0.1 0.2 0.3" pos="0.1 0.2 0"/></body>',
  ),
  tendons: W(
    '<site name="a" pos="0 0 2"/><body name="u" pos="0 0 1"><joint name="j" axis="0 1 0" springref="20"/><geom size="0.2" pos="0.5 0 0"/><site name="b" pos="1 0 0"/><body name="w" pos="1 0 0"><joint name="k" axis="0 1 0" type="slide"/><geom size="0.3"/><site name="c" pos="0 1 0"/></body></body>',
    '',
    '<tendon><spatial name="s1" stiffness="10" damping="2" springlength="0.1"><site site="a"/><site site="b"/><pulley divisor="2"/><site site="b"/><site site="c"/></spatial><spatial name="s2" stiffness="30" springlength="0.1 0.4" armature="0.3"><site site="a"/><site site="c"/></spatial><spatial stiffness="7"><site site="a"/><site site="b"/></spatial><fixed name="f" stiffness="3" damping="1" armature="0.2"><joint joint="j" coef="2"/><joint joint="k" coef="-1"/></fixed></tendon><actuator><motor joint="j" gear="2" armature="0.3" damping="0.2"/><motor tendon="f" gear="2" armature="0.3" damping="0.2"/><motor tendon="s2" gear="2" armature="0.3" damping="0.2"/></actuator>',
  ),
  medium: W(
    '<body pos="0 0 1"><freejoint/><geom type="capsule" size="0.1 0.3" euler="20 30 40"/><body pos="0 0 0.5"><joint axis="1 0 0"/><geom type="box" size="0.1 0.2 0.05"/><geom size="0.1" pos="0.3 0 0"/></body></body>',
    '<option density="100" viscosity="0.3" wind="1 2 3"/>',
  ),
  gravcomp: W('<body pos="0 0 1" gravcomp="0.7"><joint axis="0 1 0"/><geom type="box" size="0.1 0.2 0.3" pos="0.1 0.2 0"/></body>'),
  staticm: W(
    '<body pos="0 0 1"><geom size="0.3"/><body pos="1 0 0"><geom size="0.1"/><body><joint/><geom size="0.1" pos="0.4 0 0"/><body pos="0 1 0"><geom size="0.2"/></body></body></body></body>',
  ),
  springdamper: W(
    '<body><joint springdamper="0.5 1" type="slide"/><joint axis="1 0 0" springdamper="0.3 0.7" armature="0.2"/><geom size="0.3 0.4 0.5" type="box"/></body>',
  ),
  nospring: W(
    '<body><joint damping="3" stiffness="4"/><geom size="0.3 0.4 0.5" type="box" pos="0.4 0 0"/></body>',
    '<option gravity="1 2 3"><flag spring="disable"/></option>',
  ),
  mesh: W(
    '<body><joint damping="3" stiffness="4"/><geom type="mesh" mesh="m" pos="0.4 0 0" euler="0 30 0"/></body>',
    '<asset><mesh name="m" vertex="0 0 0  1.1 0 0  0 2 0  0 0 3  0.3 0.5 2"/></asset>',
  ),
}
it('dyn', () => {
  for (const [k, xml] of Object.entries(models)) {
    try {
      const r = compare(xml)
      const bad = Math.max(r.acc, r.M, r.pot, r.kin, r.mass) > 1e-8
      console.log(bad ? 'BAD' : 'ok', k, JSON.stringify(r))
    } catch (e) {
      console.log('ERR', k, String(e).slice(0, 400))
    }
  }
})
