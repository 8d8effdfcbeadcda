/**
 * A document whose author changes it step by step, honestly or not, and what its operations really
 * do: whatever they are called, an address leads to one thing, and stays with it. Its author lies
 * about one word at a time: an operation that has both another address and another id, while the
 * first one stays, is a new one for everybody.
 */
export interface Operation {
  /** What it really does. */
  thing: string;
  method: string;
  path: string;
  id: string;
  tag: string;
  internal: boolean;
}

export interface Step {
  kind: Kind;
  a: number;
  b: number;
}

const THINGS = ['tickets', 'secrets', 'notes', 'users'].flatMap((word): Operation[] => [
  { thing: `list ${word}`, method: 'get', path: `/${word}` },
  { thing: `make ${word}`, method: 'post', path: `/${word}` },
  { thing: `show ${word}`, method: 'get', path: `/${word}/by/{id}` },
  { thing: `drop ${word}`, method: 'delete', path: `/${word}/by/{id}` },
].map((one) => ({ ...one, id: one.thing.replace(' ', '_'), tag: word, internal: false })));

/** The same address in other words. */
const WRITINGS: readonly ((path: string) => string)[] = [
  (path) => `${path}/`, (path) => path.replace(/\w/, (letter) => letter.toUpperCase()),
  (path) => `/x/..${path}`, (path) => `/${path}`, (path) => path.replace(/\{\w+\}/, '{other}'),
  (path) => `${path}?for=good`, (path) => path.replace('/by/{', '/{by}/{'),
  (path) => path.replace('e', '%65'),
];

type Change = (document: EvolvingDocument, step: Step) => void;

const CHANGES = {
  rename_parameter: (document, { a, b }) => document.change(a, (one) => {
    one.path = one.path.replace(/\{\w+\}/, `{p${b}}`);
  }),
  swap_ids: (document, { a, b }) => {
    const [one, other] = [document.at(a), document.at(b)];
    if (!document.free(one, other)) return;
    [one!.id, other!.id] = [other!.id, one!.id];
  },
  share_id: (document, { a, b }) => {
    const [one, other] = [document.at(a), document.at(b)];
    if (document.free(one) && other) one!.id = other.id;
  },
  move: (document, { a, b }) => document.move(a, (one) => { one.path = `/v${b % 3}${one.path}`; }),
  change_method: (document, { a, b }) => document.move(a, (one) => {
    one.method = ['get', 'post', 'put', 'delete'][b % 4]!;
    one.path = `/m${b % 5}${one.path}`;
  }),
  write_otherwise: (document, { a, b }) => document.change(a, (one) => {
    one.path = WRITINGS[b % WRITINGS.length]!(one.path);
  }),
  write_twice: (document, { a, b }) => {
    const one = document.at(a);
    if (one) document.add(one.thing, one.method, WRITINGS[b % WRITINGS.length]!(one.path));
  },
  remove: (document, { a }) => document.remove(a),
  come_back: (document, { a, b }) => {
    const gone = document.gone[a % document.gone.length];
    if (gone) document.add(gone.thing, gone.method, `${b % 2 ? '/again' : ''}${gone.path}`);
  },
  come_back_as_it_was: (document, { a }) => {
    const [gone] = document.gone.splice(a % document.gone.length, 1);
    if (gone) document.put(gone);
  },
  take_former_address: (document, { a }) => {
    const former = document.former[a % document.former.length];
    if (former) document.add(former.thing, former.method, former.path);
  },
  take_id_of_gone: (document, { a, b }) => {
    const [gone, other] = [document.gone[a % document.gone.length], document.at(b)];
    if (gone && document.free(other)) Object.assign(other!, { id: gone.id, tag: gone.tag });
  },
  retag: (document, { a, b }) => document.change(a, (one) => { one.tag = `tag${b % 3}`; }),
  hide: (document, { a }) => document.change(a, (one) => { one.internal = !one.internal; }),
} satisfies Record<string, Change>;

type Kind = keyof typeof CHANGES;
export const KINDS = Object.keys(CHANGES) as Kind[];

export class EvolvingDocument {
  operations: Operation[] = structuredClone(THINGS.slice(0, 12));
  readonly gone: Operation[] = [];
  /** As operations were before they moved. */
  readonly former: Operation[] = [];
  readonly #things = new Map<string, string>();
  /** Those that this step has changed already. */
  readonly #changed = new Set<Operation>();
  #made = 0;

  constructor() {
    for (const one of this.operations) this.#learn(one);
  }

  apply(steps: readonly Step[]): void {
    this.#changed.clear();
    for (const step of steps) (CHANGES[step.kind] as Change)(this, step);
  }

  /** The thing that a request reaches. */
  reached(method: string, target: string): string | undefined {
    return this.#things.get(addressOf(method, target));
  }

  json(): object {
    const paths: Record<string, Record<string, unknown>> = {};
    for (const { method, path, id, tag, internal } of this.operations) {
      const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => (
        { name, in: 'path', required: true, schema: { type: 'string' } }));
      (paths[path] ??= {})[method] = { operationId: id, tags: [tag], parameters, responses: {},
        ...(internal && { 'x-internal': true }) };
    }
    return { openapi: '3.1.0', info: { title: 'Evolving', version: '1' }, paths };
  }

  at(place: number): Operation | undefined {
    return this.operations[place % this.operations.length];
  }

  free(...all: (Operation | undefined)[]): boolean {
    if (all.some((one) => one === undefined || this.#changed.has(one))) return false;
    for (const one of all) this.#changed.add(one!);
    return true;
  }

  change(place: number, change: (one: Operation) => void): void {
    const one = this.at(place);
    if (!this.free(one)) return;
    const next = { ...one! };
    change(next);
    if (!this.#isTaken(next)) Object.assign(one!, next);
  }

  move(place: number, change: (one: Operation) => void): void {
    const before = { ...this.at(place)! };
    this.change(place, (one) => {
      change(one);
      if (this.#things.has(addressOf(one.method, one.path))) Object.assign(one, before);
      else this.former.push(before);
      this.#learn(one);
    });
  }

  add(thing: string, method: string, path: string): void {
    const id = `new${this.#made += 1}`;
    this.put({ thing, method, path, id, tag: id, internal: false });
  }

  put(one: Operation): void {
    const known = this.#things.get(addressOf(one.method, one.path));
    if (this.#isTaken(one) || (known !== undefined && known !== one.thing)) return;
    this.#learn(one);
    this.operations.push(one);
    this.#changed.add(one);
  }

  remove(place: number): void {
    if (this.operations.length < 4 || !this.free(this.at(place))) return;
    this.gone.push(...this.operations.splice(place % this.operations.length, 1));
  }

  #isTaken({ method, path }: Operation): boolean {
    return this.operations.some((one) => one.method === method && one.path === path);
  }

  #learn({ thing, method, path }: Operation): void {
    this.#things.set(addressOf(method, path), thing);
  }
}

/** What every parameter is given. */
export const VALUE = 'by';

/** As a lenient server understands it; its words and values are told apart by nobody. */
function addressOf(method: string, path: string): string {
  const [bare = ''] = path.replace(/\{\w+\}/g, VALUE).split(/[?#]/);
  const { pathname } = new URL(`http://a${decodeURIComponent(bare).replace(/\/+/g, '/')}`);
  return `${method} ${pathname.toLowerCase().replace(/\/$/, '')}`.toLowerCase();
}
