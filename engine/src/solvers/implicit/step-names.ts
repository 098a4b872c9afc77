/** Kernels of the ground step by the kind of its contacts, without and with contacts among the bodies: accelerations alone, and a whole step. */
export const groundKernels = {
  flat: ['solveFlat', 'stepFlat'],
  slanted: ['solveSlanted', 'stepSlanted'],
  full: ['solveFull', 'stepFull'],
} as const
export const pairKernels = {
  flat: ['solveFlatPairs', 'stepFlatPairs'],
  slanted: ['solveSlantedPairs', 'stepSlantedPairs'],
  full: ['solveFullPairs', 'stepFullPairs'],
} as const
