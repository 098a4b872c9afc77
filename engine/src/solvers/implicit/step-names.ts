/**
 * Kernels of the ground step by the kind of its contacts, without and with contacts among the bodies: accelerations alone, a whole step, and
 * observations of a state.
 */
export const groundKernels = {
  flat: ['solveFlat', 'stepFlat', 'observe'],
  slanted: ['solveSlanted', 'stepSlanted', 'observe'],
  full: ['solveFull', 'stepFull', 'observe'],
} as const
export const pairKernels = {
  flat: ['solveFlatPairs', 'stepFlatPairs', 'observeWithPairs'],
  slanted: ['solveSlantedPairs', 'stepSlantedPairs', 'observeWithPairs'],
  full: ['solveFullPairs', 'stepFullPairs', 'observeWithPairs'],
} as const
