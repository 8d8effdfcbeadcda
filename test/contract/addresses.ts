/** Addresses, methods and headers: what HTTP itself has to say. */
import { operations } from '../../generated/operations.ts';
import { newSession } from '../support/runs.ts';
import { PUBLIC_IDS } from './shapes.ts';
import type { Subject } from './target.ts';

export function addresses({ target, client, serviceOnly, both }: Subject): void {
  const { base_url, api_key } = target;
  const ask = (path: string, method = 'GET', headers: Record<string, string> = {}) =>
    fetch(base_url + path, { method, headers: { authorization: `Bearer ${api_key}`, ...headers } });
  const answersJson = (response: Response) =>
    /^application\/json/.test(response.headers.get('content-type') ?? '');

  if (target.kind === 'mock') {
    both('what the mock cannot do, it still cannot', async (t) => {
      for (const [response, status] of [[await ask('/nowhere'), 404],
        [await ask('/sessions', 'DELETE'), 405],
        [await ask('/sessions', 'GET', { accept: 'image/png' }), 406],
      ] as const) {
        t.equal(response.status, status);
        t.notOk(answersJson(response), `it has learned ${status}: let MOCK_CANNOT shrink`);
      }
      t.equal((await ask('/sessions?colour=red')).status, 200, 'let MOCK_CANNOT shrink');
    });
  }

  serviceOnly('say 404 for an unknown address', 'nothing is at other addresses', async (t) => {
    for (const path of ['/nowhere', '/sessions/', '/Sessions', '/runs/a/b/c', '']) {
      const response = await ask(path);
      t.equal(response.status, 404, path);
      t.match(await response.json(), { error: String, code: 'not_found', param: null });
    }
  });

  serviceOnly('say 405 for another method', 'each address has its methods', async (t) => {
    const methods = new Map<string, string[]>();
    for (const id of PUBLIC_IDS) {
      const { path, method } = operations[id];
      methods.set(path, [...methods.get(path) ?? [], method]);
    }
    for (const [path, allowed] of methods) {
      const response = await ask(path.replace(/\{\w+\}/g, 'x'), 'PUT');
      t.equal(response.status, 405, path);
      const named = response.headers.get('allow')!.split(/, */);
      t.strictSame(named.filter((method) => method !== 'HEAD').sort(), allowed.sort(), path);
      t.match(await response.json(), { code: 'method_not_allowed' });
    }
  });

  serviceOnly('send its own headers', 'answers name their request and stay private', async (t) => {
    const session_id = await newSession(client);
    for (const [id, options] of [['listSessions', {}], ['getSession', { path: { session_id } }],
      ['getRun', {}], ['listRuns', { token: null }]] as const) {
      const { headers } = await client.call(id, options);
      t.match(headers.get('x-request-id'), /^\S{1,128}$/, id);
      t.match(headers.get('cache-control'), /no-store/, id);
    }
    const chosen = await client.call('listSessions', { headers: { 'x-request-id': 'my-own-id' } });
    t.equal(chosen.headers.get('x-request-id'), 'my-own-id');
    const refused = await client.expect(404, 'getRun',
      { headers: { 'x-request-id': 'my-own-id' } });
    t.equal(refused.request_id, 'my-own-id');
    const made = await client.call('createSession', { body: {} });
    t.equal((await ask(made.headers.get('location')!.replace(/^\/v1/, ''))).status, 200);
  });

  serviceOnly('keep state', 'the document is the one that this suite is for', async (t) => {
    const { paths } = await client.expect(200, 'getOpenapiDocument');
    const served = Object.entries(paths as Record<string, Record<string, unknown>>)
      .flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`));
    const expected = PUBLIC_IDS.map((id) =>
      `${operations[id].method.toLowerCase()} ${operations[id].path}`);
    t.strictSame(served.filter((each) => !each.startsWith('parameters')).sort(), expected.sort());
  });
}
