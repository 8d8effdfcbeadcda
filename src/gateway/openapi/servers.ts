import { isObject, objectOf, textOf, wordOf, type JsonObject } from '../../json.ts';
import { shellWord } from '../../shellWord.ts';

const VARIABLES = /\{([^{}]+)\}/g;

/**
 * The base addresses of a document, a path item or an operation, without a slash at the end and
 * with the defaults of their variables; what is no address is left out. They are relative if the
 * document's own address is not known. `document_url`: where the document came from.
 */
export function readServers(owner: JsonObject, document_url: string | undefined): string[] {
  return writtenServers(owner, document_url).map(withoutSlash);
}

/**
 * The base addresses that an operation, else its path item, has instead of the document's. Relative
 * ones stay relative: they are seen from where the integration is called.
 */
export function ownServers(operation: JsonObject, pathItem: JsonObject): string[] {
  return [operation, pathItem].map((owner) => readServers(owner, undefined))
    .find((list) => list.length > 0)?.map((url) => url || '/') ?? [];
}

/** By origin, the operations that are where the integration does not send its credentials. */
export function elsewhere(
  operations: readonly { source_key: string; servers: readonly string[] }[],
  base_url: string | null, other_origins: readonly string[]): Map<string, string[]> {
  const base = base_url === null ? null : URL.parse(base_url);
  const found = new Map<string, string[]>();
  for (const { source_key, servers: [own] } of operations) {
    const url = own === undefined || base === null ? null : URL.parse(own, base.href);
    if (url === null || url.origin === base!.origin || other_origins.includes(url.origin)) continue;
    const there = found.get(url.origin);
    if (there === undefined) found.set(url.origin, [source_key]);
    else there.push(source_key);
  }
  return found;
}

/** The command that has operations at an origin called. */
export function allowing(slug: string, origin: string): string {
  return `gatehouse integrations update ${slug} --origin ${shellWord(origin)}`;
}

/**
 * Where the API of a document is by OpenAPI that names no server: at the top of where the document
 * is; null if that is not known.
 */
export function originOfDocument(document_url: string | null): string | null {
  const url = document_url === null ? null : URL.parse(document_url);
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : null;
}

/** What an operator is told if that is the only place that is known. `is_used`: without asking. */
export function tellOfOrigin(slug: string, origin: string, is_used: boolean): string {
  const command = `gatehouse integrations update ${slug} --api-url`;
  return is_used ? `The document names no server: the API is called where the document is, at ${
    origin}, and the credentials of connections go there. If it is elsewhere, say where before you`
    + ` connect an account: ${command} <url>`
    : 'The document names no server, so that nothing is called. If the API is where the document'
      + ` is, say so: ${command} ${shellWord(origin)}`;
}

/**
 * What an operator is told whose address has no path while all servers of the document have one:
 * mostly it was a host that they thought they had to name. Nothing where that is not so.
 */
export function tellOfPath(
  slug: string, base_url: string | null, servers: readonly string[]): string[] {
  const paths = servers.map((server) => withoutSlash(pathAndQueryOf(server)));
  const called = base_url === null ? null : URL.parse(base_url);
  if (called === null || called.pathname !== '/' || !paths[0] || paths.includes('')) return [];
  return [`Called at ${called.origin}, without the path ${paths[0]} of the server that the document`
    + ' names. If the API is below it, say so: gatehouse integrations update'
    + ` ${slug} --api-url ${shellWord(`${called.origin}${paths[0]}`)}`];
}

const EXAMPLE = /(^|[.-])(your|my|sub-?domain|tenant|hostname)([.-]|$)/;

/**
 * What an operator is told as long as the address of the document is called, if that is one to fill
 * in: what its variables are by themselves may be somebody else's. Null if it is not.
 */
export function tellOfGaps(
  slug: string, document: JsonObject, { document_url, base_url }: DocumentPlace): string | null {
  const first = serversIn(document, document_url).find(({ url }) => /^https?:/.test(url));
  // The address of the document is kept as if somebody had named it.
  if (first === undefined || (base_url ?? withoutSlash(first.url)) !== withoutSlash(first.url)) {
    return null;
  }
  const { origin, hostname } = new URL(first.url);
  const { template, open } = first;
  if (open.length === 0 && (hostOf(template) === '' || !EXAMPLE.test(hostname))) return null;
  const why = open.length === 0 ? 'which looks like an example'
    : `in which the document lets you fill in ${open.join(', ')}`;
  return `Called at ${origin}, ${why}, and the credentials of connections go there. If yours is`
    + ' elsewhere, say where before you connect an account: gatehouse integrations update'
    + ` ${slug} --api-url <url>`;
}

/** The address of the web that most operations have of their own; null if none has. */
export function commonServer(operations: readonly { servers: readonly string[] }[]): string | null {
  const counts = new Map<string, number>();
  for (const { servers: [own = ''] } of operations) {
    if (/^https?:/.test(own)) counts.set(own, (counts.get(own) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

/** Where a document came from, and where the API is if the operator says it. */
export interface DocumentPlace {
  document_url?: string | undefined;
  base_url?: string | undefined;
}

/**
 * Makes the addresses of a document absolute. OpenAPI has relative ones seen from the server, which
 * is here the operator's if they name one: what is secret of a test system must not go to the one
 * that the document names. Answers null for what is no address of the web.
 */
export function addressesOf(
  document: JsonObject, { document_url, base_url }: DocumentPlace): (url: string) => string | null {
  const servers = writtenServers(document, document_url).filter((url) => /^https?:/.test(url));
  // A slash at its end makes a difference, and the base address of an integration has lost it.
  const base = base_url === undefined ? servers[0] ?? document_url
    : servers.find((url) => withoutSlash(url) === base_url) ?? base_url;
  return (url) => {
    const parsed = url.trim() === '' ? null : URL.parse(url.trim(), base);
    return parsed !== null && /^https?:$/.test(parsed.protocol) ? parsed.href : null;
  };
}

function writtenServers(owner: JsonObject, document_url: string | undefined): string[] {
  return serversIn(owner, document_url).map(({ url }) => url);
}

interface DocumentServer {
  url: string;
  template: string;
  /** The variables of the name of its host that can be something else. */
  open: string[];
}

function serversIn(owner: JsonObject, document_url: string | undefined): DocumentServer[] {
  const list = Array.isArray(owner.servers) ? owner.servers.filter(isObject) : [];
  return list.flatMap((server) => {
    const template = textOf(server.url)?.trim();
    if (template === undefined) return [];
    const variables = objectOf(server.variables);
    const valueOf = (name: string): string | undefined => {
      const variable = Object.hasOwn(variables, name) ? objectOf(variables[name]) : {};
      return wordOf(variable.default)
        ?? (Array.isArray(variable.enum) ? wordOf(variable.enum[0]) : undefined);
    };
    // With a gap it is another host: `https://{region}.example.com`, and nothing of the region.
    const isUnsaid = ([, name = '']: string[]) => valueOf(name) === undefined;
    if ([...hostOf(template).matchAll(VARIABLES)].some(isUnsaid)) return [];
    const url = absolute(
      template.replace(VARIABLES, (_, name: string) => valueOf(name) ?? ''), document_url);
    if (url === null) return [];
    const [, host = ''] = /\/\/([^/:?#]*)/.exec(template) ?? [];
    const open = [...host.matchAll(VARIABLES)].map(([, name = '']) => name).filter((name) => {
      const { enum: values } = objectOf(variables[name]);
      return !Array.isArray(values) || values.length !== 1;
    });
    return [{ url, template, open }];
  });
}

/** With the scheme; nothing of an address without a host. */
function hostOf(template: string): string {
  return /^[^/]*\/\/[^/?#]*/.exec(template)?.[0] ?? '';
}

function absolute(url: string, base_url: string | undefined): string | null {
  // `//api.example.com/v1` is written often, for an address that is the same by http and https.
  const schemed = url.startsWith('//') ? `https:${url}` : url;
  if (base_url === undefined && !/^[a-z][a-z0-9+.-]*:/i.test(schemed)) return schemed;
  const parsed = URL.parse(schemed, base_url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return null;
  parsed.hash = '';
  return parsed.href;
}

/** Path and query of an address of `readServers`. */
export function pathAndQueryOf(server: string): string {
  const url = URL.parse(server, 'https://unknown.invalid');
  return url === null ? server : `${url.pathname}${url.search}`;
}

/** Without the slashes at its end; `/\/+$/` would take hours for a document's megabyte of them. */
export function withoutSlash(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end--;
  return url.slice(0, end);
}
