// @platformatic/kafka: its requests, which it writes, and its responses, which it reads. Each version has a file.

import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

import { offerOf } from '../traced/offer.mjs'
import { followed, instrumented, source } from '../traced/trace.mjs'
import { headerVersion } from './platformatic-headers.mjs'
import { primitives } from './platformatic-primitives.mjs'
import { records } from './platformatic-records.mjs'
import { readingMethods, writingMethods } from './platformatic-traces.mjs'
import { batchError } from './record-forms.mjs'

const require = createRequire(import.meta.url)
const folder = path.join(path.dirname(require.resolve('@platformatic/kafka')))
const load = file => import(pathToFileURL(path.join(folder, file)).href) // its package.json exports none of these

const { Reader } = await load('protocol/reader.js')
const { Writer } = await load('protocol/writer.js')
const { GenericError, MultipleErrors, ResponseError } = await load('errors.js')
const { OutOfBoundsError } = await import('@platformatic/dynamic-buffer')

export const library = {
  name: '@platformatic/kafka',
  version: JSON.parse(fs.readFileSync(path.join(folder, '..', 'package.json'), 'utf8')).version,
  isRejection: error => [OutOfBoundsError, GenericError, MultipleErrors].some(kind => error instanceof kind),
  own: {},
  open: async definitions => ({
    ...(await offerOf(library, definitions)),
    memoryMiB: 4096,
    representations: ['zero-uuid-as-null'],
    headerVersion: headerVersion(await modules),
    primitives: primitives(Reader, Writer),
    records: records(await load('protocol/records.js'), await load('protocol/compression.js'), Reader)
  }),
  codecOf(message, version) {
    const module = known.get(`${message.apiKey} ${version}`)
    if (!module || !['request', 'response'].includes(message.kind)) return undefined
    return message.kind === 'request' ? requestCodec(module) : responseCodec(module)
  }
}

const modules = Promise.all(
  fs
    .readdirSync(path.join(folder, 'apis'), { recursive: true })
    .filter(file => /-v\d+\.js$/.test(file))
    .map(file => load(path.join('apis', file)))
)
const known = new Map((await modules).map(module => [`${module.api.key} ${module.api.version}`, module]))

// The values of a message are an object by the names of the parameters, as are the sources of a trace.
function requestCodec({ createRequest }) {
  const names = parametersOf(createRequest)
  const listed = values => names.map(name => values?.[name])
  return {
    direction: 'encode',
    write: values => createRequest(...listed(values)).buffer,
    async trace() {
      const trace = { entries: [] }
      const sources = names.map(name => source([name]))
      await instrumented(Writer.prototype, writingMethods(trace), () => createRequest(...sources))
      return trace.entries
    }
  }
}

function parametersOf(action) {
  const [, list] = /\(([^)]*)\)/.exec(action.toString())
  return list.split(',').map(parameter => parameter.split('=')[0].trim()).filter(name => name !== '')
}

function responseCodec({ api, parseResponse }) {
  return {
    direction: 'decode',
    read(wire) {
      return { own: parsed(parseResponse, api, Reader.from(wire)) } // where it stops, its connection does not look
    },
    trace() {
      const run = () => parsed(parseResponse, api, Reader.from(Buffer.alloc(0)))
      return followed(reading => instrumented(Reader.prototype, readingMethods(reading), run))
    }
  }
}

// A response with an error code is thrown, with all that was read.
function parsed(parseResponse, api, reader) {
  try {
    return parseResponse(0, api.key, api.version, reader)
  } catch (error) {
    if (error instanceof ResponseError) return error.response
    throw batchError(/protocol\/(records|compression)\.js/, error)
  }
}
