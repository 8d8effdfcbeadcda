/** A check that takes too long is given up, and asks for nothing more. */
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { runKit } from '../../../src/contract/kit.ts';
import { listen } from '../../support/listen.ts';

/** Of a list that never ends each page comes in time, and all of them do not. */
const PAGE_MS = 100;
const PATIENCE_MS = 1_000;

let made = 0;
function session() {
  const at = '2026-01-01T00:00:00.000Z';
  return { id: `ses_${made++}`, object: 'session', status: 'active', title: null, metadata: {},
    active_run_id: null, created_at: at, updated_at: at };
}

t.test('nothing is asked for once the kit is done', async (t) => {
  let requests = 0;
  const server = createServer(async (req, res) => {
    requests += 1;
    await delay(PAGE_MS);
    const [status, body] = req.url!.includes('/runs') ? [400, {}]
      : req.method === 'POST' ? [201, session()]
        : [200, { object: 'list', data: [session(), session()], has_more: true,
          next_cursor: 'more' }] as const;
    res.writeHead(status, { 'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store', 'x-request-id': req.headers['x-request-id'] ?? 'none' });
    res.end(JSON.stringify(body));
  });
  const base_url = `http://127.0.0.1:${await listen(t, server)}/v1`;
  const { results: [result] } = await runKit({ base_url, api_key: 'any', only: ['paging.sessions'],
    patience_ms: PATIENCE_MS, parallel: 1 });
  t.match(result, { status: 'failed', reason: /not done within/ });
  requests = 0;
  for (let own = 0; own < 3; own++) await fetch(base_url);
  t.equal(requests, 3, 'its own alone');
});
