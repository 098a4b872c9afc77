export { type BatchRow, judgeBatches, timeBatches } from './batches.js'
export { findCases } from './contact/cases.js'
export { type ContactRow, judgeContact, judgeModels, timeContact } from './contact/contact.js'
export { readCase } from './contact/own-models.js'
export { judge, type TimingRow, timeForwardDynamics } from './forward-dynamics.js'
export { type GpuRow, type GpuTimes, judgeGpuBatches, timeGpuBatches } from './gpu-batches.js'
export { type GroundRow, type GroundTimes, judgeGroundBatches, timeGroundBatches } from './ground-batches.js'
export { writeHtml } from './report/html.js'
export { type Axis, type Plot, type Series, writeSvg } from './report/plot.js'
export {
  type Block,
  picture,
  plot,
  type Report,
  type Reproduction,
  type ReproductionOptions,
  type Section,
  type Table,
  table,
  text,
  writeText,
} from './report/report.js'
export { reproduceAdaptive } from './reproduce/adaptive.js'
export { reproduceDistributed } from './reproduce/distributed.js'
export { reproduceGear } from './reproduce/gear.js'
export { reproducePosition } from './reproduce/position.js'
export { reproduceRedmax } from './reproduce/redmax.js'
export { reproduceSubstructuring } from './reproduce/substructuring.js'
export { reproduceTrajectories } from './reproduce/trajectories.js'
export { judgeStart, type StartRow, timeStart } from './start.js'
