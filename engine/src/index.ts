/**
 * Limber: articulated-body dynamics. The public API, name by name: what `core.ts` lists, and all that is here.
 */
export { type Batch, type BatchMethod, type BatchOptions, type BatchStart, createBatch } from './batch/batch.js'
export type { Precision } from './batch/lanes.js'
export { type BatchArray, type BatchParameter, batchParameters } from './batch/layout.js'
export type { BatchThread, StartThread, ThreadTask } from './batch/threads.js'
export type { EnvironmentVector } from './batch/views.js'
export { createResidual, type Residual } from './constraints/rows/residual.js'
export * from './core.js'
export { createSimulation } from './create-simulation.js'
export { type BodyPoses, writeGlb, writeGltf } from './io/gltf/write-glb.js'
export type { MeshData, MeshObjects } from './io/mesh/mesh-data.js'
export { parseMesh } from './io/mesh/parse-mesh.js'
export { type MjcfOptions, parseMjcf } from './io/mjcf/parse-mjcf.js'
export type { Resolve } from './io/mjcf/syntax/include.js'
export { parseScene, type SceneOptions } from './io/scene/parse-scene.js'
export { sceneJsonSchema } from './io/scene/scene-json-schema.js'
export { writeScene } from './io/scene/write-scene.js'
export { type GivenState, parseState, type StateOptions } from './io/state/parse-state.js'
export { readCsv, writeCsv } from './io/trajectory/csv.js'
export { readMcap, writeMcap } from './io/trajectory/mcap.js'
export { readNpy, writeNpy } from './io/trajectory/npy.js'
export { createRecorder, type Frame, type Recorder, type RecorderOptions } from './io/trajectory/recorder.js'
export { type RecordedJoint, type RecordedModel, type Recording, recordedModel } from './io/trajectory/recording.js'
export { readTrajectoryJson, writeTrajectoryJson } from './io/trajectory/trajectory-json.js'
export { parseUrdf, type UrdfOptions } from './io/urdf/parse-urdf.js'
export type { MjcfOptions as MjcfWriterOptions } from './io/write/mjcf/context.js'
export { writeMjcf } from './io/write/mjcf/write-mjcf.js'
export { writeUrdf } from './io/write/urdf/write-urdf.js'
export type { Written, WrittenFile } from './io/write/written.js'
export { type AdaptiveExtras, adaptive, adaptiveWith, type ChooseDetail } from './solvers/adaptive/adaptive.js'
export { adaptiveInfo } from './solvers/adaptive/info.js'
export type { AdaptiveReport } from './solvers/adaptive/stepper.js'
export { chooseSolver, namedSolver, type SolverChoice } from './solvers/choose.js'
export { solvers } from './solvers/index.js'
export type { StepGradient } from './solvers/position/derivatives/adjoint.js'
export {
  createStepDerivatives,
  type StepDerivatives,
  type StepDirection,
  type StepImage,
  type StepParameter,
} from './solvers/position/derivatives/derivatives.js'
export { position } from './solvers/position/position.js'
export { explainLinear, type LinearChoice } from './solvers/redmax/matrix/explain.js'
export { redmax } from './solvers/redmax/redmax.js'
