/**
 * The address of what is on the screen: `#scene=chain&links=20&solver=ode&solver.method=gear&timestep=0.01&…`.
 * Plain names are the scene's parameters; the words in `reserved` belong to the studio.
 */
import type { LaneSettings } from '../worker/protocol.js'

export interface View {
  readonly scene?: string
  /** the model itself, packed */
  readonly model?: string
  /** what the files were called that the address cannot hold */
  readonly file?: string
  /** keyframe, or `initial` */
  readonly start?: string
  readonly parameters: Readonly<Record<string, string>>
  readonly lanes: readonly LaneSettings[]
  readonly speed?: number
  readonly camera?: readonly number[]
  readonly show: readonly string[]
  readonly colors?: string
  readonly arrangement?: string
  readonly panel?: string
  /** upper and lower */
  readonly plots?: string
  readonly theme?: string
  readonly paused: boolean
  readonly follow: boolean
}

const reserved = new Set('scene model file start speed camera show colors arrangement panel plots theme paused follow'.split(' '))
const laneKey = /^(solver|timestep)([23]?)(?:\.(.+))?$/

export function readView(hash: string): View {
  const entries = new URLSearchParams(hash.replace(/^#/, ''))
  const parameters: Record<string, string> = {}
  const lanes: { solver?: string; timestep?: number; options?: Record<string, string> }[] = []
  const lane = (digit: string) => {
    const k = digit ? Number(digit) - 1 : 0
    while (lanes.length <= k) lanes.push({})
    return lanes[k]
  }
  for (const [key, value] of entries) {
    const match = laneKey.exec(key)
    if (match) {
      const [, word, digit = '', option] = match
      const target = lane(digit)
      if (option && word === 'solver') target.options = { ...target.options, [option]: value }
      else if (word === 'solver') target.solver = value
      else if (Number(value) > 0) target.timestep = Number(value)
    } else if (!reserved.has(key)) parameters[key] = value
  }
  const text = (key: string) => entries.get(key) || undefined
  const speed = Number(entries.get('speed'))
  const camera = text('camera')?.split(',').map(Number)
  const optional = {
    scene: text('scene'),
    model: text('model'),
    file: text('file'),
    start: text('start'),
    colors: text('colors'),
    arrangement: text('arrangement'),
    panel: text('panel'),
    plots: text('plots'),
    theme: text('theme'),
  }
  return {
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
    parameters,
    lanes,
    ...(speed > 0 ? { speed } : {}),
    ...(camera ? { camera } : {}),
    show: text('show')?.split(',') ?? [],
    paused: entries.has('paused'),
    follow: entries.has('follow'),
  }
}

export function writeView(view: View): string {
  const entries = new URLSearchParams()
  const put = (key: string, value: string | number | undefined) => {
    if (value !== undefined && value !== '') entries.set(key, String(value))
  }
  put('scene', view.scene)
  put('model', view.model)
  put('file', view.file)
  put('start', view.start)
  for (const [key, value] of Object.entries(view.parameters)) put(key, value)
  view.lanes.forEach(({ solver, timestep, options = {} }, k) => {
    const digit = k === 0 ? '' : String(k + 1)
    // a lane that only follows the model is still a lane
    put(`solver${digit}`, solver ?? (k > 0 ? 'auto' : undefined))
    put(`timestep${digit}`, timestep)
    for (const [key, value] of Object.entries(options)) put(`solver${digit}.${key}`, String(value))
  })
  put('speed', view.speed === 1 ? undefined : view.speed)
  put('camera', view.camera?.join(','))
  put('show', view.show.join(','))
  put('colors', view.colors === 'own' ? undefined : view.colors)
  put('arrangement', view.arrangement)
  put('panel', view.panel)
  put('plots', view.plots)
  put('theme', view.theme)
  if (view.follow) entries.set('follow', '1')
  if (view.paused) entries.set('paused', '1')
  return `#${entries.toString().replaceAll('%2C', ',').replaceAll('%2F', '/')}`
}
