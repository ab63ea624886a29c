// Finds out in which order a function of a library reads or writes fields, of which types, and from where.
//
// What it reads with is replaced by functions that read nothing: each call is noted as an entry, and returns a mark.
// Where a mark is in the result, the field is. What it writes is replaced by sources: a source notes each property that
// is read, and is recognised when it is handed over to be written. One call of each function gives the whole order.

// Why a function cannot be followed.
export class TraceFault extends Error {}

// Call `action` while the methods of a prototype are replaced; with a promise, until it is settled.
export async function instrumented(prototype, methods, action) {
  const originals = Object.getOwnPropertyDescriptors(prototype)
  for (const [name, method] of Object.entries(methods)) prototype[name] = method
  try {
    return await action()
  } finally {
    for (const name of Object.keys(methods)) Object.defineProperty(prototype, name, originals[name])
  }
}

const MARK = /§(\d+)$/

class Flag {
  constructor(number) {
    this.number = number
  }
}

const MARKS = {
  bool: number => new Flag(number),
  int64: number => BigInt(number),
  float64: number => number + 0.5,
  string: number => `§${number}`,
  uuid: number => `§${number}`,
  bytes: number => Buffer.from(`§${number}`)
}

// The order in which one function reads. The entries of an array are those of its one element.
export class Reading {
  constructor(ones = []) {
    this.entries = []
    this.ones = new Set(ones)
    this.ordinal = 0
    this.count = 1000
    this.codes = 35
  }

  // int16 may be an error code, which libraries look up: all know 36 and those that follow.
  one(type, details = {}) {
    const ordinal = ++this.ordinal
    const mark = type === 'int16' ? ++this.codes : (MARKS[type] ?? Number)(++this.count)
    this.entries.push({ type, mark, ordinal, ...details })
    return this.ones.has(ordinal) ? 1 : mark
  }

  // What is read without a field: the tags of a struct, say.
  nothing(type) {
    this.entries.push({ type })
  }

  array(element, details = {}) {
    const outer = this.entries
    const entry = { type: 'array', children: [], ...details }
    outer.push(entry)
    this.entries = entry.children
    const close = first => {
      this.entries = outer
      entry.mark = [first]
      return entry.mark
    }
    const first = element()
    return first instanceof Promise ? first.then(close) : close(first)
  }
}

// Follow a reader. A number that it drops may say whether a struct is there: then it is followed again, with 1 there.
//
// `run` gets a Reading, and gives a promise of what is read.
export async function followed(run) {
  const first = new Reading()
  const entries = locate(await run(first), first.entries)
  const dropped = droppedIn(entries)
  if (dropped.length === 0) return entries
  const second = new Reading(dropped)
  return locate(await run(second), second.entries)
}

function droppedIn(entries) {
  return entries.flatMap(entry => {
    const own = entry.type === 'int8' && !entry.path ? [entry.ordinal] : []
    return own.concat(droppedIn(entry.children ?? []))
  })
}

// Give each entry the path at which the result has its mark; none if the reader drops it.
function locate(result, entries) {
  const keys = new Set(entries.filter(entry => entry.mark !== undefined).map(entry => keyOf(entry.mark)))
  const places = new Map()
  walk(result, [], keys, places)
  for (const entry of entries) {
    const place = entry.mark === undefined ? undefined : places.get(keyOf(entry.mark))
    entry.path = place?.path
    entry.sized = place?.sized
    if (entry.children) locate(entry.mark[0], entry.children)
  }
  return entries
}

function walk(value, path, keys, places) {
  const key = keyOf(value)
  if (keys.has(key)) {
    if (!places.has(key)) places.set(key, { path, sized: Buffer.isBuffer(value) && value[0] === 0 })
  } else if (typeof value === 'object' && value !== null && !Buffer.isBuffer(value)) {
    for (const [name, part] of Object.entries(value)) walk(part, [...path, name], keys, places)
  }
}

// What tells a mark, in whatever form the library shows it; undefined if it is none.
function keyOf(value) {
  if (Array.isArray(value)) return value
  if (value instanceof Flag) return value.number
  if (typeof value === 'number') return value > 35 ? Math.floor(value) : undefined
  if (typeof value === 'bigint') return Number(value)
  const text = Buffer.isBuffer(value) ? value.toString() : value
  if (typeof text !== 'string') return undefined
  if (/^\d+$/.test(text)) return Number(text)
  const mark = MARK.exec(text)
  return mark ? Number(mark[1]) : undefined
}

const SOURCES = new WeakMap()
const COMPUTED = 1e9
let computed = COMPUTED

// A stand-in for what is written: `path` is where it is in the value of its scope, the message or an element.
export function source(path = []) {
  const stand = new Proxy({}, { get: (_, name) => property(stand, path, name) })
  SOURCES.set(stand, path)
  return stand
}

function property(stand, path, name) {
  if (name === Symbol.toPrimitive) return () => ++computed
  if (name === Symbol.iterator) throw new TraceFault(`${path.join('.')} is taken apart, as messages for a batch are`)
  if (typeof name === 'symbol' || name === 'then' || name === 'toJSON') return undefined
  if (name === 'length') return 1
  if (name === 'map') return element => new List(path, element(source()))
  return source([...path, name])
}

// What `map` of a source gives: `element` is what the function made of the one element.
export class List {
  constructor(path, element) {
    this.path = path
    this.element = element
    this.length = 1
  }

  map(next) {
    return new List(this.path, next(this.element))
  }
}

// Where a source is from; undefined if the value is none.
export const pathOf = value => SOURCES.get(value)

// The entry of one value that is written: where it comes from, or what the library writes by itself.
export function written(type, value, details = {}) {
  const path = SOURCES.get(value)
  if (path) return { type, path, ...details }
  if (typeof value === 'number' && value > COMPUTED) throw new TraceFault(`the library computes a ${type}`)
  if (value !== null && typeof value === 'object' && !Buffer.isBuffer(value)) {
    throw new TraceFault(`the library writes a ${type} that cannot be followed`)
  }
  return { type, fixed: value ?? null, ...details }
}
