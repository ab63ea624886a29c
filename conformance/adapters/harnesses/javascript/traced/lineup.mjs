// The fields of a message at one version, each with the entry of the trace that reads or writes it.

import { align, nameOf } from './align.mjs'

// Line up the fields of a version with the entries of a trace.
//
// Gives a list of items. `path` is where the definition has the field, in the message or in an element of an array, and
// `entry` what the library has for it, if anything; `items` are those of the elements. A struct that is no array is an
// item, with its fields behind it: so it is on the wire.
export function lineUp(fields, entries) {
  const items = flattened(fields, [])
  const onWire = items.filter(item => !item.tagged)
  const pairs = align(onWire, entries)
  for (const item of onWire) {
    item.entry = pairs.get(item)
    if (item.type === 'array') item.items = elements(item.field, item.entry)
  }
  for (const item of items.filter(one => one.type === 'struct')) item.own = structPath(item, items)
  const paired = new Set(pairs.values())
  return { items, surplus: entries.filter(entry => entry.type !== 'tags' && !paired.has(entry)) }
}

function flattened(fields, path) {
  return fields.flatMap(field => {
    const item = { name: field.name, field, path: [...path, field.name], tagged: field.tagged, type: typeOf(field) }
    if (field.tagged || item.type !== 'struct') return [item]
    const inner = flattened(field.fields, item.path)
    return field.nullable ? [item, ...inner] : inner
  })
}

function typeOf(field) {
  if (field.isArray) return 'array'
  return field.isStruct ? 'struct' : field.element
}

function elements(field, entry) {
  const element = { ...field, isArray: false, nullable: false, tagged: false }
  if (field.isStruct) return lineUp(field.fields, entry?.children ?? []).items
  const item = { name: '', field: element, path: [], type: field.element }
  item.entry = align([item], entry?.children ?? []).get(item)
  return [item]
}

// Where the library has a struct: where all its fields are.
function structPath(struct, items) {
  const inner = items.filter(item => item.path.length > struct.path.length && isWithin(item, struct))
  const paths = inner.map(item => item.entry?.path).filter(Boolean)
  if (paths.length === 0) return undefined
  const parent = paths[0].slice(0, -1)
  return paths.every(path => path.slice(0, -1).join('.') === parent.join('.')) && parent.length > 0 ? parent : undefined
}

const isWithin = (item, struct) => struct.path.every((name, depth) => item.path[depth] === name)

// What a library calls a field; null if it does not have it.
export const ownName = item => (item.type === 'struct' ? item.own?.at(-1) : item.entry && nameOf(item.entry)) ?? null
