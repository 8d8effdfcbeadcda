/**
 * A way to the service on which generated clients are tried. It breaks a run's stream off twice: in
 * the middle of an event, as a network does, and then between two, as a service that is restarted.
 * It can make the service one of tomorrow, which says more than today's.
 */
import {
  createServer, request, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse,
} from 'node:http';
import { portOf } from '../support/listen.ts';

/** As it is; with fields nobody knows yet in each object; with new values where some may come. */
export type Day = 'today' | 'fields' | 'values';

export interface Way {
  /** With the version segment. */
  base_url: string;
  /** How often a stream was asked for again after just the last event that came whole. */
  resumed: number;
  /** With what the next requests for a stream are refused, and when each of them came. */
  refusals: [status: number, code: string][];
  streams_ms: number[];
  close(): void;
}

const WHOLE_EVENTS = 4;
/** Objects whose members are the caller's own or an action's: the service adds none to them. */
const OPEN = new Set(['metadata', 'input', 'arguments', 'result', 'input_schema', 'output_schema']);

/** Opens a way to the service at `base_url` on a free port. */
export async function openWay(base_url: string, day: Day): Promise<Way> {
  const target = new URL(base_url);
  const cutAt = new Map<string, number>();
  const server = createServer((req, res) => {
    const { url, method, headers } = req;
    if (/\/runs\/\w+\/events/.test(url!)) {
      way.streams_ms.push(performance.now());
      const [status, code] = way.refusals.shift() ?? [];
      if (status !== undefined) {
        return void res.writeHead(status, { 'content-type': 'application/json' }).end(
          JSON.stringify({ error: 'refused', code, param: null, request_id: 'req_1' }));
      }
    }
    const forward = request({
      host: target.hostname, port: target.port, path: url, method,
      headers: { ...headers, host: target.host },
    }, (answer) => {
      res.writeHead(answer.statusCode!, withoutLength(answer));
      if (/event-stream/.test(answer.headers['content-type'] ?? '')) {
        new Messages(way, day, cutAt, lastSeen(req)).pass(answer, res);
      } else passWhole(answer, res, day).catch(() => res.destroy());
    });
    forward.on('error', () => res.destroy());
    res.on('close', () => forward.destroy());
    req.pipe(forward);
  });
  const way: Way = {
    base_url: `http://127.0.0.1:${await portOf(server)}/v1`, resumed: 0,
    refusals: [], streams_ms: [],
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return way;
}

function withoutLength(
  { headers: { 'content-length': _, ...headers } }: IncomingMessage): OutgoingHttpHeaders {
  return headers;
}

/** The number after which a stream is asked for. */
function lastSeen({ url, headers }: IncomingMessage): number {
  const { searchParams } = new URL(url!, 'http://way');
  return Number(headers['last-event-id'] ?? searchParams.get('starting_after') ?? 0);
}

async function passWhole(answer: IncomingMessage, res: ServerResponse, day: Day): Promise<void> {
  const text = Buffer.concat(await answer.toArray() as Buffer[]).toString();
  res.end(text.startsWith('{') ? JSON.stringify(later(JSON.parse(text), day)) : text);
}

/** A stream on its way, asked for after an event's number. */
class Messages {
  readonly #way: Way;
  readonly #day: Day;
  /** By run, the number of the event before which its stream broke off last. */
  readonly #cutAt: Map<string, number>;
  readonly #after: number;
  #count = 0;

  constructor(way: Way, day: Day, cutAt: Map<string, number>, after: number) {
    this.#way = way;
    this.#day = day;
    this.#cutAt = cutAt;
    this.#after = after;
  }

  pass(answer: IncomingMessage, res: ServerResponse): void {
    let text = '';
    let over = false;
    answer.setEncoding('utf8').on('data', (chunk: string) => {
      if (over) return;
      const blocks = (text + chunk).split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) {
        const { message, cut } = this.#next(block);
        if (cut) {
          over = true;
          answer.destroy();
          if (this.#after > 0) res.end(': the server is being restarted\n');
          // What is half written has to leave before the connection breaks.
          else res.write(message.slice(0, message.length / 2), () => res.destroy());
          return;
        }
        res.write(message);
      }
    });
    answer.on('end', () => res.end(text));
    answer.on('error', () => {});
  }

  #next(block: string): { message: string; cut: boolean } {
    const [line, data] = /^data: (.*)$/m.exec(block) ?? [];
    if (data === undefined) return { message: `${block}\n\n`, cut: false };
    const event = later(JSON.parse(data), this.#day) as
      { type: string; run_id: string; sequence_number: number };
    const message = block.replace(line!, () => `data: ${JSON.stringify(event)}`)
      .replace(/^event: .*$/m, `event: ${event.type}`);
    return { message: `${message}\n\n`, cut: this.#cutsBefore(event) };
  }

  #cutsBefore({ run_id, sequence_number }: { run_id: string; sequence_number: number }): boolean {
    const resumes = this.#cutAt.get(run_id) === this.#after + 1;
    if (resumes && sequence_number === this.#after + 1) this.#way.resumed += 1;
    const cut = this.#count++ === WHOLE_EVENTS
      && (this.#after === 0 || (resumes && this.#way.resumed === 1));
    if (cut) this.#cutAt.set(run_id, sequence_number);
    return cut;
  }
}

/** What the service of that day says for what it says today. */
function later(value: unknown, day: Day): unknown {
  if (day === 'today' || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => later(item, day));
  const fields = Object.entries(value).map(([name, inner]) =>
    [name, OPEN.has(name) ? inner : later(inner, day)] as const);
  return {
    ...Object.fromEntries(fields), ...(day === 'values' && newValues({ ...value })),
    added_later: { by: [1, 'two', null] },
  };
}

/** Values that no list of today has (x-extensible-enum), and new kinds of events. */
function newValues(value: Record<string, unknown>): object {
  const { object, code, type, sequence_number } = value;
  if (object === 'run') return { source: 'source_of_tomorrow' };
  if (object === 'action') return { effect: 'effect_of_tomorrow' };
  if (object === 'action_invocation') return { source: 'source_of_tomorrow' };
  if (code === 'not_found') return { code: 'code_of_tomorrow' };
  // Some of the pieces of an answer: the whole one comes with message.output.completed.
  const kind = type === 'message.output.delta' && Number(sequence_number) % 3 === 0;
  return kind ? { type: 'kind.of.tomorrow', data: { of: 'tomorrow' } } : {};
}
