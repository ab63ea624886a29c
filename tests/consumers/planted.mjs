// A codec that knows the definitions and the golden vectors alone, with faults to plant into it.
//
// node planted.mjs DEFINITIONS VECTORS MODE FAULT [MESSAGE.PATH] prints the ids of the vectors that the codec fails.
// MODE: `strict` refuses bytes behind a message, `stream` leaves them. Values are in the JSON form of the vectors.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const [definitions, vectors, mode, fault, place = ""] = process.argv.slice(2);
const [placedMessage, placedPath] = place.split(/\.(.*)/s);
const WIDTHS = { int8: 1, int16: 2, uint16: 2, int32: 4, uint32: 4, int64: 8 };
const TEXTUAL = new Set(["int64", "uint32"]);

class Refused extends Error {}
const refuse = (why) => { throw new Refused(why); };

const holds = (versions = "none", version) => {
  if (versions === "none") return false;
  const [low, high = low] = versions.endsWith("+") ? [versions.slice(0, -1), "32767"] : versions.split("-");
  return Number(low) <= version && version <= Number(high);
};

// ---- schemas: what is on the wire at one version

const implicit = (field) => {
  if (field.default === "null") return null;
  if (field.element) return [];
  if (field.struct) {
    const members = field.isPresent ? field.struct.fields : field.struct.all;
    return Object.fromEntries(members.map((each) => [each.name, each.value]));
  }
  const text = field.default;
  switch (field.type) {
    case "bool": return text === "true" || text === true;
    case "string": return text ?? "";
    case "bytes": return "";
    case "records": return null;
    case "uuid": return text ?? "00000000-0000-0000-0000-000000000000";
    case "float64": {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleBE(Number(text ?? 0));
      return bytes.toString("hex");
    }
    default: return TEXTUAL.has(field.type) ? BigInt(text || 0).toString() : Number(text || 0);
  }
};

const isEarly = (path) => fault === "nullable-early" && placedPath === path;

function fieldOf(source, definition, version, path, message) {
  const own = holds(definition.flexibleVersions, version);
  const flexible = source.flexibleVersions === undefined ? own : holds(source.flexibleVersions, version);
  const planted = fault === "nullable" && message === placedMessage && path === placedPath;
  const early = message === placedMessage && isEarly(path) && holds(source.nullableVersions, version + 1);
  const field = {
    name: source.name, type: source.type, compact: flexible, default: source.default, ignorable: source.ignorable,
    nullable: holds(source.nullableVersions, version), readsNull: planted || early,
    tag: holds(source.taggedVersions, version) ? source.tag : undefined, isPresent: holds(source.versions, version),
  };
  if (field.type.startsWith("[]")) {
    const inner = { ...source, type: field.type.slice(2), nullableVersions: "none", taggedVersions: "none", default: undefined };
    field.element = fieldOf(inner, definition, version, `${path}[]`, message);
  } else if (!(field.type in WIDTHS) && !["bool", "string", "bytes", "records", "uuid", "float64"].includes(field.type)) {
    const common = (definition.commonStructs ?? []).find((each) => each.name === field.type);
    const inner = common ? common.fields : source.fields;
    field.struct = structOf(inner ?? [], definition, version, path.replace(/\[\]$/, ""), message);
  }
  field.value = implicit(field);
  return field;
}

function structOf(fields, definition, version, path, message) {
  const made = fields.map((each) => [each, fieldOf(each, definition, version, path ? `${path}.${each.name}` : each.name, message)]);
  return {
    flexible: holds(definition.flexibleVersions, version),
    all: made.map(([, field]) => field),
    fields: made.filter(([each]) => holds(each.versions, version)).map(([, field]) => field),
    absent: made.filter(([each]) => !holds(each.versions, version)).map(([, field]) => field),
  };
}

// ---- reading

class Reader {
  constructor(wire) { this.wire = wire; this.at = 0; }
  take(count) {
    if (count > this.wire.length - this.at) refuse("truncated");
    this.at += count;
    return this.wire.subarray(this.at - count, this.at);
  }
  varint() {
    let number = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.take(1)[0];
      number += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return number % 2 ** 32;
    }
    return refuse("varint-overflow");
  }
}

const length = (reader, field, width) => {
  const read = field.compact ? ((reader.varint() - 1) | 0) : reader.take(width).readIntBE(0, width);
  if (read >= 0 || field.nullable) return read < 0 ? null : read;
  if (read === -1) return field.readsNull || (fault === "null-in-strings" && field.type === "string") ? null : refuse("null-not-allowed");
  return fault === "negative-is-empty" ? 0 : refuse("negative-length");
};

function read(reader, field) {
  if (field.element) {
    const count = length(reader, field, 4);
    if (count === null) return null;
    if (count > reader.wire.length - reader.at) refuse("length-exceeds-input");
    return Array.from({ length: count }, () => read(reader, field.element));
  }
  if (field.struct) {
    if (!field.nullable) return readStruct(reader, field.struct);
    const marker = field.tag === undefined ? reader.take(1).readInt8() : reader.varint() - 1;
    return marker < 0 ? null : readStruct(reader, field.struct);
  }
  switch (field.type) {
    case "bool": return reader.take(1)[0] !== 0;
    case "uuid": return reader.take(16).toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    case "float64": return reader.take(8).toString("hex");
    case "string": {
      const count = length(reader, field, 2);
      if (count > 32767 && fault !== "long-text-read") refuse("string-too-long");
      return count === null ? null : reader.take(count).toString("utf8");
    }
    case "bytes": case "records": {
      const count = length(reader, field, 4);
      return count === null ? null : reader.take(count).toString("hex");
    }
    case "int64": return reader.take(8).readBigInt64BE().toString();
    case "uint32": return reader.take(4).readUInt32BE().toString();
    case "uint16": return reader.take(2).readUInt16BE();
    default: return reader.take(WIDTHS[field.type]).readIntBE(0, WIDTHS[field.type]);
  }
}

function readStruct(reader, struct) {
  const value = Object.fromEntries(struct.fields.map((field) => [field.name, field.tag === undefined ? read(reader, field) : field.value]));
  if (!struct.flexible) return value;
  const unknown = [];
  for (let count = reader.varint(); count > 0; count -= 1) {
    const tag = reader.varint();
    const body = new Reader(reader.take(reader.varint()));
    const field = struct.fields.find((each) => each.tag === tag);
    if (field === undefined) unknown.push([tag, body.wire.toString("hex")]);
    else value[field.name] = read(body, field);
  }
  return unknown.length ? { ...value, _tags: unknown } : value;
}

// ---- writing: returns a list of buffers

const varint = (number) => {
  const bytes = [];
  for (; number >= 0x80; number = Math.floor(number / 0x80)) bytes.push((number % 0x80) | 0x80);
  return Buffer.from([...bytes, number]);
};

const integer = (number, width, isUnsigned = false) => {
  const bytes = Buffer.alloc(width);
  if (width === 8) bytes.writeBigInt64BE(BigInt(number));
  else if (isUnsigned) bytes.writeUIntBE(Number(number), 0, width);
  else bytes.writeIntBE(number, 0, width);
  return bytes;
};

const prefix = (field, count, width) => (field.compact ? varint(count + 1) : integer(count, width));

function write(field, value) {
  if (value === null) {
    if (!field.nullable && fault !== "null-written") refuse("null-not-allowed");
    if (field.struct) return [Buffer.from([field.tag === undefined ? 0xff : 0])];
    return [prefix(field, -1, field.type === "string" ? 2 : 4)];
  }
  if (field.element) return [prefix(field, value.length, 4), ...value.flatMap((each) => write(field.element, each))];
  if (field.struct) {
    return [...(field.nullable ? [Buffer.from([1])] : []), ...writeStruct(field.struct, value)];
  }
  switch (field.type) {
    case "bool": return [Buffer.from([value ? 1 : 0])];
    case "uuid": return [Buffer.from(value.replaceAll("-", ""), "hex")];
    case "float64": return [Buffer.from(value, "hex")];
    case "string": {
      const text = Buffer.from(value, "utf8");
      if (text.length > 32767 && fault !== "long-text-written") refuse("string-too-long");
      return [prefix(field, text.length, 2), text];
    }
    case "bytes": case "records": return [prefix(field, value.length / 2, 4), Buffer.from(value, "hex")];
    default: return [integer(value, WIDTHS[field.type], field.type.startsWith("u"))];
  }
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

function writeStruct(struct, value) {
  for (const field of struct.absent) {
    const isLost = field.name in value && !field.ignorable && !same(value[field.name], field.value);
    if (isLost && fault !== "field-dropped") refuse("not-in-this-version");
  }
  const unknown = value._tags ?? [];
  if (!struct.flexible && unknown.length && fault !== "tags-dropped") refuse("bad-tags");
  const pieces = struct.fields.filter((field) => field.tag === undefined).flatMap((field) => write(field, value[field.name]));
  if (!struct.flexible) return pieces;
  const known = struct.fields.filter((field) => field.tag !== undefined && !same(value[field.name], field.value));
  const entries = known.sort((one, other) => one.tag - other.tag).map((field) => [field.tag, Buffer.concat(write(field, value[field.name]))]);
  for (const [tag, hex] of unknown) entries.push([tag, Buffer.from(hex, "hex")]);
  return [...pieces, varint(entries.length), ...entries.flatMap(([tag, body]) => [varint(tag), varint(body.length), body])];
}

// ---- vectors

function outcome(act) {
  try {
    return act();
  } catch (error) {
    if (error instanceof Refused || error.code === "ERR_OUT_OF_RANGE") return null;
    throw error;
  }
}

function fails(struct, vector) {
  const written = (value) => outcome(() => Buffer.concat(writeStruct(struct, value)).toString("hex"));
  if (vector.result === "unwritable") return written(vector.value) !== null;
  const reader = new Reader(Buffer.from(vector.wire, "hex"));
  const value = outcome(() => readStruct(reader, struct));
  const isWhole = reader.at === reader.wire.length;
  if (vector.result === "invalid") return value !== null && (mode === "stream" || isWhole);
  if (vector.result !== "valid") return false;
  if (!isWhole || !same(value, vector.value)) return true;
  const wire = vector.canonical ?? vector.wire;
  return written(value) !== wire || ("given" in vector && written(vector.given) !== vector.wire);
}

for (const name of readdirSync(join(vectors, "messages"))) {
  if (placedMessage && name !== `${placedMessage}.json`) continue;
  const definition = JSON.parse(readFileSync(join(definitions, name), "utf8"));
  const file = JSON.parse(readFileSync(join(vectors, "messages", name), "utf8"));
  for (const group of file.groups) {
    const struct = structOf(definition.fields ?? [], definition, group.version, "", file.message);
    for (const vector of group.vectors) {
      if (fails(struct, vector)) console.log(`${file.spec.release}/messages/${file.message}/v${group.version}/${vector.id}`);
    }
  }
}
