/** Forces of a user's own for the tests of threads, as a module that each thread loads. */
const wind = {
  name: 'wind',
  apply(_model, data, _state, from, to) {
    for (let i = from; i < to; i++) data.f[6 * i + 3] += 0.1
  },
}
export const forces = [wind]
