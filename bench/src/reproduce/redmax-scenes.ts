/**
 * The scenes of Baxter's thesis (chapter 4) in sizes, and the numbers it prints for them.
 */
import { buildModel, type Model } from 'limber'
import { scenes } from 'limber-scenes'

export interface ThesisNumbers {
  readonly figures: string
  /** fitted exponents of time against degrees of freedom */
  readonly pcg?: number
  readonly direct?: number
  /** degrees of freedom from which conjugate gradients are faster; Infinity: never */
  readonly breakEven?: number
}

export interface ThesisScene {
  readonly key: string
  readonly title: string
  readonly thesis: ThesisNumbers
  /** the exponent that the issue holds conjugate gradients to, where there is one */
  readonly wanted?: number
  /** sizes to choose from: scene parameters that give about so many degrees of freedom */
  readonly at: (dofs: number) => { readonly name: string; readonly values: Readonly<Record<string, string | number>> }
}

// the soft deck of the timings lets a heavy car fall through: cars drive over the stiff one of the videos
const bridge = (towers: string, car: number) => (dofs: number) => ({
  name: 'bridge',
  values: { bodies: Math.max(2, Math.round(towers === 'rigid' ? dofs : dofs / 3)), towers, car, material: car > 0 ? 'video' : 'timing' },
})
const tree = (name: string) => (dofs: number) => ({ name, values: { levels: Math.max(2, Math.round(Math.log2(dofs / 3 + 1))) } })

export const thesisScenes: readonly ThesisScene[] = [
  {
    key: 'rigid',
    title: 'Bridge, rigid towers',
    thesis: { figures: '3, 4', pcg: 0.94, direct: 2.74, breakEven: 60 },
    wanted: 0.94,
    at: bridge('rigid', 0),
  },
  {
    key: 'flexible',
    title: 'Bridge, flexible towers',
    thesis: { figures: '3 to 5, 8', pcg: 1, direct: 2.39 },
    wanted: 1,
    at: bridge('flexible', 0),
  },
  { key: 'car', title: 'Bridge, flexible, car', thesis: { figures: '3, 6, 8, 10, 11', breakEven: 270 }, at: bridge('flexible', 1) },
  { key: 'car10', title: 'Bridge, flexible, car × 10', thesis: { figures: '10, 11' }, at: bridge('flexible', 10) },
  { key: 'car100', title: 'Bridge, flexible, car × 100', thesis: { figures: '10, 11' }, at: bridge('flexible', 100) },
  {
    key: 'car500',
    title: 'Bridge, flexible, car × 500',
    thesis: { figures: '3, 7 to 11', pcg: 1.21, direct: 2.47, breakEven: 306 },
    wanted: 1.21,
    at: bridge('flexible', 500),
  },
  {
    key: 'umbrella',
    title: 'Umbrella',
    thesis: { figures: '14 to 17', pcg: 1.38, direct: 2.35, breakEven: 350 },
    wanted: 1.38,
    // 1 + 16 (r + ⌊r/2⌋) degrees of freedom
    at: (dofs) => ({ name: 'umbrella', values: { segments: Math.max(2, Math.round((dofs - 1) / 24)) } }),
  },
  {
    key: 'tree',
    title: 'Tree',
    thesis: { figures: '19 to 22', breakEven: Number.POSITIVE_INFINITY },
    at: tree('tree'),
  },
  {
    key: 'alternate',
    title: 'Alternate tree',
    thesis: { figures: '24 to 26', breakEven: Number.POSITIVE_INFINITY },
    at: tree('alternate-tree'),
  },
]

export function makeModel(name: string, values: Readonly<Record<string, string | number>>): Model {
  const scene = scenes.find((one) => one.name === name)
  if (!scene) throw new Error(`no scene ${name}`)
  return buildModel(scene.build(values))
}

/** Different models nearest to the sizes wanted. */
export function modelsOf(scene: ThesisScene, sizes: readonly number[]): Model[] {
  const models = new Map<number, Model>()
  for (const dofs of sizes) {
    const { name, values } = scene.at(dofs)
    const model = makeModel(name, values)
    models.set(model.nv, model)
  }
  return [...models.values()]
}
