/** Walks through lists, as a client that wants all of it does. */
import type { OperationId } from '../../generated/operations.ts';
import type { CallOptions, Client } from './client.ts';

interface List { data: unknown[]; has_more: boolean; next_cursor: string | null }
type Query = NonNullable<CallOptions['query']>;

/** The ids of one page, with its cursor. */
export async function readPage(
  client: Client, id: OperationId, query: Query = {}): Promise<List & { ids: string[] }> {
  const { status, body } = await client.call(id, { query }) as unknown as
    { status: number; body: List };
  if (status !== 200) throw new Error(`${id} answered ${status}: ${JSON.stringify(body)}`);
  if (body.has_more !== (body.next_cursor !== null)) {
    throw new Error(`${id}: has_more is ${body.has_more}, next_cursor ${body.next_cursor}`);
  }
  return { ...body, ids: body.data.map(idOf) };
}

/** The ids of every page in turn. */
export async function readPages(
  client: Client, id: OperationId, query: Query = {}): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await readPage(client, id, { ...query, ...(cursor && { cursor }) });
    pages.push(page.ids);
    cursor = page.next_cursor;
  }
  return pages;
}

function idOf(item: unknown): string {
  const { id, invocation_id, slug, sequence_number, name } =
    item as Record<string, string | undefined>;
  return id ?? invocation_id ?? slug ?? sequence_number ?? name ?? '(none)';
}
