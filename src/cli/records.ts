/** Long lists, of which a person wants the newest, and what is known of one thing. */
import type { paths } from '../../generated/types.ts';
import type { AnswerOf, Client, ItemOf, QueryOf } from './client.ts';
import { clientCommand, type AddCommand, type Help } from './command.ts';
import { flag, like, wholeNumber, withDefault, type Input, type Inputs } from './inputs.ts';
import { beside, hanging } from './message.ts';
import { AS_JSON, printJson, printTable, type Listing } from './output.ts';
import { oneLine, type Terminal } from './terminal.ts';
import type { Workplace } from './workplace.ts';
import { padTo } from './width.ts';

const LISTED = 30;
const LIST_LIMIT = 10_000;

/**
 * Makes the command `list` of a group, which shows the newest. `query` makes the filters of the
 * flags, which have the names that they have on the wire unless it says otherwise.
 */
export function newestCommand<P extends keyof paths>(path: P, spec: Help & Listing<ItemOf<P>> & {
  inputs: Inputs;
  query?(client: Client, values: Record<string, any>): Promise<QueryOf<P>>;
}): AddCommand {
  return clientCommand<Inputs>('list', {
    ...spec,
    inputs: {
      ...spec.inputs,
      limit: withDefault(flag('--limit <number>', 'how many at most',
        wholeNumber(1, LIST_LIMIT)), LISTED),
      cursor: flag('--cursor <cursor>', 'what comes after: next_cursor of --json'),
      json: AS_JSON,
    },
    async run({ client, terminal }, { limit, cursor, json, ...values }) {
      const query = await spec.query?.(client, values) ?? values as QueryOf<P>;
      const found = await client.upTo(path, query, limit, { cursor });
      if (json) return printJson(terminal, found);
      printTable(terminal, found.data, spec);
      if (found.has_more) terminal.err(`There are older ones: --limit shows more.\n`);
    },
  });
}

/** Makes the command `show` of a group, by `clientCommand` or `adminCommand`. */
export function showCommand<P extends keyof paths>(
  make: typeof clientCommand, path: P,
  { id, print, ...help }: Help & {
    id: Input<string>;
    /** Shows what the service answers, for a person. */
    print(workplace: Workplace, found: AnswerOf<P>): void;
  }): AddCommand {
  return make<Inputs>('show', {
    ...help, inputs: { id, json: AS_JSON },
    async run(workplace, { id: given, json }) {
      const found = await workplace.client.request('GET', path, { id: given } as never);
      if (json) printJson(workplace.terminal, found);
      else print(workplace, found);
    },
  });
}

/** How long ago something was, in one unit: 12s, 5m, 3h, 2d. */
export function ago(timestamp: string): string {
  const s = Math.max(0, Math.floor((Date.now() - Date.parse(timestamp)) / 1_000));
  if (s < 120) return `${s}s`;
  if (s < 2 * 3_600) return `${Math.floor(s / 60)}m`;
  return s < 48 * 3_600 ? `${Math.floor(s / 3_600)}h` : `${Math.floor(s / 86_400)}d`;
}

/** A time as people write it, with how long ago that was. */
export function moment(timestamp: string): string {
  return `${timestamp.slice(0, 19).replace('T', ' ')}Z (${ago(timestamp)} ago)`;
}

/** A duration: 12 ms, 1.5 s, 2m05s, 1h02m. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const [minutes, seconds] = [Math.floor(ms / 60_000), Math.floor(ms / 1_000) % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return minutes < 60 ? `${minutes}m${two(seconds)}s`
    : `${Math.floor(minutes / 60)}h${two(minutes % 60)}m`;
}

/** What is known of one thing, a fact to a line; those that are null or empty are left out. */
export function printFacts(
  { out, style, screen }: Terminal, title: string,
  facts: Record<string, string | null | undefined>): void {
  const known = Object.entries(facts).filter(([, value]) => value);
  const width = Math.max(...known.map(([name]) => name.length));
  out(`${hanging(style('bold', oneLine(title, 200)), screen)}\n`);
  for (const [name, value] of known) {
    const named = `  ${padTo(style('dim', name), width)}  `;
    out(`${beside(named, oneLine(value!, 500), screen)}\n`);
  }
}

/** A flag that lists only what has one pair of metadata. */
export const ONLY_METADATA = flag('--metadata <key=value>',
  'only those whose metadata has this value by this key',
  like(/^[^=]{1,64}=/, 'It must be a key and a value, such as team=growth.'));

/** Metadata as one line; null if there is none. */
export function metadataText(metadata: Record<string, unknown>): string | null {
  return Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata);
}
