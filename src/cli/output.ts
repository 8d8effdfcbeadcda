/** What several commands do alike. */
import type { paths } from '../../generated/types.ts';
import type { Client, ItemOf, List, QueryOf } from './client.ts';
import { adminCommand, type AddCommand, type Help } from './command.ts';
import { EXIT, Failure } from './failure.ts';
import { toggle, type Input, type Inputs } from './inputs.ts';
import { hanging } from './message.ts';
import { safeJson, table, type Terminal } from './terminal.ts';
import type { Workplace } from './workplace.ts';

/** How items are shown. */
export interface Listing<T> {
  /** What there are none of, if the list is empty. */
  nothing: string;
  headings: string[];
  /** `columns`: of the screen; undefined where there is none. */
  row(item: T, columns?: number): string[];
}

/** The flag of every command that shows objects of the API. */
export const AS_JSON = toggle('--json', "print the API's own object, as one JSON document");

/** Makes the command `list` of a group, which fetches all pages of a list and prints a table. */
export function listCommand<P extends keyof paths>(
  group: string, path: P, { inputs, ...spec }: Omit<Help, 'example'> & Listing<ItemOf<P>> & {
    inputs?: { [K in keyof QueryOf<P>]?: Input<QueryOf<P>[K]> };
  }): AddCommand {
  return adminCommand('list', {
    ...spec, inputs: { ...inputs as Inputs, json: AS_JSON }, example: `gatehouse ${group} list`,
    run: async ({ client, terminal }, { json, ...query }) => {
      const items = await wholeList(client, path, query as QueryOf<P>);
      await printList(terminal, items, spec, json);
    },
  });
}

/**
 * Refuses the id of a workspace that there is not, by which a list was asked for: that is empty,
 * and "there are no api keys" would be wrong of the workspace that was meant.
 */
export async function refuseUnknownWorkspace(
  client: Client, workspace_id: string | undefined): Promise<void> {
  if (workspace_id === undefined) return;
  const { id } = await client.request('GET', '/admin/workspaces/{workspace_id}',
    { id: workspace_id });
  if (id === workspace_id) return;
  throw new Failure(`--workspace takes a whole id: ${id}.`, EXIT.usage);
}

/** All items of a list; refuses a workspace that there is not. */
export async function wholeList<P extends keyof paths>(
  client: Client, path: P, query: QueryOf<P>): Promise<ItemOf<P>[]> {
  const items = await Array.fromAsync(client.list(path, query));
  if (items.length === 0) {
    await refuseUnknownWorkspace(client, (query as { workspace_id?: string }).workspace_id);
  }
  return items;
}

/** Prints all items of a list: as a table, or as the API would answer one that has all. */
export async function printList<T>(
  terminal: Terminal, items: AsyncIterable<T> | T[], listing: Listing<T>,
  json = false): Promise<void> {
  const data = await Array.fromAsync(items);
  const whole: List<T> = { object: 'list', data, has_more: false, next_cursor: null };
  if (json) printJson(terminal, whole);
  else printTable(terminal, data, listing);
}

export function printJson(terminal: Pick<Terminal, 'out'>, value: unknown): void {
  terminal.out(`${safeJson(JSON.stringify(value, null, 2))}\n`);
}

/** One of several that are printed as they come: a line of JSON. */
export function printJsonLine(terminal: Pick<Terminal, 'out'>, value: unknown): void {
  terminal.out(`${safeJson(JSON.stringify(value))}\n`);
}

export function printTable<T>(
  terminal: Terminal, items: T[], { nothing, headings, row }: Listing<T>): void {
  if (items.length === 0) none(terminal, nothing);
  else {
    const rows = items.map((item) => row(item, terminal.screen?.columns));
    terminal.out(table(headings, rows, terminal.style, terminal.screen));
  }
}

/** How lines are written that a person reads: on a screen so that it can hold them. */
export function linesTo({ out, screen }: Terminal): (text: string) => void {
  return (text) => out(hanging(text, screen));
}

/** Says how many there are besides those that are shown, if there are any. */
export function andMore(out: (text: string) => void, count: number, what = 'more'): void {
  if (count > 0) out(`  and ${count} ${what}\n`);
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
