/** `gatehouse audit` against a service that says what the test wants. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { AUDIT_EVENTS } from '../../src/cli/auditEvents.ts';
import { ROOT } from '../../src/root.ts';
import { against, error, page } from './operator.ts';
import { json } from './support.ts';

t.test('audit tail, verify and anchor', async (t) => {
  const entry = (sequence_number: number) => ({
    sequence_number, created_at: '2026-11-21T09:00:00.000Z', event: 'grant.created',
    target: `grt_${sequence_number}`, outcome: sequence_number === 2 ? 'refused' : 'ok',
    actor: { type: 'admin', id: null }, reason: sequence_number === 2 ? 'not_permitted' : null,
  });
  let broken: number | null = null;
  const { call, callWith, requests, cwd } = await against(t, ({ path }, response) => {
    if (path.includes('/audit_log')) {
      const anchor_ok = path.includes('anchor=') ? path.endsWith('=3%3Aabc%3Av1') : null;
      return json(response, 200, { ok: broken === null && anchor_ok !== false, entries: 3,
        head: 'abc', first_broken: broken, anchors: 1, first_broken_anchor: broken,
        latest_anchor: '3:abc:v1', anchor_ok, problems: broken === null ? []
          : [`Entry ${broken} does not fit.`, 'There is no anchor.'] });
    }
    if (path.includes('target=')) return json(response, 200, page());
    const more = !path.includes('cursor=');
    return json(response, 200, { ...page(...more ? [entry(3), entry(2)] : [entry(1)]),
      next_cursor: more ? 'more' : null });
  });
  t.equal((await call('audit', 'tail')).out,
    '1  2026-11-21T09:00:00.000Z  grant.created  grt_1  ok  by admin\n'
    + '2  2026-11-21T09:00:00.000Z  grant.created  grt_2  refused  by admin: not_permitted\n'
    + '3  2026-11-21T09:00:00.000Z  grant.created  grt_3  ok  by admin\n');
  const last = await call('audit', 'tail', '--limit', '1', '--json', '--event', 'grant.created',
    '--workspace', 'wsp_1');
  t.strictSame(JSON.parse(last.out), entry(3));
  t.match(requests.at(-1)!.path, 'workspace_id=wsp_1&event=grant.created');
  t.match(await call('audit', 'tail', '--target', 'grt_9'),
    { code: 0, out: '', err: 'There are no entries.\n' });
  t.match(await call('audit', 'verify'),
    { code: 0, out: 'The audit log is whole: 3 entries, 1 anchor, the last hash is abc.\n' });
  t.match(await call('audit', 'anchor'), { code: 0, out: '3:abc:v1\n', err: '' });
  writeFileSync(join(cwd, 'anchor'), '3:abc:v1\n');
  t.match(await call('audit', 'verify', '--anchor', '@anchor'),
    { code: 0, out: /It holds what the given anchor says\.\n$/ });
  t.match(await callWith('3:abc:v1\n', 'audit', 'verify', '--anchor', '-'),
    { code: 0, out: /It holds what the given anchor says\.\n$/ });
  t.match(await call('audit', 'verify', '--anchor', '@none'), { code: 2, err: /cannot be read/ });
  const other = await call('audit', 'verify', '--anchor', '2:abc:v1', '--json');
  t.match([other.code, JSON.parse(other.out)], [1, { ok: false, anchor_ok: false }]);
  broken = 2;
  t.match(await call('audit', 'verify'), { code: 1,
    out: /broken: entry 2 does not fit.*\n.*broken: there is no anchor\.\n/ });
  t.match(await call('audit', 'anchor'), { code: 1, out: '', err: /broken/ });
});

t.test('audit export: all entries of a time, the oldest first, as lines', async (t) => {
  const { call, requests } = await against(t, ({ path }, response) => {
    if (path.includes('event=')) return json(response, 200, page());
    const is_first = !path.includes('cursor=');
    json(response, 200, { ...page({ sequence_number: is_first ? 7 : 8, target: '\u202e' }),
      next_cursor: is_first ? 'more' : null });
  });
  t.match(await call('audit', 'export', '--after', '2026-11-01', '--before', '2026-12-01',
    '--workspace', 'wsp_1', '--target', 'x'), { code: 0, err: '', out: '{"sequence_number":7,'
      + '"target":"\\u202e"}\n{"sequence_number":8,"target":"\\u202e"}\n' });
  const asked = 'workspace_id=wsp_1&target=x&order=asc&limit=100';
  const time = 'created_after=2026-11-01T00%3A00%3A00.000Z'
    + '&created_before=2026-12-01T00%3A00%3A00.000Z';
  t.strictSame(requests.map(({ path }) => [...new URLSearchParams(path.split('?')[1])].sort()),
    [`${time}&${asked}`, `${time}&${asked}&cursor=more`]
      .map((query) => [...new URLSearchParams(query)].sort()));
  t.match(await call('audit', 'export', '--event', 'grant.created'),
    { code: 0, out: '', err: 'There are no entries.\n' });
  t.match(await call('audit', 'export', '--event', 'grant.made'),
    { code: 2, out: '', err: /No event of the audit log is called "grant.made"/ });
});

t.test('audit tail --follow goes on with what is new, all of it', async (t) => {
  const entry = (sequence_number: number) => ({
    sequence_number, created_at: 'now', event: 'grant.created', target: null, outcome: 'ok',
    actor: { type: 'admin', id: null }, reason: null,
  });
  let asked = 0;
  const { call } = await against(t, (_request, response) => {
    asked += 1;
    if (asked === 1) return json(response, 200, page(entry(1)));
    if (asked === 2) return json(response, 200, page(entry(3), entry(2), entry(1)));
    return json(response, 400, error('invalid_request', 'Enough.'));
  });
  const { out, err } = await call('audit', 'tail', '--limit', '1', '--follow');
  t.strictSame(out.match(/^\d/gm), ['1', '2', '3']);
  t.match(err, 'Enough.');
});

t.test('audit tail --event: a kind that there is none of is refused', async (t) => {
  let found: object[] = [];
  const { call } = await against(t, (_request, response) => json(response, 200, page(...found)));
  const refused = async (event: string, ...flags: string[]) => {
    const { code, out, err } = await call('audit', 'tail', '--event', event, ...flags);
    t.strictSame([code, out], [2, ''], event);
    return err;
  };
  t.equal(await refused('approval'), 'No event of the audit log is called "approval". Near:'
    + ' approval.approved, approval.denied\n');
  t.match(await refused('grant.creatd', '--follow'), / Near: grant\.created\b/);
  t.match(await refused('api_key_created', '--json'), / Near: api_key\.created\b/);
  t.match(await refused('xyz'), /\. There are: action\.called, [^]*, workspace\.created\n$/);
  t.match(await call('audit', 'tail', '--event', 'approval.denied'),
    { code: 0, out: '', err: 'There are no entries.\n' }, 'none has been denied yet');
  found = [{ sequence_number: 1, created_at: 'now', event: 'moon.landed', target: null,
    outcome: 'ok', actor: { type: 'admin', id: null }, reason: null }];
  t.match(await call('audit', 'tail', '--event', 'moon.landed'), { code: 0, out: /moon\.landed/ },
    'a newer service may have kinds that are not known here');
});

t.test('the kinds of events that are known are those that the service writes', (t) => {
  const source = new URL('src/', ROOT);
  const written = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/^(cli|contract|dashboard|docs|mock)\//.test(file))
    .map((file) => readFileSync(new URL(file, source), 'utf8'))
    .filter((text) => /\b(AuditLog|AuditEvent)\b/.test(text))
    .flatMap((text) => text.match(/\bevent(?: =|:)[^;,]*/g) ?? [])
    .flatMap((text) => text.match(/(?<=['`])[a-z_]+\.[a-z_$]+/g) ?? [])
    .flatMap((kind) => kind === 'approval.$' ? ['approval.approved', 'approval.denied'] : [kind]);
  t.strictSame(AUDIT_EVENTS, [...new Set(written)].toSorted());
  t.end();
});
