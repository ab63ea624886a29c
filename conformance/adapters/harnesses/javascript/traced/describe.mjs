// What a library's own schema is, as its traces show it, in the words of Kafka's definitions.

import { nameOf } from './align.mjs'
import { ownName } from './lineup.mjs'

// Describe each message of `lined`, a map from its name to what lineUp gave at each version.
export function describe(lined) {
  const described = {}
  for (const [name, versions] of lined) described[name] = message(versions)
  return described
}

function message(versions) {
  const conclusive = versions.filter(({ entries }) => tells(entries))
  const flexible = conclusive.filter(({ entries }) => isFlexible(entries)).map(({ version }) => version)
  const fields = new Map()
  for (const { version, items, surplus } of versions) collect(fields, items, surplus, version)
  return {
    versions: ranges(versions.map(({ version }) => version)),
    flexibleVersions: conclusive.length === versions.length ? ranges(flexible) : undefined,
    fields: listed(fields)
  }
}

// Without tags and compact types, nothing says whether a version is flexible.
const tells = entries => entries.some(entry => entry.type === 'tags' || entry.compact !== undefined)

const isFlexible = entries =>
  entries.some(entry => entry.type === 'tags' || entry.compact || (entry.children && isFlexible(entry.children)))

function collect(fields, items, surplus, version) {
  for (const item of items) {
    const described = fieldOf(structOf(fields, item, version), item.path.at(-1), item.path.at(-1), ownName(item))
    if (item.tagged || (!item.entry && item.type !== 'struct')) continue
    described.versions.push(version)
    described.type = ['struct', 'records'].includes(item.type) ? item.type : typeOf(item.entry, item.field)
    if (item.entry?.nullable !== undefined) described.knowsNull = true
    if (item.entry?.nullable) described.nullable.push(version)
    if (item.type === 'array' && item.field.isStruct) collect(described.fields, item.items, [], version)
  }
  for (const entry of surplus) {
    const described = fieldOf(fields, `own ${nameOf(entry)}`, undefined, nameOf(entry) || 'unnamed')
    described.versions.push(version)
    described.type = typeOf(entry)
  }
}

// The fields of the struct that an item is in: itself no item if it cannot be null.
function structOf(fields, item, version) {
  let inner = fields
  for (const [depth, name] of item.path.slice(0, -1).entries()) {
    const struct = fieldOf(inner, name, name, item.entry?.path?.[depth])
    struct.type = 'struct'
    struct.versions.push(version)
    inner = struct.fields
  }
  return inner
}

function fieldOf(fields, key, name, own) {
  if (!fields.has(key)) fields.set(key, { name, own, versions: [], nullable: [], fields: new Map() })
  const described = fields.get(key)
  described.own = own ?? described.own
  return described
}

// undefined if it cannot be told. An element that is an object of one field is on the wire what that field is.
function typeOf(entry, field) {
  if (entry.type !== 'array') return ['raw', 'unknown'].includes(entry.type) ? undefined : entry.type
  const [only, ...others] = entry.children
  if (field?.isStruct || others.length > 0 || !only) return only?.type === 'unknown' ? undefined : '[]struct'
  const type = typeOf(only)
  return type && `[]${type}`
}

function listed(fields) {
  return [...fields.values()].map(({ name, own, type, versions, nullable, knowsNull, fields: inner }) => ({
    name,
    own,
    type,
    versions: versions.length > 0 ? ranges(versions) : undefined,
    nullableVersions: knowsNull ? ranges(nullable) : undefined,
    fields: inner.size > 0 ? listed(inner) : undefined
  }))
}

// "0-3", or "none"; versions that are not next to each other are left to be read as the range around them.
function ranges(versions) {
  if (versions.length === 0) return 'none'
  const [low, high] = [Math.min(...versions), Math.max(...versions)]
  return low === high ? String(low) : `${low}-${high}`
}
