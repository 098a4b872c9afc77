import { describe, expect, it } from 'vitest'
import { limber, limberAlone, pendulum, temporaryFolder } from './limber.js'

const folder = temporaryFolder()
const body = (inner: string) => `<mujoco>\n  <worldbody>\n    ${inner}\n  </worldbody>\n</mujoco>\n`
const scene = (...bodies: string[]) => `{\n  "bodies": [\n    ${bodies.join(',\n    ')}\n  ]\n}\n`
const link = (name: string, parent: string, mass = '1') =>
  `{ "name": "${name}", "parent": "${parent}", "joints": [{ "type": "revolute" }], "inertia": { "mass": ${mass}, "tensor": [1, 1, 1, 0, 0, 0] } }`

/** name of the case, file name, content, where the message must point, what it must say */
const cases: readonly (readonly [string, string, string, RegExp, RegExp])[] = [
  ['malformed XML', 'tags.xml', '<mujoco>\n  <worldbody>\n    <body>\n  </worldbody>\n</mujoco>\n', /tags\.xml:\d+:\d+/, /body/],
  ['an attribute without quotes', 'quotes.xml', '<mujoco>\n  <option timestep=0.1/>\n</mujoco>\n', /quotes\.xml:2:\d+/, /./],
  ['an empty file', 'empty.xml', '', /empty\.xml/, /expected|XML/],
  ['binary data', 'binary.xml', '\0\u0001PNG', /binary\.xml:1:1/, /binary data.*UTF-8/],
  ['text that is not XML', 'text.xml', 'hello', /text\.xml:1:1/, /<mujoco>.*'hello'/],
  ['an unknown root element', 'root.xml', '<html>\n</html>\n', /root\.xml:1:1/, /mujoco|robot/],
  ['a number that is none', 'type.xml', body('<body><joint/><geom size="wide" mass="1"/></body>'), /type\.xml:3:\d+/, /number/],
  ['too few numbers', 'few.xml', body('<body pos="1 2"><joint/><geom size="0.1"/></body>'), /few\.xml:3:\d+/, /3/],
  ['NaN', 'nan.xml', body('<body pos="NaN 0 0"><joint/><geom size="0.1"/></body>'), /nan\.xml:3:\d+/, /NaN/],
  ['zero mass', 'massless.xml', body('<body name="ghost"><joint/></body>'), /massless\.xml:3:\d+/, /mass/],
  [
    'a tensor that is not positive definite',
    'tensor.xml',
    body('<body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 -1"/></body>'),
    /tensor\.xml:3:\d+/,
    /inertia|positive/,
  ],
  [
    'an unknown attribute',
    'attribute.xml',
    body('<body positon="0 0 0"><joint/><geom size="0.1"/></body>'),
    /attribute\.xml:3:\d+/,
    /positon/,
  ],
  ['an unknown element', 'element.xml', body('<bodi><joint/></bodi>'), /element\.xml:3:\d+/, /bodi/],
  [
    'two bodies of one name',
    'twice.xml',
    body('<body name="a"><joint/><geom size="0.1"/></body>\n    <body name="a"><joint/><geom size="0.1"/></body>'),
    /twice\.xml:4:\d+/,
    /\ba\b/,
  ],
  [
    'an absent mesh',
    'mesh.xml',
    '<mujoco>\n  <asset><mesh name="part" file="part.stl"/></asset>\n  <worldbody>\n    <body><joint/><geom type="mesh" mesh="part"/></body>\n  </worldbody>\n</mujoco>\n',
    /mesh\.xml:2:\d+/,
    /part\.stl/,
  ],
  [
    'an absent collision mesh in URDF',
    'mesh.urdf',
    '<robot name="r">\n  <link name="a"><collision><geometry>\n    <mesh filename="part.stl"/>\n  </geometry></collision></link>\n</robot>\n',
    /mesh\.urdf:3:\d+/,
    /part\.stl/,
  ],
  ['an absent include', 'include.xml', '<mujoco>\n  <include file="other.xml"/>\n</mujoco>\n', /include\.xml:2:\d+/, /other\.xml/],
  ['another format', 'world.xml', '<sdf version="1.9"/>\n', /world\.xml:1:1/, /SDF is not read; convert/],
  ['no model at all', 'page.xml', '<html/>\n', /page\.xml:1:1/, /MJCF file has <mujoco> there, a URDF file <robot>/],
  ['malformed JSON', 'comma.json', '{\n  "bodies": [\n    { "name" "a" }\n  ]\n}\n', /comma\.json:3:\d+/, /expected/],
  ['a wrong type in JSON', 'type.json', '{\n  "bodies": [],\n  "timestep": "fast"\n}\n', /type\.json:3:\d+/, /number/],
  ['an unknown key in JSON', 'key.json', '{\n  "bodys": []\n}\n', /key\.json:[12]:\d+/, /bodys|bodies/],
  [
    'a zero mass in JSON',
    'mass.json',
    scene('{ "name": "a", "joints": [{ "type": "revolute" }], "inertia": { "mass": 0 } }'),
    /mass\.json:3:\d+/,
    /mass/,
  ],
  ['a negative mass in JSON', 'negative.json', scene(link('a', 'world', '-1')), /negative\.json:3:\d+/, /mass/],
  [
    'a tensor in JSON that is not positive definite',
    'definite.json',
    scene('{ "name": "a", "joints": [{ "type": "revolute" }], "inertia": { "mass": 1, "tensor": [1, 1, 1, 2, 0, 0] } }'),
    /definite\.json:3:\d+/,
    /tensor|inertia/,
  ],
  ['a cycle', 'cycle.json', scene(link('a', 'b'), link('b', 'a')), /cycle\.json:\d+:\d+/, /cycle|itself|ancestor/],
  ['an unknown parent', 'parent.json', scene(link('a', 'nobody')), /parent\.json:3:\d+/, /nobody/],
  ['an unknown joint type', 'joint.json', scene('{ "name": "a", "joints": [{ "type": "hinge" }] }'), /joint\.json:3:\d+/, /hinge|revolute/],
  [
    'a URDF loop',
    'loop.urdf',
    '<robot name="r">\n  <link name="a"/>\n  <link name="b"/>\n  <joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>\n  <joint name="k" type="fixed"><parent link="b"/><child link="a"/></joint>\n</robot>\n',
    /loop\.urdf:\d+:\d+/,
    /./,
  ],
  [
    'a URDF joint without child',
    'child.urdf',
    '<robot name="r">\n  <link name="a"/>\n  <joint name="j" type="revolute"><parent link="a"/></joint>\n</robot>\n',
    /child\.urdf:3:\d+/,
    /child/,
  ],
]

describe('bad model files end with exit code 2, the place and what was expected', () => {
  it.each(cases)('%s', async (_title, name, content, place, message) => {
    folder.put(name, content)
    const { code, stdout, stderr } = await limber(['info', name], { cwd: folder.path })
    expect(stderr).toMatch(place)
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/\n\s+at /)
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })

  // one of each reader: the rest differs in its text only; each in a process of its own, whose exit code a script would see
  it.each(cases.filter(([title]) => ['NaN', 'a cycle', 'a URDF loop'].includes(title)))('%s, as JSON', (_title, name, content, place) => {
    folder.put(name, content)
    const { code, stdout, stderr } = limberAlone(['eval', name, '--json'], { cwd: folder.path })
    const { error } = JSON.parse(stdout) as {
      error: { problems: { path: string; message: string; place?: { file: string; line: number; column: number } }[] }
    }
    expect(error.problems.length).toBeGreaterThan(0)
    const places = error.problems.map(({ path, place: at }) => (at ? `${at.file}:${at.line}:${at.column}` : path))
    expect(places.some((text) => place.test(text))).toBe(true)
    expect(stderr).toBe('')
    expect(code).toBe(2)
  })
})

describe('bad usage', () => {
  folder.put('pendulum.xml', pendulum)
  const fail = (...args: string[]) => limber(args, { cwd: folder.path })

  it.each([
    ['a missing file', ['info', 'absent.xml'], /absent\.xml: no such file/],
    ['a folder', ['info', '.'], /folder/],
    ['a missing argument', ['run'], /missing required argument/],
    ['an unknown command', ['rum'], /run/],
    ['an unknown option', ['run', 'pendulum.xml', '--tiemstep', '1'], /--timestep/],
    ['an unknown solver', ['run', 'pendulum.xml', '--solver', 'odd'], /ode/],
    ['an unknown solver option', ['run', 'pendulum.xml', '--set', 'metod=rk4'], /method/],
    [
      'the step as a solver option',
      ['run', 'pendulum.xml', '--set', 'dt=0.01'],
      /--set dt: .*no such option; the step is set by --timestep 0.01/,
    ],
    ['an unknown method', ['run', 'pendulum.xml', '--set', 'method=rk44'], /rk4/],
    ['a setting without value', ['run', 'pendulum.xml', '--set', 'method'], /key=value/],
    ['a negative step', ['run', 'pendulum.xml', '--timestep', '-1'], /positive/],
    ['a duration that is no number', ['run', 'pendulum.xml', '--duration', 'long'], /positive/],
    ['an unknown output suffix', ['run', 'pendulum.xml', '--out', 'motion.avi'], /\.csv/],
    ['an unknown conversion', ['convert', 'pendulum.xml', 'model.step'], /\.urdf/],
    ['an output folder that is not there', ['convert', 'pendulum.xml', 'no/such/folder/model.json'], /folder/],
    ['an unknown scene', ['scene', 'chian'], /chain/],
    ['an unknown scene parameter', ['scene', 'chain', '--set', 'lniks=3'], /links/],
    ['a scene parameter out of range', ['scene', 'chain', '--set', 'links=0'], /from 1/],
    ['an unknown keyframe', ['eval', 'pendulum.xml', '--keyframe', 'home'], /keyframe/],
    ['a scene into a folder that is not there', ['scene', 'chain', '--out', 'no/chain.json'], /folder no is not there; make it/],
    ['a schema into a folder that is not there', ['schema', '--out', 'no/schema.json'], /folder no is not there; make it/],
    ['a conversion onto itself', ['convert', 'pendulum.xml', './pendulum.xml'], /overwrite.*another name/],
    ['a solver option out of range', ['run', 'pendulum.xml', '--set', 'rtol=-1'], /--set rtol=-1: .*from 1e-14 to 1/],
    ['an unknown paper', ['reproduce', 'redmix'], /redmax/],
    [
      'a folder for results that cannot be',
      ['reproduce', 'gear', '--quick', '--out', 'pendulum.xml/results'],
      /--out .*folder to write to/,
    ],
    ['a solver with a slip in its name', ['run', 'pendulum.xml', '--solver', 'adaptiv'], /no solver of this name.*adaptive/],
    ['half a joint', ['run', 'pendulum.xml', '--solver', 'adaptive', '--set', 'budget=1.5'], /budget: expected a whole number, got 1.5/],
    ['a duration without end', ['run', 'pendulum.xml', '--duration', '1e30'], /at most \d+ steps/],
    ['a choice far from all', ['run', 'pendulum.xml', '--solver', 'position', '--set', 'order=7'], /choice; known: 2, 3, 4, 5, radau/],
    ['a bad port', ['studio', '--port', 'many'], /65535/],
  ])('%s ends with exit code 2 and says what to do', async (_title, args, message) => {
    const { code, stdout, stderr } = await fail(...args)
    expect(stderr).toMatch(message)
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })

  it.each([
    [
      'wrong lengths',
      '{"q": [1, 2], "v": [0, 0, 0]}',
      [/q: expected 1 number, got 2; expected q\[0\] for hinge \(revolute\)/, /v: expected 1 numbers?, got 3/],
    ],
    ['NaN', '{"q": [NaN]}', [/state\.json:1:8: .*NaN/]],
    ['null in a list', '{"q": [null]}', [/q\[0\].*finite number.*hinge/]],
    ['a number too large', '{"q": [1e999]}', [/q\[0\].*got Infinity/]],
    ['no JSON', 'q = 1', [/expected JSON/]],
    ['no object', '[1]', [/expected an object/]],
    ['an unknown key', '{"Q": [1]}', [/Q: unknown key/]],
    ['text for a list', '{"q": "1"}', [/expected a list of 1/]],
  ])('a state file with %s ends with exit code 2', async (_title, content, messages) => {
    folder.put('state.json', content)
    const { code, stderr } = await fail('eval', 'pendulum.xml', '--state', 'state.json')
    for (const message of messages) expect(stderr).toMatch(message)
    expect(stderr).toMatch(/state\.json/)
    expect(code).toBe(2)
  })

  it('a state file may have comments, and points at what is wrong behind them', async () => {
    folder.put('state.json', '{\n  // the angle\n  "q": [0.1], /* no speed */\n}\n')
    expect(await fail('eval', 'pendulum.xml', '--state', 'state.json')).toMatchObject({ code: 0, stderr: '' })
    folder.put('state.json', '{\n  // the angle\n  "q": [0.1, 2],\n}\n')
    expect((await fail('eval', 'pendulum.xml', '--state', 'state.json')).stderr).toMatch(/state\.json:3:8: q: expected 1 number, got 2/)
  })

  it('a pipe that brings no model says what was expected', () => {
    const pipe = (input: string) => limberAlone(['run', '-'], { input })
    expect(pipe(' \n')).toMatchObject({ code: 2, stderr: expect.stringContaining('got nothing; did the command before the pipe fail?') })
    expect(pipe('robot.xml\n')).toMatchObject({ code: 2, stderr: expect.stringMatching(/got 'robot\.xml'; to read a file give its name/) })
  })

  it('an absent state file is named', () => {
    const { code, stderr } = limberAlone(['run', 'pendulum.xml', '--state', 'nowhere.json'], { cwd: folder.path })
    expect(stderr).toMatch(/nowhere\.json: no such file/)
    expect(code).toBe(2)
  })
})
