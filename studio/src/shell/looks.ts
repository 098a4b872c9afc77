/**
 * Names of what the picture can show; the panels, the deep link and the view are made from these tables. Free of three.js, which only the view loads.
 */

/** colours of the lanes, in the picture and in the plots */
export const laneColors = ['#f2a93c', '#3e7bfa', '#30a46c'] as const

export const colorModes = ['own', 'tree', 'mass', 'body'] as const
export type ColorMode = (typeof colorModes)[number]

/** how a colour mode by what a solver reports is named in the address: `group:` and the name of the groups */
export const groupPrefix = 'group:'

/** what is drawn over the mechanism, by name */
export const overlayTitles = {
  frames: 'Body frames',
  axes: 'Joint axes',
  inertia: 'Inertia boxes',
  mass: 'Centres of mass',
  contacts: 'Contacts and their forces',
  forces: 'Springs by force',
} as const
export type OverlayName = keyof typeof overlayTitles

export const tools = {
  drag: { title: 'Drag', hint: 'Drag a body to pull it with a spring. Drag beside it to turn the view.' },
  push: { title: 'Push', hint: 'Click a body to push it away from you.' },
  pin: { title: 'Pin', hint: 'Click a body to hold that point where it is. Click Unpin all to let go.' },
  spring: { title: 'Spring', hint: 'Click two points to join them with a spring.' },
} as const
export type Tool = keyof typeof tools
