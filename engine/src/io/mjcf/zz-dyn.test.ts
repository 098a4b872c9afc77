import { it } from 'vitest'
import { compare } from '/tmp/mj/dyn.js'
const W = (s: string, b = '', a = '') => `<mujoco>${b}<worldbody>${s}</worldbody>${a}</mujoco>`
const I = '<inertial pos="0.1 0.2 0" mass="2" diaginertia="1 1 1.5"/>'
const models: Record<string, string> = {
  r1: W(`<body><joint/>${I}<geom size="0.1" mass="0"/></body>`, '<compiler inertiafromgeom="true"/>'),
  r2: W(`<body><joint/>${I}<geom size="0.1" mass="0"/><geom size="0.2" mass="0"/></body>`, '<compiler inertiafromgeom="true"/>'),
  r3: W(`<body><joint/>${I}<geom size="0.1" group="3"/></body>`, '<compiler inertiafromgeom="true" inertiagrouprange="0 1"/>'),
  r4: W(`<body><joint/><geom size="0.1"/><geom size="0.3" group="6" pos="1 0 0"/></body>`),
  late: W(`<body><joint/><geom class="q"/></body>`, '', '<default><default class="q"><geom size="0.3" pos="0.3 0 0"/></default></default>'),
  opt2: W(`<body><joint axis="1 0 0"/><geom size="0.2" pos="0 1 0"/></body>`, '<option gravity="0 1 -3"/><option timestep="0.1"/>'),
  hf: W(`<body><joint/><geom type="hfield" hfield="h"/></body>`, '<asset><hfield name="h" size="1 2 3 0.5" nrow="3" ncol="3"/></asset>'),
  inf: W(`<body><joint range="-inf inf"/><geom size="0.2"/></body>`),
  meshdef: W(`<body><joint/><geom type="mesh" mesh="m"/></body>`, '<default><mesh scale="0.1 0.2 0.3" inertia="convex"/></default><asset><mesh name="m" vertex="0 0 0  1.1 0 0  0 2 0  0 0 3  0.3 0.5 2"/></asset>'),
  dup: W(`<body><joint/><geom size="0.1" pos="1 0 0" mass="1e-9"/></body>`),
  tiny: W(`<body pos="0 0 1"><joint axis="0 1 0"/><geom type="box" size="0.001 0.002 0.003" pos="0.001 0.002 0.0003" euler="10 20 30"/><geom type="box" size="0.001 0.002 0.003" pos="0.001 -0.002 0.0003" euler="10 50 30"/></body>`),
}
let s = 7
const rnd = () => { s = (Math.imul(s, 1664525) + 1013904223) >>> 0; return s / 2 ** 32 }
const pick = <T,>(l: readonly T[]): T => l[Math.floor(rnd() * l.length)]!
const f = (a = -1, b = 1) => (a + (b - a) * rnd()).toFixed(3)
const v3 = () => `${f()} ${f()} ${f()}`
const orient = () => pick(['', `euler="${f(-90, 90)} ${f(-90, 90)} ${f(-90, 90)}"`, `quat="${f()} ${f()} ${f()} ${f(0.3, 1)}"`, `axisangle="${v3()} ${f(-90, 90)}"`, `zaxis="${f(0.1, 1)} ${f()} ${f()}"`, `xyaxes="1 ${f()} 0 ${f()} 1 ${f()}"`])
const cls = () => pick(['', '', 'class="a"', 'class="b"'])
const F = new Set<string>()
let n = 0
function geom(): string {
  const t = pick(['sphere', 'capsule', 'cylinder', 'box', 'ellipsoid', F.has('mesh') ? 'mesh' : 'box'])
  const m = pick(['', `mass="${f(0.1, 2)}"`, `density="${f(10, 2000)}"`])
  if (t === 'mesh') return `<geom type="mesh" mesh="m${pick([1, 2])}" pos="${v3()}" ${orient()} ${m}/>`
  if ((t === 'capsule' || t === 'cylinder') && rnd() < 0.5) return `<geom ${cls()} type="${t}" size="${f(0.05, 0.2)}" fromto="${v3()} ${v3()}" ${m}/>`
  return `<geom ${cls()} type="${t}" size="${f(0.05, 0.3)} ${f(0.05, 0.3)} ${f(0.05, 0.3)}" pos="${v3()}" ${orient()} ${m} ${rnd() < 0.2 && F.has('shell') ? 'shellinertia="true"' : ''} group="${pick([0, 0, 1, 2])}"/>`
}
const sites: string[] = [], joints: string[] = []
function joint(t: string): string {
  const name = `j${n++}`; if (t !== 'ball') joints.push(name)
  return `<joint name="${name}" ${cls()} type="${t}" pos="${v3()}" axis="${v3()}" ${t !== 'ball' && F.has('ref') && rnd() < 0.3 ? `ref="${f()}" springref="${f()}"` : ''} ${rnd() < 0.4 && F.has(t === 'ball' ? 'ballstiff' : 'stiff') ? `stiffness="${f(0, 20)}"` : ''} ${rnd() < 0.4 ? `damping="${f(0, 2)}"` : ''} ${rnd() < 0.3 ? `armature="${f(0, 2)}"` : ''} ${rnd() < 0.3 && t !== 'ball' ? 'range="-1 1"' : ''} ${rnd() < 0.1 && F.has('sd') ? 'springdamper="0.3 0.6"' : ''}/>`
}
function body(depth: number): string {
  const name = `b${n++}`
  const kind = rnd()
  let j = ''
  if (depth === 0 && kind < 0.4) j = rnd() < 0.7 ? '<freejoint/>' : `<joint type="free" damping="0.2" armature="0.1"/>`
  else if (kind < 0.5) j = joint('ball')
  else if (kind < 0.7) j = joint('hinge')
  else if (kind < 0.8) j = joint('slide') + joint('hinge')
  else if (kind < 0.9) j = joint('hinge') + joint('hinge') + joint('slide')
  const site = `s${n++}`; sites.push(site)
  const iner = rnd() < 0.2 ? `<inertial pos="${v3()}" mass="${f(0.1, 3)}" ${rnd() < 0.5 ? `diaginertia="0.5 0.6 0.7" ${orient()}` : 'fullinertia="0.5 0.6 0.7 0.1 -0.05 0.02"'}/>` : ''
  const kids = depth < 4 ? Array.from({ length: Math.floor(rnd() * 3) }, () => rnd() < 0.2 ? `<frame pos="${v3()}" ${orient()}>${body(depth + 1)}</frame>` : body(depth + 1)).join('') : ''
  const inner = `${j}${iner}${geom()}${rnd() < 0.5 ? geom() : ''}<site name="${site}" pos="${v3()}" ${orient()}/>`
  const wrapped = rnd() < 0.2 && !j.includes('free') ? `<frame pos="${v3()}" ${orient()}>${inner}</frame>` : inner
  return `<body name="${name}" pos="${v3()}" ${orient()} ${rnd() < 0.1 ? `gravcomp="${f(0, 1)}"` : ''} ${rnd() < 0.1 ? 'childclass="b"' : ''}>${wrapped}${kids}</body>`
}
function model(): string {
  n = 0; sites.length = 0; joints.length = 0
  const inside = Array.from({ length: 1 + Math.floor(rnd() * 3) }, () => body(0)).join('')
  const rep = rnd() < 0.3 && F.has('rep') ? `<replicate count="3" offset="${v3()}" euler="10 20 30"><body name="rb" pos="${v3()}"><joint axis="${v3()}"/><geom size="0.2" pos="${v3()}"/></body></replicate>` : ''
  const tendons = sites.length > 1 && F.has('tendon') ? `<tendon>${Array.from({ length: Math.floor(rnd() * 3) }, (_, k) => `<spatial name="t${k}" stiffness="${f(0, 30)}" damping="${f(0, 1)}" ${pick(['', 'springlength="0.3"', 'springlength="0.2 1"'])} ><site site="${sites[0]}"/><site site="${sites[sites.length - 1]}"/>${rnd() < 0.3 ? `<pulley divisor="2"/><site site="${pick(sites)}"/><site site="${sites[0]}"/>` : ''}</spatial>`).join('')}${joints.length ? `<fixed name="fx" stiffness="${f(0, 3)}" damping="0.1"><joint joint="${joints[0]}" coef="${f()}"/>${joints.length > 1 ? `<joint joint="${joints[joints.length-1]}" coef="${f()}"/>` : ''}</fixed>` : ''}</tendon>` : ''
  const act = joints.length && F.has('act') ? `<actuator><motor joint="${joints[0]}" gear="2" ${rnd() < 0.5 ? 'armature="0.1" damping="0.2"' : ''}/></actuator>` : ''
  return `<mujoco><compiler angle="${pick(['degree', 'radian'])}" eulerseq="${pick(['xyz', 'ZYX', 'zxz'])}" ${!F.has('compiler') ? '' : pick(['', 'inertiafromgeom="true"', 'inertiagrouprange="0 1"', 'boundmass="0.01" boundinertia="0.01"', 'balanceinertia="true"', 'settotalmass="20"', 'alignfree="true"'])}/>
  <option gravity="${v3()}" ${F.has('medium') ? pick(['density="100"', 'viscosity="2" wind="1 0 0"']) : ''}/><default><geom density="500"/><joint armature="0.02"/><default class="a"><geom euler="10 0 0"/><joint damping="0.3"/><default class="b"><geom quat="1 0.2 0 0"/><joint stiffness="1"/></default></default></default>
  <asset><mesh name="m1" vertex="0 0 0  0.5 0 0  0 0.6 0  0 0 0.7 0.3 0.4 0.5"/><mesh name="m2" inertia="convex" scale="0.3 0.4 0.5" refpos="0.1 0.2 0.3" refquat="1 0.2 0.3 0" vertex="-1 -1 -1 1 -1 -1 1 1 -1 -1 1 -1 -1 -1 1 1 -1 1 1 1 1 -1 1 1.2"/></asset>
  <worldbody>${inside}${rep}</worldbody>${tendons}${act}</mujoco>`
}
it('dyn', () => {
  for (const [k, xml] of Object.entries(models)) { try { const r = compare(xml); const bad = Math.max(r.acc, r.M, r.pot, r.kin, r.mass) > 1e-8; console.log(bad ? 'BAD' : 'ok', k, JSON.stringify(r)) } catch (e) { console.log('ERR', k, String(e).slice(0, 400)) } }
  for (const feature of ['rep compiler', 'rep medium', 'rep sd', 'rep act', 'shell medium', 'shell sd', 'shell mesh', 'ballstiff sd', 'ballstiff rep', 'stiff rep', 'medium sd', 'medium act', 'shell compiler', 'mesh ref stiff ballstiff sd rep act medium', 'shell mesh ref stiff ballstiff sd act medium compiler','mesh ref stiff ballstiff sd act medium compiler']) {
  F.clear(); for (const x of feature.split(' ')) F.add(x); s = 7
  let ok = 0, bad1 = 0, shown = ''; const errs: Record<string, number> = {}
  for (let k = 0; k < 80; k++) {
    const xml = model()
    try { const r = compare(xml); const bad = Math.max(r.acc, r.pot, r.kin, r.mass) > 1e-7; if (bad) { bad1++; if (!shown || xml.length + 200 < shown.length) shown = JSON.stringify(r) + xml } else ok++ }
    catch (e) { const t = String((e as Error).message).replace(/\s+/g, ' ').slice(0, 120); errs[t] = (errs[t] ?? 0) + 1 }
  }
  console.log('ok', feature, ok, 'bad', bad1, JSON.stringify(errs), shown.length < 3500 ? shown.replace(/\s+/g, ' ') : shown.slice(0, 200)) }
}, 300000)
