/**
 * GitHub's document, served by somebody else's server: Prism reads it and checks every request that
 * we make of it by the document. What we put on the wire is what GitHub says that it takes.
 */
import { readFileSync } from 'node:fs';
import { createLogger } from '@stoplight/prism-core';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer } from '@stoplight/prism-http-server';
import t, { type Test } from 'tap';
import { InputValidators } from '../../../src/gateway/calls/inputValidators.ts';
import type { Upstream, UpstreamResponse } from '../../../src/gateway/egress/upstream.ts';
import { loadDocument } from '../../../src/gateway/openapi/document.ts';
import { importOpenapi, type ImportedAction } from '../../../src/gateway/openapi/openapi.ts';
import { upgradeDocument } from '../../../src/gateway/openapi/upgrade.ts';
import { isObject, objectOf, type JsonObject } from '../../../src/json.ts';
import { PACKAGES, withPackedFile } from '../../support/packedFile.ts';
import { sampleInput } from '../../support/sampleInput.ts';
import { callerOf, lookupTo, testUpstream, type TestUpstream } from '../egress/support.ts';

/**
 * Every so many of the 1,223 actions is called, each in two ways. All of them (with 1) take 20 s,
 * and nothing else is complained of; these take 4 s, and Prism takes 3 s to read the document.
 */
const STEP = 5;

const NUMBER_OR_NAME = 'The document wants oneOf integer and string, and a path has no types: Prism'
  + ' takes 1 for both, so for neither';
const ANOTHER_SERVER = 'It is at uploads.github.com, where the credentials of this one may not go';

const validators = new InputValidators();

/** Calls that fail, and whose fault it is. They are always made: what works again is taken out. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}': NUMBER_OR_NAME,
  'PUT /repos/{owner}/{repo}/actions/workflows/{workflow_id}/disable': NUMBER_OR_NAME,
  'POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches': NUMBER_OR_NAME,
  'PUT /repos/{owner}/{repo}/actions/workflows/{workflow_id}/enable': NUMBER_OR_NAME,
  'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs': NUMBER_OR_NAME,
  'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/timing': NUMBER_OR_NAME,
  'GET /repos/{owner}/{repo}/pages/deployments/{pages_deployment_id}': NUMBER_OR_NAME,
  'POST /repos/{owner}/{repo}/pages/deployments/{pages_deployment_id}/cancel': NUMBER_OR_NAME,
  'POST /repos/{owner}/{repo}/releases/{release_id}/assets': ANOTHER_SERVER,
};

/**
 * What Ajv cannot compile Prism does not check, and says nothing: in 9 of GitHub's 344 bodies that
 * is `nullable` where no type is. It is taken out of them.
 */
function compilable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compilable);
  if (!isObject(value)) return value;
  const { nullable, ...rest } = value;
  const kept = nullable === true && value.type === undefined ? rest : value;
  return Object.fromEntries(Object.entries(kept).map(([name, one]) => [name, compilable(one)]));
}

/** Prism, serving a document. */
async function startPrism(t: Test, document: object): Promise<TestUpstream> {
  const prism = createServer(await getHttpOperationsFromSpec(document), {
    components: { logger: createLogger('prism', { level: 'silent' }) }, cors: false,
    config: { isProxy: false, validateRequest: true, validateResponse: false, checkSecurity: true,
      errors: true, upstreamProxy: undefined, mock: { dynamic: false } },
  });
  const url = await prism.listen(0, '127.0.0.1');
  t.teardown(() => prism.close());
  return { url, port: Number(new URL(url).port), egress_allow: [new URL(url).host], received: [] };
}

/** What Prism has against a request, warnings of deprecated parameters aside; empty if nothing. */
function complaintsOf({ headers }: UpstreamResponse): string {
  const said = JSON.parse(headers['sl-violations'] ?? '[]') as JsonObject[];
  const kept = said.filter(({ code }) => code !== 'deprecated');
  return kept.length === 0 ? '' : JSON.stringify(kept);
}

/** Whether the document has no other success than being sent elsewhere. */
function redirects(document: JsonObject, { path, method }: ImportedAction): boolean {
  const operation = objectOf(objectOf(objectOf(document.paths)[path])[method.toLowerCase()]);
  const statuses = Object.keys(objectOf(operation.responses));
  return statuses.includes('302') && !statuses.some((status) => status.startsWith('2'));
}

/** Calls actions, and answers why it did not work; null if it did. */
function probe(t: Test, server: TestUpstream, document: JsonObject) {
  const answers: UpstreamResponse[] = [];
  // GitHub's examples of redirects are names of the real world; none of them is asked for.
  const upstream = testUpstream(t, { lookup: lookupTo('10.0.0.1') });
  const send: Upstream['send'] = async (...given) => {
    const answer = await upstream.send(...given);
    answers.push(answer);
    return answer;
  };
  const call = callerOf(t, server, {}, { ...upstream, send });
  return async (action: ImportedAction, input: JsonObject): Promise<string | null> => {
    answers.length = 0;
    const write = action.effect === 'read' ? {} : { idempotency_key: 'call_1' };
    const credentials = { type: 'bearer', token: 'any' } as const;
    try {
      const { result } = await call(action, { input, credentials, ...write });
      const complaints = complaintsOf(answers[0]!);
      if (complaints !== '') return complaints;
      const { body, headers } = answers[0]!;
      const sent = body.toString();
      const isJson = /json/.test(headers['content-type'] ?? '');
      const expected = sent === '' ? null : isJson ? JSON.parse(sent) as unknown : sent;
      return JSON.stringify(result) === JSON.stringify(expected) ? null : `not decoded: ${sent}`;
    } catch (error) {
      const { message } = error as Error;
      const [last] = answers;
      const elsewhere = last?.status === 302
        || (last === undefined && /may not be called so/.test(message));
      if (elsewhere && redirects(document, action)) return null;
      return last === undefined ? message
        : `${last.status}: ${message} ${complaintsOf(last)} ${last.body.toString()}`;
    }
  };
}

t.test('GitHub', (t) => withPackedFile(
  t, PACKAGES.github, 'package/generated/api.github.com.json', async (file) => {
    const source = readFileSync(file, 'utf8');
    const { document } = upgradeDocument(loadDocument(source));
    const { actions } = importOpenapi(document, { slug: 'github' });
    const server = await startPrism(t, compilable(JSON.parse(source.toString())) as object);
    const tell = probe(t, server, document);
    const called = { read: 0, write: 0, destructive: 0 };
    for (const [i, action] of actions.entries()) {
      const reason = EXCEPTIONS[action.source_key];
      if (i % STEP !== 0 && reason === undefined) continue;
      called[action.effect]++;
      for (const extent of ['required', 'all'] as const) {
        const input = sampleInput(document, action, extent);
        const wrong = await tell(action, input);
        if (reason === undefined) t.equal(wrong, null, `${action.source_key}, ${extent}`);
        else t.not(wrong, null, `${action.source_key} works, and is no exception any more`);
      }
      // Bodies that Prism would not look at would prove nothing. In a few, 7 is right.
      const input = { ...sampleInput(document, action, 'required'), body: 7 };
      if (action.request.body_media_type !== 'application/json'
        || validators.check(action, input).violations.length === 0) continue;
      t.match(await tell(action, input), /^4\d\d: .*body/, `${action.source_key}: it does look`);
    }
    t.comment(`actions called: ${JSON.stringify(called)}`);
    t.ok(called.read > 100 && called.write > 75 && called.destructive > 25);
  }));
