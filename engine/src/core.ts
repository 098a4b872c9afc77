/**
 * The core: models, their dynamics, and simulation with the solvers of the explicit family, or with another that is given to it. It loads
 * neither readers of files nor the other families.
 */
export { buildModel } from './build/build-model.js'
export type * from './build/spec.js'
export type { Interface, Material, Reduced } from './deformable/reduced.js'
export { type Energy, energy, forwardDynamics, inverseDynamics, massMatrix } from './forces/dynamics.js'
export { forcesOf } from './forces/index.js'
export { chartRate, difference, integrate, jointTypes, neutral } from './joints/index.js'
export type { JointGeometry, JointType } from './joints/joint-type.js'
export { type Block, type JsKernels, useKernels } from './kernels/memory.js'
export type { Table } from './kernels/tables.js'
export type { Vec } from './math/types.js'
export type { Constraints } from './model/constraints.js'
export { createData, type Data, type DataField, type DataOptions, dataLayout, dataSize } from './model/data.js'
export type { Force, ForceMotion, ForceProduct } from './model/force.js'
export { modelHash } from './model/hash.js'
export type * from './model/model.js'
export { formatProblem, ModelError, type Place, type Problem } from './model/model-error.js'
export type { Bases, Faces, Modes } from './model/modes.js'
export type { MovingLoads } from './model/moving-loads.js'
export type { Contact, Shapes as ContactGeometry } from './model/shapes.js'
export { copyState, createState, type State } from './model/state.js'
export { addStiffEntry, openStiffRow, type StiffTerms } from './model/stiff-terms.js'
export type { TreeKernels } from './printed/tree.js'
export { createSimulationWith, type Simulation, type SimulationOptions, type SimulationReport, type StartFrom } from './simulation.js'
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
export type {
  BodyGroups,
  Detail,
  Feature,
  OptionInfo,
  Options,
  OptionValue,
  Solver,
  Stepper,
  StepReport,
  StepStatus,
} from './solvers/solver.js'
export { aba } from './tree/aba.js'
export { crba } from './tree/crba.js'
export { jacobianProduct, jacobianRateProduct, jacobianTransposeProduct } from './tree/jacobian.js'
export { forwardKinematics } from './tree/kinematics.js'
export { centerOfMass, kineticEnergy, momentum, totalMass } from './tree/momentum.js'
export { rnea } from './tree/rnea.js'
