/** A defect is data: what it is called, what it does, who should notice it, and how it is made. */
import type { CheckTopic } from '../../../src/contract/check.ts';
import type { PublicId } from '../../../src/contract/calls.ts';

/** A request as the proxy passes it on; what a defect changes of it is what the target gets. */
export interface Asked {
  /** The operation; null for an address or a method that has none. */
  id: PublicId | null;
  method: string;
  /** Below the base address. */
  path: string;
  /** What stands in the path where the document has braces. */
  params: string[];
  query: URLSearchParams;
  headers: Record<string, string>;
  text: string;
  /** The JSON of `text`; undefined if it is none. */
  json: any;
}

export interface Answered {
  status: number;
  /** By name in lower case. */
  headers: Record<string, string>;
  /** JSON; undefined for a stream, and where there is none. */
  body: any;
  /** Sent in place of `body`. */
  text?: string;
  stream: boolean;
}

/** One event, as its block has it; what is undefined is left out. */
export interface Message {
  id: string | undefined;
  event: string | undefined;
  /** The envelope. */
  data: any;
}

/** What one proxy remembers, and how it asks on its own account. */
export interface World {
  memory: Map<string, any>;
  /** The same request as another key, or another one; always JSON. */
  ask(asked: Asked): Promise<Answered>;
  /** The request, with the key of the other workspace. */
  asOther(asked: Asked): Asked;
  /** Ends when the reader of a stream goes away. */
  onGone(asked: Asked, work: () => void): void;
}

export interface Defect {
  /** `<family>.<name>`. */
  name: string;
  does: string;
  /** Who should notice: topics, or checks by their names. */
  topics: (CheckTopic | `${CheckTopic}.${string}`)[];
  /** It shows only by something that does not come. */
  silent?: boolean;
  /** Changes the request, or answers in place of the target. */
  request?(asked: Asked, world: World): void | Answered | Promise<void | Answered>;
  /** Changes an answer; of a stream its head. */
  answer?(answered: Answered, asked: Asked, world: World): void | Promise<void>;
  /** What a stream begins with, in place of when to come again. */
  beginning?: string;
  /** Changes a stream: messages, or bare text. */
  stream?(
    messages: AsyncIterable<Message>, asked: Asked, world: World): AsyncIterable<Message | string>;
}

/** Thrown by a stream that breaks its connection. */
export class Cut extends Error {}

/** A block of a stream. */
export function block({ id, event, data }: Message): string {
  return (event === undefined ? '' : `event: ${event}\n`)
    + `data: ${JSON.stringify(data).replace(/[\u0085\u2028\u2029]/g, escaped)}\n`
    + (id === undefined ? '\n' : `id: ${id}\n\n`);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

export function never(): Promise<never> {
  return new Promise(() => {});
}
