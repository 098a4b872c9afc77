/**
 * Keeps pictures coming: waits for a driver that is behind, and draws less where it is slow.
 */

export interface Quality {
  /** pixels drawn for each pixel of the screen, along an edge */
  readonly sharpness: number
  readonly shadows: boolean
}

const levels: readonly Quality[] = [
  { sharpness: 1, shadows: true },
  { sharpness: 0.8, shadows: true },
  { sharpness: 0.8, shadows: false },
  { sharpness: 0.6, shadows: false },
  { sharpness: 0.45, shadows: false },
]
/** seconds a picture may take before fewer pixels are drawn */
const slowAt = 0.045

export interface Pace {
  readonly quality: Quality
  /** true when the quality has changed */
  notice(dt: number): boolean
  /** another scene gets another chance */
  restart(): void
}

/** A software renderer starts lower: it is known to be slow. */
export function createPace(software: boolean): Pace {
  const first = software ? 2 : 0
  let level = first
  let slow = 0
  let seen = 0
  return {
    get quality() {
      return levels[level]
    },
    notice(dt) {
      seen++
      // the first pictures compile shaders; long pauses are a hidden page
      if (seen < 10 || dt > 1) return false
      slow = 0.9 * slow + 0.1 * dt
      if (slow < slowAt || level === levels.length - 1) return false
      level++
      slow = 0
      seen = 0
      return true
    },
    restart() {
      level = first
      slow = 0
      seen = 0
    },
  }
}

/**
 * Waits for the last picture without blocking: a driver that is behind (a software renderer, a large scene) would else stop this thread
 * until it has caught up.
 */
export function createTurn(gl: WebGL2RenderingContext): { begin(): void; over(): boolean } {
  let fence: WebGLSync | null = null
  return {
    begin() {
      fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
      gl.flush()
    },
    over() {
      // of a driver that was reset since, it is no fence any more, and would never be passed
      if (fence && gl.isSync(fence)) {
        if (gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) return false
        gl.deleteSync(fence)
      }
      fence = null
      return true
    },
  }
}

/** Whether the processor draws instead of a graphics card. */
export function isSoftware(gl: WebGL2RenderingContext): boolean {
  const names = gl.getExtension('WEBGL_debug_renderer_info')
  const name = String(gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER))
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name)
}
