// The operations of the protocol, each on what a library offers. README.md says what that is.

import { isHex } from './forms.mjs'
import { ProtocolError, Unsupported, called } from './outcomes.mjs'

function need(request, key, kind) {
  const value = request[key]
  if (value === undefined) throw new ProtocolError(`the request has no "${key}"`)
  if (kind && (typeof value !== kind || value === null)) throw new ProtocolError(`"${key}" is no ${kind}`)
  return value
}

function wireOf(request) {
  const digits = need(request, 'wire', 'string')
  if (!isHex(digits)) throw new ProtocolError('"wire" is not lower-case hex')
  return Buffer.from(digits, 'hex')
}

function codecOf(offer, request, direction) {
  const message = need(request, 'message', 'string')
  const version = need(request, 'version', 'number')
  const codec = offer.supports[direction][message]?.includes(version) && offer.codec(message, version)
  if (!codec) throw new Unsupported(`the harness does not ${direction} ${message} of version ${version}`)
  return codec
}

const bytes = wire => ({ outcome: 'bytes', wire: Buffer.from(wire).toString('hex') })

// Apply a function to a value, or to what a promise gives.
const then = (value, next) => (value instanceof Promise ? value.then(next) : next(value))

function encode(offer, request) {
  const codec = codecOf(offer, request, 'encode')
  const value = codec.build(need(request, 'value'))
  return then(called(0, () => codec.write(value)), bytes)
}

function decode(offer, request) {
  const wire = wireOf(request)
  const codec = codecOf(offer, request, 'decode')
  const shown = ({ own, consumed = null }) => ({ outcome: 'value', value: codec.show(own), consumed })
  return then(called(wire.length, () => codec.read(wire)), shown)
}

function encodeFrame(offer, request) {
  const direction = need(request, 'direction', 'string')
  if (request.headerTags?.length) throw new Unsupported('the library writes no tagged fields of headers')
  const message = offer.messageOf(direction, need(request, 'apiKey', 'number'))
  const codec = codecOf(offer, { ...request, message }, 'encode')
  const value = codec.build(need(request, 'value'))
  const header = { correlationId: need(request, 'correlationId', 'number'), clientId: request.clientId }
  return then(called(0, () => codec.writeFrame(header, value)), bytes)
}

function headerVersion(offer, request) {
  const key = need(request, 'apiKey', 'number')
  const version = offer.headerVersion(need(request, 'direction', 'string'), key, need(request, 'version', 'number'))
  if (version === undefined) throw new Unsupported('the library does not have this API, or not this version')
  return { outcome: 'value', value: version }
}

function primitiveOf(offer, request) {
  const name = need(request, 'name', 'string')
  const primitive = offer.primitives[name]
  if (!primitive) throw new Unsupported(`the library has no ${name}`)
  return primitive
}

function encodePrimitive(offer, request) {
  const primitive = primitiveOf(offer, request)
  const value = primitive.build(need(request, 'value'))
  return bytes(called(0, () => primitive.write(value)))
}

function decodePrimitive(offer, request) {
  const wire = wireOf(request)
  const primitive = primitiveOf(offer, request)
  const { own, consumed } = called(wire.length, () => primitive.read(wire))
  return { outcome: 'value', value: primitive.show(own), consumed }
}

function encodeRecords(offer, request) {
  const value = offer.records.build(need(request, 'value', 'object'))
  return then(called(0, () => offer.records.write(value)), bytes)
}

function decodeRecords(offer, request) {
  const wire = wireOf(request)
  const shown = ({ own, consumed = null }) => ({ outcome: 'value', value: offer.records.show(own), consumed })
  return then(called(wire.length, () => offer.records.read(wire)), shown)
}

const describe = offer => ({ outcome: 'value', value: offer.describe() })

const offered = (operation, isOffered) => Object.assign(operation, { isOffered })
const has = (offer, direction) => Object.keys(offer.supports[direction]).length > 0

export const OPERATIONS = {
  encode: offered(encode, offer => has(offer, 'encode')),
  decode: offered(decode, offer => has(offer, 'decode')),
  'encode-frame': offered(encodeFrame, offer => Boolean(offer.messageOf)),
  'header-version': offered(headerVersion, offer => Boolean(offer.headerVersion)),
  'encode-primitive': offered(encodePrimitive, offer => Boolean(offer.primitives)),
  'decode-primitive': offered(decodePrimitive, offer => Boolean(offer.primitives)),
  'encode-records': offered(encodeRecords, offer => Boolean(offer.records?.write)),
  'decode-records': offered(decodeRecords, offer => Boolean(offer.records?.read)),
  describe: offered(describe, offer => Boolean(offer.describe))
}
