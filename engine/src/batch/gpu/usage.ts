/** What buffers are for: bits of `GPUBufferUsage`, which is no global in Node. */
const MAP_READ = 0x1
const COPY_SRC = 0x4
const COPY_DST = 0x8

export const STORAGE = 0x80 | COPY_SRC | COPY_DST
export const UNIFORM = 0x40 | COPY_DST
export const STAGING = MAP_READ | COPY_DST

/** GPUMapMode.READ */
export const READ = 1
