// What a request can end with, beside success: errors of the request, of the harness, and of the library.

import path from 'node:path'
import { fileURLToPath } from 'node:url'
import v8 from 'node:v8'

// The line is not a valid request.
export class ProtocolError extends Error {}

// The library, or the harness, does not offer this.
export class Unsupported extends Error {}

// A valid value that the types of the library cannot hold, or that it cannot be told to write.
export class Unrepresentable extends Error {}

// A value that has no JSON form: the library gave something else than the type of the field is.
export class NoForm extends Error {}

// The harness's own code cannot do what it is asked for, where an error would count as the library's.
export class HarnessError extends Error {}

// The library threw `cause`: everything else that is thrown is the fault of the harness.
export class LibraryError extends Error {
  constructor(cause) {
    super(String(cause?.message ?? cause), { cause })
  }
}

// The library took memory out of proportion to its input.
export class ExhaustedMemory extends Error {}

// The library took steps out of proportion to its input, and was stopped.
export class Endless extends Error {}

const MEBIBYTE = 2 ** 20
const ALLOWANCE = 64 * MEBIBYTE // what any input may take; as conformance/codec/bridge/memory.py has it
const FACTOR = 1024 // what each byte of an input may take beyond that
const STEPS = 1_000_000 // what any input may take; of them, too, FACTOR for each byte

let steps = 0
let allowed = Infinity

// Count one step of a library whose steps can be counted, as the reading of one number. A loop over a count that nobody
// has sent then ends at the same step in every run, and does not take the seconds of a time limit.
export function step() {
  steps += 1
  if (steps > allowed) throw new Endless(`stopped after ${allowed} steps`)
}

// Call the library; `size` is the number of bytes that it is given. A promise is awaited by the caller.
export function called(size, action) {
  const before = memoryTaken()
  steps = 0
  allowed = STEPS + FACTOR * size
  let result
  try {
    result = action()
  } catch (error) {
    throw blamed(error)
  }
  if (!(result instanceof Promise)) return withinProportion(result, before, size)
  return result.then(
    settled => withinProportion(settled, before, size),
    error => {
      throw blamed(error)
    }
  )
}

// What is thrown is the library's, but for the answers of a harness that calls it.
function blamed(error) {
  const isAnswer = [ProtocolError, Unsupported, Unrepresentable, HarnessError, Endless].some(kind => error instanceof kind)
  return isAnswer ? error : new LibraryError(error)
}

function withinProportion(result, before, size) {
  const grown = memoryTaken() - before
  if (grown > ALLOWANCE + FACTOR * size) {
    throw new ExhaustedMemory(`took ${Math.round(grown / MEBIBYTE)} MiB for ${size} bytes`)
  }
  return result
}

function memoryTaken() {
  const heap = v8.getHeapStatistics()
  return heap.used_heap_size + heap.external_memory
}

// The reply to a request that failed, without its id.
export function refusal(error, library) {
  const text = String(error.message).toWellFormed()
  if (error instanceof LibraryError) return libraryRefusal(error.cause, text, library)
  if (error instanceof ProtocolError) return { outcome: 'protocol-error', text }
  if (error instanceof Unsupported) return { outcome: 'unsupported', text }
  if (error instanceof Unrepresentable) return { outcome: 'unrepresentable', text }
  if (error instanceof NoForm) return { outcome: 'value', text }
  if (error instanceof Endless) return { outcome: 'timed-out', text: `${text}, in ${culprit(error)}` }
  if (error instanceof ExhaustedMemory) return { outcome: 'exhausted-memory', text }
  if (error instanceof HarnessError) return { outcome: 'harness-error', text: `${text}${placeOf(error.cause ?? error)}` }
  return { outcome: 'harness-error', text: String(error.stack ?? error).toWellFormed() }
}

function libraryRefusal(error, text, library) {
  if (/call stack size exceeded/.test(text)) return { outcome: 'crashed', text: `${text}, in ${culprit(error)}` }
  if (/allocation failed|Invalid string length/.test(text)) {
    return { outcome: 'exhausted-memory', text: `${text}, in ${culprit(error)}` }
  }
  const outcome = library.isRejection(error) ? 'rejected' : 'rejected-unclassified'
  return { outcome, class: error?.constructor?.name ?? typeof error, text: `${text}, in ${culprit(error)}` }
}

const BRIDGE = path.dirname(fileURLToPath(import.meta.url)) + path.sep
const HARNESS = path.dirname(BRIDGE) + path.sep

const framesOf = error => String(error?.stack ?? '').split('\n').filter(line => /^\s+at /.test(line))
const OTHERS = [BRIDGE, `${path.sep}node_modules${path.sep}`, `${process.argv[1]}:`]
const isOfHarness = frame => frame.includes(HARNESS) && !OTHERS.some(other => frame.includes(other))

// Whether the harness's own files threw an error, and no library.
export const isThrownByHarness = error => isOfHarness(framesOf(error)[0] ?? '')

// The innermost line of the harness's own files in the stack of an error; empty if there is none.
function placeOf(error) {
  const frame = framesOf(error).find(isOfHarness)
  return frame ? `, ${frame.trim().replace(/(file:\/\/)/, '').replace(HARNESS, '')}` : ''
}

// The function that threw: the first line of the stack that is of a package, or else the first one that is not Node's.
function culprit(error) {
  const frames = framesOf(error).filter(frame => !frame.includes('node:'))
  const frame = frames.find(candidate => candidate.includes('node_modules')) ?? frames[0]
  if (!frame) return 'an unknown function'
  const folders = frame.includes('node_modules') ? /\(?(file:\/\/)?\/\S*node_modules\// : /\(?(file:\/\/)?\/\S*\//
  return frame.trim().replace(/^at /, '').replace(folders, '(')
}
