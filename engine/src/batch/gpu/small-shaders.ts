/** Shaders that are the same for all kernels: environments back to the start, and how many failed or have steps to make. */
import type { GpuField } from './image.js'
import { WORKGROUP } from './shader.js'

/** Row of `starts` that an environment begins with: the first for all, one an environment, or the one that its entry in the mask numbers from 1. */
export const ONE_ROW = 0
export const OWN_ROW = 1
export const NUMBERED_ROW = 2

const entry = (body: string): string => `@compute @workgroup_size(${WORKGROUP})
fn run(@builtin(global_invocation_id) id:vec3<u32>,@builtin(num_workgroups) groups:vec3<u32>){
let e=i32(id.x+id.y*groups.x*${WORKGROUP}u);
if(e>=U.x){return;}
${body}
}
`
const HEAD = `@group(0) @binding(0) var<storage,read_write> S:array<f32>;
@group(0) @binding(1) var<uniform> U:vec4<i32>;
`

/** U: environments, which row, numbers of a row. `written` follow each other in a row; `cleared` become 0, `marked` 1. */
export function resetShader(N: number, written: readonly GpuField[], cleared: readonly GpuField[], marked: readonly GpuField[]): string {
  let column = 0
  const copies = written.map(({ at, length }) => {
    const first = column
    column += length
    return `for(var k=0;k<${length};k++){S[(${at}+k)*${N}+e]=starts[row+${first}+k];}`
  })
  const fill = (fields: readonly GpuField[], x: number) =>
    fields.map(({ at, length }) => `for(var k=0;k<${length};k++){S[(${at}+k)*${N}+e]=${x}f;}`)
  const own = `@group(0) @binding(2) var<storage,read> mask:array<u32>;
@group(0) @binding(3) var<storage,read> starts:array<f32>;
`
  return `${HEAD}${own}${entry(`let m=i32(mask[e]);
if(m==0){return;}
let row=select(select(0,e,U.y==${OWN_ROW}),m-1,U.y==${NUMBERED_ROW})*U.z;
${[...copies, ...fill(cleared, 0), ...fill(marked, 1)].join('\n')}`)}`
}

/** Counts environments whose number `at` of the state passes a test. */
export function countShader(N: number, at: number, test: string): string {
  return `${HEAD}@group(0) @binding(2) var<storage,read_write> total:atomic<u32>;
${entry(`if(S[${at * N}+e]${test}){atomicAdd(&total,1u);}`)}`
}
