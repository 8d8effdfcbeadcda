/**
 * Parameters by which a document has callers give a secret, as Discourse's does with `Api-Key`,
 * where no security scheme says that it is one. Who calls cannot know it, and should not: the
 * operator is told how an account gives it instead. A document without any scheme may have such a
 * header optional (FastAPI's, where the code looks for it: `xi-api-key` of ElevenLabs).
 */
import { shellWord } from '../../shellWord.ts';
import type { OperationInput } from './inputSchema.ts';

const SECRET = /api[-_]?key|secret|token/i;
/** Of all actions. What fewer want may be a secret of its own: the token of an invitation. */
const LEAST_SHARE = 0.25;

/**
 * What the operator can do about them, in words; none if there are none. `has_schemes`: the
 * document declares a security scheme.
 */
export function askedSecrets(
  actions: readonly { request: OperationInput }[], has_schemes: boolean): string[] {
  const counts = new Map<string, number>();
  for (const { request: { parameters } } of actions) {
    for (const { place, name, required, value } of parameters) {
      const isAsked = required ? place !== 'path' : place === 'header' && !has_schemes;
      if (!isAsked || value !== undefined || !SECRET.test(name)) continue;
      const key = `${place}.${name}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return [...counts].filter(([, count]) => count >= actions.length * LEAST_SHARE)
    .map(([key, count]) => `${count} of ${actions.length} actions want ${key} of whoever calls,`
      + ' which looks like a secret. To have an account give it, connect one with an api key there,'
      + ` and keep it from callers: --hide-parameter ${shellWord(`*=${key}`)}`);
}
