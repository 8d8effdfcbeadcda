/** Checks of the model: whether it could be used and, if that is asked for, whether it answers. */
import { certificateFault, type Refused } from '../certificates.ts';
import type { Config } from '../config.ts';
import { newId } from '../ids.ts';
import type { StepRequest, StepResult } from '../models/model.ts';
import { Models } from '../models/models.ts';
import { withoutKeys } from '../models/withoutKeys.ts';
import { failed, ok, type CheckAnswer, type CheckOutcome } from './report.ts';

/** For the one request; models that think take their time. */
export const MODEL_MS = 30_000;

/** Gives the models if this one can be used. `has_service`: one answers, maybe of another MODEL. */
export function checkModel(config: Config, key: string, has_service: boolean): CheckAnswer<Models> {
  const { outcome, gives } = checkOwn(config, key);
  const note = 'this is this shell\'s configuration; the service that runs may have another';
  return { gives, outcome: !has_service ? outcome
    : { ...outcome, found: `${outcome.found.replace(/\.$/, '')} — ${note}` } };
}

function checkOwn(config: Config, key: string): CheckAnswer<Models> {
  let models: Models | undefined;
  try {
    models = new Models(config);
    models.check(key);
  } catch (error) {
    return { outcome: failed((error as Error).message, adviceOnName(models, key)) };
  }
  if (key === 'rehearsal') {
    return { gives: models, outcome: ok('rehearsal, the offline one, which follows fixed rules; for'
      + ' a real one set MODEL and its key (docs/models.md)') };
  }
  const { missing = null, base_url = null } = models.placeOf(key) ?? {};
  const found = `${key} at ${base_url === null ? 'its vendor' : new URL(base_url).host}`;
  return { gives: models, outcome: ok(missing === null ? found
    : `${found}; ${missing} is not set here, and this node, which executes nothing, needs none`) };
}

function adviceOnName(models: Models | undefined, key: string): string {
  if (models === undefined) return 'Correct that variable.';
  const missing = models.placeOf(key)?.missing;
  return missing
    ? `Set ${missing} for every node that executes runs, and start them anew; or set MODEL to`
      + ' another model.'
    : 'Set MODEL to openai/<id>, anthropic/<id>, google/<id>, compatible/<id> or rehearsal; and'
      + ' GATEHOUSE_MODELS, if it is set, so that it names it.';
}

/** Has the model answer one tiny prompt; nothing of it is kept. */
export async function askModel(
  models: Models, key: string, limit_ms: number): Promise<CheckOutcome> {
  const missing = models.placeOf(key)?.missing;
  if (missing) {
    return failed(`${key} cannot be asked from here: ${missing} is not set`,
      `Set ${missing}, or call this on a node that executes runs.`);
  }
  const signal = AbortSignal.timeout(limit_ms);
  const started_ms = performance.now();
  try {
    const { content, usage } = await answerTo(models, key, signal);
    const took_ms = Math.round(performance.now() - started_ms);
    const said = content.map((part) => (part.type === 'output_text' ? part.text : '')).join('');
    const did = said === '' ? 'answered' : `said ${JSON.stringify(said.slice(0, 40))}`;
    return ok(`${key} ${did} in ${took_ms} ms ·`
      + ` ${usage.input_tokens} tokens in, ${usage.output_tokens} out`);
  } catch (error) {
    if (signal.aborted) {
      return failed(
        `${key} did not answer within ${limit_ms / 1_000} s`, adviceOn('nothing', models, key));
    }
    const refused = refusedIn(error as Error);
    if (refused) {
      return failed(`${key}: ${(error as Error).message} Its certificate ${refused.said}.`,
        refused.advice);
    }
    const cause = causesOf(error as Error)
      .map((text) => [...models.secrets, null].reduce(
        (clean: string, secret) => withoutKeys(clean, secret), text));
    const label = wasAnswered(error as Error) ? 'It said' : 'Cause';
    return failed(`${key}: ${(error as Error).message}`,
      ...(cause.length > 0 ? [`${label}: ${cause.join(': ')}`] : []),
      adviceOn((error as Error).message, models, key));
  }
}

async function answerTo(models: Models, key: string, signal: AbortSignal): Promise<StepResult> {
  const request: StepRequest = {
    instructions: null, signal,
    transcript: [{ role: 'user', run_id: newId('run'),
      content: [{ type: 'input_text', text: 'Say OK.' }] }],
    tool: {
      name: 'call_action', description: 'Does nothing. Do not call it.',
      input_schema: { type: 'object', properties: { action: { type: 'string' } } },
    },
    new_id: newId,
  };
  const steps = models.resolve(key).step(request);
  for (;;) {
    const next = await steps.next();
    if (next.done) return next.value;
  }
}

/** Whether the provider said something, by the names that src/models/modelError.ts gives. */
function wasAnswered({ cause }: Error): boolean {
  return !(cause instanceof Error) || /^(APICallError|ProviderError)$/.test(cause.name);
}

/** What is wrong with the certificate of the provider, if that is why nothing was sent. */
function refusedIn(error: Error): Refused | undefined {
  let cause: unknown = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth++) {
    const fault = certificateFault((cause as NodeJS.ErrnoException).code ?? '');
    if (fault) return fault;
    ({ cause } = cause);
  }
  return undefined;
}

/**
 * The causes of an error, the outermost first, without texts that the error itself or another cause
 * repeats: packages put the text of a cause into their own.
 */
function causesOf(error: Error): string[] {
  const texts: string[] = [];
  let { cause } = error;
  for (let depth = 0; depth < 5 && cause !== undefined && cause !== null; depth++) {
    const text = wordsOf(cause);
    if (text !== '' && !texts.includes(text)) texts.push(text);
    ({ cause } = cause as { cause?: unknown });
  }
  return texts.filter((text) => !texts.some((other) => other !== text && other.includes(text)));
}

/** The text of some errors of the system is in their `code` alone. */
function wordsOf(cause: unknown): string {
  const { message, code } = cause as NodeJS.ErrnoException;
  return message || code || '';
}

/**
 * Recognised by our own messages of such errors (src/models/modelError.ts), which may quote the
 * provider behind a colon.
 */
function adviceOn(message: string, models: Models, key: string): string {
  const place = models.placeOf(key);
  if (place === null) return 'Report it: this model needs nobody.';
  const advice: [RegExp, string][] = [
    [/key or what was asked/, 'See what it quotes: if that is nothing of the country or the input,'
      + ` put a valid key of that account into ${place.key_variable}, and start the nodes anew.`],
    [/refused the service's key/, `Put a valid key of that account into ${place.key_variable}, and`
      + ' start the nodes anew.'],
    [/knows no model|^The address of/, 'Check the id behind the / in MODEL and the'
      + ` address in ${place.address_variable}; or ask for access to that model.`],
    [/could not be reached|nothing/, `Check the way there from this machine (network, proxy,`
      + ` firewall) and ${place.address_variable}.`],
    [/no credit left/, 'Add credit to that account.'],
    [/rate of requests/, 'Try again later, or have the provider raise the limit.'],
    [/context holds/, 'Set MODEL_CONTEXT_TOKENS to what the model holds, and start the nodes'
      + ' anew.'],
    [/all tokens of its answer/, 'Raise MODEL_MAX_OUTPUT_TOKENS, or lower MODEL_REASONING; or have'
      + ' the server give the model more context.'],
    [/refused the request/, 'Change the setting that it quotes, often MODEL_REASONING or'
      + ' MODEL_MAX_OUTPUT_TOKENS; or take another model.'],
  ];
  const [own] = message.split(':');
  return advice.find(([pattern]) => pattern.test(own!))?.[1]
    ?? `Try again. If it stays, check ${place.address_variable} and the provider's status page.`;
}
