// Compile each format of a file of JSON Lines, and print what its parser reads of some bytes, as a line of JSON for each.
import { createRequire } from 'node:module';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

const require = createRequire(import.meta.url);
const Stream = require('kaitai-struct/KaitaiStream');
const compiler = require('kaitai-struct-compiler');

// kaitai-struct 0.11.0 reads ff ff ff ff 7f ff ff ff as 2147483647: it inverts the lower half as a signed number.
Stream.prototype.readS8be = function readS8be() {
  const upper = BigInt(this.readU4be());
  return Number(BigInt.asIntN(64, (upper << 32n) | BigInt(this.readU4be())));
};

const plain = (value) => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value); // JSON has no such numbers
  if (value === null || typeof value !== 'object') return value;
  if (value.constructor.name === 'UnsignedVarint') return value.value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !name.startsWith('_')).map(([name, each]) => [name, plain(each)]));
};

for await (const line of createInterface({ input: createReadStream(process.argv[2]) })) {
  const { format, wires } = JSON.parse(line);
  const files = await compiler.compile('javascript', format, null, false);
  const [code] = Object.values(files);
  const module = { exports: {} };
  new Function('module', 'exports', 'require', code)(module, module.exports, require);
  const Parser = Object.values(module.exports).find((each) => typeof each === 'function') ?? module.exports;
  console.log(JSON.stringify(wires.map((wire) => {
    const stream = new Stream(Uint8Array.from(Buffer.from(wire, 'hex')).buffer);
    const value = plain(new Parser(stream));
    return { value, rest: stream.size - stream.pos };
  })));
}
