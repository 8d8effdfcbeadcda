/**
 * What servers ask in return while they are called. Nobody sits here who could answer: a question
 * for a person is cancelled in the words of the protocol, and told to whoever made the call.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { isDeepStrictEqual } from 'node:util';
import { ProtocolError, ProtocolErrorCode, type Client } from '@modelcontextprotocol/client';
import { objectOf, textOf, type JsonObject } from '../../json.ts';
import type { Log } from '../../log.ts';
import { sanitizeJson, sanitizeText } from '../../sanitize.ts';
import type { Question } from '../action/outcome.ts';
import { beginningOf, type Scrub } from './beginningOf.ts';
import { isAnswerLost, isAskingOn } from './failure.ts';
import { objectsOf } from './result.ts';

/** What the client says that it takes: questions for a person, as a form or at an address. */
export const CAPABILITIES = { elicitation: { form: {}, url: {} } };
/** The same in the words of earlier versions, by which it is forms alone. */
export const EARLIER_CAPABILITIES = { elicitation: {} };

/**
 * Without sessions a server asks by its answer, and the call is made again with what came of that:
 * once to say that nobody answers, and once for a server that first only wants to be called again.
 */
export const INPUT_REQUIRED = { maxRounds: 2 };

/** A call under way, with what was asked meanwhile. */
export interface OpenCall {
  questions: Question[];
  scrub: Scrub;
}

const QUESTIONS_LIMIT = 10;
const MESSAGE_LIMIT_CHARS = 1_000;
const SCHEMA_LIMIT_CHARS = 4_096;
const ADDRESS_LIMIT_CHARS = 2_048;

/** Answers the questions of one session's server. */
export class Questions {
  /** The call in whose answer the question came, if the transport has one stream for each call. */
  readonly #current = new AsyncLocalStorage<OpenCall>();
  readonly #open = new Set<OpenCall>();
  /** What was logged: once for each session. */
  readonly #told = new Set<string>();
  readonly #log: Log;

  constructor(client: Client, log: Log) {
    this.#log = log;
    client.setRequestHandler('elicitation/create', ({ params }) => {
      this.#take(params);
      return { action: 'cancel' };
    });
    client.fallbackRequestHandler = ({ method }) => {
      // Sampling would have the server speak in our model's name, roots would tell it of our files.
      this.#tell(method, 'an MCP server asks for what is not given to servers');
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found');
    };
  }

  /** Makes a call, and answers it with what was asked meanwhile, without the call's secrets. */
  async during<T>(
    scrub: Scrub, work: () => Promise<T>): Promise<{ answer: T, questions: Question[] }> {
    const call: OpenCall = { questions: [], scrub };
    this.#open.add(call);
    try {
      return { answer: await this.#current.run(call, work), questions: call.questions };
    } catch (error) {
      if (isAskingOn(error) && call.questions.length > 0) {
        throw new QuestionsAsked(call.questions, 'It asks again.', true);
      }
      if (!(error instanceof ProtocolError)) throw error;
      const more = error.code === ProtocolErrorCode.UrlElicitationRequired
        ? objectsOf(objectOf(error.data).elicitations) : [];
      const questions = [...call.questions, ...more.map((asked) => toQuestion(asked, scrub))]
        .slice(0, QUESTIONS_LIMIT);
      throw questions.length === 0 ? error : new QuestionsAsked(questions,
        beginningOf(error.message, MESSAGE_LIMIT_CHARS, scrub), isAnswerLost(error));
    } finally {
      this.#open.delete(call);
    }
  }

  /**
   * Notes a question for the call that it belongs to. A process has one stream for all calls: there
   * that can be told only while a single call is under way.
   */
  #take(params: unknown): void {
    const [only, ...others] = this.#open;
    const call = this.#current.getStore() ?? (others.length === 0 ? only : undefined);
    if (call === undefined) {
      this.#tell('elicitation/create', 'an MCP server asks a person, and not for one call alone');
    } else if (call.questions.length < QUESTIONS_LIMIT) {
      const asked = toQuestion(params, call.scrub);
      if (!call.questions.some((one) => isDeepStrictEqual(one, asked))) call.questions.push(asked);
    }
  }

  #tell(method: string, words: string): void {
    if (this.#told.has(method) || this.#told.size >= QUESTIONS_LIMIT) return;
    this.#told.add(method);
    this.#log.warn({ method: sanitizeText(method.slice(0, 100)) }, words);
  }
}

/** The server asked what somebody has to answer first; `message` is what it said in the end. */
export class QuestionsAsked extends Error {
  override name = 'QuestionsAsked';
  readonly questions: Question[];
  /** It did not say that it had failed: it went on without an answer, asked again, or broke off. */
  readonly went_on: boolean;

  constructor(questions: Question[], message: string, went_on = false) {
    super(message);
    this.questions = questions;
    this.went_on = went_on;
  }
}

function toQuestion(params: unknown, scrub: Scrub): Question {
  const { mode, message, requestedSchema, url } = objectOf(params);
  const said = beginningOf(textOf(message) ?? '', MESSAGE_LIMIT_CHARS, scrub);
  return mode === 'url' ? { mode: 'url', message: said, url: addressOf(url) }
    : { mode: 'form', message: said, schema: schemaOf(requestedSchema, scrub) };
}

/** Null for what is no address of a page, or would show another host than it leads to. */
function addressOf(url: unknown): string | null {
  const parsed = typeof url === 'string' && url.length <= ADDRESS_LIMIT_CHARS
    ? URL.parse(url) : null;
  return parsed !== null && /^https?:$/.test(parsed.protocol)
    && parsed.username === '' && parsed.password === '' ? parsed.href : null;
}

/** Of a large one the names of what is asked for. */
function schemaOf(schema: unknown, scrub: Scrub): JsonObject | null {
  const given = objectOf(schema);
  if (JSON.stringify(given).length <= SCHEMA_LIMIT_CHARS) return sanitizeJson(given);
  const names = Object.keys(objectOf(given.properties)).join(', ');
  return { type: 'object',
    description: `Too long for here. It has: ${beginningOf(names, SCHEMA_LIMIT_CHARS, scrub)}` };
}
