/**
 * Bytes and floating-point operations of a step on the GPU, counted by running the shader as JavaScript: WGSL as it is printed differs from it in
 * a few words only.
 */
import type { GpuImage } from '../../src/batch/gpu/image.js'
import { type ShaderText, shaderOf } from '../../src/batch/gpu/shader.js'

export interface Traffic {
  /** bytes of the state, and of the work space, that are read and written */
  readonly state: number
  readonly work: number
  /** bytes of the model, the same for all environments: they come from the cache */
  readonly model: number
  readonly flops: number
}

/** Operations of a statement on numbers: those outside of indices, none in arithmetic on places. */
function flopsOf(line: string): number {
  if (/^(let \w+=)?.*\)\*[NC]\+[ei]/.test(line) || /^(loop|\}|fn |var \w+:i32|if\(!\(t\d+<\w+_?\()/.test(line)) return 0
  const bare = line.replaceAll(/\w+_?\[[^\]]*\]/g, 'x').replaceAll(/[TDGP]\w+_\([^()]*\)/g, 'x')
  const [, value = bare] = bare.match(/^[^=]*=([^=].*)$/) ?? []
  return (value.match(/[-+*/]|sqrt|floor|abs|hi\(|lo\(|select/g) ?? []).length
}

export async function countTraffic(text: ShaderText, kernel: string, image: GpuImage, states: Float32Array): Promise<Traffic> {
  const source = shaderOf(text, kernel, image, { N: 1, C: 1 })
  const count = { S: 0, W: 0, M: 0, I: 0, flops: 0 }
  const watched = (buffer: 'S' | 'W', numbers: Float32Array): Float32Array =>
    new Proxy(numbers, {
      get(of, k: string) {
        count[buffer]++
        return of[Number(k)]
      },
      set(of, k: string, x: number) {
        count[buffer]++
        of[Number(k)] = x
        return true
      },
    })
  const readOnly = (name: 'M' | 'I', numbers: Int32Array | Float32Array): unknown =>
    new Proxy(numbers, {
      get(of, k: string) {
        count[name]++
        return of[Number(k)]
      },
    })
  const body = source
    .slice(source.indexOf('const N:'), source.indexOf('@compute'))
    .replace(/struct[\s\S]*?fn lo\(.*\n/, '')
    .split('\n')
    .map((line) => {
      const flops = flopsOf(line)
      const js = line
        .replace(/^const (\w+):i32=/, 'const $1=')
        .replace(/^fn (\w+)\((.*?)\)(->\w+)?\{/, (_, name: string, given: string) => `function ${name}(${given.replaceAll(/:\w+/g, '')}){`)
        .replace(/^let /, 'const ')
        .replace(/^var (\w+):\w+/, 'let $1')
        .replace(/^loop\{/, 'for(;;){')
        .replaceAll(/(?<![\w.])(\d*\.?\d+(?:e-?\d+)?)f\b/g, '$1')
        .replaceAll(/\bi32\(/g, 'Math.trunc(')
      return flops > 0 && !js.startsWith('}') ? `count.flops+=${flops};${js}` : js
    })
    .join('\n')
  const helpers = `const{sqrt,floor,abs,max:hi,min:lo}=Math;const finite=Number.isFinite;const nan=()=>NaN;const select=(a,b,c)=>c?b:a;`
  const module = `export default (S, W, M, I, count) => {${helpers}${body}\n${kernel}(0,0)}`
  const { default: run } = (await import(`data:text/javascript,${encodeURIComponent(module)}`)) as {
    default: (...given: unknown[]) => void
  }
  const memory = image.model.buffer
  run(watched('S', states), watched('W', image.work.slice()), readOnly('M', new Float32Array(memory)), readOnly('I', image.model), count)
  return { state: 4 * count.S, work: 4 * count.W, model: 4 * (count.M + count.I), flops: count.flops }
}
