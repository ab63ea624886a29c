// A harness for one implementation: node main.mjs

import { serve } from './bridge/serve.mjs'
import { library } from './library.mjs'

await serve(() => library)
