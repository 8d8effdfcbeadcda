/**
 * What is made of others' words: what a source of actions seems to be, by its address or by its
 * text; what it says of credentials; and which fields the schema of an action has.
 */
import type { Integration, JsonSchema } from '#client/types.gen.ts';

/** An address, or the text of a document, which may be long: it is looked at once. */
export type Source = { url: string } | { name: string; text: string; found: Found };
export type Kind = 'openapi' | 'mcp' | 'unclear';

/** What a source seems to be. `needs_base`: it is a document that names no server. */
interface Found {
  kind: Kind; says: string; slug: string; needs_base: boolean;
  /** Where a document has its API, if that is at no public address. */
  hosts: readonly string[];
}

/** What a source seems to be. The service has the last word. */
export function detect(source: Source): Found {
  if ('text' in source) return source.found;
  const url = URL.parse(source.url.trim());
  const path = url?.pathname.toLowerCase() ?? '';
  const is_document = /\.(json|ya?ml)$|openapi|swagger/.test(path);
  const is_server = !is_document && /\/(mcp|sse)\/?$/.test(path);
  const host = url?.hostname ?? '';
  const names = /^[\d.]+$|:/.test(host) ? ['local'] : host.split('.').slice(0, -1)
    .filter((one) => !/^(www|api|mcp|docs|rest)$/.test(one));
  return {
    kind: is_document ? 'openapi' : is_server ? 'mcp' : 'unclear',
    says: is_document ? 'This looks like the address of an OpenAPI document.'
      : is_server ? 'This looks like an MCP server.'
        : 'The address does not say what is there. It is read as an OpenAPI document first, and'
          + ' asked as an MCP server if it is none.',
    slug: slugOf(names.at(-1) ?? host), needs_base: false, hosts: [],
  };
}

const SERVERS_LOOKED_AT = 20;

export function detectText(name: string, text: string): Found {
  const is_json = text.trimStart().startsWith('{');
  const version = /["']?(?:openapi|swagger)["']?\s*:\s*["']?([\d.]+)/.exec(text)?.[1];
  const titled = is_json ? /"title"\s*:\s*"([^"\\]{1,200})"/
    : /^\s+title:\s*["']?([^"'\n]{1,200})/m;
  const title = titled.exec(from(text, /["']?info["']?\s*:/))?.[1]?.trim() ?? '';
  // Relative servers lead nowhere from a file.
  const servers = from(text, /servers["']?\s*:/)
    .matchAll(/["']?url["']?\s*:\s*["']?(https?:\/\/[^\s"',}]+)/g)
    .map(([, url]) => url!).take(SERVERS_LOOKED_AT).toArray();
  const host = version?.startsWith('2')
    ? /["']?host["']?\s*:\s*["']?([\w.:-]+)/.exec(text)?.[1] : undefined;
  const hosts = [...servers, ...host ? [`http://${host}`] : []].flatMap((url) =>
    privateHostOf(url) ?? []);
  return {
    kind: 'openapi', slug: slugOf(title || name.replace(/\.\w+$/, '')),
    needs_base: version !== undefined && servers.length === 0 && !host,
    hosts: [...new Set(hosts)],
    says: version === undefined
      ? 'This does not look like an OpenAPI document, in JSON or YAML. The service may know better.'
      : `An OpenAPI ${version} document in ${is_json ? 'JSON' : 'YAML'}${title && `: ${title}`}`,
  };
}

/** The text from what is looked for on; nothing if it is not there. */
function from(text: string, wanted: RegExp): string {
  const at = text.search(wanted);
  return at === -1 ? '' : text.slice(at);
}

/** `Swagger Petstore - OpenAPI 3.0` becomes `petstore`. */
function slugOf(title: string): string {
  return title.toLowerCase().replace(/\b(openapi|swagger|rest|api|v?\d+(\.\d+)*)\b/g, ' ')
    .replace(/[^a-z0-9]+/g, ' ').trim().replaceAll(' ', '_').slice(0, 64);
}

/** Hosts with their ports, as `egress_allow` takes them, that are no public addresses. */
export function hostsOf(source: Source, base_url: string): string[] {
  const hosts = ['url' in source ? source.url : '', base_url].flatMap((text) =>
    privateHostOf(text) ?? []);
  return [...new Set([...hosts, ...detect(source).hosts])];
}

const PRIVATE = /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$|^\[(::1|f[cd].*)\]$/;

/** The host of an address with its port, if it says itself that it is no public one. */
function privateHostOf(text: string): string | null {
  const { hostname = '', port = '', protocol = '' } = URL.parse(text.trim()) ?? {};
  const host = hostname === 'localhost' ? '127.0.0.1' : hostname;
  return PRIVATE.test(host) ? `${host}:${port || (protocol === 'https:' ? 443 : 80)}` : null;
}

/** The private address that an integration is at and may not call; null where none is known. */
export function barredHostOf({ base_url, mcp, egress_allow }: Integration): string | null {
  const host = privateHostOf(base_url ?? mcp?.url ?? '');
  return host !== null && !egress_allow.some((entry) => allows(entry, host)) ? host : null;
}

/** Whether an entry such as 10.0.0.0/8:443 holds the host; of IPv6 ranges the port has to do. */
function allows(entry: string, host: string): boolean {
  const [range = '', port] = splitPort(entry);
  const [address = '', host_port] = splitPort(host);
  if (port !== host_port) return false;
  const [network = '', bits = '32'] = range.split('/');
  if (network.startsWith('[')) return address.startsWith('[');
  return !address.startsWith('[')
    && numberOfAddress(network) >> shiftOf(bits) === numberOfAddress(address) >> shiftOf(bits);
}

const splitPort = (text: string) => [text.slice(0, text.lastIndexOf(':')),
  text.slice(text.lastIndexOf(':') + 1)];
const shiftOf = (bits: string) => BigInt(32 - Number(bits));
const numberOfAddress = (address: string) => address.split('.')
  .reduce((number, part) => number * 256n + BigInt(part), 0n);

/** Where the keys go that the document knows, each place once. */
export function placesOf({ report }: Integration): { in: string; name: string }[] {
  const places = (report.security_schemes ?? []).flatMap(({ placement }) => placement ?? []);
  return [...new Map(places.map((one) => [`${one.in} ${one.name}`, one])).values()];
}

/** Whether the source says, of this way to authenticate, all that a person could. */
export function isSaid(integration: Integration, type: string): boolean {
  // Of several places somebody has to choose.
  if (type === 'api_key') return placesOf(integration).length === 1;
  return type === 'oauth2' && (integration.kind === 'mcp'
    || (integration.report.security_schemes ?? []).some(({ flows, openid_connect_url }) =>
      flows?.authorization_code || flows?.client_credentials || openid_connect_url));
}

/** A field of a schema. `is_needed`: it is required, and so is all that it is within. */
export interface SchemaField {
  path: readonly string[]; schema: JsonSchema; type: string; description: string; limits: string;
  /** The types that a value may have besides null: nothing typed is no value. */
  kinds: readonly string[];
  is_required: boolean; is_needed: boolean; has_fields: boolean;
}

const DEPTH = 5;
const FIELDS_SHOWN = 300;
/** Longer lists of what a value may be are cut. */
const CHOICES_SHOWN = 30;

/**
 * The fields of a schema from the outside in, the required ones of each object first. Those of a
 * list are those of its items.
 */
export function fieldsOf(root: JsonSchema): SchemaField[] {
  const fields: SchemaField[] = [];
  const visit = (schema: JsonSchema, path: readonly string[], is_needed: boolean) => {
    const required = new Set(Array.isArray(schema.required) ? schema.required : []);
    const properties = Object.entries(objectOf(schema.properties));
    const sorted = [...properties.filter(([name]) => required.has(name)),
      ...properties.filter(([name]) => !required.has(name))];
    for (const [name, given] of sorted) {
      if (fields.length >= FIELDS_SHOWN) return;
      const one = resolved(given, root);
      const place = [...path, name];
      const is_required = required.has(name);
      fields.push({
        path: place, schema: one, type: typeOf(one, root), is_required,
        is_needed: is_needed && is_required, has_fields: Boolean(one.properties),
        description: typeof one.description === 'string' ? one.description : '',
        limits: limitsOf(one), kinds: kindsOf(one, root),
      });
      if (place.length < DEPTH) visit(withFields(one, root), place, is_needed && is_required);
    }
  };
  visit(withFields(resolved(root, root), root), [], true);
  return fields;
}

/** What a schema is as a whole: `object`, `list of string`. */
export function typeOfWhole(root: JsonSchema): string {
  return typeOf(resolved(root, root), root);
}

/** The schema itself, or that of the items of a list, also of a list of lists. */
function withFields(schema: JsonSchema, root: JsonSchema, depth = 0): JsonSchema {
  if (schema.properties || depth === DEPTH || !schema.items) return schema;
  return withFields(resolved(schema.items, root), root, depth + 1);
}

export function objectOf(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? value as JsonSchema : {};
}

/** What a reference within the document leads to, with what stands beside it; `allOf` as one. */
function resolved(given: unknown, root: JsonSchema, depth = 0): JsonSchema {
  const { $ref, allOf, ...own } = objectOf(given);
  if (depth > DEPTH) return own;
  let all: JsonSchema = {};
  if (typeof $ref === 'string' && $ref.startsWith('#')) {
    const target = $ref.slice(1).split('/').filter(Boolean)
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((at, name) => objectOf(at)[name], root);
    all = resolved(target, root, depth + 1);
  }
  for (const part of Array.isArray(allOf) ? allOf : []) {
    const one = resolved(part, root, depth + 1);
    all = { ...all, ...one,
      properties: { ...objectOf(all.properties), ...objectOf(one.properties) },
      required: [...(all.required as string[] ?? []), ...(one.required as string[] ?? [])] };
  }
  return { ...all, ...own };
}

export function choicesOf({ enum: values, const: only }: JsonSchema): unknown[] | null {
  return Array.isArray(values) ? values : only === undefined ? null : [only];
}

function typeOf(schema: JsonSchema, root: JsonSchema): string {
  const choices = choicesOf(schema);
  if (choices) {
    const shown = choices.slice(0, CHOICES_SHOWN).map((one) => JSON.stringify(one)).join(' or ');
    return choices.length > CHOICES_SHOWN ? `${shown} or …` : shown;
  }
  const { type, format, items, oneOf, anyOf } = schema;
  const ways = [oneOf, anyOf].find(Array.isArray);
  if (ways && !type) return ways.map((way) => typeOf(resolved(way, root), {})).join(' or ');
  const names = [type].flat().map((one) => (one === 'array'
    ? `list of ${typeOf(resolved(items, root), {})}` : one));
  const name = names.join(' or ') || (schema.properties ? 'object' : 'anything');
  return typeof format === 'string' ? `${name} (${format})` : name;
}

function kindsOf({ type, properties, oneOf, anyOf }: JsonSchema, root: JsonSchema): string[] {
  const ways = [oneOf, anyOf].find(Array.isArray);
  if (type !== undefined) return [type].flat().map(String).filter((one) => one !== 'null');
  if (!ways) return [properties ? 'object' : 'anything'];
  return [...new Set(ways.flatMap((way) => kindsOf(resolved(way, root), {})))];
}

const LIMITS: readonly (readonly [keyof JsonSchema & string, string])[] = [
  ['default', 'by default'], ['minimum', 'at least'], ['maximum', 'at most'],
  ['minLength', 'length at least'], ['maxLength', 'length at most'], ['maxItems', 'at most items:'],
  ['pattern', 'like'],
];

function limitsOf(schema: JsonSchema): string {
  return LIMITS.filter(([name]) => schema[name] !== undefined)
    .map(([name, words]) => `${words} ${JSON.stringify(schema[name])}`).join(', ');
}
