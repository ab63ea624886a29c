// Reading the vectors: plain JSON, one file for a message.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDERS = ['headers', 'messages', 'frames']

// Every vector below root, each with its whole id, its file and its version. Numbers of 64 bits are strings in the files,
// so JSON.parse loses nothing.
export function load(root) {
  const releases = readdirSync(root).filter(name => /^\d/.test(name)).sort()
  const folders = ['primitives', 'records', ...releases.flatMap(release => FOLDERS.map(folder => `${release}/${folder}`))]
  const vectors = folders.flatMap(folder => filesIn(root, folder)).flatMap(name => loadFile(root, name))
  if (vectors.length === 0) throw new Error(`no vectors in ${root}: name the folder that has index.json`)
  return vectors
}

function filesIn(root, folder) {
  try {
    return readdirSync(join(root, folder)).filter(name => name.endsWith('.json')).sort().map(name => `${folder}/${name}`)
  } catch (error) {
    if (error.code === 'ENOENT') return [] // a part of the vectors has not every folder
    throw error
  }
}

function loadFile(root, name) {
  const { groups = [], ...file } = JSON.parse(readFileSync(join(root, name), 'utf8'))
  const stem = name.replace(/\.json$/, '')
  return groups.flatMap(({ version, vectors }) =>
    vectors.map(vector => ({ ...vector, file, version, name: `${stem}/v${version}/${vector.id}` }))
  )
}
