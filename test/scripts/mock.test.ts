/** The mock answers as the document says, so that a client written on it fits the service. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { operations, type OperationEntry } from '../../generated/operations.ts';
import { responseValidator } from '../support/client.ts';
import { readDocument } from '../../scripts/document.ts';
import { startMock } from '../../scripts/mock.ts';

const BODIES: Record<string, unknown> = {
  createRun: { input: [{ role: 'user', content: [{ type: 'input_text', text: 'x' }] }] },
  updateSession: { title: 'x' }, searchActions: { query: 'x' },
  createActionInvocation: { action: 'gatehouse.sessions.list' },
};

t.test('a port that is taken is said', async (t) => {
  const mock = await startMock(readDocument(), 0);
  t.teardown(() => mock.close());
  const { port } = new URL(mock.base_url);
  const script = fileURLToPath(new URL('../../scripts/mock.ts', import.meta.url));
  await t.rejects(promisify(execFile)(process.execPath, [script],
    { env: { ...process.env, PORT: port } }),
  { code: 1, stderr: `Port ${port} is in use, perhaps by another mock. Stop that, or take another`
    + ` port: make mock PORT=${Number(port) + 1}\n` });
});

t.test('every public operation has an example of every status that it declares', async (t) => {
  const mock = await startMock(readDocument(), 0);
  t.teardown(() => mock.close());
  for (const [id, entry] of Object.entries(operations) as [string, OperationEntry][]) {
    if (entry.internal) continue;
    for (const [status, { json, events }] of Object.entries(entry.responses)) {
      const answer = await fetch(mock.base_url + entry.path.replaceAll(/\{\w+\}/g, 'x'), {
        method: entry.method,
        headers: {
          authorization: 'Bearer any', 'content-type': 'application/json',
          prefer: `code=${status}`, ...(events && { accept: 'text/event-stream' }),
        },
        ...(entry.body && { body: JSON.stringify(BODIES[id] ?? {}) }),
      });
      t.equal(answer.status, Number(status), `${id} ${status}`);
      const text = await answer.text();
      if (events) t.match(text, /^retry: 1000\n\nid: 1\nevent: run\.created\n/, id);
      else if (json) {
        const validate = responseValidator(json);
        t.ok(validate(JSON.parse(text)), `${id} ${status} ${text.slice(0, 200)}`);
      }
    }
  }
  const bare = await fetch(`${mock.base_url}/runs`);
  t.equal(bare.status, 401, 'a key is asked for');
  const wrong = await fetch(`${mock.base_url}/runs?limit=1000`, {
    headers: { authorization: 'Bearer any' },
  });
  t.equal(wrong.status, 400, 'requests are validated');
});
