/** A receiver of OTLP over http/protobuf that keeps what it got. */
import { createServer } from 'node:http';
import type { Test } from 'tap';
import { listen } from './listen.ts';

export interface ReceivedSpan {
  trace_id: string;
  span_id: string;
  /** Empty: it is the root of its trace. */
  parent_span_id: string;
  name: string;
  kind: number;
  attributes: Record<string, string | number>;
  /** 2: an error. */
  status: number;
  /** Of the process that sent it. */
  resource: Record<string, string | number>;
}

export interface Collector {
  url: string;
  /** Each request: its path and its body. */
  received: { path: string; type: string; body: Buffer }[];
  spans(): ReceivedSpan[];
}

/** Starts one on loopback; it ends with the test. */
export async function collector(t: Pick<Test, 'teardown'>, status = 200): Promise<Collector> {
  const received: Collector['received'] = [];
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    received.push({
      path: req.url!, type: req.headers['content-type']!, body: Buffer.concat(chunks) });
    res.writeHead(status, { 'Content-Type': 'application/x-protobuf' }).end();
  });
  const port = await listen(t, server);
  return {
    url: `http://127.0.0.1:${port}`, received,
    spans: () => received.filter(({ path }) => path.endsWith('/v1/traces'))
      .flatMap(({ body }) => spansOf(body)),
  };
}

/** A field of a protobuf message: bytes, or a number of any of its widths. */
type Field = [number: number, value: Buffer | bigint];

function* fieldsOf(bytes: Buffer): Generator<Field> {
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]!;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const type = tag & 7;
    if (type === 0) yield [tag >> 3, varint()];
    else if (type === 1) yield [tag >> 3, bytes.readBigUInt64LE((at += 8) - 8)];
    else if (type === 5) yield [tag >> 3, BigInt(bytes.readUInt32LE((at += 4) - 4))];
    else if (type === 2) {
      const length = Number(varint());
      yield [tag >> 3, bytes.subarray(at, at += length)];
    } else throw new Error(`a field of type ${type}`);
  }
}

/** The fields of a message with this number. */
function all(bytes: Buffer, number: number): Buffer[] {
  return [...fieldsOf(bytes)].filter(([of]) => of === number).map(([, value]) => value as Buffer);
}

function one<T extends Buffer | bigint>(bytes: Buffer, number: number, otherwise: T): T {
  return ([...fieldsOf(bytes)].find(([of]) => of === number)?.[1] ?? otherwise) as T;
}

const EMPTY = Buffer.alloc(0);

/** The spans of an ExportTraceServiceRequest. */
function spansOf(request: Buffer): ReceivedSpan[] {
  return all(request, 1).flatMap((of) => {
    const resource = attributesOf(all(one(of, 1, EMPTY), 1));
    return all(of, 2).flatMap((scope) => all(scope, 2)).map((span) => ({
      trace_id: one(span, 1, EMPTY).toString('hex'),
      span_id: one(span, 2, EMPTY).toString('hex'),
      parent_span_id: one(span, 4, EMPTY).toString('hex'),
      name: one(span, 5, EMPTY).toString(),
      kind: Number(one(span, 6, 0n)),
      attributes: attributesOf(all(span, 9)),
      status: Number(one(one(span, 15, EMPTY), 3, 0n)),
      resource,
    }));
  });
}

function attributesOf(pairs: Buffer[]): Record<string, string | number> {
  return Object.fromEntries(pairs.map((pair) => {
    const [[kind, value]] = [...fieldsOf(one(pair, 2, EMPTY))] as [Field];
    return [one(pair, 1, EMPTY).toString(), kind === 1 ? (value as Buffer).toString()
      : Number(value)];
  }));
}
