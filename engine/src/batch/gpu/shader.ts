/**
 * The compute shader of a batch: a head with what the model determines, and the functions of a kernel as `tools/kernels/print-wgsl` prints them.
 */
import type { GpuImage, Word } from './image.js'

/** Functions of a printed text by their names. */
export type ShaderText = ReadonlyMap<string, string>

export const readShaderText = (text: string): ShaderText =>
  new Map(text.split(/\n(?=fn )/).map((source) => [source.slice(3, source.indexOf('(')), source]))

/** invocations of a workgroup */
export const WORKGROUP = 64

/**
 * Treats NaN as WebAssembly does. WGSL lets an implementation assume that there is none, and that no number is infinite: so by bits, and a NaN
 * from a variable that no compiler knows.
 */
const HELPERS = `var<private> nanBits:u32=0x7fc00000u;
fn nan()->f32{return bitcast<f32>(nanBits);}
fn isNan(x:f32)->bool{return (bitcast<u32>(x)&0x7fffffffu)>0x7f800000u;}
fn finite(x:f32)->bool{return (bitcast<u32>(x)&0x7f800000u)!=0x7f800000u;}
fn hi(a:f32,b:f32)->f32{return select(max(a,b),nan(),isNan(a)||isNan(b));}
fn lo(a:f32,b:f32)->f32{return select(min(a,b),nan(),isNan(a)||isNan(b));}`

/** Environments in the state buffer, and in the work space. */
export interface ShaderSizes {
  readonly N: number
  readonly C: number
}

/**
 * What a compute shader with the entry `run` is made of. One invocation makes \`times\` steps of one environment:
 *
 *   S state buffer, W work space, M and I the model; U first environment and number of those of this dispatch, R steps
 */
export function shaderOf(text: ShaderText, kernel: string, image: GpuImage, { N, C }: ShaderSizes): string {
  const functions = closure(text, kernel)
  const source = functions.map((name) => text.get(name)).join('\n')
  const head = [...namesIn(source)].flatMap((name) => {
    const isCall = name.endsWith('_')
    const word = image.words.get(isCall ? name.slice(0, -1) : name)
    if (word === undefined) throw new Error(`the shader of '${kernel}' asks for '${name}', which no table has`)
    return isCall ? accessOf(name, word) : `const ${name}:i32=${word.kind === 'number' ? word.value : word.at};`
  })
  return `const N:i32=${N};
const C:i32=${C};
struct Chunk{first:i32,count:i32}
@group(0) @binding(0) var<storage,read_write> S:array<f32>;
@group(0) @binding(1) var<storage,read_write> W:array<f32>;
@group(0) @binding(2) var<storage,read> M:array<f32>;
@group(0) @binding(3) var<storage,read> I:array<i32>;
@group(0) @binding(4) var<uniform> U:Chunk;
@group(0) @binding(5) var<uniform> R:vec4<i32>;
${HELPERS}
${head.join('\n')}
${source}
@compute @workgroup_size(${WORKGROUP})
fn run(@builtin(global_invocation_id) id:vec3<u32>){
let i=i32(id.x);
if(i>=U.count){return;}
let e=U.first+i;
for(var k=0;k<R.x;k++){${kernel}(e,i);}
}
`
}

/** Words of tables that these kernels ask for, without the mark of a function. */
export const wordsUsed = (text: ShaderText, kernels: readonly string[]): Set<string> =>
  new Set(
    kernels.flatMap((kernel) =>
      closure(text, kernel).flatMap((name) => [...namesIn(text.get(name) ?? '')].map((x) => x.replace(/_$/, ''))),
    ),
  )

const namesIn = (source: string): Set<string> => new Set(source.match(/\b[TDGP][A-Za-z]\w*/g) ?? [])

/** Reads a column of whole numbers, which may all be one, or one that may vary from environment to environment. */
function accessOf(name: string, word: Word): string {
  if (word.kind === 'whole') return `fn ${name}(k:i32)->i32{return ${word.same ?? 'I[k]'};}`
  return `fn ${name}(k:i32,e:i32)->f32{return ${word.kind === 'state' ? 'S[k*N+e]' : 'M[k]'};}`
}

/** The function and all that it calls, callees first. */
function closure(text: ShaderText, name: string, found = new Set<string>()): string[] {
  const source = text.get(name)
  if (source === undefined) throw new Error(`no function '${name}' is printed for the GPU`)
  for (const [, called] of source.matchAll(/^(?:\}else\{)?(\w+)\(e,i/gm)) if (!found.has(called)) closure(text, called, found)
  found.add(name)
  return [...found]
}
