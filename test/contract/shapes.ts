/** Every public operation: its success, and the errors that a request can bring about. */
import { operations, type OperationEntry } from '../../generated/operations.ts';
import {
  listOperations, publicDocument, readDocument, resolveReference,
} from '../../scripts/document.ts';
import type { PublicId } from '../../src/contract/calls.ts';
import { collect, prompt, type CallOptions, type Client } from '../support/client.ts';
import { completeRun, newSession, OFFLINE } from '../support/runs.ts';
import type { Subject } from './target.ts';

interface Example {
  status: number;
  options: CallOptions;
  /** What makes the same request one that breaks the document. */
  broken: CallOptions;
}

const TOO_LONG = 'x'.repeat(129);
const LIMIT = { query: { limit: 0 } };
const EVENTS = { accept: 'text/event-stream' };
/** Steers the mock to a status; the service takes no notice of it. */
const prefer = (status: number) => ({ prefer: `code=${status}` });

/** A request of each public operation that succeeds, on things that exist by then. */
async function examples(client: Client): Promise<Record<PublicId, Example>> {
  const session_id = await newSession(client);
  const { id: run_id } = await completeRun(client, session_id, 'call gatehouse.sessions.list',
    OFFLINE);
  const { invocation_id } = await client.expect(201, 'createActionInvocation',
    { body: { action: 'gatehouse.sessions.list' } });
  const session = { path: { session_id } };
  const run = { path: { run_id } };
  const noSession = { path: { session_id: TOO_LONG } };
  const noRun = { path: { run_id: TOO_LONG } };
  return {
    createSession: { status: 201, options: { body: { title: 'x' } },
      broken: { body: { titel: 'x' } } },
    listSessions: { status: 200, options: { query: { limit: 2 } }, broken: LIMIT },
    getSession: { status: 200, options: session, broken: noSession },
    listSessionMessages: { status: 200, options: session, broken: { ...session, ...LIMIT } },
    updateSession: { status: 200, options: { ...session, body: { title: 'y' } },
      broken: { ...session, body: {} } },
    deleteSession: { status: 204, options: { path: { session_id: await newSession(client) } },
      broken: noSession },
    createRun: { status: 202, options: { ...session, body: prompt('@rehearsal words=1', OFFLINE) },
      broken: { ...session, body: { input: [] } } },
    listRuns: { status: 200, options: { query: { status: 'completed' } }, broken: LIMIT },
    getRun: { status: 200, options: run, broken: noRun },
    cancelRun: { status: 200, options: run, broken: noRun },
    streamRunEvents: { status: 200, options: run, broken: { ...run, ...LIMIT } },
    listActions: { status: 200, options: { query: { read_only: true } }, broken: LIMIT },
    searchActions: { status: 200, options: { body: { query: 'sessions' } },
      broken: { body: { query: '' } } },
    getAction: { status: 200, options: { path: { action: 'gatehouse.sessions.list' } },
      broken: { path: { action: 'x'.repeat(256) } } },
    createActionInvocation: { status: 201, options: { body: { action: 'gatehouse.sessions.list' } },
      broken: { body: { input: {} } } },
    listActionInvocations: { status: 200, options: { query: { source: 'api' } }, broken: LIMIT },
    getActionInvocation: { status: 200, options: { path: { invocation_id } },
      broken: { path: { invocation_id: TOO_LONG } } },
    getOpenapiDocument: { status: 200, options: {},
      broken: { headers: { 'if-none-match': 'x'.repeat(513) } } },
  };
}

/** The client throws for a status or a body that the document does not declare. */
export function shapes({ client, both, target }: Subject): void {
  both('each operation succeeds as the document says', async (t) => {
    for (const [id, { status, options }] of Object.entries(await examples(client))) {
      const headers = { ...options.headers, ...prefer(status) };
      const answer = await client.call(id as PublicId, { ...options, headers });
      t.equal(answer.status, status, id);
    }
  });

  both('each operation refuses whoever has no key', async (t) => {
    for (const [id, { options }] of Object.entries(await examples(client))) {
      const answer = await client.call(id as PublicId, { ...options, token: null });
      t.equal(answer.status, 401, id);
      t.match(answer.body, { error: String, code: 'missing_api_key' }, id);
    }
  });

  both('each operation refuses what breaks the document', async (t) => {
    for (const [id, { broken }] of Object.entries(await examples(client))) {
      const answer = await client.call(id as PublicId, broken);
      t.equal(answer.status, 400, id);
      t.match(answer.body, { error: String, code: String, request_id: String }, id);
    }
  });

  both('a run is answered in three ways', async (t) => {
    const path = { session_id: await newSession(client) };
    const waited = await completeRun(client, path.session_id, '@rehearsal words=1', OFFLINE);
    t.match(waited, { object: 'run', status: 'completed', output: [{}] });
    const events = await collect(client.events('createRun',
      { path, body: prompt('@rehearsal words=1', { ...OFFLINE, stream: true }), headers: EVENTS }));
    t.strictSame(events.map((event) => event.sequence_number), events.map((_, i) => i + 1));
    t.equal(events.at(-1)!.type, 'run.completed');
    const replayed = await collect(client.events('streamRunEvents',
      { path: { run_id: events[0]!.run_id } }));
    t.equal(replayed.at(-1)!.type, 'run.completed');
  });

  both('304 for whoever has the document', async (t) => {
    const answer = await client.call('getOpenapiDocument',
      { headers: { 'if-none-match': '*', ...prefer(304) } });
    t.equal(answer.status, 304);
  });

  if (target.kind === 'mock') mockShapes({ client, both, target });
}

/** Faults that no request brings about on a healthy service have examples, which must fit. */
function mockShapes(
  { client, both, target }: Pick<Subject, 'client' | 'both' | 'target'>): void {
  both('what the mock cannot do, it still cannot', async (t) => {
    const headers = { authorization: `Bearer ${target.api_key}` };
    for (const [path, init, status] of [['/nowhere', {}, 404],
      ['/sessions', { method: 'DELETE' }, 405],
      ['/sessions', { headers: { ...headers, accept: 'image/png' } }, 406]] as const) {
      const response = await fetch(target.base_url + path, { headers, ...init });
      t.equal(response.status, status);
      t.notMatch(response.headers.get('content-type'), /^application\/json/,
        `it has learned ${status}: let MOCK_CANNOT shrink`);
    }
    const { status } = await fetch(`${target.base_url}/sessions?colour=red`, { headers });
    t.equal(status, 200, 'let MOCK_CANNOT shrink');
  });

  both('the mock shows every declared status of each operation', async (t) => {
    for (const [id, { options }] of Object.entries(await examples(client))) {
      const { responses }: OperationEntry = operations[id as PublicId];
      for (const status of Object.keys(responses).map(Number)) {
        if (responses[status]!.internal) continue;
        const headers = { ...options.headers, ...prefer(status) };
        const answer = await client.call(id as PublicId, { ...options, headers });
        t.equal(answer.status, status, `${id} ${status}`);
      }
    }
  });

  both('the mock shows every named example', async (t) => {
    const document = publicDocument(readDocument());
    const requests = await examples(client);
    for (const { operation_id, node } of listOperations(document)) {
      if (!(operation_id in requests)) continue;
      const id = operation_id as PublicId;
      for (const [status, response] of Object.entries(node.responses ?? {})) {
        const { content } = resolveReference(document, response);
        const json = content?.['application/json'] as { examples?: object } | undefined;
        for (const name of Object.keys(json?.examples ?? {})) {
          const headers = { prefer: `code=${status}, example=${name}` };
          const answer = await client.call(id, { ...requests[id].options, headers });
          t.equal(String(answer.status), status, `${id} ${status} ${name}`);
        }
      }
    }
  });
}
