// Runs SQL queries over a trace with Perfetto's trace processor: WebAssembly that Perfetto's UI runs in a worker.
//
//     node perfetto.cjs FOLDER TRACE QUERIES > ANSWERS
//
// FOLDER contains the bundle. QUERIES is a file with a JSON array of strings. ANSWERS is a JSON array with the rows of each query; a row
// is an array with its columns in order. Integers are strings, because they can have 64 bits. A blob is {"hex": ".."}, and a failed query
// is {"error": ".."}.

const { readFileSync } = require("node:fs");
const { join } = require("node:path");

const [folder, trace, asked] = process.argv.slice(2);
const queries = JSON.parse(readFileSync(asked, "utf8"));

// Field numbers and methods of TraceProcessorRpc, from the message descriptors in the package `perfetto`.
const APPEND = 1, FINALIZE = 2, QUERY = 3;
const SEQUENCE = 1, FATAL = 5, REQUEST = 2, DATA = 101, ARGUMENTS = 103, APPENDED = 201, RESULT = 203, FINALIZED = 212;

function varint(value) {
  const bytes = [];
  for (value = BigInt(value); value > 127n; value >>= 7n) bytes.push(Number(value & 127n) | 128);
  return [...bytes, Number(value)];
}

const bytesField = (number, bytes) => Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(bytes.length)]), bytes]);
const numberField = (number, value) => Buffer.from([...varint(number * 8), ...varint(value)]);

// Returns the fields of a message as [number, value]. A value is a BigInt or bytes.
function fields(bytes) {
  const found = [];
  let at = 0;
  const take = () => {
    for (let value = 0n, shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = Number(take());
    const lengths = { 0: () => 0, 1: () => 8, 2: () => Number(take()), 5: () => 4 };
    if (tag % 8 === 0) found.push([tag >>> 3, take()]);
    else {
      const length = lengths[tag % 8]();
      found.push([tag >>> 3, bytes.subarray(at, (at += length))]);
    }
  }
  return found;
}

const one = (message, number) => message.find((field) => field[0] === number)?.[1];

function varints(bytes) {
  const packed = [];
  for (let value = 0n, shift = 0n, at = 0; at < bytes.length; at++) {
    value |= BigInt(bytes[at] & 127) << shift;
    shift += 7n;
    if (bytes[at] < 128) {
      packed.push(BigInt.asIntN(64, value));
      value = shift = 0n;
    }
  }
  return packed;
}

// Returns the values of a batch of cells. A batch has one list of the cells' types, and a list of values for each type.
function* cells(batch) {
  const numbers = varints(one(batch, 2) ?? Buffer.alloc(0)).values();
  const doubles = Buffer.from(one(batch, 3) ?? []);
  const blobs = batch.filter((field) => field[0] === 4).values();
  const strings = Buffer.from(one(batch, 5) ?? []).toString("utf8").split("\0").values();
  let double = 0;
  for (const type of varints(one(batch, 1) ?? Buffer.alloc(0))) {
    if (type === 2n) yield String(numbers.next().value);
    else if (type === 3n) yield doubles.readDoubleLE(8 * double++);
    else if (type === 4n) yield strings.next().value;
    else if (type === 5n) yield { hex: Buffer.from(blobs.next().value[1]).toString("hex") };
    else yield null;
  }
}

// The bundle expects to run in a worker of a page, so imitate that environment.
class Request {
  open(_method, name) {
    this.name = name;
  }
  send() {
    const bytes = readFileSync(join(folder, this.name));
    this.response = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  }
}
const said = [];
const quiet = { ...console, log() {}, warn: (text) => said.push(text), error: (text) => said.push(text) };
const worker = { location: { href: "" } };
const source = readFileSync(join(folder, "engine_bundle.js"), "utf8");
new Function("self", "process", "WorkerGlobalScope", "XMLHttpRequest", "console", source)(worker, undefined, Object, Request, quiet);

const answers = [];
const port = { postMessage: (bytes) => answers.push(Buffer.from(bytes)) };
worker.onmessage({ data: port });

let sequence = 0;
function call(method, ...rest) {
  const message = Buffer.concat([numberField(SEQUENCE, sequence++), numberField(REQUEST, method), ...rest]);
  answers.length = 0;
  try {
    port.onmessage({ data: new Uint8Array(bytesField(1, message)) });
  } catch (error) {
    throw new Error(`${error}\n${said.join("\n")}`);
  }
  return fields(Buffer.concat(answers)).map(([, bytes]) => {
    const answer = fields(bytes);
    if (one(answer, FATAL)) throw new Error(one(answer, FATAL).toString());
    return answer;
  });
}

function fail(error) {
  if (error?.length) throw new Error(`${trace}: ${error}`);
}

function query(sql) {
  let columns = 0;
  const values = [];
  for (const answer of call(QUERY, bytesField(ARGUMENTS, bytesField(1, Buffer.from(sql))))) {
    const result = fields(one(answer, RESULT));
    if (one(result, 2)?.length) return { error: one(result, 2).toString() };
    columns ||= result.filter((field) => field[0] === 1).length;
    for (const [number, batch] of result) if (number === 3) values.push(...cells(fields(batch)));
  }
  const rows = [];
  for (let at = 0; at < values.length; at += columns) rows.push(values.slice(at, at + columns));
  return rows;
}

// Start after the event loop's turn that runs the bundle.
setTimeout(() => {
  const bytes = readFileSync(trace);
  for (let at = 0; at < bytes.length; at += 1 << 22) {
    for (const answer of call(APPEND, bytesField(DATA, bytes.subarray(at, at + (1 << 22))))) {
      fail(one(fields(one(answer, APPENDED) ?? []), 2));
    }
  }
  for (const answer of call(FINALIZE)) fail(one(fields(one(answer, FINALIZED) ?? []), 1));
  process.stdout.write(JSON.stringify(queries.map(query)) + "\n");
}, 0);
