// Answers the requests of the bridge protocol: one line of JSON each, and one line for each reply.

import { Console } from 'node:console'

import { loadDefinitions } from './definitions.mjs'
import { OPERATIONS } from './operations.mjs'
import { ProtocolError, refusal } from './outcomes.mjs'

const PROTOCOL = 1

// Answer until standard input ends. `find` returns the library, or a promise of it; README.md says what it is.
export async function serve(find) {
  const reply = repliesOnly()
  const session = new Session(await find())
  for await (const lines of linesOfInput()) {
    const replies = []
    for (const line of lines) {
      if (line.trim() !== '') replies.push(await session.answer(line))
    }
    if (replies.length > 0) await reply(`${replies.join('\n')}\n`)
  }
  process.exit(0)
}

// Give the function that writes to standard output, and a promise of the end of it; everything else that is printed goes to standard error.
function repliesOnly() {
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = process.stderr.write.bind(process.stderr)
  globalThis.console = new Console(process.stderr)
  return text => new Promise(resolve => write(text, resolve))
}

// Yield the lines that are there together: replies are held back only while there are more.
async function* linesOfInput() {
  let parts = []
  process.stdin.setEncoding('utf8')
  for await (const chunk of process.stdin) {
    parts.push(chunk)
    if (chunk.includes('\n')) {
      const lines = parts.join('').split('\n')
      parts = [lines.pop()]
      yield lines
    }
  }
  yield parts.join('').split('\n')
}

class Session {
  constructor(library) {
    this.library = library
    this.offer = undefined
  }

  // The line of the reply, or a promise of it.
  answer(line) {
    let request
    try {
      request = JSON.parse(line)
    } catch (error) {
      return JSON.stringify({ id: null, outcome: 'protocol-error', text: `the line is no JSON: ${error.message}` })
    }
    const id = Number.isSafeInteger(request?.id) ? request.id : null
    const failed = error => JSON.stringify({ id, ...refusal(error, this.library) })
    try {
      const reply = this.perform(request, id)
      if (!(reply instanceof Promise)) return JSON.stringify({ id, ...reply })
      return reply.then(settled => JSON.stringify({ id, ...settled })).catch(failed)
    } catch (error) {
      return failed(error)
    }
  }

  perform(request, id) {
    if (id === null || typeof request.op !== 'string') throw new ProtocolError('a request has an id and an op')
    if (request.op === 'hello') return this.hello(request)
    const operation = OPERATIONS[request.op]
    if (!operation) return { outcome: 'unsupported', text: `the harness has no operation ${request.op}` }
    if (!this.offer) throw new ProtocolError('the first request is hello')
    return operation(this.offer, request, this.library)
  }

  async hello(request) {
    if (!Number.isInteger(request.protocol)) throw new ProtocolError('the request has no "protocol"')
    if (request.protocol !== PROTOCOL) {
      const text = `the harness does not speak version ${request.protocol} of the protocol`
      return { outcome: 'protocol-error', text, protocols: [PROTOCOL] }
    }
    if (typeof request.definitions !== 'string') throw new ProtocolError('the request has no "definitions"')
    this.offer = await this.library.open(loadDefinitions(request.definitions))
    return introduced(this.library, this.offer)
  }
}

function introduced(library, offer) {
  const reply = {
    outcome: 'hello',
    protocols: [PROTOCOL],
    implementation: library.name,
    version: library.version,
    supports: offer.supports,
    operations: ['hello', ...Object.keys(OPERATIONS).filter(name => OPERATIONS[name].isOffered(offer))],
    capabilities: offer.capabilities ?? [],
    representations: offer.representations ?? [],
    notes: offer.notes ?? []
  }
  for (const key of ['hidden', 'limits', 'memoryMiB']) if (offer[key] !== undefined) reply[key] = offer[key]
  if (offer.records) reply.records = offer.records.claims
  return reply
}
