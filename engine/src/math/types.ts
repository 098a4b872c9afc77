/** A run of numbers; every function of `math/` and `tree/` takes it with an integer offset. */
export type Vec = Float64Array
