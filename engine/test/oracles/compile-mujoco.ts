/**
 * MuJoCo (official WebAssembly build) as a second opinion on what a file means: compiles MJCF or URDF text with its mesh files.
 */
import loadMujoco, { type MjModel } from '@mujoco/mujoco'

const loading = loadMujoco()

/** The compiled model; throws with MuJoCo's own message. Call `delete()` on it when done. */
export async function compileMujoco(xml: string, files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<MjModel> {
  const mujoco = await loading
  const vfs = new mujoco.MjVFS()
  try {
    for (const [name, data] of Object.entries(files)) vfs.addBuffer(name, typeof data === 'string' ? new TextEncoder().encode(data) : data)
    return mujoco.MjModel.from_xml_string(xml, vfs)
  } finally {
    vfs.delete()
  }
}
