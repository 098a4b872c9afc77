/**
 * Sensors in MJCF. Frames that are no site of the spec become sites of their own.
 */
import type { FrameSpec, SensorSpec } from '../../../build/spec.js'
import { element, type XmlNode, type XmlValue } from '../xml-writer.js'
import type { Mjcf } from './context.js'
import { scalarName } from './forces.js'

export function mjcfSensors(out: Mjcf): XmlNode[] {
  return (out.spec.sensors ?? []).flatMap((sensor, k) => {
    const { name, type, at, joint, tendon, actuator, body, relative, cutoff, zone } = sensor
    const target = joint === undefined ? undefined : jointName(out, joint)
    if (joint !== undefined && target === undefined) {
      out.ignored.add(`sensors/${k}`, `sensor ${name ?? type} of joint ${joint}`, 'MJCF writes this joint as several')
      return []
    }
    if (at && zone) out.zones.set(siteOf(out, at), zone)
    return [
      element(type, {
        name,
        ...(at ? atAttributes(out, sensor, at) : {}),
        joint: target,
        tendon,
        actuator,
        body,
        ...(relative ? objectAttributes(out, relative, 'ref') : {}),
        cutoff,
      }),
    ]
  })
}

function jointName(out: Mjcf, joint: string): string | undefined {
  const found = out.tree.joints.get(joint)
  return found?.parts[0]?.kind === 'ball' ? out.partNames.get(found)?.[0] : scalarName(out, joint)
}

function atAttributes(out: Mjcf, { type }: SensorSpec, at: FrameSpec): Record<string, XmlValue> {
  return type.startsWith('frame') ? objectAttributes(out, at, 'obj') : { site: siteOf(out, at) }
}

function objectAttributes(out: Mjcf, at: FrameSpec, prefix: 'obj' | 'ref'): Record<string, XmlValue> {
  const plain = 'body' in at && !at.position && !at.quaternion
  return { [`${prefix}type`]: plain ? 'xbody' : 'site', [`${prefix}name`]: plain ? at.body : siteOf(out, at) }
}

function siteOf(out: Mjcf, at: FrameSpec): string {
  if ('site' in at) return at.site
  const { body, position = [0, 0, 0], quaternion } = at
  const same = (a: readonly number[] = [], b: readonly number[] = []): boolean => a.length === b.length && a.every((x, k) => x === b[k])
  const extra = out.extraSites.get(body) ?? []
  out.extraSites.set(body, extra)
  const found = extra.find((site) => same(site.position, position) && same(site.quaternion, quaternion))
  if (found) return found.name
  const name = out.siteNames.make(`${body}_frame`)
  extra.push({ name, position, ...(quaternion ? { quaternion } : {}) })
  return name
}
