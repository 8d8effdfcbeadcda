import { objectOf, textOf, type JsonObject } from '../../json.ts';
import { brief } from '../schema/brief.ts';
import { indexOfPhrase, isPreposition, isVerb } from './namingWords.ts';

/** As much as titles of tools have; beyond, what was meant for a description stands there. */
const TITLE_LIMIT_CHARS = 200;
/** Four times of what an agent is ever shown. Lists have whole ones, up to 100 on a page. */
const DESCRIPTION_LIMIT_CHARS = 16_384;
const SENTENCE_CHARS = 120;
const READ_CHARS = 2_000;
/** Made when it is first needed: it takes 10 ms, and the service's own document needs none. */
let sentences: Intl.Segmenter | undefined;

/**
 * What an operation is called where people and models choose one: its summary, else the first
 * sentence of its description, else `name` (its action's, without the slug) in words. A quarter of
 * real operations has no summary: all of Stripe, Slack, Twilio, Kubernetes, Google's and Amazon's.
 * What is said of the path counts for none: it is of a thing, and one of them deletes it. Nor do
 * descriptions among `of_things`.
 */
export function titleOf(
  operation: JsonObject, name: string, of_things: ReadonlySet<string> = new Set()): string {
  const description = textOf(operation.description)?.trim() ?? '';
  const title = textOf(operation.summary)?.trim()
    || (of_things.has(description) ? '' : firstSentence(description)) || nameInWords(name);
  return bounded(title);
}

/**
 * The descriptions that what gets something and what replaces, changes or deletes it have word for
 * word: they do not tell what is done. drf-spectacular gives that of a view to all that it does.
 */
export function descriptionsOfThings(
  operations: readonly { method: string, operation: JsonObject }[]): ReadonlySet<string> {
  const described = (...methods: string[]) => new Set(operations.flatMap(({ method, operation }) =>
    (methods.includes(method) ? [textOf(operation.description)?.trim() ?? ''] : [])));
  return described('get').intersection(described('put', 'patch', 'delete'));
}

/** What the service of a document is called: as it says, else its integration's slug. */
export function serviceTitleOf({ info }: JsonObject, slug: string): string {
  return bounded(textOf(objectOf(info).title)?.trim() || slug);
}

function bounded(title: string): string {
  return title.length <= TITLE_LIMIT_CHARS ? title : brief(title, TITLE_LIMIT_CHARS);
}

/** What is told of an operation beside its title; of its path, if the document has no more. */
export function descriptionOf(operation: JsonObject, pathItem: JsonObject, title: string): string {
  const own = textOf(operation.description)?.trim();
  const ofPath = textOf(pathItem.description)?.trim() || textOf(pathItem.summary)?.trim();
  const all = own || (ofPath ? `${title}\n\nOf its path as a whole: ${ofPath}` : title);
  return all.length <= DESCRIPTION_LIMIT_CHARS ? all
    : `${all.slice(0, DESCRIPTION_LIMIT_CHARS - 1).toWellFormed()}…`;
}

/** `triggers.delete` → Delete triggers; `deploys.create_for_site` → Create deploys for site. */
function nameInWords(name: string): string {
  const [resource = '', verb = ''] = name.split('.');
  const [first = '', ...rest] = verb.split('_');
  const about = resource.split('_');
  const words = !isVerb(first) ? [...about, first, ...rest]
    : indexOfPhrase(about, rest) >= 0 ? [first, ...rest]
      : rest.length === 0 || isPreposition(rest[0]!) ? [first, ...about, ...rest]
        : [first, ...rest, 'of', ...about];
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** In plain text: HTML's tags, Markdown's headings, quotes and emphasis are left out. */
function firstSentence(description: string): string {
  const text = description.slice(0, READ_CHARS)
    .replace(/<[^<>]{0,300}>/g, ' ')
    .replace(/^[#> ]+|[*`]+/gm, '')
    .trim();
  const [paragraph = ''] = text.split(/\n\s*\n/, 1);
  sentences ??= new Intl.Segmenter('en', { granularity: 'sentence' });
  const [sentence] = sentences.segment(paragraph.replace(/\s+/g, ' '));
  return brief(sentence?.segment.trim().replace(/[.:]$/, '') ?? '', SENTENCE_CHARS);
}
