/** What several commands do alike. */
import type { paths } from '../../generated/types.ts';
import type { ItemOf, QueryOf } from './client.ts';
import { adminCommand, type AddCommand, type Help } from './command.ts';
import type { Input, Inputs } from './inputs.ts';
import { table, type Terminal } from './terminal.ts';
import type { Workplace } from './workplace.ts';

/** How items are shown. */
export interface Listing<T> {
  /** What there are none of, if the list is empty. */
  nothing: string;
  headings: string[];
  row(item: T): string[];
}

/** Makes the command `list` of a group, which fetches all pages of a list and prints a table. */
export function listCommand<P extends keyof paths>(
  group: string, path: P, { inputs, ...spec }: Omit<Help, 'example'> & Listing<ItemOf<P>> & {
    inputs?: { [K in keyof QueryOf<P>]?: Input<QueryOf<P>[K]> };
  }): AddCommand {
  return adminCommand('list', {
    ...spec, inputs: inputs as Inputs, example: `gatehouse ${group} list`,
    run: async ({ client, terminal }, query) =>
      printTable(terminal, await Array.fromAsync(client.list(path, query as QueryOf<P>)), spec),
  });
}

export function printTable<T>(
  terminal: Terminal, items: T[], { nothing, headings, row }: Listing<T>): void {
  if (items.length === 0) none(terminal, nothing);
  else terminal.out(table(headings, items.map(row), terminal.style));
}

export function none({ err }: Terminal, what: string): void {
  err(`There are no ${what}.\n`);
}

/** A timestamp to the minute, or a dash. */
export function minute(timestamp: string | null): string {
  return timestamp === null ? '-' : `${timestamp.slice(0, 16).replace('T', ' ')}Z`;
}

/** Deletes what `id` names at this path of the document, and says so. */
export async function remove(
  { client, terminal }: Workplace, path: Extract<keyof paths, `/admin/${string}}`>, id: string,
  done = 'removed'): Promise<void> {
  await client.request('DELETE', path, { id });
  terminal.out(`${id} is ${done}.\n`);
}
