/**
 * The tree of links: which joint leads to which link, from one root. Everything wrong with it is noted at once.
 */
import { addProblem, markUsed, readString, suggestFor, type XmlElement } from '../xml.js'
import { ignore, onlyChild, readName, type UrdfContext, type UrdfJoint, type UrdfLink } from './context.js'

export interface UrdfTree {
  /** depth first from the root, children in the order of their joints in the file: MuJoCo's order of bodies */
  readonly links: readonly UrdfLink[]
  readonly joints: readonly UrdfJoint[]
  /** by name of the link it leads to */
  readonly jointTo: ReadonlyMap<string, UrdfJoint>
  readonly root: string
}

/** Undefined when there is no tree; the problems then say why. */
export function readTree(context: UrdfContext, robot: XmlElement): UrdfTree | undefined {
  const before = context.reader.problems.length
  const links = readLinks(context, robot)
  const joints = readJoints(context, robot, links)
  addGround(context, links, joints)
  const jointTo = new Map<string, UrdfJoint>()
  const children = new Map<string, string[]>()

  for (const joint of joints) {
    const { parent, child, element } = joint
    const ends = [parent, child].filter((name) => name !== '' && !links.has(name))
    for (const name of new Set(ends)) {
      addProblem(
        context.reader,
        element,
        `joint '${joint.name}': expected the name of a link, got '${name}'${suggestFor(context.reader, name, links.keys())}`,
      )
    }
    if (!links.has(parent) || !links.has(child)) continue
    const first = jointTo.get(child)
    if (first) {
      const two = `link '${child}' is the child of joint '${first.name}' (line ${first.element.place.line}) and of joint '${joint.name}'`
      addProblem(context.reader, element, `${two}: expected one parent; close loops with a constraint instead`)
      continue
    }
    jointTo.set(child, joint)
    const siblings = children.get(parent)
    if (siblings) siblings.push(child)
    else children.set(parent, [child])
  }

  if (links.size === 0) {
    // what else is there is listed: a file of another program's own elements is an empty mechanism, as in MuJoCo
    if (robot.children.length === 0) addProblem(context.reader, robot, 'expected at least one link, got none')
    return undefined
  }
  const roots = [...links.keys()].filter((name) => !jointTo.has(name))
  const order = depthFirst(roots, children)
  const reached = new Set(order)
  findCycles(context, links, jointTo, reached)

  // a link that lost its parent to another problem is not a second root
  if (roots.length > 1 && context.reader.problems.length === before) {
    const second = links.get(roots[1] as string) as UrdfLink
    const names = `${roots.slice(0, 6).join("', '")}'${roots.length > 6 ? ', …' : ''}`
    ignore(
      context,
      second.element,
      `${roots.length} root links, '${names}`,
      'a robot has one: each of these is fixed to the ground here, as in MuJoCo; join them with joints if one should carry the others',
    )
  }
  if (context.reader.problems.length > before) return undefined
  return { links: order.map((name) => links.get(name) as UrdfLink), joints, jointTo, root: roots[0] as string }
}

function readLinks(context: UrdfContext, robot: XmlElement): Map<string, UrdfLink> {
  const links = new Map<string, UrdfLink>()
  for (const element of robot.children) {
    if (element.name !== 'link') continue
    context.known.add(element)
    const name = readName(context, element)
    const first = links.get(name)
    if (first)
      addProblem(context.reader, element, `duplicate link name '${name}' (first on line ${first.element.place.line}): rename one`, 'name')
    else if (name !== '') links.set(name, { name, element })
  }
  return links
}

/** A parent `world` that is no link of the file is the ground, as in Drake. */
function addGround(context: UrdfContext, links: Map<string, UrdfLink>, joints: readonly UrdfJoint[]): void {
  const joint = joints.find(({ parent }) => parent === 'world')
  if (!joint || links.has('world')) return
  const element = joint.element.children.find(({ name }) => name === 'parent') as XmlElement
  // first, as a file that has the link mostly has it
  const others = [...links]
  links.clear()
  links.set('world', { name: 'world', element })
  for (const [name, link] of others) links.set(name, link)
  ignore(context, element, "link 'world' is not in the file", 'taken for the ground, as in Drake; MuJoCo does not read such a file')
}

function readJoints(context: UrdfContext, robot: XmlElement, links: ReadonlyMap<string, UrdfLink>): UrdfJoint[] {
  const joints: UrdfJoint[] = []
  const named = new Map<string, UrdfJoint>()
  const end = (element: XmlElement, which: 'parent' | 'child'): string => {
    const found = onlyChild(context, element, which)
    if (!found) {
      addProblem(context.reader, element, `expected <${which} link="…"/> in joint, got none`)
      return ''
    }
    return readName(context, found, 'link')
  }
  for (const element of robot.children) {
    if (element.name !== 'joint') continue
    context.known.add(element)
    const type = readString(context.reader, element, 'type')?.trim() ?? ''
    const [parent, child] = [end(element, 'parent'), end(element, 'child')]
    // an empty name is one that MuJoCo lets pass; it is called after where it leads
    const empty = element.attributes['name']?.trim() === '' && child !== ''
    if (empty) markUsed(context.reader, element, 'name')
    const name = empty ? `to ${child}` : readName(context, element)
    const joint = { name, type, element, parent, child }
    const first = named.get(name)
    if (first && first.type !== 'fixed' && type !== 'fixed') {
      addProblem(context.reader, element, `duplicate joint name '${name}' (first on line ${first.element.place.line}): rename one`, 'name')
    } else if (name !== '') {
      joints.push(joint)
      // who follows the name means the one that moves
      if (first?.type === 'fixed' || !first) named.set(name, joint)
      if (first) ignore(context, element, `joint name '${name}'`, 'used twice; a fixed joint does not need it, so it is that of the other')
    }
  }
  if (links.has('world') && joints.some((joint) => joint.child === 'world')) {
    const element = (links.get('world') as UrdfLink).element
    addProblem(context.reader, element, "link 'world' stands for the ground and can be nobody's child: rename it", 'name')
  }
  return joints
}

function depthFirst(roots: readonly string[], children: ReadonlyMap<string, readonly string[]>): string[] {
  const order: string[] = []
  const stack = [...roots].reverse()
  for (let name = stack.pop(); name !== undefined; name = stack.pop()) {
    order.push(name)
    for (const child of [...(children.get(name) ?? [])].reverse()) stack.push(child)
  }
  return order
}

/** Every link has at most one parent, so what no root reaches runs in circles. */
function findCycles(
  context: UrdfContext,
  links: ReadonlyMap<string, UrdfLink>,
  jointTo: ReadonlyMap<string, UrdfJoint>,
  reached: ReadonlySet<string>,
): void {
  const done = new Set(reached)
  for (const start of links.keys()) {
    const walk: string[] = []
    const onWalk = new Set<string>()
    let name: string | undefined = start
    while (name !== undefined && !done.has(name) && !onWalk.has(name)) {
      walk.push(name)
      onWalk.add(name)
      name = jointTo.get(name)?.parent
    }
    if (name !== undefined && onWalk.has(name)) {
      const cycle = walk.slice(walk.indexOf(name)).reverse()
      const joint = jointTo.get(cycle[0] as string) as UrdfJoint
      const shown = [...cycle.slice(0, 8), ...(cycle.length > 8 ? ['…'] : []), cycle[0]].join("' → '")
      addProblem(
        context.reader,
        joint.element,
        `links form a cycle: '${shown}'; expected a tree, remove joint '${joint.name}' or close it with a constraint`,
      )
    }
    for (const visited of walk) done.add(visited)
  }
}
