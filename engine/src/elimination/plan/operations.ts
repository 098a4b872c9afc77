/**
 * The operations of a plan: what `plan/` writes, and `factor/` and `solve/` carry out in turn, on matrices and on vectors.
 *
 * An operation is a record of RECORD integers in one array: its kind, where its front is, and the fields that FIELDS lists for that kind.
 * A field has the same place (AT) and the same meaning in every operation that has it.
 */
/** Places in a record. The first five are in every operation: the front's matrix, its stride, its vector, and how many scalars it has in use. */
export const AT = {
  matrix: 1,
  stride: 2,
  vector: 3,
  width: 4,
  /** first scalar of what is worked on */
  slot: 5,
  /** how many scalars, or velocities of a joint */
  count: 6,
  /** first velocity of a joint */
  dof: 7,
  body: 7,
  group: 7,
  /** slot of forces that act on the slot */
  forces: 8,
  /** which entry of the group's rows */
  entry: 9,
  /** slot that the slot is added to, or moved to; −1 is the ground */
  to: 8,
  /** slot of the velocities that a handle gives way to, and 1 where these are seen first */
  rate: 9,
  fresh: 10,
  /** body at whose origin the slot's motion is stated, and body at whose origin it is to be */
  oldAnchor: 7,
  newAnchor: 8,
  /** place in H of the rows kept, and the number of the first pivot */
  kept: 8,
  pivot: 10,
  /** sign that pivots must have */
  sign: 9,
  /** how many of the pivots, the first ones, are positive; the others are negative */
  positive: 7,
  /** matrix, stride and vector of another front */
  branch: 5,
  branchStride: 7,
  branchVector: 8,
  /** place in `lists`, −1 where there is none */
  list: 9,
} as const

export type Field = keyof typeof AT
export const RECORD = 11

/** a new slot of zeros */
export const NEW = 0
/** inertia of a body */
export const BODY = 1
/** rows of a group that keeps its forces, as seen by a body */
export const COUPLE = 2
/** rows of a group that acts at once; list: slots of its entries */
export const ROWS = 3
/** compliance of a group's forces */
export const UNIT = 4
/** a base cut from the ground, and the forces that hold it in its place */
export const BASE = 5
/** another point of reference */
export const SHIFT = 6
/** velocities of a joint go; list: how many entries of groups act on them, then of each: which velocity, slot of the forces, group, entry */
export const JOINT = 7
/** forces of a group go, or of a base (group −1), or a base without neighbours */
export const PIVOT = 8
/** two slots of one body become one */
export const FOLD = 9
/** a body's handle goes to the ground */
export const DROP = 10
export const MOVE = 11
/** a side branch; list: where its scalars belong */
export const ADD = 12
/** a handle gives way to the velocities of its joint and the handle of its parent */
export const LIFT = 13
/** scalars at the end of a front go */
export const PANEL = 14
/** a side branch by runs; list: how many runs, then from, to and length of each */
export const JOIN = 15

/** The fields of each operation. */
export const FIELDS = {
  [NEW]: ['slot', 'count'],
  [BODY]: ['slot', 'body'],
  [COUPLE]: ['slot', 'group', 'forces', 'entry'],
  [ROWS]: ['group', 'list'],
  [UNIT]: ['slot', 'count'],
  [BASE]: ['slot', 'body', 'forces'],
  [SHIFT]: ['slot', 'oldAnchor', 'newAnchor'],
  [JOINT]: ['slot', 'count', 'dof', 'kept', 'list', 'pivot'],
  [PIVOT]: ['slot', 'count', 'group', 'kept', 'sign', 'pivot'],
  [FOLD]: ['slot', 'to'],
  [DROP]: ['slot'],
  [MOVE]: ['slot', 'count', 'to'],
  [ADD]: ['branch', 'count', 'branchStride', 'branchVector', 'list'],
  [LIFT]: ['slot', 'count', 'dof', 'to', 'rate', 'fresh'],
  [PANEL]: ['count', 'positive', 'kept', 'pivot'],
  [JOIN]: ['branch', 'branchStride', 'branchVector', 'list'],
} as const satisfies Record<number, readonly Field[]>

export type Kind = keyof typeof FIELDS

/** Where a front is, and how many scalars it has in use. */
export interface FrontPlace {
  readonly matrix: number
  readonly stride: number
  readonly vector: number
  readonly width: number
}

export type OperandsOf<K extends Kind> = Readonly<Record<(typeof FIELDS)[K][number], number>>

/** Appends an operation on a front. */
export function writeOperation<K extends Kind>(
  ops: number[],
  kind: K,
  { matrix, stride, vector, width }: FrontPlace,
  fields: OperandsOf<K>,
): void {
  const p = ops.length
  ops.push(kind, matrix, stride, vector, width)
  while (ops.length < p + RECORD) ops.push(-1)
  for (const [name, value] of Object.entries<number>(fields)) ops[p + AT[name as Field]] = value
}
