import { Argument, InvalidArgumentError, Option } from 'commander';

/** An argument or a flag of a command. */
export interface Input<T> {
  as: Argument | Option;
  /** For the compiler alone: what the command gets of it. */
  gives?: (value: T) => void;
}

/** Inputs in the order of --help. Each has the name that it has on the wire, where it is sent. */
export type Inputs = Record<string, Input<any>>;

/** What a command gets of its inputs; an input that was left out is not in it. */
export type InputValues<I extends Inputs> = {
  [K in keyof I]: I[K] extends Input<infer T> ? T : never;
};

type Parse<T> = (text: string) => T;

// NoInfer: what an input gives follows from its parser and choices, not from where it stands.

/** An argument: `<id>`; `[id]` if it may be left out, `<words...>` if there may be several. */
export function argument<T = string>(
  name: string, says: string, parse?: Parse<T>): Input<NoInfer<T>> {
  const as = new Argument(name, says);
  return { as: parse ? as.argParser(parse) : as };
}

/** An argument that is one of these values. */
export function oneOf<const T extends string>(
  name: string, says: string, choices: readonly T[]): Input<NoInfer<T>> {
  return { as: new Argument(name, says).choices(choices) };
}

/** A flag with a value. */
export function flag<T = string>(
  flags: string, says: string, parse?: Parse<T>): Input<NoInfer<T> | undefined> {
  const as = new Option(flags, says);
  return { as: parse ? as.argParser(parse) : as };
}

/** A flag without a value. */
export function toggle(flags: string, says: string): Input<boolean | undefined> {
  return { as: new Option(flags, says) };
}

/** A flag with one of these values. */
export function choice<const T extends string>(
  flags: string, says: string, choices: readonly T[]): Input<NoInfer<T> | undefined> {
  return { as: new Option(flags, says).choices(choices) };
}

/** A flag that may be repeated. */
export function repeated<T = string>(
  flags: string, says: string, parse?: Parse<T>): Input<NoInfer<T>[] | undefined> {
  return { as: new Option(flags, says).argParser((text: string, before: unknown[] = []) =>
    [...before, parse ? parse(text) : text]) };
}

/** A flag that must be given. */
export function needed<T>({ as }: Input<T | undefined>): Input<NoInfer<T>> {
  return { as: (as as Option).makeOptionMandatory() };
}

/** A flag with a value of its own if it is left out. */
export function withDefault<T>({ as }: Input<T | undefined>, value: NoInfer<T>): Input<NoInfer<T>> {
  return { as: as.default(value) };
}

/** The words of a command line that give these values again. */
export function givenAgain<I extends Inputs>(inputs: I, values: Partial<InputValues<I>>): string[] {
  return Object.entries<Input<unknown>>(inputs).flatMap(([key, { as }]) => {
    const given = [values[key] ?? []].flat().map(String);
    if (as instanceof Argument) return given;
    return given.flatMap((value) => as.isBoolean() ? [as.long!] : [as.long!, value]);
  });
}

/** A parser for a whole number within bounds. */
export function wholeNumber(min: number, max: number): Parse<number> {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

/** A parser for a point in time; gives it as ISO 8601 in UTC. */
export function pointInTime(text: string): string {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0];
  const time_ms = day === undefined ? NaN : Date.parse(text);
  // Date takes the 31st of any month, for the first days of the next one.
  const is_day = new Date(`${day}T00:00Z`).getUTCDate() === Number(day?.slice(-2));
  if (is_day && !Number.isNaN(time_ms)) return new Date(time_ms).toISOString();
  throw new InvalidArgumentError('It must be a time such as 2027-01-31 or 2027-01-31T12:00:00Z.');
}

/** A parser that says in words what the service would say with a regular expression. */
export function like(pattern: RegExp, says: string): Parse<string> {
  return (text) => {
    if (pattern.test(text)) return text;
    throw new InvalidArgumentError(says);
  };
}
