// Kafka's message definitions: release.json, and one file for each message.

import fs from 'node:fs'
import path from 'node:path'

import { SCALARS } from './forms.mjs'
import { ProtocolError } from './outcomes.mjs'

// Versions are "0-12", "9+", "4" or "none".
export class Versions {
  constructor(text = 'none') {
    const [, low, high] = /^(\d+)(?:-(\d+)|\+)?$/.exec(text) ?? [undefined, 1, 0]
    this.low = Number(low)
    this.high = text.endsWith('+') ? Infinity : Number(high ?? low)
  }

  has(version) {
    return this.low <= version && version <= this.high
  }

  all() {
    return Array.from({ length: Math.max(0, this.high - this.low + 1) }, (_, step) => this.low + step)
  }
}

// The definitions in a folder, by name.
export function loadDefinitions(folder) {
  const index = read(folder, 'release')
  if (index.dialect && index.dialect !== 'released') {
    throw new ProtocolError(`the definitions are those of the proposal ${index.dialect}, which no library knows`)
  }
  return new Map(Object.keys(index.messages).map(name => [name, new Message(name, read(folder, name))]))
}

function read(folder, name) {
  const file = path.join(folder, `${name}.json`)
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch (error) {
    throw new ProtocolError(`${file}: ${error.message}`)
  }
}

// One definition. `kind` is "request", "response", "data" and so on.
export class Message {
  constructor(name, definition) {
    this.name = name
    this.kind = definition.type
    this.apiKey = definition.apiKey
    this.versions = new Versions(definition.validVersions)
    this.flexibleVersions = new Versions(definition.flexibleVersions)
    this.definition = definition
    this.commonStructs = new Map((definition.commonStructs ?? []).map(struct => [struct.name, struct.fields]))
  }

  // The names of the fields of all versions.
  get names() {
    return (this.definition.fields ?? []).map(field => field.name)
  }

  // The fields of a version, in order, as fieldsOf gives them. A definition may be without any.
  fieldsAt(version) {
    return this.fieldsOf(this.definition.fields ?? [], version)
  }

  // `element` is the type of the elements of an array, `fields` those of a struct or of an array of structs, and `names`
  // the names of its fields of all versions.
  fieldsOf(fields, version) {
    return fields.filter(field => new Versions(field.versions).has(version)).map(field => this.field(field, version))
  }

  field(field, version) {
    const isArray = field.type.startsWith('[]')
    const element = isArray ? field.type.slice(2) : field.type
    const own = field.fields ?? this.commonStructs.get(element)
    return {
      name: field.name,
      isArray,
      element,
      isStruct: !SCALARS.has(element),
      fields: SCALARS.has(element) ? undefined : this.fieldsOf(own, version),
      names: SCALARS.has(element) ? undefined : own.map(({ name }) => name),
      nullable: new Versions(field.nullableVersions).has(version),
      tagged: field.tag !== undefined && new Versions(field.taggedVersions).has(version),
      default: field.default
    }
  }
}
