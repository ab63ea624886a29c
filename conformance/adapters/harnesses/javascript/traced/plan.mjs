// Makes the arguments of a library's function of the JSON form of a message, and the other way round.

import { SCALARS, converterOf, isInteger, readerOf } from '../bridge/forms.mjs'
import { ProtocolError, Unrepresentable } from '../bridge/outcomes.mjs'
import { fit } from './align.mjs'

// The default of a field, in its JSON form. Definitions have all defaults as text, numbers also in hex.
function defaultOf(field) {
  if (field.default === 'null') return null
  if (field.isArray) return []
  const zero = SCALARS.get(field.element)?.zero ?? 0
  if (field.default === undefined || field.default === '') return zero
  if (field.element === 'bool') return String(field.default) === 'true'
  if (typeof zero === 'number') return Number(field.default)
  return isInteger(field.element) ? String(BigInt(field.default)) : field.default
}

const isSame = (one, other) => one === other || JSON.stringify(one) === JSON.stringify(other)

// The values of the library: how each of its types is handed over. `own` overrides by the name of its type.
function ownValue(item, own) {
  const read = readerOf(item.field.element)
  const convert = own[item.entry.type] ?? (value => value)
  if (item.entry.sized) return form => convert(sized(read(form)))
  return form => convert(read(form))
}

function sized(bytes) {
  if (bytes === null) throw new Unrepresentable('the library takes bytes behind their length, which null does not have')
  const length = Buffer.alloc(4)
  length.writeInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

// Give the function that makes what a library takes of a JSON form; `own` converts by the library's types.
export function builder(items, own) {
  const steps = items.map(item => ({ item, at: item.path, build: step(item, own) }))
  const isScalar = items.some(item => item.path.length === 0)
  return form => {
    if (form === null && !isScalar) return null
    const holder = { value: undefined }
    for (const { item, at, build } of steps) {
      const part = partOf(form, at)
      if (part === ABSENT) continue
      build(part, holder, item)
    }
    return holder.value
  }
}

const ABSENT = Symbol('in a struct that is null')

function partOf(form, path) {
  let part = form
  for (const [depth, name] of path.entries()) {
    if (part === null && depth > 0) return ABSENT
    part = part?.[name]
  }
  if (part === undefined) throw new ProtocolError(`the value has no ${path.join('.') || 'element'}`)
  return part
}

function step(item, own) {
  if (item.type === 'struct' && !item.tagged) return buildStruct
  if (!item.entry || fit(item, item.entry) === 0) return onlyDefault(item)
  if (item.entry.path === undefined) return onlyFixed(item)
  const { path } = item.entry
  const convert = item.type === 'array' ? arrayOf(item, own) : ownValue(item, own)
  return (part, holder) => put(holder, path, convert(part))
}

function buildStruct(part, holder, item) {
  if (item.own) put(holder, item.own, part === null ? null : {})
  else if (part === null) throw new Unrepresentable(`${item.path.join('.')}: the library has no null for this struct`)
}

function onlyDefault(item) {
  const usual = item.tagged && item.type === 'struct' ? {} : defaultOf(item.field)
  return part => {
    const isUsual = item.tagged && item.type === 'struct' ? item.field.nullable && part === null : isSame(part, usual)
    if (!isUsual) throw new Unrepresentable(`${item.path.join('.')}: the library does not write this field`)
  }
}

// What a library writes by itself, in the forms in which definitions have it.
function onlyFixed(item) {
  const { fixed } = item.entry
  const forms = fixed === null ? [null, item.type === 'uuid' ? SCALARS.get('uuid').zero : null] : [fixed, String(fixed)]
  return part => {
    if (!forms.includes(part)) throw new Unrepresentable(`${item.path.join('.')}: the library writes only ${fixed}`)
  }
}

function arrayOf(item, own) {
  const element = builder(item.items, own)
  const emptyIsNull = item.entry.emptyIsNull && item.field.nullable
  return form => {
    if (emptyIsNull) return notEmpty(form, item).map(element)
    if (form === null) return null
    if (!Array.isArray(form)) throw new ProtocolError(`${item.path.join('.')} is no array`)
    return form.map(element)
  }
}

// In a library that writes null for an empty array, an empty array is how null is said.
function notEmpty(form, item) {
  if (form === null) return []
  if (form.length === 0) throw new Unrepresentable(`${item.path.join('.')}: an empty array is null to the library`)
  return form
}

function put(holder, path, value) {
  if (path.length === 0) {
    holder.value = value
    return
  }
  let place = (holder.value ??= {})
  for (let depth = 0; depth < path.length - 1; depth++) place = place[path[depth]] ??= {}
  place[path.at(-1)] = value
}

// Give the function that makes the JSON form of what a library has read. Fields that it hides are left out.
export function shower(items) {
  const steps = items.filter(item => !isHidden(item)).map(item => ({ at: item.path, show: showOf(item) }))
  const whole = steps.length === 1 && steps[0].at.length === 0 ? steps[0].show : undefined
  if (whole) return whole
  return own => {
    const form = {}
    for (const { at, show } of steps) {
      const place = placeIn(form, at)
      if (place) place[at.at(-1)] = show(own)
    }
    return form
  }
}

// A field that the library does not have, reads as something else, or reads and does not give.
export function isHidden(item) {
  if (item.type === 'struct' && !item.tagged) return false
  const isOther = item.entry && (fit(item, item.entry) === 0 || (item.type === 'uuid' && item.entry.type !== 'uuid'))
  return item.entry?.path === undefined || isOther
}

function placeIn(form, path) {
  let place = form
  for (const name of path.slice(0, -1)) {
    if (place[name] === null) return undefined
    place = place[name] ??= {}
  }
  return place
}

function showOf(item) {
  if (item.type === 'struct') return own => (item.own && get(own, item.own) == null ? null : {})
  const { path, sized: isSized } = item.entry
  if (item.type === 'array') {
    const element = shower(item.items)
    return own => get(own, path)?.map(element) ?? null
  }
  const write = converterOf(item.field.element)
  return own => write(isSized ? get(own, path)?.subarray(4) : get(own, path))
}

function get(own, path) {
  let place = own
  for (const name of path) place = place?.[name]
  return place
}
