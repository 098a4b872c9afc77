/** Before each file of tests with LIMBER_CHECKED=1: kernels and routines run in their JavaScript form, which then checks every index of a routine. */
import { useKernels } from 'limber'
import { jsKernels } from 'limber/js-kernels'

useKernels(jsKernels)
