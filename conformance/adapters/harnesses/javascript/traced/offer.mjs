// What a traced library offers of the definitions of one release: its codecs, and what is to be said of them.

import { describe } from './describe.mjs'
import { lineUp } from './lineup.mjs'
import { builder, isHidden, shower } from './plan.mjs'
import { TraceFault } from './trace.mjs'

// Trace every message and version that a library has.
//
// `library.codecOf(message, version)` gives undefined, or an object with `direction`, a function `trace`, which returns
// a promise of entries, and the functions `write`, or `read`, that the bridge calls. `library.own` converts values.
export async function offerOf(library, definitions) {
  const offer = { supports: { encode: {}, decode: {} }, notes: [], hidden: {}, codecs: new Map(), lined: new Map() }
  for (const message of definitions.values()) {
    for (const version of message.versions.all()) {
      const codec = library.codecOf(message, version)
      if (codec) await add(offer, library, message, version, codec)
    }
  }
  offer.codec = (name, version) => offer.codecs.get(`${name} ${version}`)
  offer.describe = () => describe(offer.lined)
  return offer
}

async function add(offer, library, message, version, codec) {
  const entries = await traced(offer, message, version, codec)
  if (!entries) return
  const lined = { version, entries, ...lineUp(message.fieldsAt(version), entries) }
  if (!offer.lined.has(message.name)) offer.lined.set(message.name, [])
  offer.lined.get(message.name).push(lined)
  const versions = (offer.supports[codec.direction][message.name] ??= [])
  versions.push(version)
  codec.traced?.(entries, message.flexibleVersions.has(version))
  if (codec.direction === 'encode') codec.build = builder(lined.items, library.own)
  else {
    codec.show = shower(lined.items)
    hide(offer.hidden, message, version, lined.items)
  }
  offer.codecs.set(`${message.name} ${version}`, codec)
}

async function traced(offer, message, version, codec) {
  try {
    return await codec.trace()
  } catch (error) {
    const reason = error instanceof TraceFault ? error.message : `it cannot be followed: ${error.message}`
    offer.notes.push({ message: message.name, note: `left out, version ${version}: ${reason}` })
    return undefined
  }
}

function hide(hidden, message, version, items) {
  for (const path of hiddenPaths(items)) {
    const fields = (hidden[message.name] ??= [])
    const last = fields.findIndex(field => field.startsWith(`${path}:`) && field.endsWith(`-${version - 1}`))
    if (last === -1) fields.push(`${path}:${version}-${version}`)
    else fields[last] = fields[last].replace(/-\d+$/, `-${version}`)
  }
}

function hiddenPaths(items) {
  return items.flatMap(item => {
    if (isHidden(item)) return [item.path.join('.')]
    if (item.type !== 'array' || !item.field.isStruct) return []
    return hiddenPaths(item.items).map(path => [...item.path, path].join('.'))
  })
}
