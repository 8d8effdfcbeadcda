import type { Check } from '../check.ts';
import { holds, same, Skip } from '../expect.ts';
import { LIST_CONNECTIONS, need } from '../need.ts';

const FAST_PER_S = 1_000;

export const headerChecks: Check[] = [{
  name: 'headers.request_id',
  shows: 'a request is named as its sender says, else by the service, each by another name',
  async run({ wire }) {
    const named = await wire.call('listSessions',
      { query: { limit: 1 }, headers: { 'x-request-id': 'my-own-id' } });
    same(named.headers.get('x-request-id'), 'my-own-id', 'X-Request-Id');
    const seen = new Set<string>();
    for (const path of ['/sessions?limit=1', '/sessions?limit=1', '/runs/none', '/nowhere']) {
      const response = await wire.fetch(path);
      const id = response.headers.get('x-request-id') ?? '';
      holds(/^\S{1,128}$/.test(id), `${path}: X-Request-Id is "${id}" where none was sent`);
      holds(!seen.has(id), `two requests have the X-Request-Id ${id}`);
      seen.add(id);
      const { request_id } = await response.json() as { request_id?: string };
      if (!response.ok) same(request_id, id, `${path}: request_id`);
    }
  },
}, {
  name: 'headers.location',
  shows: 'what was created is found where Location says',
  async run(ground) {
    const { wire } = ground;
    await need(wire, LIST_CONNECTIONS);
    const session = await wire.expectAnswer(201, 'createSession',
      { body: { metadata: ground.marked() } });
    const path = { session_id: session.body.id };
    const run = await wire.expectAnswer(202, 'createRun', { path, body: ground.shortRun() });
    const called = await wire.expectAnswer(201, 'createActionInvocation',
      { body: { action: LIST_CONNECTIONS } });
    for (const [{ headers }, id, member] of [[session, session.body.id, 'id'],
      [run, run.body.id, 'id'], [called, called.body.invocation_id, 'invocation_id']] as const) {
      const location = headers.get('location');
      holds(location !== null, `there is no Location of ${id}`);
      const found = await wire.fetch(belowBase(location, wire.base_url));
      same(found.status, 200, `the status at ${location}`);
      same((await found.json() as Record<string, unknown>)[member], id, `what is at ${location}`);
    }
  },
}, {
  name: 'headers.rate_limit',
  shows: 'what may still be asked gets less with a request, if there is a limit',
  async run({ wire }) {
    const { headers } = await wire.call('listSessions', { query: { limit: 1 } });
    const left = /r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1];
    if (left === undefined) throw new Skip('the target tells of no limit');
    const [quota, window_s] = ['q', 'w'].map((name) => Number(new RegExp(`${name}=(\\d+)`)
      .exec(headers.get('ratelimit-policy') ?? '')?.[1]));
    holds(quota! > 0 && window_s! > 0, 'RateLimit-Policy has no quota or no window');
    // What fills up as fast as one asks may be full again by the time of the answer.
    if (quota! / window_s! > FAST_PER_S) throw new Skip('the limit fills up too fast to be seen');
    holds(Number(left) < quota!, `after a request all ${quota} are left`);
  },
}, {
  name: 'headers.content_type',
  shows: 'answers are JSON in UTF-8, and a stream is one that nobody may keep or change',
  async run(ground) {
    const { wire } = ground;
    const response = await wire.fetch('/sessions?limit=1');
    same(response.headers.get('content-type')?.toLowerCase().replace(' ', ''),
      'application/json;charset=utf-8', 'Content-Type of a list');
    await response.body?.cancel();
    const run = await ground.finish(await ground.session(), ground.shortRun());
    const stream = await wire.fetch(`/runs/${run.id}/events`,
      { headers: { accept: 'text/event-stream' } });
    same(stream.headers.get('content-type')?.toLowerCase().replace(' ', ''),
      'text/event-stream;charset=utf-8', 'Content-Type of a stream');
    const cache = stream.headers.get('cache-control') ?? '';
    holds(/no-store/.test(cache) && /no-transform/.test(cache),
      `Cache-Control of a stream is "${cache}": no-store and no-transform are expected`);
    await stream.body?.cancel();
  },
}];

/** The path below the base address of what Location says. Throws Fault if it is elsewhere. */
function belowBase(location: string, base_url: string): string {
  const [{ href }, { href: base }] = [new URL(location, base_url), new URL(base_url)];
  holds(href.startsWith(`${base}/`), `Location is ${location}, which is not below ${base}: whoever`
    + ' follows it does not get there. GATEHOUSE_PUBLIC_URL has to be that address without /v1,'
    + ' and nothing before the service may change the header');
  return href.slice(base.length);
}
