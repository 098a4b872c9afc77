/**
 * Limber: articulated-body dynamics. The public API, name by name: what `core.ts` lists, and all that is here.
 */
export { type Batch, createBatch } from './batch/batch.js'
export {
  type Autoreset,
  createEnvironments,
  type Environments,
  type EnvironmentsOptions,
  type ResetOptions,
  type StepInfo,
  type StepResult,
} from './batch/environments.js'
export type { GpuBatch, GpuBuffers, GpuLoss } from './batch/gpu/types.js'
export type { Precision } from './batch/lanes.js'
export { type BatchArray, type BatchParameter, batchParameters } from './batch/layout.js'
export { createLinearizer, type Linearization, type Linearizer, type LinearizerOptions } from './batch/linearize.js'
export type { BatchOptions, GpuBatchOptions } from './batch/options.js'
export type { BatchContact, BatchMethod } from './batch/programs.js'
export type { Random } from './batch/random.js'
export type { BatchSelection, BatchStart, StartNoise } from './batch/start.js'
export type { StartRow, Task, TaskRow } from './batch/task.js'
export type { BatchThread, StartThread, ThreadTask } from './batch/threads.js'
export { type BatchSearches, type CallKind, callKinds, type SearchTotals } from './batch/trajectories.js'
export type { EnvironmentVector } from './batch/views.js'
export { placeGeom } from './build/geometry/segment.js'
export { createResidual, type Residual } from './constraints/rows/residual.js'
export { overlapNotes } from './contact/overlaps.js'
export { type ContactSummary, contactSummary } from './contact/summary.js'
export * from './core.js'
export { createSimulation } from './create-simulation.js'
export { type Embedding, embed } from './deformable/embed.js'
export { createFullMesh, type FullMesh, type FullMeshOptions } from './deformable/full-mesh.js'
export type { Box, Selection } from './deformable/interfaces.js'
export { type Mesh, type Triple, tetrahedra, type VoxelGrid, voxelGrid } from './deformable/mesh.js'
export { modesFor } from './deformable/modes-for.js'
export { type ReduceOptions, reduce } from './deformable/reduce.js'
export type { Interface, Material, Reduced } from './deformable/reduced.js'
export { castRay, type RayHit, type RayOptions } from './forces/ray/cast-ray.js'
export { createVertexSpring, type VertexSpring } from './forces/vertex-spring.js'
export { type IkSolution, type IkTarget, solveIk } from './handles/solve-ik.js'
export { parseVolumeMesh, type VolumeMeshOptions } from './io/domain/parse-volume-mesh.js'
export { readReduced, writeReduced } from './io/domain/reduced-file.js'
export type { VolumeMesh } from './io/domain/volume/volume-data.js'
export { type BodyPoses, writeGlb, writeGltf } from './io/gltf/write-glb.js'
export { type MergeOptions, mergeSpecs } from './io/merge/merge-specs.js'
export type { MeshData, MeshObjects } from './io/mesh/mesh-data.js'
export { parseMesh } from './io/mesh/parse-mesh.js'
export { type MjcfOptions, parseMjcf } from './io/mjcf/parse-mjcf.js'
export type { Resolve } from './io/mjcf/syntax/include.js'
export { parseScene, type SceneOptions } from './io/scene/parse-scene.js'
export { sceneJsonSchema } from './io/scene/scene-json-schema.js'
export { writeScene } from './io/scene/write-scene.js'
export { isEmbedded } from './io/skin/is-embedded.js'
export type { Skin } from './io/skin/skin.js'
export { type BodySkin, createSkins, type SkinsOf } from './io/skin/skins-of.js'
export { type GivenState, parseState, type StateOptions } from './io/state/parse-state.js'
export { readCsv, writeCsv } from './io/trajectory/csv.js'
export { type ByteSink, type FrameSource, rowLayout } from './io/trajectory/frames.js'
export { readMcap, writeMcap } from './io/trajectory/mcap.js'
export { readNpy, writeNpy } from './io/trajectory/npy.js'
export { createRecorder, type Frame, type Recorder, type RecorderOptions } from './io/trajectory/recorder.js'
export {
  type RecordedColumns,
  type RecordedJoint,
  type RecordedModel,
  type Recording,
  type RecordingExtra,
  recordedModel,
  recordingExtras,
} from './io/trajectory/recording.js'
export { readTrajectoryJson, writeTrajectoryJson } from './io/trajectory/trajectory-json.js'
export { bytesOfRow, type RecordingFormat, recordingFormats, writeFrames } from './io/trajectory/write-frames.js'
export type { UrdfActuation } from './io/urdf/actuators.js'
export type { UrdfBase } from './io/urdf/base.js'
export { parseUrdf, type UrdfOptions } from './io/urdf/parse-urdf.js'
export type { MjcfOptions as MjcfWriterOptions } from './io/write/mjcf/context.js'
export { writeMjcf } from './io/write/mjcf/write-mjcf.js'
export { writeUrdf } from './io/write/urdf/write-urdf.js'
export type { Written, WrittenFile } from './io/write/written.js'
export type { BodyTree, Branches, BranchOptions } from './parallel/branches.js'
export type { Costs } from './parallel/cost.js'
export { type Measures, measureCosts } from './parallel/measure.js'
export { type DistributeOptions, type Distribution, type Partition, partition } from './parallel/partition.js'
export { createSampler, type RecordOptions, recordBytes, type Sampled, type Sampler, type SamplerOptions } from './record.js'
export { type BatchRecording, type RecordBatchOptions, recordBatch } from './record-batch.js'
export { type AdaptiveExtras, adaptive, adaptiveWith, type ChooseDetail } from './solvers/adaptive/adaptive.js'
export { adaptiveInfo } from './solvers/adaptive/info.js'
export type { AdaptiveReport } from './solvers/adaptive/stepper.js'
export { chooseSolver, type NamedSolver, namedSolver, type SolverChoice } from './solvers/choose.js'
export { implicitInfo } from './solvers/implicit/info.js'
export type { GroundParameter } from './solvers/implicit/layout.js'
export type { FrameQuantity, HeightSamples, Observation, ObservedPart, RayFan } from './solvers/implicit/observe.js'
export { solvers } from './solvers/index.js'
export type { StepGradient } from './solvers/position/derivatives/adjoint.js'
export {
  createStepDerivatives,
  type StepDerivatives,
  type StepDirection,
  type StepImage,
  type StepParameter,
} from './solvers/position/derivatives/derivatives.js'
export { positionInfo } from './solvers/position/info.js'
export { position } from './solvers/position/position.js'
export { redmaxInfo } from './solvers/redmax/info.js'
export { explainLinear, type LinearChoice } from './solvers/redmax/matrix/explain.js'
export { redmax } from './solvers/redmax/redmax.js'
export { substructuringInfo } from './solvers/substructuring/info.js'
export { substructuring } from './solvers/substructuring/substructuring.js'
