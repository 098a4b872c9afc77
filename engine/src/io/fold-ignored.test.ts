import { describe, expect, test } from 'vitest'
import { foldIgnored } from './fold-ignored.js'

const entry = (path: string, what: string, why: string) => ({ path, what, why })

describe('what was not taken over', () => {
  test('is counted where it is the same, with the first place', () => {
    const twice = [entry('a', 'gazebo', 'of Gazebo'), entry('b', 'sensor', 'no part'), entry('c', 'gazebo', 'of Gazebo')]
    expect(foldIgnored(twice)).toEqual([entry('a', 'gazebo (2 times, first here)', 'of Gazebo'), entry('b', 'sensor', 'no part')])
  })

  test('stands for itself where few differ by a name', () => {
    const few = ['x', 'y', 'z'].map((name) => entry(name, `mesh of link '${name}'`, 'not found'))
    expect(foldIgnored(few)).toEqual(few)
  })

  test('is drawn together with the names where many differ by one', () => {
    const many = Array.from({ length: 12 }, (_, k) => entry(`${k}`, `mesh of link 'l${k}'`, `'f${k}.stl' not found`))
    const names = "'l1', 'l2', 'l3', 'l4', 'l5', 'l6', 'l7', 'l8', …"
    expect(foldIgnored(many)).toEqual([entry('0', `mesh of link 'l0' (12 times, first here; also ${names})`, "'f0.stl' not found")])
  })

  test('takes along what has no name', () => {
    const some = ["joint 'a': ref", "joint 'b': ref", "joint 'c': ref", 'joint: ref', 'joint: ref'].map((what) => entry(what, what, 'none'))
    expect(foldIgnored(some)).toEqual([entry("joint 'a': ref", "joint 'a': ref (5 times, first here; also 'b', 'c')", 'none')])
  })

  test('stays apart where the reason differs', () => {
    const apart = ['lost', 'broken', 'flat', 'empty'].map((why) => entry('a', "mesh 'x'", why))
    expect(foldIgnored(apart)).toEqual(apart)
  })
})
