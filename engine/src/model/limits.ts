/**
 * What readers take at most: far above what any mechanism needs, and low enough that no file makes a reader run for long, fill the memory or overflow the stack.
 * Beyond them a file is refused, with its place.
 */
export const LIMITS = {
  /** of one file */
  bytes: 256 * 2 ** 20,
  /** of all files that a model names */
  totalBytes: 1024 * 2 ** 20,
  /** elements of an XML file */
  elements: 300_000,
  /** numbers, words, lists and objects of a JSON file, and how many of them are lists and objects */
  values: 5_000_000,
  groups: 300_000,
  /** of elements inside one another: readers recurse. A chain of bodies in MJCF is as deep as it is long */
  depth: 1000,
  /** of brackets inside one another in JSON */
  brackets: 100,
  /** of files that include or attach one another */
  fileDepth: 50,
  /** files that are included or attached */
  files: 2000,
  /** bodies, joints, shapes, sites, frames, and whatever else `replicate`, `attach` and instances make beyond what is written */
  objects: 100_000,
  /** vertices and triangles of all meshes of a model, each, and cells of all height fields */
  vertices: 5_000_000,
  /** work to find the convex hull of a mesh, and those of all: tests of a point against a triangle, and 50 for each triangle that is made */
  hull: 40_000_000,
  hulls: 400_000_000,
  /** pairs of shapes or bodies that a file or a reader names */
  pairs: 200_000,
  /** of a recording: a gigabyte of them */
  numbers: 2 ** 27,
  /** characters of a key of JSON, and of a string of a recording */
  key: 1000,
  string: 1_000_000,
  /** of which all are told; of more the first ones, and how many they are */
  problems: 200,
  /** characters of what is said about one of them, and of where it is */
  message: 2000,
  path: 300,
} as const

/** `5,000,000`, the same on every machine. */
export function grouped(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** Whether an error says that stack or memory ran out, in the words of any JavaScript engine. */
export function isExhausted(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    /call stack|too much recursion|Invalid (array|string|typed array) length|array length|Array buffer allocation|out of memory/i.test(
      error.message,
    ) &&
    (error instanceof RangeError || error.name === 'InternalError')
  )
}
