/**
 * Compares two versions of the document as clients see them: operations by method and path,
 * parameters by place and name, bodies and responses by status and media type, whatever is named
 * or written out; and then the names that generated clients are made of.
 */
import { canonicalJson } from '../../src/canonicalJson.ts';
import {
  listOperations, resolveReference, type ListedOperation, type OpenapiDocument,
  type ParameterNode, type Requirement, type SchemaNode,
} from '../document.ts';
import { SchemaComparison, type Direction } from './compareSchemas.ts';
import { Findings, type ChangeClass, type Finding } from './findings.ts';
import { same } from './shape.ts';

type Node = Record<string, unknown> & { $ref?: string };
type Named<T> = Record<string, T>;

/** All that differs, the worst first. Both documents are complete, with the operator's part. */
export function compareDocuments(before: OpenapiDocument, after: OpenapiDocument): Finding[] {
  return new DocumentComparison(before, after).compare();
}

/** The method and the path, whatever its variables are called. */
export function addressOf({ method, path }: Pick<ListedOperation, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`;
}

class DocumentComparison {
  readonly #before: OpenapiDocument;
  readonly #after: OpenapiDocument;
  readonly #findings = new Findings();
  readonly #schemas: SchemaComparison;

  constructor(before: OpenapiDocument, after: OpenapiDocument) {
    this.#before = before;
    this.#after = after;
    this.#schemas = new SchemaComparison(before, after, this.#findings);
  }

  compare(): Finding[] {
    const now = new Map(listOperations(this.#after).map((each) => [addressOf(each), each]));
    for (const old of listOperations(this.#before)) {
      const address = addressOf(old);
      const other = now.get(address);
      now.delete(address);
      this.#findings.operation = old.operation_id;
      this.#schemas.beginOperation();
      if (other) this.#operation(old, other);
      else this.#say('wire', old.operation_id, `no longer at ${old.method} ${old.path}`);
    }
    for (const { operation_id, method, path } of now.values()) {
      this.#findings.operation = operation_id;
      this.#say('additive', operation_id, `new, ${method} ${path}`);
    }
    this.#findings.operation = null;
    this.#document();
    this.#components();
    return this.#findings.list();
  }

  #say(kind: ChangeClass, place: string, what: string): void {
    this.#findings.add(kind, place, what);
  }

  #operation(old: ListedOperation, now: ListedOperation): void {
    const id = old.operation_id;
    if (now.operation_id !== id) this.#say('client-code', id, `is called ${now.operation_id}`);
    if (old.node.tags?.[0] !== now.node.tags?.[0]) {
      // Generators make a class of each operation's first tag.
      this.#say('client-code', id, `tag ${old.node.tags?.[0]} → ${now.node.tags?.[0]}`);
    }
    const [wasInternal, isInternal] = [old, now].map(({ node }) => node['x-internal'] === true);
    if (!wasInternal && isInternal) this.#say('wire', id, 'no longer public');
    if (wasInternal && !isInternal) this.#say('additive', id, 'public');
    const [was, is] = [old, now].map(({ node }) => (node as Node).deprecated === true);
    if (was !== is) this.#say('additive', id, is ? 'deprecated' : 'no longer deprecated');
    const [large, still] = [old, now].map(({ node }) => node['x-large-body'] === true);
    if (large && !still) this.#say('wire', `${id} body`, 'has to be smaller');
    if (!large && still) this.#say('additive', `${id} body`, 'may be larger');
    this.#security(id, old, now);
    this.#parameters(id, old, now);
    this.#body(id, old.node.requestBody as Node, now.node.requestBody as Node);
    this.#responses(id, old.node.responses as Named<Node>, now.node.responses as Named<Node>);
    this.#words(id, old.node as Node, now.node as Node, ['operationId', 'tags', 'x-internal',
      'x-large-body', 'deprecated', 'security', 'parameters', 'requestBody', 'responses']);
    for (const key of ['callbacks', 'servers'] as const) {
      // An operation's own servers stand in the place of its path's.
      const [one, other] = [
        (old.node as Node)[key] ?? this.#before.paths[old.path]![key],
        (now.node as Node)[key] ?? this.#after.paths[now.path]![key],
      ];
      if (!same(one, other)) this.#say('wire', `${id} ${key}`, 'changed');
    }
  }

  /** Each way in that there was has to be one still: with what it needed, or with less. */
  #security(id: string, old: ListedOperation, now: ListedOperation): void {
    const before = waysIn(this.#before, old);
    const after = waysIn(this.#after, now);
    if (same(before.map(({ needs }) => needs).sort(), after.map(({ needs }) => needs).sort())) {
      return;
    }
    const said = (ways: WayIn[]) => ways.map(({ label }) => label).join(' or ');
    const lost = before.some((way) => !after.some(({ needs }) =>
      needs.every((need) => way.needs.includes(need))));
    this.#findings.add(lost ? 'wire' : 'additive', `security of ${id}`,
      `${said(before)} → ${said(after)}`);
  }

  #parameters(id: string, old: ListedOperation, now: ListedOperation): void {
    const variables = (path: string) => path.match(/\{[^}]*\}/g) ?? [];
    const keyed = (parameters: ParameterNode[], path: string) =>
      new Map(parameters.map((parameter) => [keyOf(parameter, variables(path)), parameter]));
    const before = keyed(old.parameters, old.path);
    const after = keyed(now.parameters, now.path);
    for (const [key, parameter] of before) {
      const other = after.get(key);
      const name = nameIn(this.#before, parameter);
      const place = name !== undefined && other && name === nameIn(this.#after, other)
        ? `parameter ${name}` : `${id} ${parameter.in} ${parameter.name}`;
      if (!other) this.#say('wire', place, 'no longer taken');
      else this.#parameter(place, parameter as ParameterNode & Node, other as never);
    }
    for (const [key, { in: where, name, required }] of after) {
      if (before.has(key)) continue;
      this.#say(required ? 'wire' : 'additive', `${id} ${where} ${name}`,
        required ? 'new, and required' : 'new');
    }
  }

  #parameter(place: string, old: ParameterNode & Node, now: ParameterNode & Node): void {
    if (old.in === 'path' && old.name !== now.name) {
      this.#say('client-code', place, `is called ${now.name}`);
    }
    if (!old.required && now.required) this.#say('wire', place, 'required');
    if (old.required && !now.required) this.#say('additive', place, 'optional');
    if (!same(written(old), written(now))) {
      this.#say('wire', place, `written as ${JSON.stringify(written(now))}`);
    }
    this.#schemas.compare(old.schema, now.schema, 'request', { base: place, pointer: '' });
    this.#words(place, old, now, ['name', 'in', 'required', 'schema', 'style', 'explode',
      'allowReserved', 'content']);
  }

  #body(id: string, old: Node | undefined, now: Node | undefined): void {
    const before = resolveReference(this.#before, old);
    const after = resolveReference(this.#after, now);
    if (!before || !after) {
      if (before) this.#say('wire', `${id} body`, 'no longer taken');
      if (after) {
        this.#say(after.required ? 'wire' : 'additive', `${id} body`,
          after.required ? 'new, and required' : 'new');
      }
      return;
    }
    if (!before.required && after.required) this.#say('wire', `${id} body`, 'required');
    if (before.required && !after.required) this.#say('additive', `${id} body`, 'optional');
    this.#content(`${id} body`, 'request', before.content, after.content);
    this.#words(`${id} body`, before, after, ['required', 'content']);
  }

  #responses(id: string, old: Named<Node> = {}, now: Named<Node> = {}): void {
    for (const [status, node] of Object.entries(old)) {
      const other = now[status];
      if (!other) {
        this.#say('wire', `${id} ${status}`, 'no longer declared');
        continue;
      }
      const place = node.$ref !== undefined && node.$ref === other.$ref
        ? `response ${node.$ref.split('/').at(-1)}` : `${id} ${status}`;
      const before = resolveReference(this.#before, node);
      const after = resolveReference(this.#after, other);
      this.#headers(place, before.headers as Named<Node>, after.headers as Named<Node>);
      this.#content(place, 'response', before.content, after.content);
      this.#words(place, before, after, ['headers', 'content', '$ref']);
    }
    for (const status of Object.keys(now).filter((each) => !(each in old))) {
      // Code that was generated before knows the successes, and takes anything else as an error.
      this.#say(status.startsWith('2') ? 'client-code' : 'additive', `${id} ${status}`, 'new');
    }
  }

  #headers(place: string, old: Named<Node> = {}, now: Named<Node> = {}): void {
    const others = new Map(Object.entries(now).map((entry) => [entry[0].toLowerCase(), entry]));
    for (const [name, node] of Object.entries(old)) {
      const at = `${place} header ${name}`;
      const [, other] = others.get(name.toLowerCase()) ?? [];
      others.delete(name.toLowerCase());
      if (!other) {
        this.#say('wire', at, 'no longer sent');
        continue;
      }
      const before = resolveReference(this.#before, node);
      const after = resolveReference(this.#after, other);
      if (before.required && !after.required) this.#say('wire', at, 'may be absent');
      if (!before.required && after.required) this.#say('additive', at, 'always there');
      const base = node.$ref !== undefined && node.$ref === other.$ref ? `header ${name}` : at;
      this.#schemas.compare(before.schema as SchemaNode, after.schema as SchemaNode, 'response',
        { base, pointer: '' });
      this.#words(base, before, after, ['required', 'schema']);
    }
    for (const [name] of others.values()) this.#say('additive', `${place} header ${name}`, 'new');
  }

  #content(place: string, direction: Direction, before: unknown, after: unknown): void {
    const old = (before ?? {}) as Named<Node>;
    const now = (after ?? {}) as Named<Node>;
    for (const [type, media] of Object.entries(old)) {
      const other = now[type];
      if (!other) {
        this.#say('wire', `${place} ${type}`,
          direction === 'request' ? 'no longer taken' : 'no longer sent');
        continue;
      }
      const at = `${place} ${type}`;
      this.#schemas.compare(media.schema as SchemaNode, other.schema as SchemaNode, direction,
        { base: at, pointer: '' });
      for (const key of ['encoding', 'itemSchema']) {
        if (!same(media[key], other[key])) this.#say('wire', `${at} ${key}`, 'changed');
      }
      this.#words(at, media, other, ['schema', 'encoding', 'itemSchema']);
    }
    for (const type of Object.keys(now).filter((each) => !(each in old))) {
      const empty = direction === 'response' && Object.keys(old).length === 0;
      this.#say(empty ? 'client-code' : 'additive', `${place} ${type}`, 'new');
    }
  }

  /** Everything of a node but what was compared already. */
  #words(place: string, old: Node, now: Node, compared: string[]): void {
    const left = (node: Node) => Object.fromEntries(Object.entries(node)
      .filter(([key, value]) => !compared.includes(key) && value !== false));
    if (!same(left(old), left(now))) this.#say('words', place, 'said in other words');
  }

  #document(): void {
    const bases = (document: OpenapiDocument) =>
      new Set(((document.servers ?? [{ url: '/' }]) as { url: string }[])
        .map(({ url }) => new URL(url, 'http://server').pathname.replace(/\/$/, '')));
    const [old, now] = [bases(this.#before), bases(this.#after)];
    for (const base of old) {
      if (!now.has(base)) this.#say('wire', 'servers', `${base} → ${[...now].join(', ')}`);
    }
    if (this.#before.openapi !== this.#after.openapi) {
      this.#say('client-code', 'openapi', `${this.#before.openapi} → ${this.#after.openapi}`);
    }
    this.#words('the document', this.#before, this.#after,
      ['openapi', 'paths', 'components', 'security']);
    if (!same(this.#before.webhooks, this.#after.webhooks)) {
      this.#say('wire', 'webhooks', 'changed');
    }
  }

  /** Names of components, which become names of types. */
  #components(): void {
    const kinds = new Set([this.#before, this.#after].flatMap(({ components }) =>
      Object.keys(components)));
    for (const kind of kinds) {
      const old = this.#before.components[kind] ?? {};
      const now = this.#after.components[kind] ?? {};
      if (kind === 'examples') {
        if (!same(old, now)) this.#say('words', 'examples', 'said in other words');
        continue;
      }
      for (const name of Object.keys(old).filter((each) => !(each in now))) {
        this.#say('client-code', `${kind} ${name}`, 'gone, or called something else');
      }
      for (const name of Object.keys(now).filter((each) => !(each in old))) {
        this.#say('additive', `${kind} ${name}`, 'new');
      }
    }
  }
}

interface WayIn { needs: string[]; label: string }

/** The credentials that an operation takes, by name and by what is sent. */
function waysIn(document: OpenapiDocument, { node }: ListedOperation): WayIn[] {
  const requirements = node.security ?? document.security ?? [];
  const list: Requirement[] = requirements.length === 0 ? [{}] : requirements;
  return list.map((requirement) => ({
    label: Object.keys(requirement).join(' and ') || 'nothing',
    needs: Object.entries(requirement).map(([name, scopes]) => {
      const { description, ...scheme } = document.components.securitySchemes?.[name] as Node;
      return canonicalJson([name, scheme, scopes]);
    }).sort(),
  }));
}

/** A header by its name in small letters, a path's variable by its place. */
function keyOf({ in: where, name }: ParameterNode, variables: string[]): string {
  if (where === 'path') return `path ${variables.indexOf(`{${name}}`)}`;
  return `${where} ${where === 'header' ? name.toLowerCase() : name}`;
}

/** The name of the component that a parameter is; undefined for one that is written out. */
function nameIn(document: OpenapiDocument, parameter: ParameterNode): string | undefined {
  return Object.entries(document.components.parameters ?? {})
    .find(([, node]) => node === parameter)?.[0];
}

/** How a parameter is written, with the defaults of OpenAPI filled in. */
function written(parameter: ParameterNode & Node): unknown {
  const form = parameter.in === 'query' || parameter.in === 'cookie';
  const style = parameter.style ?? (form ? 'form' : 'simple');
  return {
    style, explode: parameter.explode ?? style === 'form',
    allowReserved: parameter.allowReserved ?? false, content: parameter.content,
  };
}
