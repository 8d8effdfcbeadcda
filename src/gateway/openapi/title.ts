import { textOf, type JsonObject } from '../../json.ts';
import { brief } from '../schema/brief.ts';

/** As much as titles of tools have; beyond, what was meant for a description stands there. */
const TITLE_LIMIT_CHARS = 200;
const SENTENCE_CHARS = 120;
const READ_CHARS = 2_000;
const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * What an operation is called where people and models choose one: its summary, else the first
 * sentence of its description, else `name`, its name in words. A quarter of real operations has no
 * summary: all of Stripe, Slack, Twilio, Kubernetes, Google's and Amazon's.
 */
export function titleOf(operation: JsonObject, pathItem: JsonObject, name: string): string {
  const title = textOf(operation.summary)?.trim() || textOf(pathItem.summary)?.trim()
    || firstSentence(textOf(operation.description) ?? '')
    || firstSentence(textOf(pathItem.description) ?? '') || name;
  return title.length <= TITLE_LIMIT_CHARS ? title : brief(title, TITLE_LIMIT_CHARS);
}

/** In plain text: HTML's tags, Markdown's headings, quotes and emphasis are left out. */
function firstSentence(description: string): string {
  const text = description.slice(0, READ_CHARS)
    .replace(/<[^<>]{0,300}>/g, ' ')
    .replace(/^[#> ]+|[*`]+/gm, '')
    .trim();
  const [paragraph = ''] = text.split(/\n\s*\n/, 1);
  const [sentence] = SENTENCES.segment(paragraph.replace(/\s+/g, ' '));
  return brief(sentence?.segment.trim().replace(/[.:]$/, '') ?? '', SENTENCE_CHARS);
}
