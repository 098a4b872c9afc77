/**
 * `limber scene`: lists the built-in scenes, or writes one as scene JSON.
 */
import type { Command } from 'commander'
import { ModelError, type Spec, writeScene } from 'limber'
import { describeRange, findScene, type Scene, scenes } from 'limber-scenes'
import { act, addCommand, type Session, success } from '../command.js'
import { checkFolder } from '../formats.js'
import { count, type Output } from '../output.js'
import { refuse } from '../problem.js'
import { hint } from '../suggest.js'
import { collectSetting, type Settings } from '../values.js'
import { writeBeside } from '../write-beside.js'

interface SceneOptions {
  readonly json?: boolean
  readonly set?: Settings
  readonly out?: string
}

export function registerScene(program: Command, session: Session): void {
  const command = addCommand(program, {
    name: 'scene',
    usage: '[name]',
    summary: 'write a built-in scene as scene JSON, or list the scenes',
    examples: ['limber scene', 'limber scene chain --set links=100 --set joint=spherical --out chain.json'],
  })
    .option('--set <key=value>', 'set a parameter of the scene; repeat for more', collectSetting)
    .option('-o, --out <file>', 'write to a file instead of stdout')
  act<SceneOptions>(command, session, async ([name], options, output) => {
    if (name === undefined) {
      listScenes(output)
      return success
    }
    const spec = buildScene(name, options.set)
    if (options.out === undefined) process.stdout.write(withNewline(writeScene(spec)))
    else {
      checkFolder(options.out)
      writeBeside(options.out, withNewline(writeScene(spec)))
      output.line(`wrote ${options.out}: scene ${name}, ${count(spec.bodies.length, 'body', 'bodies')}`)
      output.document({ scene: name, file: options.out, bodies: spec.bodies.length })
    }
    return success
  })
}

/** The Spec of a built-in scene; refuses unknown names and parameters with the nearest known one. */
export function buildScene(name: string, settings: Settings = {}): Spec {
  const scene = findScene(name)
  if (!scene) return refuse(`scene ${name}`, `there is no scene of this name${hint(name, sceneNames())}`)
  const known = Object.keys(scene.parameters)
  for (const key of Object.keys(settings)) {
    if (!known.includes(key)) refuse(`--set ${key}`, `the scene ${name} has no such parameter${hint(key, known)}`)
  }
  try {
    return scene.build(Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, String(value)])))
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    // what the user wrote, instead of the scene's own path
    const named = (path: string) => path.replace(new RegExp(`^${name}/`), '--set ')
    throw new ModelError(error.problems.map((problem) => ({ ...problem, path: named(problem.path) })))
  }
}

export function sceneNames(): string[] {
  return scenes.map((scene) => scene.name)
}

/** Names of the parameters of a scene; none where there is no scene of this name. */
export function sceneParameters(name: string): string[] {
  return Object.keys(findScene(name)?.parameters ?? {})
}

function listScenes(output: Output): void {
  for (const scene of scenes) describeScene(scene, output)
  output.line('Write one with: limber scene NAME --set key=value --out FILE')
  output.document({
    scenes: scenes.map(({ name, title, description, parameters }) => ({ name, title, description, parameters })),
  })
}

function describeScene({ name, title, description, parameters }: Scene, output: Output): void {
  output.line(`${output.style('bold', name)}  ${title}`)
  output.line(`  ${description}`)
  for (const [key, parameter] of Object.entries(parameters)) {
    const unit = parameter.unit ? ` ${parameter.unit}` : ''
    output.line(
      `  --set ${`${key}=${parameter.default}`.padEnd(18)} ${parameter.description}${unit && `, in${unit}`} (${describeRange(parameter)})`,
    )
  }
  output.line()
}

function withNewline(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}
