import { ModelError } from 'limber'
import { describe, expect, it } from 'vitest'
import { readAddress } from './address.js'

describe('readAddress', () => {
  it('takes host and port with and without a scheme, and several of them', () => {
    expect(readAddress('host', {})).toEqual({ servers: ['host:4222'], tls: false, shown: 'nats://host:4222' })
    expect(readAddress('nats://10.0.0.1:5000', {}).servers).toEqual(['10.0.0.1:5000'])
    expect(readAddress('tls://a:1,tls://b:2', {})).toEqual({ servers: ['a:1', 'b:2'], tls: true, shown: 'tls://a:1,tls://b:2' })
    expect(readAddress('nats://[::1]:4222', {}).servers).toEqual(['[::1]:4222'])
  })

  it('takes credentials out of what is shown', () => {
    const named = readAddress('nats://ann:p%40ss@host:4222', {})
    expect(named).toMatchObject({ user: 'ann', pass: 'p@ss', shown: 'nats://host:4222', servers: ['host:4222'] })
    const token = readAddress('nats://s3cret@host', {})
    expect(token).toMatchObject({ token: 's3cret', shown: 'nats://host:4222' })
    expect(readAddress('host', { NATS_USER: 'ann', NATS_PASSWORD: 'x' })).toMatchObject({ user: 'ann', pass: 'x' })
    expect(readAddress('host', { NATS_TOKEN: 't' })).toMatchObject({ token: 't' })
  })

  it.each(['http://ann:hidden@host', 'nats://ann:hidden@host:port', 'nats://ann:hidden@'])(
    'refuses an address without repeating it',
    (text) => {
      try {
        readAddress(text, {})
        expect.unreachable()
      } catch (error) {
        expect(error).toBeInstanceOf(ModelError)
        expect((error as Error).message).toContain('expected an address such as nats://host:4222')
        expect((error as Error).message).not.toContain('hidden')
      }
    },
  )
})
