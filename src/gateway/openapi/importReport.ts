/** What became of a document: the operator reads this to see what is there and what is not. */
import type { SecurityAlternative, SecurityScheme } from './security.ts';

/** Why an operation became no action. */
export type SkipReason =
  /** The document marks it `x-internal`. */
  | 'internal'
  /** The operator leaves it out. */
  | 'hidden'
  /** OPTIONS and TRACE, which no application calls. */
  | 'method_not_supported'
  /** Something that it needs is referred to, and was not to be had. */
  | 'external_reference'
  /** It asks for credentials of a kind that is not served. */
  | 'credentials_not_served'
  /** There are more operations than are taken. */
  | 'too_many_operations';

export interface DocumentReport {
  title: string;
  operations: number;
  imported: number;
  skipped: { source_key: string, reason: SkipReason }[];
  /** Why operations are left out that could be called otherwise. */
  errors: string[];
  /** What was wrong, and what was done instead. */
  warnings: string[];
  security_schemes: SecurityScheme[];
  /** Which of them the actions ask for, and for how many each alternative suffices. */
  security_alternatives: SecurityAlternative[];
  /** The types of the schemes that can be used, each once. */
  auth_methods: string[];
  /** Base addresses, as readServers() gives them. */
  servers: string[];
}

const WARNINGS_LIMIT = 100;

/** Warnings in their order, each once; beyond a limit they are only counted. */
export class Warnings {
  readonly #messages = new Set<string>();
  #further = 0;

  add(message: string): void {
    if (this.#messages.has(message)) return;
    if (this.#messages.size < WARNINGS_LIMIT) this.#messages.add(message);
    else this.#further += 1;
  }

  list(): string[] {
    const rest = this.#further === 0 ? [] : [`and ${this.#further} more`];
    return [...this.#messages, ...rest];
  }
}
