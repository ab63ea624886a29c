// What a vector expects of a codec.

import { bytesOf, codecOf, readerOf } from './codec.mjs'

const SURVIVAL = 'FAIL: crash, hang or much memory'
const ALLOWANCE = 64 * 2 ** 20 // bytes of memory for one vector, none of which is longer than a few kilobytes

// What a response calls a field, where it is not the definition's name with a small first letter.
const RENAMED = {
  ConfigResources: 'clientMetricsResources',
  PatternType: 'resourcePatternType',
  ResourceName: 'name'
}

// Runs the codec on one vector. Returns [what came of it, why]; A process that ends is told of by its parent.
export function check(vector) {
  const { read, write, why } = codecOf(vector)
  if (why) return ['unsupported', why]
  if (!read) return vector.result === 'valid' ? checkWriting(write, vector) : ['unsupported', 'written, never read']
  const wire = Buffer.from(vector.wire, 'hex')
  const before = process.memoryUsage()
  let value
  let failure
  try {
    value = read(readerOf(wire))
  } catch (error) {
    failure = error
  }
  const after = process.memoryUsage()
  const used = after.heapUsed + after.external - before.heapUsed - before.external
  if (used > ALLOWANCE) return [SURVIVAL, `${used >> 20} MiB for ${wire.length} bytes`]
  if (vector.result === 'invalid') return failure ? ['passed'] : ['FAIL: invalid, accepted']
  if (vector.result === 'unspecified') return [failure ? 'rejects' : 'accepts']
  if (failure) return ['FAIL: valid, rejected', failure.message]
  return checkValue(vector, value, write)
}

function checkValue(vector, value, write) {
  const missing = new Set()
  const path = difference(vector.value, value, '', missing)
  if (path !== undefined) return ['FAIL: valid, another value', `at ${path || 'the top'}`]
  if (missing.size > 0) return ['unrepresentable', `not in what is read: ${[...missing].join(', ')}`]
  return write ? checkWriting(write, vector) : ['passed']
}

function checkWriting(write, vector) {
  if (vector.value?._tags) return ['unrepresentable', 'unknown tagged fields']
  let written
  try {
    written = bytesOf(write, vector.value).toString('hex')
  } catch (error) {
    return ['FAIL: valid, not written', error.message]
  }
  return written === (vector.canonical ?? vector.wire) ? ['passed'] : ['FAIL: valid, written otherwise', written]
}

// The path of the first difference between a vector's value and what was read; undefined if there is none. The names of
// fields that are not handed over are added to missing.
function difference(expected, actual, path, missing) {
  if (expected === null || actual == null) return expected === (actual ?? null) ? undefined : path
  if (Array.isArray(expected)) {
    if (actual.length !== expected.length) return path
    return first(expected, (element, index) => difference(element, actual[index], `${path}[${index}]`, missing))
  }
  if (typeof expected === 'object') {
    return first(Object.entries(expected), ([name, member]) => {
      const key = keyOf(actual, name)
      if (key !== undefined) return difference(member, actual[key], `${path}.${name}`, missing)
      missing.add(name)
    })
  }
  return expected === jsonOf(actual, expected) ? undefined : path
}

function first(items, differenceOf) {
  for (const [index, item] of items.entries()) {
    const found = differenceOf(item, index)
    if (found !== undefined) return found
  }
}

function keyOf(actual, name) {
  const wanted = [name, RENAMED[name] ?? name].map(each => each.toLowerCase())
  return Object.keys(actual).find(key => wanted.includes(key.toLowerCase()))
}

// What was read, in the form that values have in the files.
function jsonOf(actual, expected) {
  if (typeof actual === 'bigint') return String(actual)
  if (Buffer.isBuffer(actual)) return actual.toString('hex')
  if (typeof actual === 'number' && typeof expected === 'string') {
    return expected.length === 16 ? bitsOf(actual) : String(actual) // float64; uint32
  }
  return actual
}

function bitsOf(number) {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(number)
  return bytes.toString('hex')
}
