/** All lists of cases. Each is measured in a process of its own, for what V8 compiles depends on all that ran before. */
import type { AllocationCase } from '../allocation-case.js'
import { batchCases } from './batch.js'
import { constraintCases } from './constraints.js'
import { contactCases } from './contact.js'
import { deformingCases } from './deforming.js'
import { domainCases } from './domains.js'
import { handleCases } from './handles.js'
import { linalgCases } from './linalg.js'
import { linkCases } from './links.js'
import { methodCases } from './methods.js'
import { parallelCases } from './parallel.js'
import { positionCases } from './position.js'
import { processorCases } from './processors.js'
import { sceneCases } from './scenes.js'
import { wrappingCases } from './wrapping.js'

export const caseLists = {
  scenes: sceneCases,
  position: positionCases,
  methods: methodCases,
  contact: contactCases,
  constraints: constraintCases,
  deforming: deformingCases,
  linalg: linalgCases,
  domains: domainCases,
  batch: batchCases,
  links: linkCases,
  parallel: parallelCases,
  processors: processorCases,
  handles: handleCases,
  wrapping: wrappingCases,
} satisfies Record<string, () => readonly AllocationCase[]>
