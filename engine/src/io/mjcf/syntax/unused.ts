/**
 * The last sweep: every attribute that MJCF knows and no one has looked at becomes an entry of `ignored`, with what it would have
 * been good for.
 */
import { unusedAttributes, type XmlElement } from '../../xml.js'
import { ACTUATION_ONLY, CONTACT_ONLY, ignore, LACKS_MOTION, NO_MOTION, type Shared, SOLVER_ONLY } from './context.js'

const REASONS: readonly (readonly [why: string, attributes: string])[] = [
  [NO_MOTION, 'group user material rgba width normal texcoord smoothnormal content_type name class model size type texturedir'],
  [CONTACT_ONLY, 'condim priority solmix gap friction contype conaffinity maxhullvert'],
  [LACKS_MOTION, 'surfacevel adhesion'],
  [SOLVER_ONLY, 'solref solimp margin solreflimit solimplimit solreffriction solimpfriction torquescale'],
  [
    SOLVER_ONLY,
    'tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance o_margin o_solref o_solimp o_friction jacobian solver iterations ls_iterations ccd_iterations sdf_iterations sdf_initpoints',
  ],
  [NO_MOTION, 'magnetic'],
  [
    ACTUATION_ONLY,
    'nsample interp delay lengthrange cranklength actdim actearly input velrange ffrange actuatorfrcrange actuatorfrclimited actuatorgroupdisable tausmooth',
  ],
]

const whyOf = new Map(REASONS.flatMap(([why, names]) => names.split(' ').map((name) => [name, why] as const)))

/** Default classes are read when the first element of a kind asks for them: what no one asks for has no effect. */
const UNUSED_DEFAULT = 'in a default class of which there is no such element'

export function sweepUnused(shared: Shared, element: XmlElement, inDefault = false): void {
  if (shared.skipped.has(element) || !shared.known.has(element)) return
  for (const name of unusedAttributes(shared.reader, element)) {
    ignore(shared, element, `attribute ${name} of ${element.name}`, whyOf.get(name) ?? (inDefault ? UNUSED_DEFAULT : 'not taken over'))
  }
  for (const child of element.children) sweepUnused(shared, child, inDefault || child.name === 'default')
}
