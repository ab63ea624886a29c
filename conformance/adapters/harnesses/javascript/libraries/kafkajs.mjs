// KafkaJS: its encoders and decoders, as its own table of APIs and versions has them.

import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

import { offerByHand } from '../bridge/byhand.mjs'
import { Unsupported, step } from '../bridge/outcomes.mjs'
import { offerOf } from '../traced/offer.mjs'
import { followed, instrumented, source } from '../traced/trace.mjs'
import { primitives } from './kafkajs-primitives.mjs'
import { records } from './kafkajs-records.mjs'
import { stored } from './kafkajs-stored.mjs'
import { entriesOf, readingMethods, writingMethods } from './kafkajs-traces.mjs'
import { batchError } from './record-forms.mjs'

const require = createRequire(import.meta.url)
const load = name => require(`kafkajs/src/protocol/${name}`)

const Encoder = load('encoder')
const Decoder = load('decoder')
const createFrame = load('request')
const { requests } = load('requests')
const apiKeys = load('requests/apiKeys')
const { AssignerProtocol } = require('kafkajs')
const { KafkaJSError } = require('kafkajs/src/errors')

// The folder of each API, by its key; in it each version has a folder, with its request and its response.
const folder = path.join(path.dirname(require.resolve('kafkajs/package.json')), 'src/protocol/requests')
const folders = new Map()
for (const entry of fs.readdirSync(folder, { withFileTypes: true }).filter(one => one.isDirectory())) {
  const [name] = Object.entries(requests).find(([, api]) => api === load(`requests/${entry.name}`)) ?? []
  if (name) folders.set(apiKeys[name], entry.name)
}

// Every loop of a reader reads something in each turn: so it can be stopped.
const STEPS = ['Int8', 'Int16', 'Int32', 'Int64', 'Double', 'VarInt', 'UVarInt', 'VarLong'].map(name => `read${name}`)
for (const name of STEPS) {
  const read = Decoder.prototype[name]
  Decoder.prototype[name] = function counted() {
    step()
    return read.call(this)
  }
}

export const library = {
  name: 'kafkajs',
  version: require('kafkajs/package.json').version,
  isRejection: error => error instanceof KafkaJSError,
  own: { int64: value => (value === null ? null : String(value)) }, // as its users write offsets and timestamps
  async open(definitions) {
    const offer = withStored(await offerOf(library, definitions), definitions)
    const names = new Map()
    for (const message of definitions.values()) if (message.kind === 'request') names.set(message.apiKey, message.name)
    offer.messageOf = (direction, key) => requestNamed(names, direction, key)
    return { ...offer, memoryMiB: 2048, primitives: primitives(Encoder, Decoder), records: records(load) }
  },
  codecOf(message, version) {
    const api = folders.get(message.apiKey)
    const isThere = api && load(`requests/${api}`).versions.includes(String(version))
    if (!isThere || !['request', 'response'].includes(message.kind)) return undefined
    const part = load(`requests/${api}/v${version}/${message.kind}`)
    return message.kind === 'request' ? requestCodec(part) : responseCodec(part)
  }
}

// Add what is driven by hand: the objects of an assignment have topics for names, which no trace shows.
function withStored(offer, definitions) {
  const byHand = offerByHand(definitions, stored(AssignerProtocol))
  const { codec } = offer
  for (const direction of ['encode', 'decode']) Object.assign(offer.supports[direction], byHand.supports[direction])
  return { ...offer, codec: (name, version) => byHand.codec(name, version) ?? codec(name, version) }
}

function requestNamed(names, direction, key) {
  if (direction !== 'request') throw new Unsupported('KafkaJS writes the frames of requests only')
  return names.get(key)
}

// KafkaJS takes the tags of a flexible header for the first of the body.
function requestCodec(request) {
  const codec = {
    direction: 'encode',
    headerTags: 0,
    async write(values) {
      const encoder = await request(values ?? {}).encode()
      return encoder.buffer.subarray(codec.headerTags)
    },
    async writeFrame({ correlationId, clientId }, values) {
      const frame = await createFrame({ correlationId, clientId, request: request(values ?? {}) })
      return frame.buffer
    },
    async trace() {
      const run = () => request(source()).encode()
      return entriesOf(await instrumented(Encoder.prototype, writingMethods, run))
    },
    traced: (entries, isFlexible) => (codec.headerTags = isFlexible && entries[0]?.type === 'tags' ? 1 : 0)
  }
  return codec
}

function responseCodec(part) {
  const response = typeof part === 'function' ? part({ topics: [] }) : part // one is told what was asked
  const codec = {
    direction: 'decode',
    headerTags: Buffer.alloc(0),
    async read(wire) {
      try {
        return { own: await response.decode(Buffer.concat([codec.headerTags, wire])) }
      } catch (error) {
        throw batchError(/decodeMessages|messageSet|recordBatch/, error)
      }
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
