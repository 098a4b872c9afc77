/**
 * The test scenes that the authors of RedMax publish with their Matlab code (github.com/sueda/redmax, folder `matlab`,
 * `testRedMaxScenes.m`), as Specs with the final energies they state for their linearly implicit Euler step.
 *
 * Conventions there, kept here:
 * - centimetres, grams and seconds: density 1, gravity 980 along −z unless stated. Numbers are used as they are.
 * - nothing touches; cuboids on joint frames; our body frame is their joint frame, so that points given from the cuboid's centre are shifted.
 * - h = 0.01, 2 s unless stated; t = 0, h, 2h … end. Whatever depends on time is taken at the end of the step.
 * - energy H = T(end) + V(end) − V(start); V counts gravity and springs in joints and between bodies, never loads. Theirs pass within 0.01.
 * - one step: (M + h D − h² K) v⁺ = M v + h (f − C), q⁺ = q + h v⁺, everything at the start of the step. Dampers only in D.
 * - a closure is two rows across the hinge axis: G v⁺ = −β g with β = 5/s, g the gap at the start of the step; couplings likewise.
 * - a joint limit acts only once it is passed: v⁺ ≥ β (lower − q) below, but v⁺ ≤ β (q − upper) above. The latter has the wrong sign
 *   (it lets the joint run on); it is part of the published number.
 * - a prescribed joint has v⁺ = q̇*(t⁺) + β (q*(t⁺) − q).
 * - planar and translational joints have no turn: prismatic joints in sequence. The free joint slides in the world, then turns.
 * - the spring of scene 24 is stated by strain: tension k (l − L)/L − (d/L) l̇, whose rate term has the wrong sign: together with
 *   the implicit D it only adds inertia. Its energy is ½ k ((l − L)/L)². Both are part of the published number.
 */
import {
  beam,
  chain,
  down,
  fourBar,
  fourBarEnd,
  half,
  link,
  logistic,
  pin,
  post,
  quarter,
  type RedmaxScene,
  revolute,
  scene,
  slides,
  strainSpring,
  torques,
  weightless,
  y,
} from './redmax-parts.js'

export type { RedmaxScene }

export const redmaxScenes: readonly RedmaxScene[] = [
  scene({
    id: -1,
    name: 'short serial chain',
    bodies: chain([2 * quarter, quarter]),
    energy: -3697.4545694454454861,
    converged: -5.6531026765951538,
  }),
  scene({
    id: 0,
    name: 'serial chain with fixed joints',
    bodies: chain([quarter, 0, quarter, 0, quarter], (k) => (k % 2 === 1 ? { joints: [] } : {})),
    energy: -5930.8171118834870867,
    converged: -3.0971281068341341,
  }),
  scene({
    id: 1,
    name: 'different revolute axes',
    bodies: chain([0, 2 * quarter, 2 * quarter], (k) => ({
      joints: [revolute(`j${k + 1}`, k === 1 ? y : [0, 0, 1], k === 0 ? 0 : 2 * quarter)],
    })),
    energy: -9423.2594023734018265,
    converged: -1.954884152683007,
  }),
  scene({
    id: 2,
    name: 'branching',
    bodies: [
      link('b1', 'world', [0, 0, 15], [revolute('j1', [1, 0, 0])], post, down),
      link('b2', 'b1', [0, 0, -10], [revolute('j2', [0, 0, 1])], [1, 20, 1], [0, 0, 0]),
      link('b3', 'b2', [0, -10, 0], [revolute('j3', [1, 0, 0], quarter)], post, down),
      link('b4', 'b2', [0, 10, 0], [revolute('j4', y, quarter)], post, down),
    ],
    energy: -1123.982536249104669,
    converged: -3.2850447782984702,
  }),
  scene({
    id: 4,
    name: 'loop',
    bodies: [
      link('b2', 'world', [-10, 0, 0], [revolute('j2', y)], post, down),
      link('b3', 'world', [10, 0, 0], [revolute('j3', y)], post, down),
      link('b4', 'b2', [0, 0, -10], [revolute('j4', y)], beam, [10, 0, 0]),
      link('b5', 'b4', [10, 0, 0], [revolute('j5', y)], post, down),
    ],
    parts: { constraints: [pin('b3', [0, 0, -10], 'b4', [20, 0, 0])] },
    v: [0, 0, 0, 5],
    energy: 3987.2011847696289806,
    converged: 4176.399350242507353,
  }),
  scene({
    id: 5,
    name: 'joint torque',
    bodies: chain([0, 0, 0]),
    parts: weightless,
    h: 5e-2,
    duration: 10,
    torque: torques,
    energy: 170.5971183034905607,
    converged: 160.820781710469,
  }),
  scene({
    id: 6,
    name: 'joint limits',
    bodies: chain([0, 0], (k) => (k === 1 ? { joints: [{ ...revolute('j2', y), limits: [-quarter, quarter] }] } : {})),
    quirk: 'limit',
    energy: 36957.4447830002754927,
  }),
  scene({
    id: 7,
    name: 'coupled angles',
    bodies: chain([0, 0, 0]),
    parts: { constraints: [half('j2', 'j1'), half('j3', 'j2')] },
    h: 2e-2,
    energy: 42645.1541420989669859,
    converged: -229.7121593945485,
  }),
  scene({
    id: 8,
    name: 'coupled angles and a loop',
    bodies: [
      link('b2', 'world', [5, 0, 0], [revolute('j2', y)], post, down),
      link('b3', 'b2', [0, 0, -10], [revolute('j3', y)], post, down),
      link('b4', 'b3', [0, 0, -10], [revolute('j4', y)], [10, 1, 1], [-5, 0, 0]),
      link('b5', 'b4', [-10, 0, 0], [revolute('j5', y)], post, [0, 0, 5]),
      link('b6', 'b5', [0, 0, 10], [revolute('j6', y)], post, [0, 0, 5]),
      link('b7', 'b4', [-5, 0, 0], [revolute('j7', y)], post, down),
    ],
    parts: { constraints: [pin('b6', [0, 0, 10], 'world', [-5, 0, 0]), half('j6', 'j3')] },
    h: 2e-2,
    v: [0, 0, 0, 0, 0, 10],
    energy: 14677.4348748325592169,
    converged: 16707.8585386558261,
  }),
  scene({
    id: 9,
    name: 'hybrid dynamics',
    bodies: chain([0, 0, 0]),
    parts: { ...weightless, constraints: [{ type: 'motion', joint: 'j1', rise: { size: 1.5 * Math.PI, duration: 7, steepness: 7 } }] },
    h: 2e-2,
    duration: 10,
    prescribed: logistic,
    energy: 199570.9300431804149412,
    converged: 29802.0819629936,
  }),
  scene({
    id: 10,
    name: 'external force and body damping',
    bodies: chain([0, 0, 0], () => ({ damping: { angular: 10, linear: 10 } })),
    parts: { ...weightless, loads: [{ body: 'b3', point: [10, 0, 0], force: [0, 0, 1000] }] },
    energy: 1088.3425711375120954,
    converged: 1210.7099042740403547,
  }),
  scene({
    id: 11,
    name: 'joint stiffness and damping',
    bodies: chain([0, 0, 0], (k) => ({ joints: [{ ...revolute(`j${k + 1}`, y), stiffness: 1e4, damping: 1e3 }] })),
    parts: weightless,
    h: 2e-2,
    duration: 5,
    v: [1, 0, 0],
    energy: 2659.7218894234238178,
    converged: 2898.56113448227,
  }),
  scene({
    id: 14,
    name: 'universal joint',
    bodies: [0, 1, 2].map((k) =>
      link(
        `b${k + 1}`,
        k === 0 ? 'world' : `b${k}`,
        [0, 0, k === 0 ? 0 : -10],
        [{ name: `j${k + 1}`, type: 'universal', axis: [1, 0, 0], axis2: y, initial: k % 2 === 0 ? [quarter / 2, 0] : [0, quarter / 2] }],
        post,
        down,
      ),
    ),
    energy: 9679.3365423127470422,
    converged: -0.8577782794236555,
  }),
  scene({
    id: 15,
    name: 'prismatic joint in a loop',
    bodies: [
      link('b2', 'world', [-11, 0, 0], [revolute('j2', y)], post, down),
      link('b3', 'b2', [0, 0, -10], [{ name: 'j3', type: 'prismatic', axis: [1, 0, 0] }], [22, 1, 1], [11, 0, 0]),
      link('b4', 'b3', [22, 0, 0], [revolute('j4', y)], post, [0, 0, 5]),
      link('b5', 'b3', [11, 0, 0], [revolute('j5', y, 3 * quarter)], post, down),
    ],
    parts: { constraints: [pin('b4', [0, 0, 10], 'world', [11, 0, 0])] },
    energy: -17427.8561972516035894,
    converged: 2.5092171060550754,
  }),
  scene({
    id: 16,
    name: 'planar joint',
    bodies: [
      link('b1', 'world', [0, 0, 0], slides('xy'), [10, 10, 1], [0, 0, 0]),
      link('b2', 'b1', [-5, 0, 0], [revolute('j2', y, 2 * quarter)], post, down),
      link('b3', 'b1', [0, -5, 0], [revolute('j3', [1, 0, 0], quarter)], post, down),
    ],
    energy: 1027.3404900101377279,
    converged: -5.764427089408855,
  }),
  scene({
    id: 17,
    name: 'translational joint',
    bodies: [
      link('b1', 'world', [0, 0, 0], slides('xyz'), [10, 10, 1], [0, 0, 0]),
      link('b2', 'b1', [-5, 0, 0], [revolute('j2', y)], post, down),
      link('b3', 'b1', [0, -5, 0], [revolute('j3', [1, 0, 0])], post, down),
    ],
    parts: weightless,
    v: [0, 0, 0, 2, 1],
    energy: 836.2350063173605577,
    converged: 835.418079875333,
  }),
  scene({
    id: 18,
    name: 'free joint',
    bodies: [link('b1', 'world', [0, 0, 0], [...slides('xyz'), { name: 'ball', type: 'spherical' }], [1, 1, 1], [0, 0, 0])],
    parts: { gravity: [0, 0, -1] },
    duration: 7,
    v: [0, 0, 3, 0.2, 0.4, 0.6],
    energy: 4.5116666666668817,
    converged: 4.5466342688068924,
  }),
  scene({
    id: 19,
    name: 'composite joint',
    bodies: [
      link('b1', 'world', [0, 0, 0], [revolute('j1', [1, 0, 0], 0.1), { name: 'j2', type: 'prismatic', axis: [1, 0, 0] }], post, [0, 0, 5]),
    ],
    h: 2e-2,
    v: [0, 1],
    energy: 918.5086593280602756,
    converged: -8.796282514291761,
  }),
  scene({
    id: 23,
    name: 'point-to-point springs',
    bodies: chain([2 * quarter, quarter / 4, quarter / 4, quarter / 4]),
    parts: {
      springs: [1, 2, 3].map((k) => ({
        a: { body: `b${k}`, point: [4, 0, 0] },
        b: { body: `b${k + 1}`, point: [10, 0, 0] },
        stiffness: 100,
        rest: 0,
      })),
    },
    energy: 2125.1442936080966319,
    converged: -0.2671194856266084,
  }),
  scene({
    id: 24,
    name: 'damped spring',
    bodies: chain([0, 2 * quarter, -2 * quarter], (k) => (k === 0 ? { joints: [] } : {})),
    parts: { springs: [strainSpring()] },
    quirk: 'damper',
    energy: -18398.2926338097677217,
  }),
  scene({
    id: 25,
    name: 'composite body',
    bodies: [
      {
        name: 'b1',
        joints: [revolute('j1', y)],
        geoms: [
          { shape: 'box', size: post, position: down, density: 1, collide: false },
          {
            shape: 'cylinder',
            radius: 1,
            length: 10,
            position: [5, 0, -10],
            quaternion: [Math.SQRT1_2, 0, Math.SQRT1_2, 0],
            density: 1,
            collide: false,
          },
        ],
      },
    ],
    energy: 1261.6057602036726166,
    converged: -11.2086902930313954,
  }),
  scene({
    id: 26,
    name: 'two cuboids off their axes',
    bodies: [
      link('b1', 'world', [0, 0, 0], [revolute('j1', y)], [1, 2, 3], [0.5, 0, -1.5]),
      link('b2', 'b1', [0, 0, -3], [revolute('j2', y)], [1, 2, 3], [0.5, 0, -1.5]),
    ],
    duration: 1,
    energy: 59.8820887155682158,
    converged: -0.0441469434412625,
  }),
  scene({
    id: 32,
    name: 'driven four-bar linkage',
    bodies: fourBar(),
    parts: {
      constraints: [pin('b4', fourBarEnd(), 'b1', [5, 0, 0]), { type: 'motion', joint: 'j2', speed: 4 * Math.PI, follow: 'speed' }],
    },
    h: 5e-3,
    duration: 1,
    stabilisation: 20,
    energy: 4641.9162041538456833,
  }),
  scene({
    id: 35,
    name: 'free joint in a plane',
    bodies: [
      link('b1', 'world', [0, 0, 0], [{ name: 'j1', type: 'planar', axis: [1, 0, 0], axis2: y }], [10, 1, 1], [0, 0, 0]),
      link('b2', 'b1', [5, 0, 0], [revolute('j2', [0, 0, 1])], [10, 1, 1], [5, 0, 0]),
    ],
    parts: { gravity: [0, -1, 0] },
    duration: 10,
    v: [0, 0, 1, -1],
    energy: 166.9232451756938644,
    converged: 167.083524564331924,
  }),
]
