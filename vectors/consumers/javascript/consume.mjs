// A consumer of the golden vectors: runs @platformatic/kafka on every vector and prints those that it fails.
//
//     node consume.mjs ../../
//
// vectors.mjs reads the files; check.mjs has what they expect of a codec; codec.mjs is that codec. What is here survives
// whatever the codec does, and prints what came of it.

import { spawn } from 'node:child_process'
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { load } from './vectors.mjs'

const STARTUP = 60_000 // milliseconds until a child is ready
const PATIENCE = 1_000 // milliseconds for one vector
const ENOUGH = 5 // ends of a child at one family of vectors, before the rest of them is left out
const FEW = 3 // ids of each group, unless all are asked for
const GROUPS = 12 // groups of each kind, likewise

// What vectors have in common that break the same kind of place of different messages in the same way: the end of the id,
// as in "tag-section-varint-huge".
const familyOf = ({ id }) => id.split('-').slice(-4).join('-')

async function main() {
  const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      all: { type: 'boolean' },
      strict: { type: 'boolean' },
      'child-from': { type: 'string' },
      'child-skip': { type: 'string' }
    }
  })
  if (positionals.length !== 1) {
    throw new Error('usage: node consume.mjs [--all] [--strict] FOLDER, the one that has index.json')
  }
  const vectors = load(positionals[0])
  if (options['child-from']) {
    return child(vectors.slice(Number(options['child-from'])), options['child-skip'].split(','))
  }
  const failed = report(vectors, await checkAll(positionals[0], vectors), options.all)
  process.exitCode = failed > 0 && options.strict ? 1 : 0
}

// Checks vectors and writes one outcome a line, each before it begins the next vector.
async function child(vectors, skip) {
  const { check } = await import('./check.mjs')
  const answer = outcome => writeSync(1, JSON.stringify(outcome) + '\n')
  answer('ready')
  for (const vector of vectors) {
    const family = familyOf(vector)
    answer(skip.includes(family) ? ['not run', `${family}: others of them ended the program`] : check(vector))
  }
}

// Lets children check all vectors. When one dies or hangs, the vector that it had not answered is to blame, and another
// child goes on behind it. A codec that hangs at one vector often hangs at a thousand like it: after a few, the rest of
// their family is not run, and counted as such.
async function checkAll(folder, vectors) {
  const outcomes = []
  const ends = {}
  while (outcomes.length < vectors.length) {
    const skip = Object.keys(ends).filter(family => ends[family] >= ENOUGH)
    const end = await runChild(folder, skip, outcomes)
    if (outcomes.length === vectors.length) break
    const family = familyOf(vectors[outcomes.length])
    outcomes.push(['FAIL: crash, hang or much memory', end])
    ends[family] = (ends[family] ?? 0) + 1
  }
  return outcomes
}

// Adds a child's outcomes, and returns how it ended.
async function runChild(folder, skip, outcomes) {
  const script = fileURLToPath(import.meta.url)
  const args = ['--child-from', String(outcomes.length), '--child-skip', skip.join(','), folder]
  const child = spawn(process.execPath, ['--max-old-space-size=2048', script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let end = 'died'
  const stop = () => {
    end = `no answer within ${PATIENCE} ms`
    child.kill('SIGKILL')
  }
  let ready = false
  let watchdog = setTimeout(stop, STARTUP)
  for await (const line of createInterface({ input: child.stdout })) {
    if (ready) outcomes.push(JSON.parse(line))
    ready = true
    clearTimeout(watchdog)
    watchdog = setTimeout(stop, PATIENCE)
  }
  clearTimeout(watchdog)
  if (!ready) throw new Error('a child did not start, or not in time')
  return end
}

// Prints what came of the vectors and returns how many the codec fails. A vector is shown under each of its flags.
function report(vectors, outcomes, all) {
  const results = {}
  const lacking = {}
  const findings = {}
  let failed = 0
  let alike = 0
  for (const [index, vector] of vectors.entries()) {
    const [kind, detail = ''] = outcomes[index]
    const result = (results[vector.result] ??= {})
    result[kind] = (result[kind] ?? 0) + 1
    if (vector.result === 'unspecified') {
      alike += Object.values(vector.observed)[0].accepts === (kind === 'accepts') && ['accepts', 'rejects'].includes(kind)
    }
    if (kind.startsWith('FAIL')) {
      failed += 1
      for (const flag of vector.flags) add(findings, kind, flag, `${vector.name}  ${detail.slice(0, 80)}`)
    } else if (detail) {
      add(lacking, kind, detail, vector.name)
    }
  }
  console.log(`@platformatic/kafka 1.35.0: ${vectors.length} vectors, ${failed} failed`)
  for (const result of Object.keys(results).sort()) {
    const counts = Object.entries(results[result]).sort().map(([kind, count]) => `${count} ${kind};`)
    console.log(`  ${result}: ${counts.join(' ')}`)
  }
  console.log(`  as Apache Kafka does, where the protocol leaves it open: ${alike}`)
  print(lacking, all)
  print(findings, all)
  return failed
}

function add(found, kind, group, name) {
  const groups = (found[kind] ??= {})
  groups[group] ??= []
  groups[group].push(name)
}

function print(found, all) {
  for (const kind of Object.keys(found).sort()) {
    console.log(`\n${kind}`)
    const groups = Object.entries(found[kind]).sort(([, a], [, b]) => b.length - a.length)
    for (const [group, names] of all ? groups : groups.slice(0, GROUPS)) {
      console.log(`  ${group}: ${names.length}`)
      for (const name of all ? names : names.slice(0, FEW)) console.log(`    ${name}`)
    }
    if (groups.length > GROUPS && !all) console.log(`  and ${groups.length - GROUPS} other groups: --all shows them`)
  }
}

try {
  await main()
} catch (error) {
  console.error(error.message)
  process.exitCode = 2
}
