/**
 * What the models of this folder must use between them, as `element`, `element@attribute` or `element@attribute=value`.
 * An attribute with a capital placeholder value stands for any value. Elements under `default` count like the others.
 */
export const MJCF_FEATURES: readonly string[] = [
  // defaults
  ...['default', 'default@class', 'body@childclass', 'frame@childclass', 'geom@class', 'joint@class', 'mesh@class'],
  // compiler
  ...['angle=degree', 'angle=radian', 'coordinate=local', 'eulerseq=XZY', 'eulerseq=zXz', 'autolimits=true', 'autolimits=false'].map(
    (c) => `compiler@${c}`,
  ),
  ...['inertiafromgeom=true', 'inertiafromgeom=false', 'inertiafromgeom=auto', 'inertiagrouprange', 'balanceinertia=true'].map(
    (c) => `compiler@${c}`,
  ),
  ...['boundmass', 'boundinertia', 'settotalmass', 'strippath=true', 'strippath=false', 'meshdir', 'texturedir', 'assetdir'].map(
    (c) => `compiler@${c}`,
  ),
  ...['fusestatic=true', 'discardvisual=true', 'fitaabb=true', 'alignfree=true', 'usethread', 'saveinertial'].map((c) => `compiler@${c}`),
  'lengthrange',
  // structure
  ...[
    'include',
    'frame',
    'replicate',
    'replicate@offset',
    'replicate@euler',
    'replicate@sep',
    'attach',
    'model',
    'site',
    'body@mocap=true',
  ],
  ...['statistic', 'visual', 'size', 'custom', 'light', 'camera', 'sensor', 'contact', 'exclude'],
  // joints
  ...[
    'freejoint',
    'freejoint@align=true',
    'freejoint@align=false',
    'joint@type=free',
    'joint@type=ball',
    'joint@type=hinge',
    'joint@type=slide',
  ],
  ...['axis', 'pos', 'ref', 'springref', 'stiffness', 'damping', 'armature', 'springdamper', 'range', 'limited', 'frictionloss'].map(
    (a) => `joint@${a}`,
  ),
  ...['actuatorfrcrange', 'actuatorgravcomp', 'solreflimit', 'solimplimit', 'margin'].map((a) => `joint@${a}`),
  // geoms and inertia
  ...['plane', 'hfield', 'sphere', 'capsule', 'cylinder', 'ellipsoid', 'box', 'mesh'].map((type) => `geom@type=${type}`),
  ...['density', 'mass', 'fromto', 'shellinertia=true', 'shellinertia=false', 'group', 'fitscale', 'mesh', 'contype', 'conaffinity'].map(
    (a) => `geom@${a}`,
  ),
  ...['pos', 'quat', 'euler', 'axisangle', 'xyaxes', 'zaxis'].map((a) => `geom@${a}`),
  ...['pos', 'quat', 'euler', 'axisangle', 'xyaxes', 'zaxis', 'gravcomp'].map((a) => `body@${a}`),
  ...['pos', 'quat', 'euler', 'zaxis'].map((a) => `frame@${a}`),
  ...['mass', 'pos', 'diaginertia', 'fullinertia', 'quat', 'euler', 'axisangle', 'xyaxes'].map((a) => `inertial@${a}`),
  // meshes
  ...['file', 'vertex', 'face', 'scale', 'refpos', 'refquat'].map((a) => `mesh@${a}`),
  ...['exact', 'legacy', 'convex', 'shell'].map((mode) => `mesh@inertia=${mode}`),
  ...['hfield@elevation', 'material', 'texture'],
  // world
  ...['gravity', 'density', 'viscosity', 'wind', 'timestep', 'integrator'].map((a) => `option@${a}`),
  ...['gravity', 'spring', 'damper', 'contact', 'constraint'].map((a) => `flag@${a}=disable`),
  // tendons
  ...['spatial', 'fixed', 'pulley', 'pulley@divisor', 'site@site', 'geom@geom', 'joint@coef'],
  ...['stiffness', 'damping', 'springlength', 'armature', 'limited', 'range', 'frictionloss'].map((a) => `spatial@${a}`),
  ...['stiffness', 'damping', 'springlength', 'armature'].map((a) => `fixed@${a}`),
  'tendon@stiffness',
  // constraints and actuators
  ...['connect@body1', 'connect@site1', 'weld@relpose', 'weld', 'joint@joint1', 'joint@polycoef', 'tendon@tendon1', 'connect@active=false'],
  ...[
    'motor@joint',
    'motor@tendon',
    'motor@site',
    'motor@gear',
    'position@kp',
    'position@kv',
    'velocity@kv',
    'general@gainprm',
    'general@biasprm',
  ],
  ...[
    'general@biastype=affine',
    'general@gaintype=fixed',
    'general@dyntype=filter',
    'general@forcerange',
    'intvelocity',
    'damper',
    'general@site',
  ],
  ...['key@qpos', 'key@qvel', 'key@act', 'key@ctrl', 'key@time', 'key@mpos', 'key@mquat'],
  ...['geom@fluidshape=ellipsoid', 'geom@fluidcoef'],
  // outside of the engine's scope: must be reported
  ...['flexcomp', 'composite', 'motor@armature', 'motor@damping'],
]

export const URDF_FEATURES: readonly string[] = [
  ...['revolute', 'continuous', 'prismatic', 'fixed', 'floating'].map((type) => `joint@type=${type}`),
  ...[
    'mimic',
    'mimic@multiplier',
    'mimic@offset',
    'limit@lower',
    'limit@effort',
    'limit@velocity',
    'dynamics@damping',
    'dynamics@friction',
  ],
  ...[
    'origin@xyz',
    'origin@rpy',
    'axis@xyz',
    'inertia@ixy',
    'mass@value',
    'mesh@filename',
    'mesh@scale',
    'box@size',
    'cylinder@radius',
    'sphere@radius',
  ],
  ...['visual', 'collision', 'material', 'transmission', 'compiler@fusestatic'],
]

/** Every element, element@attribute and element@attribute=value of an XML text. Comments do not count. */
export function featuresOf(text: string): Set<string> {
  const found = new Set<string>()
  for (const [, element, attributes] of text.replaceAll(/<!--.*?-->/gs, '').matchAll(/<([\w-]+)((?:\s+[\w-]+\s*=\s*"[^"]*")*)\s*\/?>/g)) {
    found.add(element)
    for (const [, attribute, value] of attributes.matchAll(/([\w-]+)\s*=\s*"([^"]*)"/g)) {
      found.add(`${element}@${attribute}`)
      found.add(`${element}@${attribute}=${value}`)
    }
  }
  return found
}
