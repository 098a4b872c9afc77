/**
 * Limber: articulated-body dynamics. The public API, name by name.
 */
export { type BuildOptions, buildModel } from './build/build-model.js'
export type * from './build/spec.js'
export { createResidual, type Residual } from './constraints/residual.js'
export { type Energy, energy, forwardDynamics, inverseDynamics, massMatrix } from './forces/dynamics.js'
export { type BodyPoses, writeGlb, writeGltf } from './io/gltf/write-glb.js'
export type { MeshData, MeshObjects } from './io/mesh/mesh-data.js'
export { parseMesh } from './io/mesh/parse-mesh.js'
export type { Resolve } from './io/mjcf/include.js'
export { type MjcfOptions, parseMjcf } from './io/mjcf/parse-mjcf.js'
export { parseScene, type SceneOptions } from './io/scene/parse-scene.js'
export { sceneJsonSchema } from './io/scene/scene-json-schema.js'
export { writeScene } from './io/scene/write-scene.js'
export { readCsv, writeCsv } from './io/trajectory/csv.js'
export { readMcap, writeMcap } from './io/trajectory/mcap.js'
export { readNpy, writeNpy } from './io/trajectory/npy.js'
export { createRecorder, type Frame, type Recorder, type RecorderOptions } from './io/trajectory/recorder.js'
export type { RecordedJoint, RecordedModel, Recording } from './io/trajectory/recording.js'
export { readTrajectoryJson, writeTrajectoryJson } from './io/trajectory/trajectory-json.js'
export { parseUrdf, type UrdfOptions } from './io/urdf/parse-urdf.js'
export type { MjcfOptions as MjcfWriterOptions } from './io/write/mjcf-context.js'
export { writeMjcf } from './io/write/write-mjcf.js'
export { writeUrdf } from './io/write/write-urdf.js'
export type { Written, WrittenFile } from './io/write/written.js'
export { chartRate, difference, integrate, jointTypes, neutral } from './joints/index.js'
export type { JointGeometry, JointType } from './joints/joint-type.js'
export type { Vec } from './math/types.js'
export type { Constraints } from './model/constraints.js'
export type { Contact, ContactGeometry } from './model/contact.js'
export { createData, type Data, type DataField, dataLayout } from './model/data.js'
export type { Force, ForceMotion, ForceProduct } from './model/force.js'
export { modelHash } from './model/hash.js'
export type * from './model/model.js'
export { formatProblem, ModelError, type Place, type Problem } from './model/model-error.js'
export type { MovingLoads } from './model/moving-loads.js'
export { copyState, createState, type State } from './model/state.js'
export { addStiffEntry, openStiffRow, type StiffTerms } from './model/stiff-terms.js'
export { createSimulation, createSimulationWith, type Simulation, type SimulationOptions, type SimulationReport } from './simulation.js'
export { chooseSolver, type SolverChoice, solvers } from './solvers/index.js'
export { leftOut } from './solvers/left-out.js'
export { limitEvents, type OdeEvent } from './solvers/ode/events.js'
export { type AdaptiveMethod, adaptiveMethods, createIntegrator } from './solvers/ode/methods.js'
export { ode, odeWithEvents } from './solvers/ode/ode.js'
export {
  type AdvanceStatus,
  type Chart,
  type Integrator,
  type IntegratorOptions,
  type IntegratorStatistics,
  type OdeProblem,
  odeProblem,
  type Preconditioner,
} from './solvers/ode/problem.js'
export type { StepGradient } from './solvers/position/adjoint.js'
export {
  createStepDerivatives,
  type StepDerivatives,
  type StepDirection,
  type StepImage,
  type StepParameter,
} from './solvers/position/derivatives.js'
export { explainLinear, type LinearChoice } from './solvers/redmax/explain.js'
export type { BodyGroups, Feature, OptionInfo, Options, OptionValue, Solver, Stepper, StepReport, StepStatus } from './solvers/solver.js'
export { aba } from './tree/aba.js'
export { crba } from './tree/crba.js'
export { jacobianProduct, jacobianRateProduct, jacobianTransposeProduct } from './tree/jacobian.js'
export { forwardKinematics } from './tree/kinematics.js'
export { centerOfMass, kineticEnergy, momentum, totalMass } from './tree/momentum.js'
export { rnea } from './tree/rnea.js'
