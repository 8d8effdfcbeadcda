import type postgres from 'postgres';

type StatementParameter = postgres.SerializableParameter | postgres.JSONValue | Statement<any>;
type Rows = readonly (object | undefined)[];

/** Writes statements: sql`select … where id = ${id}`. */
export interface Statements {
  /** A statement, executed when it is first awaited; or a part of another, if it is put into it. */
  <T extends Rows = postgres.Row[]>(
    strings: TemplateStringsArray, ...values: StatementParameter[]): Statement<postgres.RowList<T>>;
  /** A text of one or several statements, sent unchanged: it must hold nothing from outside. */
  unsafe<T extends Rows = postgres.Row[]>(text: string): Statement<postgres.RowList<T>>;
}

/** Executes a statement on some connection. */
export type Execute = (statement: Statement<unknown>) => Promise<unknown>;

/**
 * A statement that knows no connection yet. postgres.js binds its statements to the instance they
 * are written with, and here each connection is an instance (see connection.ts).
 */
export class Statement<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Statement';
  readonly #strings: TemplateStringsArray | string;
  readonly #values: readonly StatementParameter[];
  readonly #execute: Execute;
  #result: Promise<T> | undefined;

  constructor(
    strings: TemplateStringsArray | string, values: readonly StatementParameter[],
    execute: Execute) {
    this.#strings = strings;
    this.#values = values;
    this.#execute = execute;
  }

  /** The same for all statements that are written in one place. */
  get kind(): TemplateStringsArray | string {
    return this.#strings;
  }

  /** The statement and its parts for one connection; not executed yet. */
  on(driver: postgres.Sql): postgres.PendingQuery<postgres.Row[]> {
    if (typeof this.#strings === 'string') return driver.unsafe(this.#strings);
    const values = this.#values.map((value) =>
      value instanceof Statement ? value.on(driver) : value);
    return driver(this.#strings, ...values as postgres.SerializableParameter[]);
  }

  then<A = T, B = never>(
    fulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<A | B> {
    this.#result ??= this.#execute(this) as Promise<T>;
    return this.#result.then(fulfilled, rejected);
  }

  catch<B = never>(
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(null, rejected);
  }

  finally(settled?: (() => void) | null): Promise<T> {
    return this.then().finally(settled);
  }
}

/** Statements that are executed by `execute`. */
export function statements(execute: Execute): Statements {
  const tag = (strings: TemplateStringsArray, ...values: StatementParameter[]) =>
    new Statement(strings, values, execute);
  return Object.assign(tag, {
    unsafe: (text: string) => new Statement(text, [], execute),
  }) as unknown as Statements;
}
