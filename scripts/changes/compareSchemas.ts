/**
 * Compares two schemas in one direction. What is sent to the service may be widened and not
 * narrowed; what it sends may be narrowed and not widened, but its members and values are promises
 * too. A keyword that has no rule here counts as broken when it changes, so that nothing passes
 * because nobody thought of it.
 */
import type { OpenapiDocument, SchemaNode } from '../document.ts';
import type { ChangeClass, Findings } from './findings.ts';
import { same, shapeOf, type Shape } from './shape.ts';
import { pairAlternatives } from './unions.ts';

export type Direction = 'request' | 'response';

/** Where a schema is: `base` is an operation's part or a component, `pointer` leads on from it. */
export interface Place { base: string; pointer: string }

/** Keywords that bound from below and from above; without one there is no bound. */
const LOWER = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);
const UPPER = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);
/** Keywords that can only narrow; another value is another set. */
const NARROWING = new Set(['pattern', 'multipleOf', 'uniqueItems']);

/** Formats that admit every number. */
const WIDE = new Set<unknown>(['int64', 'double']);

export class SchemaComparison {
  readonly #before: OpenapiDocument;
  readonly #after: OpenapiDocument;
  readonly #findings: Findings;
  readonly #touched: Set<string>;
  #visited = new Set<string>();

  constructor(before: OpenapiDocument, after: OpenapiDocument, findings: Findings) {
    this.#before = before;
    this.#after = after;
    this.#findings = findings;
    this.#touched = touchedComponents(before, after);
  }

  /** Components are looked at once for each operation, so that each learns what touches it. */
  beginOperation(): void {
    this.#visited = new Set();
  }

  /** Reports what differs. A schema that is missing on a side admits anything there. */
  compare(
    before: SchemaNode | undefined, after: SchemaNode | undefined, direction: Direction,
    place: Place): void {
    const old = shapeOf(this.#before, before ?? {});
    const now = shapeOf(this.#after, after ?? {});
    const use = new Pair(old, now, direction, place, this.#findings, this);
    use.compareUse();
    const named = old.plain && now.plain;
    if (old.name !== null && now.name !== null) {
      if (named && old.name === now.name && !this.#touched.has(old.name)) return;
      const key = named ? `${direction} ${old.name} ${now.name}`
        : `${direction} ${JSON.stringify([before, after])}`;
      if (this.#visited.has(key)) return;
      this.#visited.add(key);
    }
    if (!named || old.name === null || old.name !== now.name) use.compare();
    else use.at({ base: `${direction} ${old.name}`, pointer: '' }).compare();
  }

  shapeBefore(node: SchemaNode): Shape { return shapeOf(this.#before, node); }
  shapeAfter(node: SchemaNode): Shape { return shapeOf(this.#after, node); }

  /** Whether both documents have a component of this name. */
  isKept(name: string): boolean {
    return name in this.#before.components.schemas && name in this.#after.components.schemas;
  }
}

/** Two shapes at one place. */
class Pair {
  readonly #old: Shape;
  readonly #now: Shape;
  readonly #direction: Direction;
  readonly #place: Place;
  readonly #findings: Findings;
  readonly #schemas: SchemaComparison;
  readonly #narrowed: ChangeClass;
  readonly #widened: ChangeClass;

  constructor(old: Shape, now: Shape, direction: Direction, place: Place, findings: Findings,
    schemas: SchemaComparison) {
    this.#old = old;
    this.#now = now;
    this.#direction = direction;
    this.#place = place;
    this.#findings = findings;
    this.#schemas = schemas;
    this.#narrowed = direction === 'request' ? 'wire' : 'additive';
    this.#widened = direction === 'request' ? 'additive' : 'wire';
  }

  /** The same shapes, reported of another place. */
  at(place: Place): Pair {
    return new Pair(this.#old, this.#now, this.#direction, place, this.#findings, this.#schemas);
  }

  /** What may differ from one use of a component to the next: which it is, and null. */
  compareUse(): void {
    this.#name();
    const [old, now] = [this.#old.nullable, this.#now.nullable];
    if (old && !now) this.#say(this.#narrowed, 'no longer null');
    if (!old && now) this.#say(this.#widened, 'may be null');
  }

  /** All the rest. */
  compare(): void {
    if (this.#old.union !== null || this.#now.union !== null) this.#union();
    if ((this.#old.union === null) !== (this.#now.union === null)) return;
    this.#types();
    this.#values();
    this.#properties();
    this.#additional();
    this.#nested('items', this.#old.items, this.#now.items);
    this.#keywords();
    if (!same(this.#old.words, this.#now.words)) this.#say('words', 'said in other words');
  }

  #say(kind: ChangeClass, what: string, member = ''): void {
    const { base, pointer } = this.#place;
    this.#findings.add(kind, `${base} ${pointer}${member}`.trim(), what);
  }

  #below(member: string): Place {
    return { base: this.#place.base, pointer: this.#place.pointer + member };
  }

  /** Generated code names a type after its component; that of one with a part in it counts. */
  #name(): void {
    const [old, now] = [this.#old, this.#now];
    if (old.name === now.name || !isType(old) || !isType(now)) return;
    // A component that is gone is reported once, with the components.
    if (old.name !== null && !this.#schemas.isKept(old.name)) return;
    this.#say('client-code', `${old.name ?? 'written out'} → ${now.name ?? 'written out'}`);
  }

  #types(): void {
    const [old, now] = [this.#old, this.#now];
    const narrowed = !admits(now.types, old.types);
    const widened = !admits(old.types, now.types);
    if (!narrowed && !widened) return;
    const what = `${old.types?.join('|') ?? 'anything'} → ${now.types?.join('|') ?? 'anything'}`;
    const kind = (narrowed ? this.#narrowed : 'additive') === 'wire'
      || (widened ? this.#widened : 'additive') === 'wire' ? 'wire' : 'client-code';
    this.#say(kind, `type ${what}`);
  }

  #values(): void {
    const [old, now] = [this.#old.values, this.#now.values];
    const taken = this.#direction === 'request';
    if (old && !now) {
      this.#say(taken || !this.#old.closed ? 'additive' : 'client-code',
        `any value, not only ${old.join(', ')}`);
    } else if (!old && now) {
      if (!this.#now.closed) this.#say('additive', `known values ${now.join(', ')}`);
      else this.#say(taken ? 'wire' : 'client-code', `only the values ${now.join(', ')}`);
    } else if (old && now) {
      const added = now.filter((value) => !old.includes(value));
      const removed = old.filter((value) => !now.includes(value));
      if (removed.length > 0) {
        this.#say('wire', `no longer ${removed.join(', ')}`);
      }
      if (added.length > 0) {
        const known = taken || this.#old.grows;
        this.#say(known ? 'additive' : 'client-code', `also ${added.join(', ')}`);
      }
      if (this.#old.closed && !this.#now.closed) {
        this.#say(taken ? 'additive' : 'client-code', 'any value, these are the known ones');
      }
      if (!this.#old.closed && this.#now.closed) {
        this.#say(taken ? 'wire' : 'client-code', 'no value but these');
      }
      if (!this.#old.grows && this.#now.grows) this.#say('additive', 'may grow');
      if (this.#old.grows && !this.#now.grows) this.#say('additive', 'does not grow any more');
    }
  }

  #properties(): void {
    const [old, now] = [this.#old, this.#now];
    const taken = this.#direction === 'request';
    for (const name of new Set([...old.properties.keys(), ...now.properties.keys(),
      ...old.required, ...now.required])) {
      const [before, after] = [old.properties.get(name), now.properties.get(name)];
      const member = `/${name}`;
      if (before && !after) {
        this.#say('wire', taken ? 'no longer taken' : 'no longer sent', member);
        continue;
      }
      if (!before && after) this.#added(name);
      else this.#required(name);
      if (before && after) {
        this.#schemas.compare(before, after, this.#direction, this.#below(member));
      }
    }
  }

  #added(name: string): void {
    const taken = this.#direction === 'request';
    if (taken && this.#now.required.has(name)) {
      this.#say('wire', 'new, and required', `/${name}`);
    } else {
      // Who was told that there is nothing else refuses what he does not know.
      this.#say(taken || this.#old.additional !== false ? 'additive' : 'client-code',
        'new', `/${name}`);
    }
  }

  #required(name: string): void {
    const [before, after] = [this.#old.required.has(name), this.#now.required.has(name)];
    const taken = this.#direction === 'request';
    const member = `/${name}`;
    if (!before && after) this.#say(this.#narrowed, taken ? 'required' : 'always there', member);
    if (before && !after) this.#say(this.#widened, taken ? 'optional' : 'may be absent', member);
  }

  #additional(): void {
    const [old, now] = [this.#old.additional, this.#now.additional];
    if (typeof old === 'object' && typeof now === 'object') {
      this.#schemas.compare(old, now, this.#direction, this.#below('/*'));
    } else if (!same(old, now)) {
      const narrowed = old === true || now === false;
      const open = this.#direction === 'request' ? 'additive' : 'client-code';
      const said = (value: unknown) => typeof value === 'object' ? 'a schema' : String(value);
      this.#say(narrowed ? this.#narrowed : open,
        `additionalProperties ${said(old)} → ${said(now)}`);
    }
  }

  #nested(keyword: string, old: unknown, now: unknown): void {
    if (old === undefined && now === undefined) return;
    this.#schemas.compare(old as SchemaNode | undefined, now as SchemaNode | undefined,
      this.#direction, this.#below(`/${keyword}`));
  }

  #keywords(): void {
    const [old, now] = [this.#old.keywords, this.#now.keywords];
    for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
      if (key === 'propertyNames') {
        this.#nested(key, old[key], now[key]);
      } else if (!same(old[key], now[key])) {
        const said = (value: unknown) => value === undefined ? 'none' : JSON.stringify(value);
        this.#say(this.#keyword(key, old[key], now[key]),
          `${key} ${said(old[key])} → ${said(now[key])}`);
      }
    }
    this.#discriminator();
  }

  #keyword(key: string, old: unknown, now: unknown): ChangeClass {
    if (key === 'title') return isType(this.#old) ? 'client-code' : 'words';
    if (key === 'deprecated') return 'additive';
    if (key === 'default') return this.#direction === 'request' ? 'wire' : 'client-code';
    // Whole numbers and fractions of any size: that changes a type in code, and no value.
    if (key === 'format' && [old, now].every((value) => value === undefined || WIDE.has(value))) {
      return 'client-code';
    }
    const bounds = LOWER.has(key) ? 1 : UPPER.has(key) ? -1 : 0;
    if (bounds !== 0 || NARROWING.has(key) || key === 'format') {
      if (old === undefined || now === undefined || bounds !== 0) {
        const none = -Infinity * bounds;
        const narrowed = bounds === 0 ? old === undefined
          : Number(now ?? none) * bounds > Number(old ?? none) * bounds;
        const kind = narrowed ? this.#narrowed : this.#widened;
        // Generators make a type of their own of a date or an address.
        return kind === 'additive' && key === 'format' ? 'client-code' : kind;
      }
    }
    return 'wire';
  }

  #discriminator(): void {
    const [old, now] = [this.#old.discriminator, this.#now.discriminator];
    if (!old || !now) {
      if (old || now) {
        this.#say('client-code', old ? 'no discriminator' : `discriminator ${now!.propertyName}`);
      }
      return;
    }
    if (old.propertyName !== now.propertyName) {
      this.#say('wire', `discriminator ${old.propertyName} → ${now.propertyName}`);
    }
    for (const [value, target] of Object.entries(old.mapping ?? {})) {
      const other = now.mapping?.[value];
      const name = target.split('/').at(-1)!;
      if (other === undefined) this.#say('wire', `${value} names no alternative any more`);
      else if (other !== target && this.#schemas.isKept(name)) {
        this.#say('wire', `${value} names ${other.split('/').at(-1)}, not ${name}`);
      }
    }
  }

  #union(): void {
    // What holds beside the alternatives is compared with them if the other side has none.
    const both = this.#old.union !== null && this.#now.union !== null;
    const side = ({ outer, union, ...shape }: Shape, read: (node: SchemaNode) => Shape) =>
      union?.map((node) => ({ node, shape: both || !outer ? read(node)
        : { ...read({ allOf: [node, outer] }), name: read(node).name } }))
        ?? [{ node: null, shape: { ...shape, union, outer } }];
    const tag = this.#old.discriminator?.propertyName ?? this.#now.discriminator?.propertyName;
    const { pairs, removed, added } = pairAlternatives(
      side(this.#old, (node) => this.#schemas.shapeBefore(node)),
      side(this.#now, (node) => this.#schemas.shapeAfter(node)), tag);
    for (const label of removed) this.#say('wire', `no longer ${label}`);
    for (const label of added) {
      this.#say(this.#direction === 'request' || this.#old.grows ? 'additive' : 'client-code',
        `also ${label}`);
    }
    for (const { old, now, label } of pairs) {
      const place = this.#below(`/${label}`);
      if (old.node && now.node) {
        this.#schemas.compare(old.node, now.node, this.#direction, place);
      } else {
        new Pair({ ...old.shape, union: null }, { ...now.shape, union: null }, this.#direction,
          place, this.#findings, this.#schemas).compare();
      }
    }
  }
}

/** The schemas that are not the same in both, and those that lead to one. */
function touchedComponents(before: OpenapiDocument, after: OpenapiDocument): Set<string> {
  const [old, now] = [before.components.schemas, after.components.schemas];
  const names = Object.keys(old);
  const touched = new Set(names.filter((name) => !same(old[name], now[name])));
  const leads = new Map(names.map((name) => [name, [...JSON.stringify(old[name])
    .matchAll(/#\/components\/schemas\/([^"/]+)/g)].map(([, target]) => target!)]));
  for (let size = -1; size < touched.size;) {
    size = touched.size;
    for (const [name, targets] of leads) {
      if (targets.some((target) => touched.has(target))) touched.add(name);
    }
  }
  return touched;
}

/** Whether everything of `inner` is in `outer`; null stands for any type. */
function admits(outer: string[] | null, inner: string[] | null): boolean {
  if (outer === null) return true;
  return inner !== null && inner.every((type) =>
    outer.includes(type) || (type === 'integer' && outer.includes('number')));
}

/** Whether generators make a type of its own of it. */
function isType({ properties, values, closed, union }: Shape): boolean {
  return properties.size > 0 || (values !== null && closed && values.length > 1) || union !== null;
}
