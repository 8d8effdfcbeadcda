/**
 * Where operations are called, as far as a document says it: whether two of them can reach the same
 * thing. A document may write one address in many ways (`/tickets/`, `/Tickets`, `/x/../tickets`),
 * and with a parameter where another operation has a word. Who denied the one meant the address.
 */
import { withoutQueryTemplates } from './ownQuery.ts';

/** The address of an operation, taken apart. */
export interface OperationAddress {
  method: string;
  /** Empty: the integration's. */
  origin: string;
  /** In lower case and decoded, `{}` for each parameter. */
  segments: string[];
  /** The segment from which on a value may hold slashes; their number if none may. */
  open_at: number;
  /** By name, all that may stand in its query; what holds `{}` may be anything. */
  query: ReadonlyMap<string, readonly string[]>;
}

/** What is known of where an operation is called, besides its key. */
export interface Surroundings {
  /** Its own base address, or none. */
  own?: string | undefined;
  /** Parameters that are known to hold slashes, as they are written in the path. */
  open?: readonly string[];
  /** What its parameters may add to the query; of the name `{}`: any name. */
  adds?: readonly (readonly [name: string, value: string])[];
}

const OPEN_MARK = '\u0000';

/** `base`: the address of the integration, from which its own one is seen. */
export function addressAt(
  source_key: string, { own, base, open = [], adds = [] }:
  Surroundings & { base?: string | null | undefined } = {}): OperationAddress {
  const [, method = '', written = ''] = /^(\S+) (.*)$/s.exec(source_key) ?? [];
  const marked = open.reduce((path, name) => path.replaceAll(`{${name}}`, OPEN_MARK),
    written.replace(/\{([^{}]*)\}/g, (whole, inner) => (isOpen(inner) ? OPEN_MARK : whole)));
  const [beside = ''] = erasedKey(marked).split('#');
  const at = beside.indexOf('?');
  const [path, query] = at < 0 ? [beside, ''] : [beside.slice(0, at), beside.slice(at + 1)];
  const from = base == null ? null : URL.parse(base);
  const server = URL.parse(own ?? base ?? '', from?.href ?? 'https://unknown.invalid');
  const said = new URLSearchParams(`${server?.search ?? ''}&${query}`);
  const segments = segmentsOf(`${server?.pathname ?? ''}/${path}`);
  const first = segments.findIndex((segment) => segment.includes(OPEN_MARK));
  const is_here = own === undefined || server === null
    || server.origin === (from?.origin ?? 'https://unknown.invalid');
  return {
    method: method === 'HEAD' ? 'GET' : method,
    origin: is_here ? '' : server.origin,
    segments: segments.map((segment) => segment.replaceAll(OPEN_MARK, '{}')),
    open_at: first < 0 ? segments.length : first,
    query: new Map([...Map.groupBy([...said, ...adds], ([name]) => name.toLowerCase())]
      .map(([name, pairs]) => [name, pairs.map(([, value]) => value.toLowerCase())])),
  };
}

/** What a parameter may hold besides a segment: `{+path}`, `{path+}`, `{name=projects/*}`. */
function isOpen(inner: string): boolean {
  const [, shape = ''] = inner.split(/=(.*)/s);
  return inner.startsWith('+') || /\+\*?$/.test(inner) || shape.includes('/')
    || shape.includes('**');
}

/** The key without the names of the parameters, which change nothing about the address. */
export function erasedKey(source_key: string): string {
  return withoutQueryTemplates(source_key).replace(/\{[^{}]*\}/g, '{}');
}

/** The key as every server may understand it that is not strict about how paths are written. */
export function plainKey(source_key: string): string {
  const [method, ...rest] = erasedKey(source_key).split(' ');
  const [path = '', ...query] = rest.join(' ').split(/(?=[?#])/);
  return `${method} /${segmentsOf(path).join('/')}${query.join('')}`;
}

function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  // What nobody sees is not sent: a URL drops breaks of lines, and the importer marks.
  const sent = path.replace(/[\t\r\n]|\p{Cf}/gu, '');
  for (const whole of decoded(sent).toLowerCase().split(/[/\\]/)) {
    // Servers of Java leave out what is behind a semicolon.
    const end = whole.indexOf(';', whole.lastIndexOf(OPEN_MARK) + 1);
    const segment = end < 0 ? whole : whole.slice(0, end);
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments;
}

/** As servers decode it, and proxies before them once more; what is no text stays as it is. */
function decoded(path: string): string {
  return path.replace(/%(25)+/g, '%').replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run.replace(/%[0-7][0-9a-f]/gi, decodeURIComponent);
    }
  });
}

interface Node {
  /** By the segment that comes next; those with a parameter apart. */
  fixed: Map<string, Node>;
  templates: Map<string, Node>;
  entries: { address: OperationAddress, whose: string }[];
}

const emptyNode = (): Node => ({ fixed: new Map(), templates: new Map(), entries: [] });
/** A document can be made so that all have to be compared with all; half a second of that. */
const VISITS_LIMIT = 2_000_000;

/** Finds out whether an address can be that of an operation that was added. */
export class AddressIndex {
  readonly #root = emptyNode();
  readonly #visits_limit: number;
  readonly #names = new Set<string>();
  #visits = 0;

  constructor(visits_limit = VISITS_LIMIT) {
    this.#visits_limit = visits_limit;
  }

  /** Where these are, or were. `around`: what is known of one besides. */
  static of(
    all: readonly { name: string, source_key: string, former_keys?: readonly string[] }[],
    base?: string | null, around: (name: string) => Surroundings | undefined = () => undefined,
  ): AddressIndex {
    const index = new AddressIndex();
    for (const { name, source_key, former_keys = [] } of all) {
      const known = around(name);
      for (const key of [source_key, ...former_keys]) {
        index.add(addressAt(key, { ...known, base }), name);
      }
    }
    return index;
  }

  /** `whose`: the name of its action. */
  add(address: OperationAddress, whose: string): void {
    let node = this.#root;
    for (const segment of address.segments.slice(0, address.open_at)) {
      const children = segment.includes('{}') ? node.templates : node.fixed;
      let next = children.get(segment);
      if (next === undefined) children.set(segment, next = emptyNode());
      node = next;
    }
    node.entries.push({ address, whose });
    this.#names.add(whose);
  }

  /**
   * The name of an action that can be reached at `address`; `but`: not this one. After too many
   * comparisons it is any: in doubt it can.
   */
  reachedAt(address: OperationAddress, but: string): string | undefined {
    const waiting: [node: Node, depth: number][] = [[this.#root, 0]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [node, depth] = next;
      this.#visits += 1 + node.entries.length;
      if (this.#visits > this.#visits_limit) return this.#names.values().find((one) => one !== but);
      const entry = node.entries.find(({ address: other, whose }) =>
        whose !== but && meet(address, other));
      if (entry !== undefined) return entry.whose;
      const { segments, open_at } = address;
      const segment = depth < open_at ? segments[depth]
        : open_at < segments.length ? '{}' : undefined;
      for (const child of childrenOf(node, segment)) waiting.push([child, depth + 1]);
    }
    return undefined;
  }
}

/** Those that a segment can lead to; none leads nowhere. */
function childrenOf({ fixed, templates }: Node, segment: string | undefined): Node[] {
  if (segment === undefined) return [];
  if (segment.includes('{}')) return [...fixed.values(), ...templates.values()];
  return [fixed.get(segment) ?? [], ...templates.values()].flat();
}

/** Whether a request can be one of both. */
function meet(one: OperationAddress, other: OperationAddress): boolean {
  if (one.method !== other.method || one.origin !== other.origin) return false;
  const shared = Math.min(one.open_at, other.open_at);
  const [a, b] = [one.segments, other.segments];
  const [is_open, is_other_open] = [one.open_at < a.length, other.open_at < b.length];
  const is_possible = is_open === is_other_open ? is_open || a.length === b.length
    : (is_open ? b : a).length > shared;
  if (!is_possible) return false;
  for (let at = 0; at < shared; at++) if (!fit(a[at]!, b[at]!)) return false;
  if (one.query.has('{}') || other.query.has('{}')) return true;
  // Of several with one name, one service takes the first and another the last.
  return [...one.query].every(([name, values]) => {
    const others = other.query.get(name) ?? values;
    return values.some((value) => others.includes(value))
      || [...values, ...others].some((value) => value.includes('{}'));
  });
}

/** Whether two segments can be the same. In doubt they can. */
function fit(one: string, other: string): boolean {
  if (!one.includes('{}') && !other.includes('{}')) return one === other;
  const [[a, b], [c, d]] = [endsOf(one), endsOf(other)];
  return (a.startsWith(c) || c.startsWith(a)) && (b.endsWith(d) || d.endsWith(b));
}

function endsOf(segment: string): [start: string, end: string] {
  const parts = segment.split('{}');
  return [parts[0]!, parts.at(-1)!];
}
