/**
 * What can touch: the shapes of a model as flat arrays, for `contact/`. Made by `buildShapes`, never changed afterwards.
 */
import type { Vec } from '../math/types.js'
import type { Int } from '../math/values/columns.js'

/** Shape codes. A pair of geoms is always treated with the lower code first. */
export const PLANE = 0
export const FIELD = 1
export const SPHERE = 2
export const CAPSULE = 3
export const ELLIPSOID = 4
export const CYLINDER = 5
export const BOX = 6
/** among `Shapes` the convex hull of a mesh */
export const MESH = 7

/** places in `softFriction` */
export const ELLIPTIC = 0
export const NORMAL = 1
export const TANGENT = 2

/** @record */
export interface Shapes {
  readonly count: Int
  /** what messages call them: `shape 'foot'`, `box 1 of body 'crate' (line 6)` */
  readonly names: readonly string[]
  readonly shape: Int32Array
  readonly body: Int32Array
  /** pose of the geom in its body (12 each) */
  readonly X_BG: Vec
  /**
   * 3 each. sphere: radius; capsule and cylinder: radius, half length; box: half edges; ellipsoid: half axes;
   * hull: half extents of its box, about the middle of which it stands; field: half extents along x and y, highest |height|; plane: nothing
   */
  readonly size: Vec
  /** of a sphere about the geom's origin that holds it; infinite for planes and fields */
  readonly radius: Vec
  /** half of its least thickness; 0 for planes and fields */
  readonly thin: Vec
  /** coefficients of sliding, torsional (m) and rolling (m) friction, 3 each */
  readonly friction: Vec
  /** directions in which a contact resists: 1 normal, 3 sliding, 4 torsional, 6 rolling too */
  readonly condim: Int32Array
  /** of two that touch, the higher one alone says how; equal ones are combined */
  readonly priority: Int32Array
  /** weight of this geom's softness among two */
  readonly solmix: Vec
  /** softness as MuJoCo has it, 2 and 5 each; solref 0 0: hard */
  readonly solref: Vec
  readonly solimp: Vec
  /** of all soft contacts: 1 where the cone is elliptic, and shares of its softness that a contact gives along normal and tangents */
  readonly softFriction: Vec
  /** contacts push below this distance (those of two geoms are added), and are reported `gap` sooner */
  readonly margin: Vec
  readonly gap: Vec
  /** two geoms look for contact within the sum of theirs, whatever the search asks for */
  readonly reach: Vec
  /** two geoms may touch when one's category shares a bit with the other's mask */
  readonly category: Int32Array
  readonly mask: Int32Array

  /** planes and fields, and all others: numbers of geoms */
  readonly ground: Int32Array
  readonly solids: Int32Array
  /** one number: edge of the broad phase's cells without margin: twice the largest radius but for the few `large` solids */
  readonly cell: Vec
  readonly large: Int32Array

  /**
   * First body of the rigid group (bodies joined without a joint) of each body, and that of the group's parent; −1 for the world's. A base fixed to the
   * world and the groups that are jointed to it share a number below −1 instead, where they never touch.
   */
  readonly group: Int32Array
  readonly groupParent: Int32Array
  /** bodies that never touch body i: excluded[excludedStart[i]] … excluded[excludedStart[i+1]−1] */
  readonly excludedStart: Int32Array
  readonly excluded: Int32Array
  /** pairs that touch whatever their bodies, categories and masks are, in their own way */
  readonly pairs: ContactPairs

  /** fields: number of geom → entry of rows, columns and first height; −1 for other shapes */
  readonly field: Int32Array
  readonly fieldRows: Int32Array
  readonly fieldColumns: Int32Array
  readonly fieldStart: Int32Array
  readonly heights: Vec

  readonly hulls: Hulls
}

/** Convex hulls of meshes; vertices and faces are numbered through all of them. @record */
export interface Hulls {
  /** of geom i, −1 for other shapes */
  readonly of: Int32Array
  /** vertices of hull h: vertexStart[h] … vertexStart[h+1]−1, 3 numbers each, in the frame of the geom */
  readonly vertexStart: Int32Array
  readonly vertices: Vec
  /** those joined to vertex v by an edge */
  readonly neighbourStart: Int32Array
  readonly neighbours: Int32Array
  /** faces of hull h; the corners of each, counter-clockwise from outside, and its normal */
  readonly faceStart: Int32Array
  readonly cornerStart: Int32Array
  readonly corners: Int32Array
  readonly normals: Vec
  /** faces that vertex v is a corner of */
  readonly aroundStart: Int32Array
  readonly around: Int32Array
}

/** Pairs of geoms that the file names. @record */
export interface ContactPairs {
  readonly count: Int
  /** numbers of geoms, lower one first */
  readonly geom1: Int32Array
  readonly geom2: Int32Array
  readonly condim: Int32Array
  /** sliding along two directions, torsional, rolling about two: 5 each */
  readonly friction: Vec
  /** as of geoms, 2 and 5 each */
  readonly solref: Vec
  readonly solimp: Vec
  readonly margin: Vec
  readonly gap: Vec
  /** those of geom i: list[start[i]] … list[start[i+1]−1] */
  readonly start: Int32Array
  readonly list: Int32Array
}

/** Height fields: number of geom → entry of rows, columns and first height, −1 for other shapes. */
export interface HeightFields {
  readonly field: Int32Array
  readonly fieldRows: Int32Array
  readonly fieldColumns: Int32Array
  readonly fieldStart: Int32Array
  readonly heights: Vec
}

/** Every shape of the spec, seen or touched. */
export interface Geoms extends HeightFields {
  readonly count: number
  /** those of the file, or `box 1 of body 'crate'` where it has none */
  readonly names: readonly string[]
  readonly shape: Int32Array
  readonly body: Int32Array
  /** pose in the body (12 each) */
  readonly X_BG: Vec
  /** as in Shapes, but for planes: half extents in which they are drawn, 0 for endless */
  readonly size: Vec
  /** number among Shapes, −1 for what does not touch */
  readonly touching: Int32Array
  /** 1: drawn */
  readonly visible: Int32Array
  /** entry of the meshes below, −1 for other shapes */
  readonly mesh: Int32Array
  /** of mesh k: 3 numbers a vertex from vertices[vertexStart[k]] on, 3 vertices a triangle from faces[faceStart[k]] to faces[faceStart[k + 1]] */
  readonly vertexStart: Int32Array
  readonly vertices: Vec
  readonly faceStart: Int32Array
  readonly faces: Int32Array
}

/** Named frames on bodies. */
export interface Sites {
  readonly count: number
  readonly names: readonly string[]
  readonly body: Int32Array
  /** pose in the body (12 each) */
  readonly X_BS: Vec
}

/** One point at which two bodies touch or are about to, as a user sees it: everything in the world. */
export interface Contact {
  /** numbers of bodies; 0 is the world */
  readonly bodyA: number
  readonly bodyB: number
  /** names of the shapes, or what they are: `box 1 of body 'crate'` */
  readonly shapeA: string
  readonly shapeB: string
  readonly point: readonly [number, number, number]
  /** unit vector from A to B */
  readonly normal: readonly [number, number, number]
  /** metres along the normal; negative where the shapes overlap */
  readonly gap: number
  /** on B, friction included; A feels the opposite */
  readonly force: readonly [number, number, number]
}
