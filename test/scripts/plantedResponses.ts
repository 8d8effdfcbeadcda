/** Planted changes of what clients get, of the names in their code, and some that are none. */
import { listOperations } from '../../scripts/document.ts';
import type { Planted } from './planted.ts';

const without = (list: unknown[], item: unknown) => list.filter((each) => each !== item);
const string = () => ({ type: 'string' });

export const RESPONSES: Planted[] = [
  { name: 'a status is removed', expected: 'wire', says: /streamRunEvents.*410/,
    change: (d) => delete d.operation('streamRunEvents').responses['410'] },
  { name: 'success has another status', expected: 'wire', says: /createSession.*201/,
    change: (d) => {
      d.operation('createSession').responses['200'] = d.response('createSession', 201);
      delete d.operation('createSession').responses['201'];
    } },
  { name: 'one more error', expected: 'additive', says: /listRuns.*504/,
    change: (d) => d.operation('listRuns').responses['504'] = d.response('listRuns', 503) },
  { name: 'one more success', expected: 'client-code', says: /streamRunEvents.*202/,
    change: (d) => d.operation('streamRunEvents').responses['202'] = { description: 'Over.' } },
  { name: 'a media type is removed', expected: 'wire', says: /event-stream/,
    change: (d) => delete d.response('streamRunEvents', 200).content['text/event-stream'] },
  { name: 'one more media type', expected: 'additive', says: /ndjson/,
    change: (d) => d.response('streamRunEvents', 200).content['application/x-ndjson'] =
      { schema: string() } },
  { name: 'a success has no body any more', expected: 'wire', says: /cancelRun/,
    change: (d) => delete d.response('cancelRun', 200).content },
  { name: 'a header is removed', expected: 'wire', says: /createSession.*Location/,
    change: (d) => delete d.response('createSession', 201).headers.Location },
  { name: 'a header is added', expected: 'additive', says: /Deprecation/,
    change: (d) => d.response('createSession', 201).headers.Deprecation = { schema: string() } },
  { name: 'a header is of another type', expected: 'wire', says: /Retry-After/,
    change: (d) => d.components.headers['Retry-After'].schema = string() },
  { name: 'a member is removed', expected: 'wire', says: /Run .*usage/,
    change: (d) => {
      delete d.schema('Run').properties.usage;
      d.schema('Run').required = without(d.schema('Run').required, 'usage');
    } },
  { name: 'a member has another name', expected: 'wire', says: /Usage .*input_tokens/,
    change: (d) => {
      const usage = d.schema('Usage');
      usage.properties.tokens_in = usage.properties.input_tokens;
      delete usage.properties.input_tokens;
      usage.required = [...without(usage.required, 'input_tokens'), 'tokens_in'];
    } },
  { name: 'a member is added', expected: 'additive', says: /Run .*colour/,
    change: (d) => d.schema('Run').properties.colour = string() },
  { name: 'a member may be absent', expected: 'wire', says: /Run .*usage/,
    change: (d) => d.schema('Run').required = without(d.schema('Run').required, 'usage') },
  { name: 'a member that is a component may be null', expected: 'wire', says: /Run .*created_at/,
    change: (d) => d.schema('Run').properties.created_at =
      { oneOf: [{ $ref: '#/components/schemas/Timestamp' }, { type: 'null' }] } },
  { name: 'a member is always there', expected: 'additive', says: /Message .*model/,
    change: (d) => d.schema('Message').required.push('model') },
  { name: 'a value is no longer sent', expected: 'wire', says: /console/,
    change: (d) => d.schema('RunSource').enum = ['api'] },
  { name: 'one more value is sent', expected: 'client-code', says: /paused/,
    change: (d) => d.property('ToolCallSummary', 'status').enum.push('paused') },
  { name: 'one more error code', expected: 'client-code', says: /out_of_luck/,
    before: (d) => d.schema('RunError').properties.code = { type: 'string', enum: ['timeout'] },
    change: (d) => d.property('RunError', 'code').enum.unshift('out_of_luck') },
  { name: 'any value may be sent', expected: 'client-code', says: /ToolCallSummary.*status/,
    change: (d) => delete d.property('ToolCallSummary', 'status').enum },
  { name: 'a list of values is one of known values', expected: 'client-code', says: /RunSource/,
    change: (d) => d.components.schemas.RunSource =
      { type: 'string', 'x-extensible-enum': d.schema('RunSource').enum ?? ['api', 'console'] },
    before: (d) => d.components.schemas.RunSource = { type: 'string', enum: ['api', 'console'] } },
  { name: 'known values of a text are named', expected: 'additive', says: /requested/,
    before: (d) => d.schema('RunCancelledEvent').properties.data.properties.reason = string(),
    change: (d) => d.property('RunCancelledEvent', 'data', 'reason')['x-extensible-enum'] =
      ['requested'] },
  { name: 'a known value is no longer sent', expected: 'wire', says: /console/,
    before: (d) => d.components.schemas.RunSource =
      { type: 'string', 'x-extensible-enum': ['api', 'console'] },
    change: (d) => d.schema('RunSource')['x-extensible-enum'] = ['api'] },
  { name: 'a number of any size', expected: 'client-code', says: /duration_ms/,
    change: (d) => d.property('ActionInvocation', 'duration_ms').format = 'int64' },
  { name: 'a value that is taken and sent is removed', expected: 'wire', says: /archived/,
    change: (d) => d.schema('SessionStatus').enum = ['active'] },
  { name: 'a kind of event is removed', expected: 'wire', says: /run\.started/i,
    change: (d) => {
      const { oneOf, discriminator } = d.schema('RunEvent');
      d.schema('RunEvent').oneOf =
        oneOf.filter(({ $ref }: { $ref: string }) => !$ref.endsWith('/RunStartedEvent'));
      delete discriminator.mapping['run.started'];
    } },
  { name: 'a kind of event is added', expected: 'client-code', says: /run\.paused/,
    change: (d) => {
      const paused = structuredClone(d.schema('RunStartedEvent'));
      paused.properties.type.const = 'run.paused';
      d.components.schemas.RunPausedEvent = paused;
      d.schema('RunEvent').oneOf.push({ $ref: '#/components/schemas/RunPausedEvent' });
      d.schema('RunEvent').discriminator.mapping['run.paused'] =
        '#/components/schemas/RunPausedEvent';
    } },
  { name: 'a kind of event has another name', expected: 'wire', says: /run\.started/,
    change: (d) => {
      const { mapping } = d.schema('RunEvent').discriminator;
      mapping['run.begun'] = mapping['run.started'];
      delete mapping['run.started'];
      d.schema('RunStartedEvent').properties.type.const = 'run.begun';
    } },
  { name: 'a member of an event is removed', expected: 'wire', says: /attempt/,
    change: (d) => {
      const { data } = d.schema('RunStartedEvent').properties;
      delete data.properties.attempt;
      data.required = without(data.required, 'attempt');
    } },
  { name: 'a type is another one', expected: 'wire', says: /duration_ms/,
    change: (d) => d.schema('ActionInvocation').properties.duration_ms = string() },
  { name: 'a whole number may have a fraction', expected: 'wire', says: /duration_ms/,
    change: (d) => d.property('ActionInvocation', 'duration_ms').type = 'number' },
  { name: 'a member may be null', expected: 'wire', says: /Run .*model/,
    change: (d) => d.schema('Run').properties.model =
      { oneOf: [d.property('Run', 'model'), { type: 'null' }] } },
  { name: 'a member is never null', expected: 'additive', says: /Run .*started_at/,
    change: (d) => d.schema('Run').properties.started_at =
      { $ref: '#/components/schemas/Timestamp' } },
  { name: 'a list is one thing', expected: 'wire', says: /Run .*output/,
    change: (d) => d.schema('Run').properties.output = d.property('Run', 'output').items },
  { name: 'a text need not have a format', expected: 'wire', says: /Timestamp/,
    change: (d) => delete d.schema('Timestamp').format },
  { name: 'a number may be smaller', expected: 'wire', says: /attempt/,
    change: (d) => d.property('RunStartedEvent', 'data', 'attempt').minimum = 0 },
  { name: 'a number has a largest value', expected: 'additive', says: /duration_ms/,
    change: (d) => d.property('ActionInvocation', 'duration_ms').maximum = 1e9 },
  { name: 'a constant of a response is another one', expected: 'wire', says: /Run .*object/,
    change: (d) => d.property('Run', 'object').const = 'execution' },
  { name: 'ids may be longer', expected: 'wire', says: /Id/,
    change: (d) => d.schema('Id').maxLength = 256 },
];

export const NAMES: Planted[] = [
  { name: 'a schema has another name', expected: 'client-code', says: /Usage/,
    change: (d) => d.rename('schemas', 'Usage', 'TokenUsage') },
  { name: 'a form of a union has another name', expected: 'client-code', says: /RunStartedEvent/,
    change: (d) => d.rename('schemas', 'RunStartedEvent', 'RunBegunEvent') },
  { name: 'a schema is written out', expected: 'client-code', says: /RunError/,
    change: (d) => {
      const written = d.schema('RunError');
      for (const name of ['Run', 'RunSummary']) {
        d.schema(name).properties.error = { oneOf: [written, { type: 'null' }] };
      }
      d.schema('RunFailedEvent').properties.data.properties.error = written;
      delete d.components.schemas.RunError;
    } },
  { name: 'a named response is written out', expected: 'client-code', says: /NotAcceptable/,
    change: (d) => {
      for (const { operation_id, node } of listOperations(d.document)) {
        if (node.responses!['406']) d.response(operation_id, 406);
      }
      delete d.components.responses.NotAcceptable;
    } },
  { name: 'a member is of another component like it', expected: 'client-code', says: /Failure/,
    change: (d) => {
      d.components.schemas.Failure = structuredClone(d.schema('RunError'));
      d.schema('Run').properties.error =
        { oneOf: [{ $ref: '#/components/schemas/Failure' }, { type: 'null' }] };
    } },
  { name: 'a parameter is written out', expected: 'client-code', says: /Order/,
    change: (d) => {
      for (const { operation_id } of listOperations(d.document)) d.parameters(operation_id);
      delete d.components.parameters.Order;
    } },
  { name: 'a response gets a name', expected: 'additive', says: /SessionMade/,
    change: (d) => {
      d.components.responses.SessionMade = d.response('createSession', 201);
      d.operation('createSession').responses['201'] =
        { $ref: '#/components/responses/SessionMade' };
    } },
  { name: 'a schema gets a title, which becomes a class', expected: 'client-code', says: /page/,
    change: (d) => d.property('ActionInvocation', 'page').title = 'Paging' },
];

/** What changes neither the wire nor a generated client. */
export const HARMLESS: Planted[] = [
  { name: 'nothing', expected: null, change: () => {} },
  { name: 'keys are in another order', expected: null,
    change: (d) => d.document = reversed(d.document) },
  { name: 'lists that are sets are in another order', expected: null,
    change: (d) => {
      d.schema('Run').required.reverse();
      d.schema('RunStatus').enum.reverse();
      d.schema('RunEvent').oneOf.reverse();
      d.operation('listRuns').parameters.reverse();
    } },
  { name: 'another description', expected: 'words',
    change: (d) => {
      d.schema('Run').description = 'One prompt, executed.';
      d.operation('getRun').description = 'Shows a run.';
      d.response('getRun', 200).description = 'Here it is.';
    } },
  { name: 'another summary', expected: 'words',
    change: (d) => d.operation('getRun').summary = 'Show a run' },
  { name: 'an example has another name', expected: 'words',
    change: (d) => {
      const media = d.response('listSessions', 200).content['application/json'];
      media.examples = { some: Object.values(media.examples)[0] };
    } },
  { name: 'an example is another one', expected: 'words',
    change: (d) => d.parameter('listRuns', 'session_id').example = 'ses_1' },
  { name: 'a version', expected: 'words', change: (d) => d.document.info.version = '0.1.1' },
  { name: 'a parameter is said of the path', expected: null,
    change: (d) => {
      for (const id of ['getSession', 'updateSession', 'deleteSession']) d.parameters(id).push(
        structuredClone(d.components.parameters.SessionId));
      delete d.paths['/sessions/{session_id}'].parameters;
    } },
  { name: 'null is said in another way', expected: null,
    change: (d) => {
      d.schema('NextCursor').type = undefined;
      d.schema('NextCursor').oneOf = [{ type: 'string' }, { type: 'null' }];
      d.schema('Run').properties.started_at = { anyOf: [{ type: 'null' },
        { ...structuredClone(d.schema('Timestamp')) }] };
      d.schema('Run').properties.finished_at =
        { ...structuredClone(d.schema('Timestamp')), type: ['string', 'null'] };
    } },
  { name: 'a constant is a list of one', expected: null,
    change: (d) => d.schema('Run').properties.object = { type: 'string', enum: ['run'] } },
  { name: 'what holds anyway is said', expected: null,
    change: (d) => {
      d.schema('Run').additionalProperties = true;
      d.parameter('listRuns', 'session_id').required = false;
      d.operation('listRuns').deprecated = false;
    } },
  { name: 'a schema is put together', expected: null,
    change: (d) => {
      const run = d.schema('Run');
      const { usage, ...others } = run.properties;
      d.components.schemas.Run = {
        allOf: [{ ...run, required: without(run.required, 'usage'), properties: others },
          { type: 'object', required: ['usage'], properties: { usage } }],
      };
    } },
  { name: 'a list of values that may grow grows', expected: 'additive', says: /paused/,
    before: (d) => d.property('ToolCallSummary', 'status')['x-extensible-enum'] = true,
    change: (d) => d.property('ToolCallSummary', 'status').enum.push('paused') },
  { name: 'a list of values may grow from now on', expected: 'additive', says: /may grow/,
    change: (d) => d.property('ToolCallSummary', 'status')['x-extensible-enum'] = true },
  { name: 'kinds that may grow grow', expected: 'additive', says: /paused/,
    before: (d) => d.schema('MessagePart')['x-extensible-enum'] = true,
    change: (d) => d.schema('MessagePart').oneOf.push(
      { type: 'object', required: ['type'], properties: { type: { const: 'paused' } } }) },
];

function reversed(value: any): any {
  if (Array.isArray(value)) return value.map(reversed);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).reverse()
    .map(([key, member]) => [key, reversed(member)]));
}
