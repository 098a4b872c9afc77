/**
 * Bytes and floating-point operations of a step on the GPU, counted by running the shader as JavaScript: WGSL as it is printed differs from it in
 * a few words only.
 */
import type { GpuImage } from '../../src/batch/gpu/image.js'
import { type ShaderText, shaderOf } from '../../src/batch/gpu/shader.js'

export interface Traffic {
  /** bytes of the state and of the work space that are read, and written */
  readonly read: number
  readonly written: number
  /** bytes of the model, the same for all environments: they come from the cache */
  readonly model: number
  readonly flops: number
  /** accesses by the column that they begin in */
  readonly columns: ReadonlyMap<string, number>
}

/** Operations of a statement on numbers: those outside of indices, none in arithmetic on places. */
function flopsOf(line: string): number {
  if (/^(let \w+=)?.*\)\*[NC]\+[ei]/.test(line) || /^(loop|\}|fn |var \w+:i32|if\(!\(t\d+<\w+_?\()/.test(line)) return 0
  const bare = line.replaceAll(/\w+_?\[[^\]]*\]/g, 'x').replaceAll(/[TDGP]\w+_\([^()]*\)/g, 'x')
  const [, value = bare] = bare.match(/^[^=]*=([^=].*)$/) ?? []
  return (value.match(/[-+*/]|sqrt|floor|abs|hi\(|lo\(|select/g) ?? []).length
}

export function countTraffic(text: ShaderText, kernel: string, image: GpuImage, states: Float32Array): Traffic {
  const source = shaderOf(text, kernel, image, { N: 1, C: 1 })
  const names = [...image.words].flatMap(([name, word]) => (word.kind === 'state' || word.kind === 'work' ? [{ name, ...word }] : []))
  const starts = { S: names.filter((x) => x.kind === 'state'), W: names.filter((x) => x.kind === 'work') }
  const columns = new Map<string, number>()
  const count = { S: 0, SW: 0, W: 0, WW: 0, M: 0, I: 0, flops: 0 }
  const note = (buffer: 'S' | 'W', k: number): void => {
    const column = starts[buffer].filter((x) => x.at <= k).sort((a, b) => b.at - a.at)[0]?.name ?? '?'
    columns.set(column, (columns.get(column) ?? 0) + 4)
  }
  const watched = (buffer: 'S' | 'W', numbers: Float32Array): Float32Array =>
    new Proxy(numbers, {
      get(of, k: string) {
        count[buffer]++
        note(buffer, Number(k))
        return of[Number(k)]
      },
      set(of, k: string, x: number) {
        count[`${buffer}W`]++
        note(buffer, Number(k))
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
  const run = new Function('S', 'W', 'M', 'I', 'count', `${helpers}${body}\n${kernel}(0,0)`)
  const memory = image.model.buffer
  run(watched('S', states), watched('W', image.work.slice()), readOnly('M', new Float32Array(memory)), readOnly('I', image.model), count)
  return {
    read: 4 * (count.S + count.W),
    written: 4 * (count.SW + count.WW),
    model: 4 * (count.M + count.I),
    flops: count.flops,
    columns,
  }
}
