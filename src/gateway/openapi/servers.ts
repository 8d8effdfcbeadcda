import { isObject, objectOf, textOf, type JsonObject } from '../../json.ts';

/**
 * The base addresses of a document, a path item or an operation, without a slash at the end and
 * with the defaults of their variables; what is no address is left out. They are relative if the
 * document's own address is not known. `document_url`: where the document came from.
 */
export function readServers(owner: JsonObject, document_url: string | undefined): string[] {
  return writtenServers(owner, document_url).map(withoutSlash);
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
  const list = Array.isArray(owner.servers) ? owner.servers.filter(isObject) : [];
  return list.flatMap((server) => {
    const template = textOf(server.url)?.trim();
    if (template === undefined) return [];
    const variables = objectOf(server.variables);
    const filled = template.replace(/\{([^{}]+)\}/g, (_, name: string) => {
      const variable = Object.hasOwn(variables, name) ? objectOf(variables[name]) : {};
      const [first] = Array.isArray(variable.enum) ? variable.enum : [];
      return String(variable.default ?? first ?? '');
    });
    return absolute(filled, document_url) ?? [];
  });
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
export function placeOf(server: string): string {
  const url = URL.parse(server, 'https://unknown.invalid');
  return url === null ? server : `${url.pathname}${url.search}`;
}

/** Without the slashes at its end; `/\/+$/` would take hours for a document's megabyte of them. */
export function withoutSlash(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end--;
  return url.slice(0, end);
}
