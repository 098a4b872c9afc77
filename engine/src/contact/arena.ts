/**
 * The memory that the routines of contact work in: one arena a step, for shapes, contacts, rows and the problem that is made of them.
 */
import { type Arena, createArena } from '../kernels/records.js'
import { type ContactRoutines, contactModule } from '../printed/contact.js'

export type ContactArena = Arena<ContactRoutines>

/** `bytes`: what will be in it, about. */
export const createContactArena = (bytes?: number): ContactArena => createArena<ContactRoutines>(contactModule, bytes)
