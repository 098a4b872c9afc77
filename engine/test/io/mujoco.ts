/** MuJoCo for tests: one instance, models from text. */
import loadMujoco, { type MainModule, type MjModel } from '@mujoco/mujoco'

let instance: Promise<MainModule> | undefined

export function mujoco(): Promise<MainModule> {
  instance ??= loadMujoco()
  return instance
}

/** Compiles a document; on failure the message carries the text. */
export async function compileMjcf(text: string): Promise<MjModel> {
  const module = await mujoco()
  try {
    return module.MjModel.from_xml_string(text)
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${text}`)
  }
}
