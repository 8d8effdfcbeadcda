/** Bodies that break the document: of each resource one member after the other. */
import type { PublicId } from '../../../src/contract/calls.ts';
import type { Defect } from './defect.ts';

type Change = 'missing' | 'null' | 'other type' | 'unknown value';
type Row = [
  resource: string, topics: Defect['topics'], id: PublicId, inside: (body: any) => any,
  members: Record<string, Change>];

const ROWS: Row[] = [
  ['session', ['sessions'], 'createSession', (body) => body, {
    id: 'missing', object: 'unknown value', status: 'unknown value', title: 'missing',
    metadata: 'null', active_run_id: 'missing', created_at: 'other type', updated_at: 'null' }],
  ['session with messages', ['sessions'], 'getSession', (body) => body, {
    messages: 'null', messages_next_cursor: 'missing', status: 'missing' }],
  ['message', ['sessions.transcript'], 'getSession', (body) => body.messages?.[0], {
    role: 'unknown value', content: 'null', run_id: 'missing', id: 'other type' }],
  ['message part', ['sessions.transcript'], 'listSessionMessages',
    (body) => body.data?.at(-1)?.content[0], {
    type: 'unknown value', text: 'missing' }],
  ['run', ['runs'], 'getRun', (body) => body, {
    output: 'missing', tool_calls: 'null', status: 'unknown value', error: 'missing',
    usage: 'other type', started_at: 'other type', metadata: 'missing', source: 'unknown value',
    input: 'null', model: 'null', session_id: 'missing', finished_at: 'missing' }],
  ['queued run', ['runs'], 'createRun', (body) => body, {
    output: 'null', object: 'unknown value', created_at: 'null' }],
  ['cancelled run', ['cancellation'], 'cancelRun', (body) => body, {
    status: 'unknown value', finished_at: 'missing' }],
  ['usage', ['runs.completed'], 'getRun', (body) => body.usage, {
    total_tokens: 'missing', input_tokens: 'other type' }],
  ['run error', ['runs.failed'], 'getRun', (body) => body.error, {
    code: 'unknown value', retryable: 'missing', message: 'null' }],
  ['tool call', ['runs.tool_calls'], 'getRun', (body) => body.tool_calls?.[0], {
    status: 'unknown value', name: 'missing', invocation_id: 'other type' }],
  ['run in a list', ['paging.runs'], 'listRuns', (body) => body.data[0], {
    input: 'missing', status: 'unknown value', usage: 'missing', id: 'null' }],
  ['list', ['paging.sessions'], 'listSessions', (body) => body, {
    has_more: 'missing', data: 'null', next_cursor: 'other type', object: 'unknown value' }],
  ['list of events', ['resume'], 'streamRunEvents', (body) => body, {
    has_more: 'null', data: 'missing' }],
  ['event in a list', ['resume'], 'streamRunEvents', (body) => body.data?.[0], {
    type: 'unknown value', sequence_number: 'other type', data: 'null' }],
  ['action', ['actions'], 'listActions', (body) => body.data[0], {
    effect: 'unknown value', read_only: 'other type', connections: 'null', title: 'null' }],
  ['whole action', ['actions'], 'getAction', (body) => body, { input_schema: 'missing' }],
  ['found action', ['actions'], 'searchActions', (body) => body.data[0], {
    score: 'missing', name: 'missing' }],
  ['invocation', ['actions'], 'createActionInvocation', (body) => body, {
    status: 'unknown value', duration_ms: 'missing', truncated: 'other type', error: 'missing',
    result: 'missing', source: 'unknown value' }],
  ['invocation in a list', ['actions', 'paging'], 'listActionInvocations', (body) => body.data[0], {
    run_id: 'missing', created_at: 'null' }],
  ['error', ['errors'], 'getRun', (body) => body.code && body, {
    error: 'missing', code: 'unknown value', param: 'missing', request_id: 'missing' }],
];

function changed(value: unknown, change: Change): unknown {
  if (change === 'null') return null;
  if (change === 'unknown value') return 'something_else';
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : 17;
}

export const SCHEMA_DEFECTS: Defect[] = ROWS.flatMap(([resource, topics, id, inside, members]) =>
  Object.entries(members).map(([member, change]): Defect => ({
    name: `schema.${resource.replaceAll(' ', '_')}_${member}_${change.replace(' ', '_')}`,
    does: `${member} of a ${resource} is ${change === 'other type' ? 'of another type' : change}`
      + ` (${id})`,
    topics,
    answer({ body }, asked) {
      if (asked.id !== id || typeof body !== 'object') return;
      const place = inside(body);
      if (typeof place !== 'object' || place === null || !(member in place)) return;
      if (change === 'missing') delete place[member];
      else place[member] = changed(place[member], change);
    },
  })));
