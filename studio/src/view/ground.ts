/**
 * The ground: a grid that fades with distance, and the shadows that fall on it.
 *
 * The grid is drawn by a shader on one square, because long thin lines flicker and are cut badly by some drivers.
 */
import * as THREE from 'three'

export interface Ground {
  readonly object: THREE.Group
  /** puts the ground at a height, with cells that suit the size of the mechanism above */
  place(center: THREE.Vector3, height: number, size: number): void
  /** moves with a camera that follows; the lines stay where they are */
  shift(by: THREE.Vector3): void
  setTheme(dark: boolean): void
}

const vertexShader = `
  varying vec2 at;
  void main() {
    vec4 world = modelMatrix * vec4(position, 1.0);
    at = world.xy;
    gl_Position = projectionMatrix * viewMatrix * world;
  }
`

const fragmentShader = `
  varying vec2 at;
  uniform vec2 center;
  uniform float cell;
  uniform float reach;
  uniform vec3 color;

  // coverage of the lines of a grid, one pixel wide, blurred away where cells are smaller than pixels
  float lines(float size) {
    vec2 x = at / size;
    vec2 width = fwidth(x);
    vec2 distance = abs(fract(x - 0.5) - 0.5) / max(width, vec2(1e-6));
    vec2 line = (1.0 - clamp(distance, 0.0, 1.0)) * (1.0 - smoothstep(0.2, 0.6, width));
    return max(line.x, line.y);
  }

  void main() {
    float fade = 1.0 - smoothstep(0.3, 1.0, length(at - center) / reach);
    float alpha = fade * max(0.28 * lines(cell), 0.5 * lines(5.0 * cell));
    gl_FragColor = vec4(color, alpha);
    #include <colorspace_fragment>
  }
`

export function createGround(): Ground {
  const uniforms = { center: { value: new THREE.Vector2() }, cell: { value: 1 }, reach: { value: 1 }, color: { value: new THREE.Color() } }
  const grid = new THREE.Mesh(
    new THREE.PlaneGeometry(2, 2),
    new THREE.ShaderMaterial({ uniforms, vertexShader, fragmentShader, transparent: true, depthWrite: false, side: THREE.DoubleSide }),
  )
  const shade = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), new THREE.ShadowMaterial({ opacity: 0.28, depthWrite: false }))
  shade.receiveShadow = true
  // both lie in one plane and write no depth: order decides
  shade.renderOrder = -2
  grid.renderOrder = -1
  const object = new THREE.Group()
  object.add(shade, grid)
  return {
    object,
    place(center, height, size) {
      object.position.set(center.x, center.y, height)
      object.scale.setScalar(14 * size)
      uniforms.center.value.set(center.x, center.y)
      uniforms.reach.value = 14 * size
      uniforms.cell.value = niceCell(size / 6)
    },
    shift(by) {
      object.position.x += by.x
      object.position.y += by.y
      uniforms.center.value.x += by.x
      uniforms.center.value.y += by.y
    },
    setTheme(dark) {
      uniforms.color.value.set(dark ? 0x8492ab : 0x5b6880)
      shade.material.opacity = dark ? 0.45 : 0.22
    },
  }
}

/** 1, 2 or 5 times a power of ten. */
function niceCell(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size))
  const lead = size / power
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : 5)
}
