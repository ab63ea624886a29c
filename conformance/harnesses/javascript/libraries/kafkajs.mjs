// KafkaJS: its encoders and decoders, as its own table of APIs and versions has them.

import { createRequire } from 'node:module'

import { Unsupported } from '../bridge/outcomes.mjs'
import { offerOf } from '../traced/offer.mjs'
import { followed, instrumented, source } from '../traced/trace.mjs'
import { primitives } from './kafkajs-primitives.mjs'
import { records } from './kafkajs-records.mjs'
import { entriesOf, readingMethods, writingMethods } from './kafkajs-traces.mjs'

const require = createRequire(import.meta.url)
const load = name => require(`kafkajs/src/protocol/${name}`)

const Encoder = load('encoder')
const Decoder = load('decoder')
const createFrame = load('request')
const { requests } = load('requests')
const apiKeys = load('requests/apiKeys')
const { KafkaJSError } = require('kafkajs/src/errors')

const apis = new Map(Object.entries(requests).map(([name, api]) => [apiKeys[name], api]))

export const library = {
  name: 'kafkajs',
  version: require('kafkajs/package.json').version,
  isRejection: error => error instanceof KafkaJSError,
  own: { int64: value => (value === null ? null : String(value)) }, // as its users write offsets and timestamps
  async open(definitions) {
    const offer = await offerOf(library, definitions)
    const names = new Map()
    for (const message of definitions.values()) if (message.kind === 'request') names.set(message.apiKey, message.name)
    offer.messageOf = (direction, key) => requestNamed(names, direction, key)
    return { ...offer, memoryMiB: 2048, primitives: primitives(Encoder, Decoder), records: records(load) }
  },
  codecOf(message, version) {
    const api = apis.get(message.apiKey)
    if (!api?.versions.includes(String(version))) return undefined
    if (message.kind === 'request') return requestCodec(api.protocol({ version }))
    return message.kind === 'response' ? responseCodec(api.protocol({ version })) : undefined
  }
}

function requestNamed(names, direction, key) {
  if (direction !== 'request') throw new Unsupported('KafkaJS writes the frames of requests only')
  return names.get(key)
}

// KafkaJS takes the tags of a flexible header for the first of the body.
function requestCodec(protocol) {
  const codec = {
    direction: 'encode',
    headerTags: 0,
    async write(values) {
      const encoder = await protocol(values ?? {}).request.encode()
      return encoder.buffer.subarray(codec.headerTags)
    },
    async writeFrame({ correlationId, clientId }, values) {
      const frame = await createFrame({ correlationId, clientId, request: protocol(values ?? {}).request })
      return frame.buffer
    },
    async trace() {
      const run = () => protocol(source()).request.encode()
      return entriesOf(await instrumented(Encoder.prototype, writingMethods, run))
    },
    traced: (entries, isFlexible) => (codec.headerTags = isFlexible && entries[0]?.type === 'tags' ? 1 : 0)
  }
  return codec
}

function responseCodec(protocol) {
  const { response } = protocol({})
  const codec = {
    direction: 'decode',
    headerTags: Buffer.alloc(0),
    async read(wire) {
      return { own: await response.decode(Buffer.concat([codec.headerTags, wire])) }
    },
    trace() {
      const run = () => response.decode(Buffer.alloc(0))
      return followed(reading => instrumented(Decoder.prototype, readingMethods(reading), run))
    },
    traced: (entries, isFlexible) =>
      (codec.headerTags = Buffer.alloc(isFlexible && entries[0]?.type === 'tags' ? 1 : 0))
  }
  return codec
}
