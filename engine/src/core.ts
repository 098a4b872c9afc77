/**
 * The core: models, their dynamics, and simulation with the solvers of the explicit family, or with another that is given to it. It loads
 * neither readers of files nor the other families.
 */
export { buildModel } from './build/build-model.js'
export type * from './build/spec.js'
export { withoutFooting } from './contact/footing.js'
export type { Interface, Material, Reduced } from './deformable/reduced.js'
export { type Energy, energy, forwardDynamics, inverseDynamics, massMatrix } from './forces/dynamics.js'
export { forcesOf } from './forces/index.js'
export { readSensors, type Sensed } from './forces/sensors.js'
export type { Until } from './handles/applied.js'
export type { ApplyOptions, BodyHandle, FrameHandle } from './handles/body.js'
export type { ActuatorHandle, Handles, ShapeHandle, SiteHandle } from './handles/handles.js'
export type { JointHandle } from './handles/joint.js'
export type { GivenGains } from './handles/parameters.js'
export type { AskedContacts, ContactOptions } from './handles/queries/asked.js'
export type { ShapeDistance } from './handles/queries/queries.js'
export type { StartFrom } from './handles/start-from.js'
export { chartRate, difference, integrate, jointTypes, neutral } from './joints/index.js'
export type { JointGeometry, JointType } from './joints/joint-type.js'
export { type Block, type JsKernels, useKernels } from './kernels/memory.js'
export type { Table } from './kernels/tables.js'
/** Sines, hypotenuses and powers with the same bits in every JavaScript engine, for programs that make models: `portable.sin`. */
export * as portable from './math/own.js'
export type { Vec } from './math/types.js'
export type { Constraints } from './model/constraints.js'
export { createData, type Data, type DataField, type DataOptions, dataLayout, dataSize } from './model/data.js'
export type { Force, ForceMotion, ForceProduct } from './model/force.js'
export { modelHash } from './model/hash.js'
export type * from './model/model.js'
export { formatProblem, ModelError, type Place, type Problem } from './model/model-error.js'
export type { Bases, Faces, Modes } from './model/modes.js'
export type { MovingLoads } from './model/moving-loads.js'
export { type RayTargets, type SensorKind, type Sensors, sensorKinds } from './model/sensors.js'
export type { Contact, ContactPairs, Geoms, Hulls, Shapes as ContactGeometry, Sites } from './model/shapes.js'
export { copyState, createState, type State } from './model/state.js'
export { addStiffEntry, openStiffRow, type StiffTerms } from './model/stiff-terms.js'
export type { TreeKernels } from './printed/tree.js'
export {
  type Begun,
  createSimulationWith,
  type Simulation,
  type SimulationOptions,
  type SimulationReport,
} from './simulation.js'
export type { AdaptiveGiven } from './solvers/adaptive/info.js'
export type { AnyOptions, GivenOptions, OptionsFor, SolverName, SolverOptions, SomeOptions } from './solvers/given.js'
export type { ImplicitGiven } from './solvers/implicit/info.js'
export { holdsContact, leftOut } from './solvers/left-out.js'
export { limitEvents, type OdeEvent } from './solvers/ode/events.js'
export { type AdaptiveMethod, adaptiveMethods, createIntegrator } from './solvers/ode/methods.js'
export { type OdeGiven, ode, odeWithEvents } from './solvers/ode/ode.js'
export {
  type AdvanceStatus,
  type Chart,
  type Groups,
  type Integrator,
  type IntegratorOptions,
  type IntegratorStatistics,
  type OdeProblem,
  odeProblem,
  type Preconditioner,
} from './solvers/ode/problem.js'
export { completeOptions } from './solvers/options.js'
export type { PositionGiven } from './solvers/position/info.js'
export type { RedmaxGiven } from './solvers/redmax/info.js'
export type {
  BodyGroups,
  Choice,
  Detail,
  Feature,
  Like,
  OptionInfo,
  Options,
  OptionsOf,
  OptionValue,
  Solver,
  StabilityLimits,
  Stepper,
  StepReport,
  StepStatus,
} from './solvers/solver.js'
export type { SubstructuringGiven } from './solvers/substructuring/info.js'
export { aba } from './tree/aba.js'
export { crba } from './tree/crba.js'
export { jacobianProduct, jacobianRateProduct, jacobianTransposeProduct } from './tree/jacobian.js'
export { forwardKinematics } from './tree/kinematics.js'
export { centerOfMass, kineticEnergy, momentum, totalMass } from './tree/momentum.js'
export { rnea } from './tree/rnea.js'
