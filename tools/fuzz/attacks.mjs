/**
 * Attacks on the readers: small files that cost much, lie about their size, or aim at a weakness. Each says what must become of it: `refused` (a ModelError),
 * `read`, or `either`; all within a second.
 */
import * as limber from 'limber'
import { bytes, noise, repeat } from './attack-parts.mjs'
import { trajectoryAttacks } from './trajectory-attacks.mjs'

const { parseMesh, parseMjcf, parseScene, parseState, parseUrdf, parseVolumeMesh, readReduced } = limber

const mjcf = (inside, options = {}) => parseMjcf(`<mujoco>${inside}</mujoco>`, { file: 'attack.xml', ...options })
const world = (inside, options) => mjcf(`<worldbody>${inside}</worldbody>`, options)
const urdf = (inside, options = {}) => parseUrdf(`<robot name="r">${inside}</robot>`, { file: 'attack.urdf', ...options })
const scene = (value) => parseScene(typeof value === 'string' ? value : JSON.stringify(value), { file: 'attack.json' })
const pendulum = { bodies: [{ name: 'b', inertia: { mass: 1 }, joints: [{ name: 'j', type: 'revolute' }] }] }
const build = (spec) => limber.buildModel(spec)

/** @type {{ name: string, expect: 'refused' | 'read' | 'either', run: () => unknown }[]} */
export const attacks = []
const attack = (name, expect, run) => attacks.push({ name, expect, run })

/* MJCF */

const attaching = (levels, copies) => (path) => {
  const k = Number(/^m(\d+)\.xml$/.exec(path)?.[1])
  if (!(k <= levels)) return undefined
  const next = k + 1
  const inner = k === levels ? '<body name="b"><geom size="1"/></body>' : repeat(copies, (c) => `<attach model="m" prefix="${'xyzw'[c]}"/>`)
  const asset = k === levels ? '' : `<asset><model name="m" file="m${next}.xml"/></asset>`
  return `<mujoco>${asset}<worldbody>${inner}</worldbody></mujoco>`
}
const attachTop = (copies) =>
  `<asset><model name="m" file="m1.xml"/></asset><worldbody>${repeat(copies, (c) => `<attach model="m" prefix="${'xyzw'[c]}"/>`)}</worldbody>`
attack('attach that doubles at each of 30 levels', 'refused', () => mjcf(attachTop(2), { resolve: attaching(30, 2) }))
attack('attach that fourfolds at each of 12 levels', 'refused', () => mjcf(attachTop(4), { resolve: attaching(12, 4) }))
attack('attach nested 20,000 deep', 'refused', () => mjcf(attachTop(1), { resolve: attaching(20_000, 1) }))
attack('a frame in replicate of replicate', 'refused', () =>
  world('<replicate count="9000"><replicate count="9000"><frame/></replicate></replicate>'),
)
attack('10,000 frames in replicate', 'refused', () => world(`<replicate count="99000">${'<frame/>'.repeat(10_000)}</replicate>`))
attack('10,000 cameras in replicate', 'refused', () => world(`<replicate count="99000">${'<camera/>'.repeat(10_000)}</replicate>`))
attack('a billion replicas of nothing', 'refused', () => world('<replicate count="1000000000"/>'))
attack('a trillion replicas of a robot', 'refused', () =>
  world(
    '<replicate count="2000000000000"><body><freejoint/><geom size="1"/><frame><body><joint/><geom size="1"/></body></frame></body></replicate>',
  ),
)
attack('replicate 400 deep', 'refused', () => world('<replicate count="2">'.repeat(400) + '</replicate>'.repeat(400)))
attack('2,000 height fields of four million cells', 'refused', () =>
  mjcf(`<asset>${repeat(2000, (k) => `<hfield name="h${k}" size="1 1 1 1" nrow="2000" ncol="2000"/>`)}</asset>`),
)
attack('one height field of four million cells', 'either', () =>
  mjcf('<asset><hfield name="h" size="1 1 1 1" nrow="2000" ncol="2000"/></asset>'),
)
attack('one height field drawn 1,000 times', 'either', () =>
  build(
    mjcf(
      `<asset><hfield name="h" size="1 1 1 1" nrow="400" ncol="400"/></asset><worldbody>${'<geom type="hfield" hfield="h"/>'.repeat(1000)}</worldbody>`,
    ),
  ),
)
attack('10,000 default classes below 10,000 defaults', 'either', () =>
  mjcf(
    `<default>${'<geom size="1"/>'.repeat(10_000)}${repeat(10_000, (k) => `<default class="c${k}"><geom size="2"/></default>`)}</default>`,
  ),
)
attack('400 nested default classes of 100 elements', 'read', () =>
  mjcf(
    `<default>${repeat(400, (k) => `<default class="c${k}">${'<joint damping="1"/>'.repeat(100)}`)}${'</default>'.repeat(400)}</default>`,
  ),
)
attack('20,000 default sections with a class each', 'either', () =>
  mjcf(repeat(20_000, (k) => `<default><geom size="1"/><default class="c${k}"/></default>`)),
)
attack('50,000 unknown attributes', 'refused', () => world(`<geom size="1" ${repeat(50_000, (k) => `a${k}="1" `)}/>`))
attack('20,000 elements with an unknown attribute', 'refused', () => world('<geom size="1" color="1"/>'.repeat(20_000)))
attack('50,000 unknown elements', 'refused', () => world(repeat(50_000, (k) => `<geomm${k}/>`)))
attack('100,000 comments that do not end', 'refused', () => parseMjcf(`${'<!-- '.repeat(200_000)}<mujoco/>`))
attack('100,000 comments', 'read', () => mjcf('<!-- - -->'.repeat(100_000)))
attack('100,000 declarations that do not end', 'refused', () => parseMjcf(`${'<? '.repeat(100_000)}<mujoco/>`))
attack('100,000 quotes that do not end', 'refused', () => parseMjcf('<mujoco a="'.repeat(100_000)))
attack('100,000 open tags', 'refused', () => parseMjcf('<mujoco><worldbody>' + '<body>'.repeat(100_000)))
attack('a million bare ampersands', 'either', () => mjcf('&'.repeat(1_000_000)))
attack('a million `&#`', 'either', () => mjcf('&#1'.repeat(300_000)))
attack('an attribute of ten megabytes of blanks', 'either', () => world(`<geom size="${' '.repeat(10_000_000)}1"/>`))
attack('a list of a million numbers where three belong', 'refused', () => world(`<geom size="${'1 '.repeat(1_000_000)}"/>`))
attack('an entity that expands', 'either', () =>
  parseMjcf(
    `<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa">${repeat(9, (k) => `<!ENTITY a${k} "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">`)}]><mujoco>&a8;</mujoco>`,
  ),
)
attack('an entity that reads a file', 'refused', () =>
  parseMjcf('<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]><mujoco model="&x;"><a/></mujoco>'),
)
attack('20,000 includes of one another', 'refused', () =>
  mjcf('<include file="0.xml"/>', { resolve: (path) => `<mujoco><include file="${Number.parseInt(path, 10) + 1}.xml"/></mujoco>` }),
)
attack('includes that double through folders that lead to themselves', 'refused', () =>
  mjcf('<include file="a/f.xml"/>', { resolve: () => '<mujoco><include file="a/f.xml"/><include file="b/f.xml"/></mujoco>' }),
)
attack('an include with 150,000 elements', 'either', () =>
  mjcf('<worldbody><include file="x"/></worldbody>', { resolve: () => `<mujoco>${'<camera/>'.repeat(150_000)}</mujoco>` }),
)
attack('an include with 30,000 shapes without a name, which are built', 'read', () =>
  build(mjcf('<worldbody><include file="x"/></worldbody>', { resolve: () => `<mujoco>${'<geom size="1"/>'.repeat(30_000)}</mujoco>` })),
)
attack('50,000 keyframes of no model', 'either', () => mjcf(`<keyframe>${'<key/>'.repeat(50_000)}</keyframe>`))
attack('5,000 constraints on joints that are not there', 'refused', () =>
  mjcf(
    `<worldbody>${repeat(5000, (k) => `<body><joint name="joint-number-${k}"/><geom size="1"/></body>`)}</worldbody><equality>${repeat(5000, (k) => `<joint joint1="join-number-${k}"/>`)}</equality>`,
  ),
)
attack('5,000 unknown classes beside 5,000 known ones', 'refused', () =>
  mjcf(
    `<default>${repeat(5000, (k) => `<default class="class-number-${k}"/>`)}</default><worldbody>${repeat(5000, (k) => `<geom class="clas-number-${k}" size="1"/>`)}</worldbody>`,
  ),
)
attack('references into 300 × 300 replicas', 'either', () =>
  mjcf(
    `<worldbody><replicate count="300" sep="-"><body name="b"><freejoint/><geom size="1"/></body></replicate></worldbody><contact>${'<exclude body1="b" body2="b"/>'.repeat(300)}</contact>`,
  ),
)
attack('20,000 meshes of one name', 'refused', () =>
  mjcf(`<asset>${'<mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>'.repeat(20_000)}</asset>`),
)
const stlOf = (triangles) => {
  const view = new DataView(new ArrayBuffer(84 + 50 * triangles))
  view.setUint32(80, triangles, true)
  for (let k = 0; k < 9 * triangles; k++) view.setFloat32(84 + 50 * Math.floor(k / 9) + 12 + 4 * (k % 9), ((k * 7919) % 1009) / 100, true)
  return new Uint8Array(view.buffer)
}
attack('5,000 meshes of one large file', 'refused', () => {
  const file = stlOf(20_000)
  const names = repeat(5000, (k) => `<mesh name="m${k}" file="a.stl" scale="1 1 ${k + 1}"/>`)
  const geoms = repeat(5000, (k) => `<geom type="mesh" mesh="m${k}" mass="1" contype="0"/>`)
  return mjcf(`<asset>${names}</asset><worldbody>${geoms}</worldbody>`, { resolve: () => file })
})
attack('20,000 meshes of one file, with other poses', 'either', () =>
  mjcf(`<asset>${repeat(20_000, (k) => `<mesh name="m${k}" file="a.stl" refpos="${k} 0 0"/>`)}</asset>`, { resolve: () => undefined }),
)
attack('a hull of 50,000 points of a sphere', 'either', () => {
  const at = (k) => {
    const z = 1 - (2 * k + 1) / 50_000
    const r = Math.sqrt(1 - z * z)
    return `${r * Math.cos(2.4 * k)} ${r * Math.sin(2.4 * k)} ${z} `
  }
  return mjcf(
    `<asset><mesh name="m" inertia="convex" vertex="${repeat(50_000, at)}"/></asset><worldbody><body><freejoint/><geom type="mesh" mesh="m"/></body></worldbody>`,
  )
})
const objOf = (count, at) => repeat(count, (k) => `v ${at(k).join(' ')}\n`) + 'f 1 2 3\n'
const weighedByHull = (obj) =>
  build(
    mjcf(
      '<asset><mesh name="m" file="a.obj" inertia="convex"/></asset><worldbody><body><freejoint/><geom type="mesh" mesh="m"/></body></worldbody>',
      { resolve: () => obj },
    ),
  )
attack('an OBJ of 300,000 points on two circles that face each other, weighed by its hull', 'refused', () =>
  weighedByHull(
    objOf(300_000, (k) => {
      const a = 4.2e-5 * k
      return k % 2 ? [Math.cos(a), Math.sin(a), 0] : [0, 5 + Math.cos(a), 5 + Math.sin(a)]
    }),
  ),
)
attack('an OBJ of 30,000 points of a sphere that is weighed by its hull, and touches', 'read', () =>
  weighedByHull(
    objOf(30_000, (k) => {
      const z = 1 - (2 * k + 1) / 30_000
      const r = Math.sqrt(1 - z * z)
      return [r * Math.cos(2.4 * k), r * Math.sin(2.4 * k), z]
    }),
  ),
)
attack('100,000 names of composites that are left out', 'either', () =>
  mjcf(
    `<worldbody><body><freejoint/><geom size="1"/>${repeat(3000, (k) => `<composite prefix="c${k}" type="cable"/>`)}</body></worldbody><equality>${repeat(3000, (k) => `<weld body1="x${k}B_1"/>`)}</equality>`,
  ),
)
attack('a composite whose prefix is a pattern', 'either', () =>
  mjcf(
    `<worldbody><body><freejoint/><geom size="1"/><composite prefix="(a+)+$" type="cable"/></body></worldbody><equality><weld body1="${'a'.repeat(60)}!"/></equality>`,
  ),
)
attack('10,000 bodies without a name', 'either', () => world('<body><freejoint/><geom size="1"/></body>'.repeat(10_000)))
attack('names that take the numbers of those without', 'either', () =>
  world(repeat(10_000, (k) => `<body name="body${k}${'_'.repeat(k % 3)}"/>`) + '<body/>'.repeat(10_000)),
)
attack('a suffix of a thousand letters in references', 'either', () =>
  mjcf(
    `<worldbody><replicate count="500" sep="${'s'.repeat(2000)}"><body name="b"><freejoint/><geom size="1"/></body></replicate></worldbody><contact>${'<exclude body1="b" body2="b"/>'.repeat(100)}</contact>`,
  ),
)
attack('a tendon through one site a million times', 'either', () =>
  mjcf(
    `<worldbody><body><freejoint/><geom size="1"/><site name="s"/></body></worldbody><tendon><spatial>${'<site site="s"/>'.repeat(100_000)}</spatial></tendon>`,
  ),
)
attack('NaN, infinities and numbers too large', 'refused', () => world('<geom size="1e999"/><geom size="nan"/><geom size="0x10"/>'))

attack('resolve that returns a promise', 'refused', () => mjcf('<include file="x"/>', { resolve: () => Promise.resolve('<mujoco/>') }))
attack('resolve that returns a number', 'refused', () => mjcf('<include file="x"/>', { resolve: () => 7 }))

/* URDF */

const link = (name, inside = '') => `<link name="${name}">${inside}</link>`
const joint = (name, parent, child, rest = '') =>
  `<joint name="${name}" type="fixed"><parent link="${parent}"/><child link="${child}"/>${rest}</joint>`
attack('a URDF chain of 10,000 links', 'read', () =>
  urdf(repeat(10_000, (k) => link(`l${k}`) + (k ? joint(`j${k}`, `l${k - 1}`, `l${k}`) : ''))),
)
attack('3,000 links in one place', 'either', () =>
  urdf(
    link('l0') +
      repeat(
        3000,
        (k) =>
          link(
            `l${k + 1}`,
            '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial><collision><geometry><sphere radius="1"/></geometry></collision>',
          ) + joint(`j${k}`, 'l0', `l${k + 1}`).replace('fixed', 'continuous'),
      ),
  ),
)
attack('20,000 scales of one mesh', 'refused', () => {
  const file = stlOf(5000)
  const mesh = (k) => `<visual><geometry><mesh filename="a.stl" scale="1 1 ${k + 1}"/></geometry></visual>`
  return urdf(link('l', repeat(20_000, mesh)), { resolve: () => file })
})
attack('20,000 joints of one name', 'refused', () =>
  urdf(link('a') + link('b') + joint('j', 'a', 'b').replace('fixed', 'prismatic').repeat(20_000)),
)
attack('a cycle of 20,000 links', 'refused', () =>
  urdf(repeat(20_000, (k) => link(`l${k}`) + joint(`j${k}`, `l${k}`, `l${(k + 1) % 20_000}`))),
)
attack('20,000 links of one name', 'refused', () => urdf(link('l').repeat(20_000)))
attack('20,000 materials of one name', 'either', () =>
  urdf(link('l') + '<material name="m"><color rgba="1 1 1 1"/></material>'.repeat(20_000)),
)
attack('20,000 mimics of one another', 'either', () =>
  urdf(
    link('l0') +
      repeat(
        5000,
        (k) =>
          link(`l${k + 1}`, '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>') +
          joint(`j${k}`, 'l0', `l${k + 1}`, `<mimic joint="j${(k + 1) % 5000}"/>`).replace('fixed', 'continuous'),
      ),
  ),
)
attack('links named as what every object has', 'read', () =>
  urdf(
    repeat(4, (k) => link(['constructor', '__proto__', 'toString', 'hasOwnProperty'][k])) +
      repeat(3, (k) => joint(['valueOf', '__proto__', 'constructor'][k], 'constructor', ['__proto__', 'toString', 'hasOwnProperty'][k])),
  ),
)

/* scenes and states */

attack('100,000 open brackets', 'refused', () => scene('['.repeat(100_000)))
attack('50,000 unknown keys', 'refused', () => scene(`{"bodies": [], ${repeat(50_000, (k) => `"k${k}": 1,`)} "z": 1}`))
attack('50,000 keys given twice', 'refused', () => scene(`{${'"bodies": [],'.repeat(50_000)} "bodies": []}`))
attack('20,000 bodies with an unknown key', 'refused', () =>
  scene({ bodies: Array.from({ length: 20_000 }, (_, k) => ({ name: `b${k}`, mas: 1 })) }),
)
attack('a key of a megabyte around 20,000 objects', 'refused', () =>
  scene({ bodies: [], ['k'.repeat(1_000_000)]: Array.from({ length: 20_000 }, () => ({})) }),
)
attack('a million objects', 'refused', () => scene(`{"bodies": [${'{},'.repeat(1_000_000)}{}]}`))
attack('ten million numbers', 'refused', () => scene(`{"bodies": [${'0,'.repeat(10_000_000)}0]}`))
attack('a million elements', 'refused', () => mjcf('<a/>'.repeat(1_000_000)))
attack('50,000 syntax errors', 'refused', () => scene(`{${'"a" 1 '.repeat(50_000)}}`))
attack('5,000 unknown parents among 5,000 bodies', 'refused', () =>
  build(scene({ bodies: Array.from({ length: 5000 }, (_, k) => ({ name: `body-number-${k}`, parent: `body-numbre-${k}` })) })),
)
attack('5,000 constraints on unknown bodies', 'refused', () =>
  build(
    scene({
      bodies: Array.from({ length: 5000 }, (_, k) => ({
        name: `body-number-${k}`,
        inertia: { mass: 1 },
        joints: [{ name: `j${k}`, type: 'free' }],
      })),
      constraints: Array.from({ length: 5000 }, (_, k) => ({ type: 'weld', bodyA: `body-numbre-${k}`, bodyB: `body-numbr-${k}` })),
    }),
  ),
)
attack('names of 100,000 letters that nothing is called', 'refused', () =>
  build(
    scene({
      bodies: Array.from({ length: 50 }, (_, k) => ({ name: `${'n'.repeat(20_000)}${k}`, parent: `${'n'.repeat(20_000)}x${k}` })),
    }),
  ),
)
attack('duplicate names of 20,000 bodies', 'refused', () => build(scene({ bodies: Array.from({ length: 20_000 }, () => ({ name: 'b' })) })))
attack('bodies that hang on each other in a circle', 'refused', () =>
  build(scene({ bodies: Array.from({ length: 20_000 }, (_, k) => ({ name: `b${k}`, parent: `b${(k + 1) % 20_000}` })) })),
)
attack('a chain of 20,000 bodies', 'read', () =>
  build(scene({ bodies: Array.from({ length: 20_000 }, (_, k) => ({ name: `b${k}`, ...(k ? { parent: `b${k - 1}` } : {}) })) })),
)
attack('bodies named as what every object has', 'read', () =>
  build(scene({ bodies: ['constructor', 'toString', '__proto__', 'hasOwnProperty'].map((name) => ({ name, inertia: { mass: 1 } })) })),
)
attack('the key __proto__', 'refused', () => scene('{"bodies": [], "__proto__": {"polluted": true}}'))
attack('a mesh with faces out of range', 'refused', () =>
  build(
    scene({
      ...pendulum,
      meshes: [{ name: 'm', vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], faces: [0, 1, 99, -1, 2, 0] }],
    }),
  ),
)
attack('a height field whose rows lie', 'refused', () =>
  build(scene({ ...pendulum, world: { geoms: [{ shape: 'heightfield', size: [1, 1], rows: 1e9, columns: 1e9, heights: [0] }] } })),
)
attack('a domain of noise', 'refused', () => scene({ bodies: [], domains: [{ name: 'd', data: noise(3000).toString('base64') }] }))
attack('a state with 50,000 unknown keys', 'refused', () =>
  parseState(`{${repeat(50_000, (k) => `"k${k}": 1,`)} "q": [0]}`, build(pendulum)),
)
attack('a state with a list of a million', 'refused', () => parseState(`{"q": [${'0,'.repeat(1_000_000)}0]}`, build(pendulum)))
attack('a state with 100,000 wrong entries', 'refused', () => parseState(`{"q": [${'null,'.repeat(100_000)}0]}`, build(pendulum)))

/* meshes */

const plyOf = (head, body = '') => `ply\nformat ascii 1.0\n${head}end_header\n${body}`
for (const word of ['toString', 'constructor', '__proto__', 'hasOwnProperty']) {
  attack(`PLY with a property of type ${word}`, 'refused', () =>
    parseMesh(plyOf(`element vertex 3\nproperty ${word} x\nproperty float y\nproperty float z\n`, '0 0 0\n1 0 0\n0 1 0\n'), 'a.ply'),
  )
  attack(`PLY, binary, with lists of ${word}`, 'refused', () =>
    parseMesh(
      bytes(
        plyOf(`element vertex 3\nproperty float x\nproperty float y\nproperty list ${word} ${word} z\n`).replace(
          'ascii',
          'binary_little_endian',
        ) + ' '.repeat(500),
      ),
      'a.ply',
    ),
  )
  attack(`PLY with an element ${word}`, 'either', () =>
    parseMesh(
      plyOf(
        `element ${word} 1\nproperty float ${word}\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n`,
        '1\n0 0 0\n1 0 0\n0 1 0\n',
      ),
      'a.ply',
    ),
  )
}
attack('PLY that states 10¹⁵ vertices', 'refused', () =>
  parseMesh(plyOf('element vertex 1000000000000000\nproperty float x\nproperty float y\nproperty float z\n', '0 0 0\n'), 'a.ply'),
)
attack('PLY that states 10¹⁵ rows of nothing', 'either', () =>
  parseMesh(
    plyOf(
      'element nothing 1000000000000000\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n',
      '0 0 0\n1 0 0\n0 1 0\n',
    ),
    'a.ply',
  ),
)
attack('PLY with a list of 4 billion entries', 'refused', () => {
  const head = bytes(
    plyOf('element vertex 0\nproperty float x\nelement face 1\nproperty list uint uchar vertex_indices\n').replace(
      'ascii',
      'binary_little_endian',
    ),
  )
  return parseMesh(new Uint8Array([...head, 255, 255, 255, 255, 0, 0]), 'a.ply')
})
attack('PLY with a million faces of nothing', 'either', () =>
  parseMesh(
    plyOf(
      'element vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 300000\nproperty list uchar int vertex_indices\n',
      `0 0 0\n1 0 0\n0 1 0\n${'0\n'.repeat(300_000)}`,
    ),
    'a.ply',
  ),
)
attack('PLY with 10,000 properties', 'either', () =>
  parseMesh(plyOf(`element vertex 100000\n${repeat(900, (k) => `property uchar p${k}\n`)}`, '1 '.repeat(1000)), 'a.ply'),
)
attack('OBJ with a million continued lines', 'either', () => parseMesh(`v 0 0 0\n${'f \\\n'.repeat(1_000_000)}`, 'a.obj'))
attack('OBJ with a polygon of a million corners', 'either', () =>
  parseMesh(`v 0 0 0\nv 1 0 0\nv 0 1 0\nf ${'1 2 3 '.repeat(300_000)}\n`, 'a.obj'),
)
attack('OBJ with 20 polygons of 5,000 corners on top of one another', 'either', () =>
  parseMesh(
    `${repeat(5000, (k) => `v ${(k * 7919) % 5003} ${(k * 104729) % 5011} 0\n`)}${`f ${repeat(5000, (k) => `${k + 1} `)}\n`.repeat(20)}`,
    'a.obj',
  ),
)
attack('OBJ with 300,000 kinds of lines', 'either', () => parseMesh(`v 0 0 0\n${repeat(300_000, (k) => `x${k} 1\n`)}`, 'a.obj'))
attack('OBJ whose faces are out of range', 'refused', () => parseMesh('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4000000000\n', 'a.obj'))
attack('STL whose header states 4 billion triangles', 'refused', () => parseMesh(new Uint8Array(84).fill(255), 'a.stl'))
attack('STL whose vertices all fall on one place of a table', 'either', () => {
  // the table hashes x, y, z by odd factors: solve for z
  const odd = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35]
  let inverse = odd[2]
  for (let k = 0; k < 5; k++) inverse = Math.imul(inverse, 2 - Math.imul(odd[2], inverse))
  const count = 60_000
  const view = new DataView(new ArrayBuffer(84 + 50 * count))
  view.setUint32(80, count, true)
  for (let k = 0, x = 0x3f800000; k < 3 * count; x++) {
    const z = Math.imul(inverse, Math.imul(x, odd[0]) ^ Math.imul(0x3f800000, odd[1]) ^ 0)
    const value = new Float32Array(Int32Array.of(z).buffer)[0]
    if (!(Math.abs(value) < 2 ** 30)) continue
    const o = 84 + 50 * Math.floor(k / 3) + 12 + 12 * (k % 3)
    view.setInt32(o, x, true)
    view.setInt32(o + 4, 0x3f800000, true)
    view.setInt32(o + 8, z, true)
    k++
  }
  return parseMesh(new Uint8Array(view.buffer), 'a.stl')
})
attack('STL of a million words on one line', 'either', () => parseMesh(`solid x ${'vertex '.repeat(1_000_000)}\n`, 'a.stl'))
attack('MSH whose counts lie', 'refused', () => {
  const view = new DataView(new ArrayBuffer(64))
  view.setInt32(0, 2_000_000_000, true)
  view.setInt32(12, 2_000_000_000, true)
  return parseMesh(new Uint8Array(view.buffer), 'a.msh')
})
const collada = (geometry, nodes, rest = '') =>
  `<COLLADA><library_geometries>${geometry}</library_geometries>${rest}<library_visual_scenes><visual_scene id="s">${nodes}</visual_scene></library_visual_scenes></COLLADA>`
const geometryOf = (p, extra = '') =>
  `<geometry id="g"><mesh><source id="p"><float_array id="a">0 0 0 1 0 0 0 1 0 0 0 1</float_array></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>${extra}<triangles><input semantic="VERTEX" source="#v" offset="0"/><p>${p}</p></triangles></mesh></geometry>`
attack('Collada instances that double at each of 60 levels', 'refused', () =>
  parseMesh(
    collada(
      geometryOf('0 1 2'),
      `<node>${'<instance_node url="#n0"/>'.repeat(2)}</node>`,
      `<library_nodes>${repeat(60, (k) => `<node id="n${k}">${`<instance_node url="#n${k + 1}"/>`.repeat(2)}</node>`)}<node id="n60"><instance_geometry url="#g"/></node></library_nodes>`,
    ),
    'a.dae',
  ),
)
attack('Collada instances of nothing that double at each of 60 levels', 'refused', () =>
  parseMesh(
    collada(
      geometryOf('0 1 2'),
      `<node>${'<instance_node url="#n0"/>'.repeat(2)}</node>`,
      `<library_nodes>${repeat(60, (k) => `<node id="n${k}">${`<instance_node url="#n${k + 1}"/>`.repeat(2)}</node>`)}<node id="n60"/></library_nodes>`,
    ),
    'a.dae',
  ),
)
attack('Collada node that is in itself', 'refused', () =>
  parseMesh(collada(geometryOf('0 1 2'), '<node id="n"><instance_node url="#n"/><instance_geometry url="#g"/></node>'), 'a.dae'),
)
attack('Collada: 50,000 instances of 50,000 triangles', 'refused', () =>
  parseMesh(collada(geometryOf('0 1 2 '.repeat(50_000)), `<node>${'<instance_geometry url="#g"/>'.repeat(50_000)}</node>`), 'a.dae'),
)
attack('Collada: 3,000 instances of a node with 3,000 turns', 'refused', () =>
  parseMesh(
    collada(
      geometryOf('0 1 2'),
      `<node>${'<instance_node url="#n"/>'.repeat(9000)}</node>`,
      `<library_nodes><node id="n">${'<rotate>0 0 1 1</rotate>'.repeat(9000)}</node></library_nodes>`,
    ),
    'a.dae',
  ),
)
attack('Collada: 5,000 lists of indices for one list of counts', 'either', () =>
  parseMesh(
    collada(
      geometryOf(
        '0 1 2',
        `<polylist><input semantic="VERTEX" source="#v" offset="0"/><vcount>${'0 '.repeat(20_000)}</vcount>${'<p/>'.repeat(20_000)}</polylist>`,
      ),
      '<node><instance_geometry url="#g"/></node>',
    ),
    'a.dae',
  ),
)
attack('Collada: 200,000 inputs', 'either', () =>
  parseMesh(
    collada(
      geometryOf('0 1 2').replace('<p>', `${'<input offset="0"/>'.repeat(200_000)}<p>`),
      '<node><instance_geometry url="#g"/></node>',
    ),
    'a.dae',
  ),
)
attack('Collada: 5,000 geometries of one large list', 'refused', () => {
  const one = (k) =>
    `<geometry id="g${k}"><mesh><source id="p${k}"><technique_common><accessor source="#big" stride="3"/></technique_common></source><vertices><input semantic="POSITION" source="#p${k}"/></vertices><triangles><input semantic="VERTEX" offset="0"/><p>0 1 2</p></triangles></mesh></geometry>`
  return parseMesh(
    collada(
      `<x><float_array id="big">${'1 2 3 '.repeat(50_000)}</float_array></x>${repeat(5000, one)}`,
      `<node>${repeat(5000, (k) => `<instance_geometry url="#g${k}"/>`)}</node>`,
    ),
    'a.dae',
  )
})
attack('Collada: an accessor with a broken offset', 'refused', () =>
  parseMesh(
    collada(
      geometryOf('0 1 2').replace(
        '</float_array>',
        '</float_array><technique_common><accessor source="#a" stride="3" offset="0.5"/></technique_common>',
      ),
      '<node><instance_geometry url="#g"/></node>',
    ),
    'a.dae',
  ),
)

/* volumes and reduced domains */

attack('Gmsh that ends behind its format', 'refused', () => parseVolumeMesh('$MeshFormat\n4.1 1 8\n', 'a.msh'))
attack('Gmsh that states 10¹⁵ blocks', 'refused', () =>
  parseVolumeMesh('$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1000000000000000 1000000000000000 1 1\n', 'a.msh'),
)
attack('Gmsh whose block states 10¹⁵ nodes', 'refused', () =>
  parseVolumeMesh('$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 1000000000000000 1 1\n3 1 0 1000000000000000\n1\n', 'a.msh'),
)
attack('Gmsh with tags named as what every object has', 'refused', () =>
  parseVolumeMesh(
    '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 constructor 0 1\n$EndElements\n',
    'a.msh',
  ),
)
attack('Gmsh of 100,000 empty sections', 'either', () =>
  parseVolumeMesh(`$MeshFormat\n2.2 0 8\n$EndMeshFormat\n${'$A\n$EndA\n'.repeat(100_000)}`, 'a.msh'),
)
attack('TetGen that states 10¹⁵ vertices', 'refused', () =>
  parseVolumeMesh('1000000000000000 3\n', 'a.node', { resolve: () => '1 4\n1 1 2 3 4\n' }),
)
attack('Vega of 200,000 sections', 'either', () => parseVolumeMesh('*SET x\n'.repeat(200_000), 'a.veg'))
attack('voxels of a surface, a million along its side', 'refused', () =>
  parseVolumeMesh('v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n', 'a.obj', { voxels: 1_000_000 }),
)

/** A reduced file with a true checksum and this heading. */
function reducedFile(heading, arrays = 0) {
  const text = bytes(typeof heading === 'string' ? heading : JSON.stringify(heading))
  const begin = 24 + Math.ceil(text.length / 8) * 8
  const out = new Uint8Array(begin + arrays)
  out.set(bytes('limber-r'))
  out.fill(32, 24, begin)
  out.set(text, 24)
  const view = new DataView(out.buffer)
  view.setUint32(8, 1, true)
  view.setUint32(12, out.length, true)
  view.setUint32(20, begin - 24, true)
  let hash = 0x811c9dc5
  for (const byte of out.subarray(20)) hash = Math.imul(hash ^ byte, 0x01000193)
  view.setUint32(16, hash >>> 0, true)
  return out
}
const counts = { vertices: 0, masses: 0, shapes: 0, energy2: 0, energy3: 0, energy4: 0, frequencies: 0, elements: 0, surface: 0 }
const material = { density: 1, young: 1, poisson: 0 }
const heading = { modes: 0, corners: 4, clamped: true, material, interfaces: [], counts }
attack('a reduced domain whose counts ask for 8 GB', 'refused', () =>
  readReduced(reducedFile({ ...heading, counts: { ...counts, vertices: 1e9 } }), 'a.reduced'),
)
attack('a reduced domain whose counts are negative', 'refused', () =>
  readReduced(reducedFile({ ...heading, counts: { ...counts, masses: -5 } }), 'a.reduced'),
)
attack('a reduced domain whose counts are words', 'refused', () =>
  readReduced(reducedFile({ ...heading, counts: { ...counts, masses: 'many' } }), 'a.reduced'),
)
attack('a reduced domain without counts', 'refused', () => readReduced(reducedFile({ modes: 3 }), 'a.reduced'))
attack('a reduced domain whose heading is no JSON', 'refused', () => readReduced(reducedFile('{nothing'), 'a.reduced'))
attack('a reduced domain whose heading is null', 'refused', () => readReduced(reducedFile('null'), 'a.reduced'))
attack('a reduced domain of 10¹⁵ modes', 'refused', () => readReduced(reducedFile({ ...heading, modes: 1e15 }), 'a.reduced'))
attack('a reduced domain with an interface of a billion vertices', 'refused', () =>
  readReduced(reducedFile({ ...heading, interfaces: [{ name: 'i', count: 1e9 }] }), 'a.reduced'),
)

attacks.push(...trajectoryAttacks)
