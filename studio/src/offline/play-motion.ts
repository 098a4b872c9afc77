/**
 * The player inside an exported page. Its text is copied into the file, so it must not refer to anything outside of itself but types.
 */
import type { DrawnShapes } from '../view/view-protocol.js'

/** `lines` hold body and point of both ends. */
export interface OfflineMotion extends Pick<DrawnShapes, 'parts' | 'lines' | 'camera' | 'reach'> {
  readonly title: string
  readonly nbody: number
  readonly times: readonly number[]
  /** Float32: frames × bodies × 7 */
  readonly poses: string
  readonly forms: readonly { readonly position: string; readonly normal: string; readonly triangles: string }[]
}

export function playMotion(motion: OfflineMotion): void {
  const { times, nbody, parts, lines, reach } = motion
  const canvas = document.querySelector('canvas') as HTMLCanvasElement
  const slider = document.querySelector('input') as HTMLInputElement
  const button = document.querySelector('button') as HTMLButtonElement
  const clock = document.querySelector('output') as HTMLOutputElement
  const gl = canvas.getContext('webgl2', { antialias: true })
  if (!gl) {
    clock.textContent = 'This page needs WebGL 2.'
    return
  }
  const bytes = (text: string) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer
  const poses = new Float32Array(bytes(motion.poses))

  const shader = (type: number, source: string) => {
    const made = gl.createShader(type) as WebGLShader
    gl.shaderSource(made, source)
    gl.compileShader(made)
    return made
  }
  const program = gl.createProgram()
  gl.attachShader(
    program,
    shader(
      gl.VERTEX_SHADER,
      `#version 300 es
      uniform mat4 view; uniform mat4 place; in vec3 position; in vec3 normal; out vec3 n;
      void main() { n = mat3(place) * normal; gl_Position = view * place * vec4(position, 1.0); }`,
    ),
  )
  gl.attachShader(
    program,
    shader(
      gl.FRAGMENT_SHADER,
      `#version 300 es
      precision mediump float; uniform vec4 color; in vec3 n; out vec4 result;
      void main() {
        float l = length(n);
        float lit = l > 0.0 ? 0.45 + 0.55 * abs(dot(n / l, normalize(vec3(-0.35, -0.5, 0.8)))) : 1.0;
        result = vec4(color.rgb * lit, color.a);
      }`,
    ),
  )
  gl.linkProgram(program)
  gl.useProgram(program)
  const uniform = (name: string) => gl.getUniformLocation(program, name)
  const [viewAt, placeAt, colorAt] = [uniform('view'), uniform('place'), uniform('color')]
  const positionAt = gl.getAttribLocation(program, 'position')
  const normalAt = gl.getAttribLocation(program, 'normal')
  const buffer = (target: number, data: ArrayBuffer | Float32Array<ArrayBuffer>) => {
    const made = gl.createBuffer()
    gl.bindBuffer(target, made)
    gl.bufferData(target, data, gl.STATIC_DRAW)
    return made
  }
  const forms = motion.forms.map((form) => {
    const array = gl.createVertexArray()
    gl.bindVertexArray(array)
    buffer(gl.ARRAY_BUFFER, bytes(form.position))
    gl.enableVertexAttribArray(positionAt)
    gl.vertexAttribPointer(positionAt, 3, gl.FLOAT, false, 0, 0)
    buffer(gl.ARRAY_BUFFER, bytes(form.normal))
    gl.enableVertexAttribArray(normalAt)
    gl.vertexAttribPointer(normalAt, 3, gl.FLOAT, false, 0, 0)
    const triangles = bytes(form.triangles)
    buffer(gl.ELEMENT_ARRAY_BUFFER, triangles)
    return { array, count: triangles.byteLength / 4 }
  })
  const lineArray = gl.createVertexArray()
  gl.bindVertexArray(lineArray)
  const lineBuffer = buffer(gl.ARRAY_BUFFER, new Float32Array(6 * lines.length))
  gl.enableVertexAttribArray(positionAt)
  gl.vertexAttribPointer(positionAt, 3, gl.FLOAT, false, 0, 0)

  // camera on a sphere about its target
  const target = motion.camera.slice(3)
  const offset = [0, 1, 2].map((k) => motion.camera[k] - target[k])
  let distance = Math.hypot(...offset)
  let azimuth = Math.atan2(offset[1], offset[0])
  let height = Math.asin(offset[2] / distance)
  canvas.onpointermove = (event) => {
    if (!event.buttons) return
    azimuth -= event.movementX / 150
    height = Math.min(1.5, Math.max(-1.5, height + event.movementY / 150))
  }
  canvas.onwheel = (event) => {
    distance *= Math.exp(event.deltaY / 800)
    event.preventDefault()
  }

  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
  const multiply = (a: readonly number[], b: readonly number[]) => {
    const out = new Array<number>(16).fill(0)
    for (let c = 0; c < 4; c++) for (let r = 0; r < 4; r++) for (let k = 0; k < 4; k++) out[4 * c + r] += a[4 * k + r] * b[4 * c + k]
    return out
  }
  const view = () => {
    const back = [Math.cos(height) * Math.cos(azimuth), Math.cos(height) * Math.sin(azimuth), Math.sin(height)]
    const right = [-Math.sin(azimuth), Math.cos(azimuth), 0]
    const up = [back[1] * right[2] - back[2] * right[1], back[2] * right[0] - back[0] * right[2], back[0] * right[1] - back[1] * right[0]]
    const eye = target.map((x, k) => x + distance * back[k])
    const dot = (a: readonly number[]) => -(a[0] * eye[0] + a[1] * eye[1] + a[2] * eye[2])
    const look = [right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0, dot(right), dot(up), dot(back), 1]
    const near = distance / 100
    const far = 10 * (distance + reach)
    const f = 1 / Math.tan((20 * Math.PI) / 180)
    const aspect = canvas.width / Math.max(1, canvas.height)
    const lens = [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0]
    return multiply(lens, look)
  }
  /** matrix of a body between two frames */
  const bodyMatrix = (frame: number, next: number, part: number, body: number) => {
    const a = 7 * (frame * nbody + body)
    const b = 7 * (next * nbody + body)
    let sign = 0
    for (let k = 3; k < 7; k++) sign += poses[a + k] * poses[b + k]
    const mixed = [0, 1, 2, 3, 4, 5, 6].map((k) => poses[a + k] + part * ((k > 2 && sign < 0 ? -1 : 1) * poses[b + k] - poses[a + k]))
    const n = Math.hypot(mixed[3], mixed[4], mixed[5], mixed[6]) || 1
    const [w, x, y, z] = mixed.slice(3).map((q) => q / n)
    const first = [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), 0]
    const second = [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x), 0]
    const third = [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y), 0]
    return [...first, ...second, ...third, mixed[0], mixed[1], mixed[2], 1]
  }

  const start = times[0] ?? 0
  const end = times[times.length - 1] ?? 0
  slider.min = String(start)
  slider.max = String(end)
  let playing = true
  let t = start
  let last = performance.now()
  button.onclick = () => {
    playing = !playing
    button.textContent = playing ? 'Pause' : 'Play'
  }
  slider.oninput = () => {
    playing = false
    button.textContent = 'Play'
    t = Number(slider.value)
  }
  gl.enable(gl.DEPTH_TEST)
  gl.enable(gl.BLEND)
  gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
  gl.clearColor(0.106, 0.125, 0.16, 1)

  const draw = (now: number) => {
    requestAnimationFrame(draw)
    if (playing) t += (now - last) / 1000
    last = now
    if (t > end) t = start
    slider.value = String(t)
    clock.textContent = `${t.toFixed(2)} s`
    const width = Math.round(canvas.clientWidth * devicePixelRatio)
    const tall = Math.round(canvas.clientHeight * devicePixelRatio)
    if (canvas.width !== width || canvas.height !== tall) Object.assign(canvas, { width, height: tall })
    gl.viewport(0, 0, width, tall)
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
    let frame = 0
    let high = times.length - 1
    while (frame < high) {
      const middle = (frame + high + 1) >> 1
      if (times[middle] <= t) frame = middle
      else high = middle - 1
    }
    const next = Math.min(frame + 1, times.length - 1)
    const part = next > frame ? (t - times[frame]) / (times[next] - times[frame]) : 0
    const frames = Array.from({ length: nbody }, (_, body) => bodyMatrix(frame, next, part, body))
    gl.uniformMatrix4fv(viewAt, false, view())
    for (const { body, form, matrix, color } of parts) {
      gl.bindVertexArray(forms[form].array)
      gl.uniformMatrix4fv(placeAt, false, multiply(frames[body], matrix))
      gl.uniform4fv(colorAt, color)
      gl.drawElements(gl.TRIANGLES, forms[form].count, gl.UNSIGNED_INT, 0)
    }
    if (lines.length === 0) return
    const ends = lines.flatMap((line) =>
      [0, 4].flatMap((o) => {
        const m = frames[line[o]]
        return [0, 1, 2].map((r) => m[r] * line[o + 1] + m[4 + r] * line[o + 2] + m[8 + r] * line[o + 3] + m[12 + r])
      }),
    )
    gl.bindVertexArray(lineArray)
    gl.bindBuffer(gl.ARRAY_BUFFER, lineBuffer)
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(ends), gl.DYNAMIC_DRAW)
    gl.uniformMatrix4fv(placeAt, false, identity)
    gl.uniform4fv(colorAt, [0.31, 0.64, 0.61, 1])
    gl.vertexAttrib3f(normalAt, 0, 0, 0)
    gl.drawArrays(gl.LINES, 0, 2 * lines.length)
  }
  requestAnimationFrame(draw)
}
