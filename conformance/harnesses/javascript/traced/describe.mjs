// What a library's own schema is, as its traces show it, in the words of Kafka's definitions.

import { nameOf } from './align.mjs'
import { ownName } from './lineup.mjs'

// Describe each message of `lined`, a map from its name to what lineUp gave at each version.
export function describe(lined, definitions) {
  const described = {}
  for (const [name, versions] of lined) described[name] = message(versions, definitions.get(name))
  return described
}

function message(versions, definition) {
  const flexible = versions.filter(({ entries }) => isFlexible(entries)).map(({ version }) => version)
  const fields = new Map()
  for (const { version, items, surplus } of versions) collect(fields, items, surplus, version)
  return {
    versions: ranges(versions.map(({ version }) => version)),
    flexibleVersions: ranges(flexible, definition.versions.high),
    fields: listed(fields)
  }
}

const isFlexible = entries =>
  entries.some(entry => entry.type === 'tags' || entry.compact || (entry.children && isFlexible(entry.children)))

function collect(fields, items, surplus, version) {
  for (const item of items) {
    const described = fieldOf(fields, item.path.join('.'), item.path.at(-1), ownName(item))
    if (item.tagged || (!item.entry && item.type !== 'struct')) continue
    described.versions.push(version)
    if (item.entry) described.type = typeOf(item.entry)
    if (item.entry?.nullable !== undefined) described.knowsNull = true
    if (item.entry?.nullable) described.nullable.push(version)
    if (item.type === 'array' && item.field.isStruct) collect(described.fields, item.items, [], version)
  }
  for (const entry of surplus) {
    const described = fieldOf(fields, `own ${nameOf(entry)}`, undefined, nameOf(entry) || `always ${entry.fixed}`)
    described.versions.push(version)
    described.type = typeOf(entry)
  }
}

function fieldOf(fields, key, name, own) {
  if (!fields.has(key)) fields.set(key, { name, own, versions: [], nullable: [], fields: new Map() })
  const described = fields.get(key)
  described.own = own ?? described.own
  return described
}

function typeOf(entry) {
  if (entry.type !== 'array') return entry.type
  const only = entry.children.length === 1 && entry.children[0].path?.length === 0
  return `[]${only ? typeOf(entry.children[0]) : 'struct'}`
}

function listed(fields) {
  return [...fields.values()].map(({ name, own, type, versions, nullable, knowsNull, fields: inner }) => ({
    name,
    own,
    type: ['raw', 'unknown'].includes(type) ? undefined : type,
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
