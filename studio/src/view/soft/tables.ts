/**
 * Numbers of skins as textures of four floats a texel, and the shader text that reads them: the graphics card adds Σ U_l q_l to every vertex of
 * every instance, so that only the coordinates q travel there for each picture.
 */
import type { Skin } from 'limber'

/** texels in a row: every WebGL 2 has at least twice as many */
const WIDTH = 1024

export interface Table {
  readonly width: number
  readonly height: number
  readonly data: Float32Array<ArrayBuffer>
}

export function createTable(texels: number): Table {
  const width = Math.min(WIDTH, Math.max(1, texels))
  const height = Math.max(1, Math.ceil(texels / width))
  return { width, height, data: new Float32Array(4 * width * height) }
}

export interface SkinLayout {
  readonly modes: number
  /** normals from deformed tangents; without, faces are flat and the card takes normals from neighbouring pixels */
  readonly smooth: boolean
  /** vertices of an instance that have a correction of their own, at joins */
  readonly slots: number
}

/** Texels of a vertex and mode: U_l, and t_l, u_l where surfaces are smooth. */
const rows = ({ smooth }: SkinLayout) => (smooth ? 3 : 1)
/** Texels of the coordinates of an instance. */
const quads = ({ modes }: SkinLayout) => Math.ceil(modes / 4)

/** Shapes by vertex, mode and kind. */
export function shapeTable({ positions, shapes, tangentShapes }: Skin, layout: SkinLayout): Table {
  const { modes } = layout
  const size = positions.length
  const count = size / 3
  const kinds = [shapes, ...(layout.smooth ? tangentShapes : [])]
  const table = createTable(count * modes * kinds.length)
  for (let v = 0; v < count; v++) {
    for (let l = 0; l < modes; l++) {
      kinds.forEach((kind, k) => {
        const texel = (v * modes + l) * kinds.length + k
        for (let a = 0; a < 3; a++) table.data[4 * texel + a] = kind[l * size + 3 * v + a]
      })
    }
  }
  return table
}

/** Declares `softDeform()`, which sets `softShift` and, on a smooth skin, `softNormal`. */
export function deformText(layout: SkinLayout): string {
  const { modes, smooth, slots } = layout
  const texel = (table: string, index: string) => `texelFetch(${table}, ivec2((${index}) % ${table}Width, (${index}) / ${table}Width), 0)`
  return `
uniform highp sampler2D softShapes;
uniform highp sampler2D softModes;
uniform highp sampler2D softFixes;
uniform highp int softShapesWidth;
uniform highp int softModesWidth;
uniform highp int softFixesWidth;
in vec3 softTangent;
in vec3 softBitangent;
in float softSlot;
vec3 softShift;
vec3 softNormal;
void softDeform() {
  softShift = vec3(0.0);
  vec3 t = softTangent;
  vec3 u = softBitangent;
  for (int l = 0; l < ${modes}; l++) {
    float q = ${texel('softModes', `gl_InstanceID * ${quads(layout)} + l / 4`)}[l % 4];
    int k = (gl_VertexID * ${modes} + l) * ${rows(layout)};
    softShift += q * ${texel('softShapes', 'k')}.xyz;
${smooth ? `    t += q * ${texel('softShapes', 'k + 1')}.xyz;\n    u += q * ${texel('softShapes', 'k + 2')}.xyz;` : ''}
  }
  softNormal = cross(t, u);
${slots > 0 ? `  if (softSlot >= 0.0) softShift += ${texel('softFixes', `gl_InstanceID * ${slots} + int(softSlot)`)}.xyz;` : ''}
}
`
}
