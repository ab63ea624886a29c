// The harness for one library of JavaScript: node main.mjs platformatic|kafkajs

import { serve } from './bridge/serve.mjs'

const LIBRARIES = ['platformatic', 'kafkajs']
const name = process.argv[2]

if (!LIBRARIES.includes(name)) {
  process.stderr.write(`the first argument is the library: ${LIBRARIES.join(' or ')}\n`)
  process.exit(2)
}
await serve(async () => (await import(`./libraries/${name}.mjs`)).library)
