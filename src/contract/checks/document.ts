import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Check } from '../check.ts';
import { Fault, holds, same } from '../expect.ts';

/** The public document that the kit's validators were made of. */
interface Document { openapi?: unknown; info?: { version?: unknown }; [key: string]: unknown }
const OWN: Document = JSON.parse(
  readFileSync(new URL('../../../generated/openapi.json', import.meta.url), 'utf8'));

/** What a document says of the wire; its words, and where it is served, may be others. */
const SAID = ['paths', 'components', 'security'];
const SHOWN = 5;

export const documentChecks: Check[] = [{
  name: 'document.agrees',
  shows: "the target's document is the one that the answers are held against",
  async run({ wire }) {
    const document = await wire.expect(200, 'getOpenapiDocument') as unknown as Document;
    same(String(document.openapi).slice(0, 4), '3.1.', 'openapi');
    const [its, own] = [document.info?.version, OWN.info?.version];
    if (its !== own) {
      throw new Fault(`the target describes version ${its}, this kit is for ${own}: take the kit`
        + ' of that version');
    }
    const differing = SAID.flatMap((key) => differences(document[key], OWN[key], key));
    holds(differing.length === 0, `both are version ${own}, and ${differing.length} places differ:`
      + ` ${differing.slice(0, SHOWN).join(', ')}`);
  },
}, {
  name: 'document.etag',
  shows: 'whoever has the document gets 304 for its ETag',
  async run({ wire }) {
    const { headers } = await wire.expectAnswer(200, 'getOpenapiDocument');
    const etag = headers.get('etag');
    holds(etag !== null && /^(W\/)?".+"$/.test(etag), `ETag is ${etag}`);
    for (const known of [etag, `"another", ${etag}`, `W/${etag.replace(/^W\//, '')}`, '*']) {
      const { headers: current } = await wire.expectAnswer(304, 'getOpenapiDocument',
        { headers: { 'if-none-match': known } });
      same(current.get('etag'), etag, `the ETag of 304 for ${known}`);
    }
    const other = await wire.expectAnswer(200, 'getOpenapiDocument',
      { headers: { 'if-none-match': '"another"' } });
    same(other.headers.get('etag'), etag, 'the ETag, asked again');
  },
}];

/** Where two documents differ, as paths. Descriptions and examples do not count. */
function differences(one: unknown, other: unknown, path: string): string[] {
  if (isDeepStrictEqual(one, other)) return [];
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return [path];
  }
  const [its, own] = [one, other] as Record<string, unknown>[];
  return [...new Set([...Object.keys(its!), ...Object.keys(own!)])]
    .filter((key) => !['description', 'summary', 'example', 'examples'].includes(key)
      // A property of a schema may have such a name.
      || path.endsWith('/properties'))
    .flatMap((key) => differences(its![key], own![key], `${path}/${key}`));
}
