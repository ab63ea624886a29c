// What the clients of this package share: the address, a name, and the deadline.
import { randomBytes } from 'node:crypto'

export const RECORDS = 23
export const COMMITTED = 'in a transaction'
export const bootstrap = process.env.KAFKA_BOOTSTRAP
const limit = Number(process.env.CLIENT_SECONDS ?? 30)

/** Returns a name of a topic, a group and a transaction that nobody else has. */
export function nameFor(library) {
  return `conformance-${library}-${randomBytes(4).toString('hex')}`
}

/** Returns compressible records for the rest of what is written. */
export function manyRecords(count) {
  return Array.from({ length: count }, (_, number) => ({ key: String(number), value: 'x'.repeat(100) }))
}

/** Runs a client, and ends the process: with the status 1 if it fails, with 124 if it takes too long. */
export async function run(client) {
  setTimeout(() => {
    console.error(`the client has taken ${limit} s`)
    process.exit(124)
  }, limit * 1000).unref()
  try {
    await client()
  } catch (error) {
    console.error(error)
    process.exit(1)
  }
  process.exit(0)
}
