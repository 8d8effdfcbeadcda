/** Every public operation: its success, and the errors that a request can bring about. */
import { operations, type OperationId } from '../../generated/operations.ts';
import { listOperations, readDocument, resolveReference } from '../../scripts/document.ts';
import { collect, prompt, type CallOptions, type Client } from '../support/client.ts';
import { completeRun, newSession, OFFLINE } from '../support/runs.ts';
import type { Subject } from './target.ts';

type AdminId = {
  [O in OperationId]: (typeof operations)[O]['internal'] extends true ? O : never
}[OperationId];
export type PublicId = Exclude<OperationId, AdminId>;
export const PUBLIC_IDS = (Object.keys(operations) as OperationId[])
  .filter((id) => !operations[id].internal) as PublicId[];

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
    createRun: { status: 202, options: { ...session, body: prompt('@rehearsal words=1', OFFLINE) },
      broken: { ...session, body: { input: [] } } },
    listRuns: { status: 200, options: { query: { status: 'completed' } }, broken: LIMIT },
    getRun: { status: 200, options: run, broken: noRun },
    cancelRun: { status: 200, options: run, broken: noRun },
    streamRunEvents: { status: 200, options: run, broken: { ...run, ...LIMIT } },
    listActions: { status: 200, options: { query: { read_only: true } }, broken: LIMIT },
    searchActions: { status: 200, options: { body: { query: 'sessions' } },
      broken: { body: { query: '' } } },
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
export function shapes({ client, both, serviceOnly, target }: Subject): void {
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

  if (target.kind === 'mock') mockShapes({ client, both });
  refusals({ client, serviceOnly });
}

/** Faults that no request brings about on a healthy service have examples, which must fit. */
function mockShapes({ client, both }: Pick<Subject, 'client' | 'both'>): void {
  both('the mock shows every declared status of each operation', async (t) => {
    for (const [id, { options }] of Object.entries(await examples(client))) {
      for (const status of Object.keys(operations[id as PublicId].responses).map(Number)) {
        const headers = { ...options.headers, ...prefer(status) };
        const answer = await client.call(id as PublicId, { ...options, headers });
        t.equal(answer.status, status, `${id} ${status}`);
      }
    }
  });

  both('the mock shows every named example', async (t) => {
    const document = readDocument();
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

function refusals({ client, serviceOnly }: Pick<Subject, 'client' | 'serviceOnly'>): void {
  serviceOnly('say 406 unasked', 'nothing is sent that was not asked for', async (t) => {
    for (const [id, { options }] of Object.entries(await examples(client))) {
      const answer = await client.call(id as PublicId,
        { ...options, headers: { accept: 'image/png' } });
      t.match([answer.status, answer.body], [406, { code: 'not_acceptable' }], id);
    }
  });

  serviceOnly('refuse unknown query parameters', 'nothing unknown passes silently', async (t) => {
    for (const [id, { options }] of Object.entries(await examples(client))) {
      const answer = await client.call(id as PublicId, { ...options, query: { colour: 'red' } });
      t.equal(answer.status, 400, id);
      t.match(answer.body, { code: 'invalid_request', param: 'colour' }, id);
    }
  });

  serviceOnly('keep state', 'what does not exist is not found', async (t) => {
    for (const id of PUBLIC_IDS.filter((each) => operations[each].path.includes('{'))) {
      const { body } = (await examples(client))[id].options;
      const answer = await client.call(id, { body });
      t.match([answer.status, answer.body], [404, { code: 'not_found' }], id);
    }
  });

  serviceOnly('refuse a body that is not JSON', 'bodies are JSON', async (t) => {
    for (const id of PUBLIC_IDS.filter((each) => operations[each].body !== null)) {
      const { options } = (await examples(client))[id];
      const { body: _, ...rest } = options;
      const refused = async (
        raw: string, status: number, code: string, type = 'application/json') => {
        const headers = { 'content-type': type };
        const answer = await client.call(id, { ...rest, raw, headers });
        t.match([answer.status, answer.body], [status, { code }], `${id} ${raw.slice(0, 20)}`);
      };
      await refused('{"title": ', 400, 'invalid_json');
      await refused('[1, 2', 400, 'invalid_json');
      await refused('7', 400, 'invalid_request');
      await refused('{}', 415, 'unsupported_media_type', 'text/plain');
    }
  });

  serviceOnly('refuse a body that is too large', 'a body has a largest size', async (t) => {
    for (const id of PUBLIC_IDS.filter((each) => operations[each].body !== null)) {
      const { options: { body, ...rest } } = (await examples(client))[id];
      // Twice what the service takes unless it is set otherwise.
      const answer = await client.call(id,
        { ...rest, raw: JSON.stringify(body).padEnd(2 * 1_048_576) });
      t.match([answer.status, answer.body], [413, { code: 'payload_too_large' }], id);
    }
  });
}
