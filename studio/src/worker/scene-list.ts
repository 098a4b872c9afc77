/**
 * Scenes by name. Those whose bodies deform come when they are first asked for, with the reduction of their meshes: that is much code, and seconds of
 * work that the page is told of.
 */
import type { Spec } from 'limber'
import { describeRange, type ParameterValues, rigidScenes, type Scene } from 'limber-scenes/rigid'
import type { SceneInfo } from './protocol.js'

/** milliseconds between words about work that goes on */
const tellEvery = 150

export interface SceneList {
  /** fetches all there are */
  all(): Promise<readonly Scene[]>
  build(name: string, values: ParameterValues): Promise<{ readonly spec: Spec; readonly title: string; readonly drive?: Scene['drive'] }>
}

export function createSceneList(busy: (text: string) => void): SceneList {
  const rest = async () => {
    const { deformableScenes, watchReduction } = await import('limber-scenes/deformable')
    let last = 0
    watchReduction((what, done) => {
      const now = performance.now()
      if (now - last < tellEvery) return
      last = now
      busy(`${what}, ${Math.round(100 * done)} %`)
    })
    return deformableScenes
  }
  const robots = async () => (await import('limber-scenes/robots')).robotScenes
  return {
    all: async () => [...rigidScenes, ...(await robots()), ...(await rest())],
    async build(name, values) {
      let scene = rigidScenes.find((one) => one.name === name)
      scene ??= (await robots()).find((one) => one.name === name)
      if (!scene) {
        scene = (await rest()).find((one) => one.name === name)
        if (scene) busy(`Building ${scene.title}`)
      }
      if (!scene) throw new Error(`there is no scene '${name}'; pick one from the gallery`)
      return { spec: scene.build(values), title: scene.title, ...(scene.drive ? { drive: scene.drive } : {}) }
    },
  }
}

export function describeScene({ name, title, description, parameters, camera, size, shown }: Scene): SceneInfo {
  const ranged = Object.entries(parameters).map(([key, parameter]) => [key, { ...parameter, range: describeRange(parameter) }] as const)
  const more = { ...(camera ? { camera } : {}), ...(size ? { size } : {}), ...(shown ? { shown } : {}) }
  return { name, title, description, parameters: Object.fromEntries(ranged), ...more }
}
