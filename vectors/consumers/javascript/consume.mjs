// Runs the golden vectors of responses against @platformatic/kafka, a client: it writes requests from the arguments of
// its functions only, and reads responses only. So valid bytes are read, as the same that a writer would write otherwise,
// and invalid bytes are refused. Whatever else happens is printed.

import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual, parseArgs } from 'node:util'

// The package exports a client only, so these are imported by path.
const dist = dirname(createRequire(import.meta.url).resolve('@platformatic/kafka'))
const load = path => import(pathToFileURL(join(dist, path)).href)
const { Reader } = await load('protocol/reader.js')

async function parsersByKeyAndVersion() {
  const parsers = {}
  for (const group of ['admin', 'consumer', 'metadata', 'producer', 'security', 'telemetry']) {
    for (const file of readdirSync(join(dist, 'apis', group)).filter(name => /-v\d+\.js$/.test(name))) {
      const { api, parseResponse } = await load(`apis/${group}/${file}`)
      parsers[`${api.key} ${api.version}`] = reader => parseResponse(0, api.key, api.version, reader)
    }
  }
  return parsers
}

const parsers = await parsersByKeyAndVersion()
const { values: options, positionals } = parseArgs({ allowPositionals: true, options: { known: { type: 'string' } } })
const known = options.known ? patternsOf(options.known) : []
const counts = {}

// A file has a line `fails PATTERN` for each kind of known failure, in which * is any part of an id.
function patternsOf(file) {
  const lines = readFileSync(file, 'utf8').split('\n')
  const patterns = lines.filter(line => line.startsWith('fails ')).map(line => line.slice('fails '.length))
  return patterns.map(pattern => new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`))
}

const readJson = file => JSON.parse(readFileSync(file, 'utf8'))

// Tries the versions of a file that the release takes.
function run(folder, file, versions) {
  const { kind, apiKey, groups } = readJson(join(folder, file))
  for (const { version, vectors } of groups.filter(group => versions.includes(group.version))) {
    const parse = kind === 'response' ? parsers[`${apiKey} ${version}`] : undefined
    for (const vector of vectors) {
      const id = `${file.replace('.json', '')}/v${version}/${vector.id}`
      const verdict = verdictOn(id, vector, parse)
      counts[verdict] = (counts[verdict] ?? 0) + 1
    }
  }
}

function verdictOn(id, vector, parse) {
  if (parse === undefined) return 'of messages that it does not read'
  if (['unspecified', 'unwritable'].includes(vector.result)) return vector.result
  const wrong = check(vector, parse)
  if (wrong === undefined) return 'passed'
  if (known.some(pattern => pattern.test(id))) return 'known to fail'
  console.log(`${id}: ${vector.result}, ${wrong}`)
  return 'failed'
}

// Returns what the codec does that the vector does not expect.
function check({ result, wire, canonical }, parse) {
  let found
  try {
    found = read(wire, parse)
  } catch (error) {
    return result === 'valid' ? `refused: ${error.message}` : undefined
  }
  if (result === 'invalid') return 'not refused'
  if (!isDeepStrictEqual(found, read(canonical ?? wire, parse))) return `read otherwise than ${canonical}`
}

// A response that carries an error code is thrown, with all that was read.
function read(wire, parse) {
  const reader = Reader.from(Buffer.from(wire, 'hex'))
  try {
    return parse(reader)
  } catch (error) {
    if (error.response === undefined) throw error
    return error.response
  }
}

const [folder = '.', release] = positionals
const taken = Object.entries(readJson(join(folder, 'releases.json')).taken[release] ?? {})
taken.filter(([file]) => file.includes('/messages/')).forEach(([file, versions]) => run(folder, file, versions))
console.log(counts)
if (Object.keys(counts).length === 0) {
  console.error('no vectors; usage: node consume.mjs [--known FILE] FOLDER RELEASE')
  process.exitCode = 2
} else {
  process.exitCode = counts.failed > 0 ? 1 : 0
}
