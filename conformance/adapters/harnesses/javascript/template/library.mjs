// The implementation: its name, its version, how it refuses, and its codecs.

import { offerByHand } from './bridge/byhand.mjs'

// YOUR CODEC in place of this one, HeartbeatRequest v0 by hand: list more messages and versions in `codecs`.
class Malformed extends Error {}

function writeHeartbeat({ GroupId, GenerationId, MemberId }) {
  if (!Number.isInteger(GenerationId)) throw new Malformed('an int32 is no number')
  const generation = Buffer.alloc(4)
  generation.writeInt32BE(GenerationId)
  return Buffer.concat([writeString(GroupId), generation, writeString(MemberId)])
}

function writeString(text) {
  if (text === null) throw new Malformed('a string that may not be null is null')
  if (!text.isWellFormed()) throw new Malformed('a string has an unpaired surrogate')
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length > 0x7fff) throw new Malformed(`a string of ${bytes.length} bytes is too long`)
  const length = Buffer.alloc(2)
  length.writeInt16BE(bytes.length)
  return Buffer.concat([length, bytes])
}

function readHeartbeat(wire) {
  let position = 0
  const take = size => {
    if (size < 0 || position + size > wire.length) throw new Malformed(`${size} bytes at ${position}: there are not as many`)
    position += size
    return wire.subarray(position - size, position)
  }
  const readString = () => take(take(2).readInt16BE()).toString('utf8')
  const value = { GroupId: readString(), GenerationId: take(4).readInt32BE(), MemberId: readString() }
  return { value, consumed: position }
}

const codecs = [{ message: 'HeartbeatRequest', versions: [0], write: writeHeartbeat, read: readHeartbeat }]

// What `hello` says besides, as { limits: { tags: 64 }, hidden: {}, notes: [], representations: [] }: README.md has the list.
const claims = {}

export const library = {
  name: 'my-implementation',
  version: '0.1.0',
  isRejection: error => error instanceof Malformed, // the errors by which it refuses
  open: definitions => offerByHand(definitions, codecs, claims)
}
