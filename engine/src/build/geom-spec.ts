/**
 * Shapes of a Spec: what they are, where they stand, how they touch.
 */
import type { BodySpec, Quat, SiteSpec, SoftnessSpec, Spec, Vec3 } from './spec.js'

export type ShapeSpec =
  | { readonly shape: 'sphere'; readonly radius: number }
  /** along z; length of the straight part */
  | { readonly shape: 'capsule'; readonly radius: number; readonly length: number }
  /** along z */
  | { readonly shape: 'cylinder'; readonly radius: number; readonly length: number }
  /** full edge lengths */
  | { readonly shape: 'box'; readonly size: Vec3 }
  | { readonly shape: 'ellipsoid'; readonly radii: Vec3 }
  /** normal z; drawn with these edge lengths, endless for contact */
  | { readonly shape: 'plane'; readonly size?: readonly [number, number] }
  /** name of an entry of `meshes` */
  | { readonly shape: 'mesh'; readonly mesh: string }
  /** `heights` row by row along x, rows along y, over size[0] × size[1], centred */
  | {
      readonly shape: 'heightfield'
      readonly size: readonly [number, number]
      readonly rows: number
      readonly columns: number
      readonly heights: readonly number[]
    }

/** A straight part, an axis, or a line through the middles of two faces, by both ends in place of length and pose; z points to the first. */
export type SegmentSpec =
  | { readonly shape: 'capsule' | 'cylinder'; readonly radius: number; readonly fromto: FromTo }
  /** full edge lengths across the line */
  | { readonly shape: 'box'; readonly size: readonly [number, number]; readonly fromto: FromTo }

export type FromTo = readonly [number, number, number, number, number, number]

/** A shape at a pose in the body frame, or between two points of it. */
export type GeomSpec = PlacedGeomSpec | (SegmentSpec & GeomFields & { readonly position?: never; readonly quaternion?: never })

/** What the builder and the writers work on: every shape at its pose. */
export type PlacedSpec = Omit<Spec, 'bodies' | 'world'> & {
  readonly bodies: readonly PlacedBodySpec[]
  readonly world?: { readonly geoms?: readonly PlacedGeomSpec[]; readonly sites?: readonly SiteSpec[] }
}
export type PlacedBodySpec = Omit<BodySpec, 'geoms'> & { readonly geoms?: readonly PlacedGeomSpec[] }

export type PlacedGeomSpec = ShapeSpec & GeomFields & { readonly position?: Vec3; readonly quaternion?: Quat }

export interface GeomFields extends SoftnessSpec {
  readonly name?: string
  /** kg; wins over density */
  readonly mass?: number
  /** kg/m³ */
  readonly density?: number
  /** r g b a, 0 to 1 */
  readonly color?: readonly [number, number, number, number]
  /** false: only to look at, or to touch the geoms that `pairs` names with it. Default true */
  readonly collide?: boolean
  /** false: only for contact. Default true */
  readonly visible?: boolean
  /** coefficient of sliding friction, or of sliding, torsional and rolling friction. Default 1 0.005 0.0001; of two geoms the larger ones count */
  readonly friction?: number | Vec3
  /** what a contact resists: 1 only approach, 3 sliding (the default), 4 also spinning, 6 also rolling; of two geoms the larger one counts */
  readonly condim?: 1 | 3 | 4 | 6
  /** the geom with the higher one alone decides on friction, condim and softness. Default 0 */
  readonly priority?: number
  /** weight of its softness against that of the other geom. Default 1 */
  readonly solmix?: number
  /** m: contacts push from this distance on (those of the two geoms are added), and are reported `gap` sooner. Default 0 */
  readonly margin?: number
  readonly gap?: number
  /** bits, default 1: two geoms may touch when the category of one shares a bit with the mask of the other */
  readonly category?: number
  readonly mask?: number
  /**
   * the medium acts on the ellipsoid of this geom's size, and no longer on the box of its body's inertia: coefficients of blunt, slender
   * and angular drag, of Kutta and of Magnus lift. Not for planes, meshes and height fields
   */
  readonly fluid?: readonly [number, number, number, number, number]
}
