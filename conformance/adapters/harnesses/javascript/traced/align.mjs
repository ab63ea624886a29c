// Lines up the fields of a definition with the entries of a trace: by name, and what is left by position and type.

import { SCALARS, isInteger } from '../bridge/forms.mjs'

const INTEGERS = [...[...SCALARS.keys()].filter(isInteger), 'varint', 'unsigned-varint']

// How well a type of the library fits one of the definition: 0 is not at all.
export function fit(item, entry) {
  if (item.type === entry.type) return 1
  if (entry.type === 'unknown') return item.type === 'array' ? 0 : 1
  if (item.type === 'struct') return entry.type === 'int8' && !entry.path ? 1 : 0
  if (item.type === 'records') return INTEGERS.includes(entry.type) && !entry.path ? 1 : entry.type === 'bytes' ? 0.5 : 0
  if (entry.type === 'raw') return item.type === 'bytes' ? 1 : 0
  const families = [[...INTEGERS, 'bool'], ['string', 'uuid']]
  return families.some(family => family.includes(item.type) && family.includes(entry.type)) ? 0.25 : 0
}

const plain = name => name.toLowerCase().replaceAll('_', '')

function words(name) {
  return new Set(name.split(/(?<=[a-z0-9])(?=[A-Z])|_/).map(word => word.toLowerCase().replace(/s$/, '')))
}

// The share of words that two names have in common.
function likeness(one, other) {
  const [first, second] = [words(one), words(other)]
  const common = [...first].filter(word => second.has(word)).length
  return (2 * common) / (first.size + second.size)
}

export const nameOf = entry => entry.path?.findLast(part => Number.isNaN(Number(part))) ?? ''

function weight(item, entry) {
  const types = fit(item, entry)
  const name = nameOf(entry)
  if (name !== '' && plain(name) === plain(item.name)) return types + 10
  if (types === 0) return -1
  return name === '' || item.name === '' ? types : types + 3 * likeness(name, item.name)
}

// Return a map from each item that has an entry to that entry.
//
// The heaviest pairing that keeps the order of both is taken; then items that are left go with entries of their name,
// wherever these are: a library may have an order of its own.
export function align(items, entries) {
  const candidates = entries.filter(entry => entry.type !== 'tags')
  const pairs = inOrder(items, candidates)
  const taken = new Set(pairs.values())
  for (const item of items) {
    if (pairs.has(item)) continue
    const match = candidates.find(
      entry => !taken.has(entry) && plain(nameOf(entry)) === plain(item.name)
    )
    if (match) {
      pairs.set(item, match)
      taken.add(match)
    }
  }
  return pairs
}

function inOrder(items, entries) {
  const best = Array.from({ length: items.length + 1 }, () => new Array(entries.length + 1).fill(0))
  for (let i = items.length - 1; i >= 0; i--) {
    for (let j = entries.length - 1; j >= 0; j--) {
      const paired = weight(items[i], entries[j]) + best[i + 1][j + 1]
      best[i][j] = Math.max(best[i + 1][j], best[i][j + 1], paired)
    }
  }
  const pairs = new Map()
  for (let i = 0, j = 0; i < items.length && j < entries.length; ) {
    if (best[i][j] === best[i + 1][j]) i++
    else if (best[i][j] === best[i][j + 1]) j++
    else pairs.set(items[i++], entries[j++])
  }
  return pairs
}
