/** Codes of observations: parts of the state, frames on bodies, contact, heights of the ground. */
export const Q = 0
export const V = 1
export const A = 2
export const CONTROL = 3
export const ACT = 4
export const TIME = 5
export const CONTACT_FORCE = 6
export const TOUCH = 7
export const HEIGHTS = 8
export const POSITION = 9
export const QUATERNION = 10
export const LINEAR = 11
export const ANGULAR = 12
export const LOCAL_LINEAR = 13
export const LOCAL_ANGULAR = 14
export const GRAVITY = 15
export const ACCELERATION = 16
