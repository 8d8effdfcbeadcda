/**
 * Servers of chat completions differ in what they take: thinking sent back is needed by DeepSeek's
 * and Moonshot's, and refused by Groq's, Cerebras' and Mistral's. Nobody says beforehand which
 * server is at an address, and a gateway has many behind one. So all is sent at first; what is
 * refused by its name is left out, of that request, which has cost nothing, and of later ones.
 */
import { LRUCache } from 'lru-cache';
import { isObject, objectOf, parseJson, type JsonObject } from '../json.ts';
import { usualChunk } from './chatChunks.ts';
import { withEvents } from './eventStream.ts';
import { untimedFetch } from './untimedFetch.ts';
import { streamedAnswer } from './wholeAnswer.ts';

interface Peculiarity {
  /** Whether a server that said so takes no body with this in it. */
  isRefused(said: string): boolean;
  /** The body without it; the same object if it was not there. */
  without(body: JsonObject): JsonObject;
}

const UNWANTED =
  /unsupported|not (supported|permitted|allowed)|forbidden|unrecognized|unknown|unexpected/i;

const PECULIARITIES: readonly Peculiarity[] = [
  {
    isRefused: (said) => /\breasoning_content\b/.test(said) && UNWANTED.test(said),
    without: (body) => {
      const messages = messagesOf(body);
      return messages.some((message) => 'reasoning_content' in message)
        ? { ...body, messages: messages.map(({ reasoning_content: _, ...message }) => message) }
        : body;
    },
  },
  {
    isRefused: (said) => /\bstream_options\b/.test(said) && UNWANTED.test(said),
    without: (body) => without(body, 'stream_options'),
  },
  {
    // The models of OpenAI that think, at Azure or behind a gateway.
    isRefused: (said) => /\buse ['"`]?max_completion_tokens/i.test(said),
    without: (body) => 'max_tokens' in body
      ? { ...without(body, 'max_tokens'), max_completion_tokens: body.max_tokens } : body,
  },
];

/** Statuses for a body that is not as the server wants it. */
const REFUSALS: ReadonlySet<number> = new Set([400, 422]);
/** Models whose refusals are remembered. */
const MODELS = 1_000;

/** How the models of one address are asked. */
export class ChatDialects {
  readonly #refused = new LRUCache<string, ReadonlySet<Peculiarity>>({ max: MODELS });

  /** A body for this model, as its server is known to take it. */
  bodyFor(id: string, body: JsonObject): JsonObject {
    let adapted: JsonObject = { ...body, messages: messagesOf(body).map(withShortIds) };
    for (const peculiarity of this.#refused.get(id) ?? []) adapted = peculiarity.without(adapted);
    return adapted;
  }

  /** `fetch` that asks again, without what this model's server refuses, and gets a stream. */
  fetchFor(id: string): typeof fetch {
    return async (input, init) => {
      for (let request = init; ;) {
        const response = await untimedFetch(input, request);
        if (!REFUSALS.has(response.status)) {
          return await withEvents(await streamedAnswer(response), usualChunk);
        }
        const said = await response.text();
        const body = objectOf(parseJson(String(request?.body)));
        const rest = this.#learn(id, said, body);
        // Nothing to leave out. What was read cannot be read again.
        if (rest === body) return new Response(said, response);
        request = { ...request, body: JSON.stringify(rest) };
      }
    };
  }

  /** The body without what was refused now; the same object if that is none of it. */
  #learn(id: string, said: string, body: JsonObject): JsonObject {
    let rest = body;
    for (const peculiarity of PECULIARITIES.filter(({ isRefused }) => isRefused(said))) {
      const before = rest;
      rest = peculiarity.without(before);
      if (rest !== before) {
        this.#refused.set(id, new Set([...this.#refused.get(id) ?? [], peculiarity]));
      }
    }
    return rest;
  }
}

function messagesOf({ messages }: JsonObject): JsonObject[] {
  return Array.isArray(messages) ? messages.filter(isObject) : [];
}

function without(body: JsonObject, name: string): JsonObject {
  const { [name]: left, ...rest } = body;
  return left === undefined ? body : rest;
}

/** Models of Mistral, wherever they run, take ids of nine letters and digits alone. */
const ID_CHARACTERS = 9;

function withShortIds(message: JsonObject): JsonObject {
  const { tool_calls, tool_call_id } = message;
  if (typeof tool_call_id === 'string') return { ...message, tool_call_id: shortId(tool_call_id) };
  if (!Array.isArray(tool_calls)) return message;
  return {
    ...message,
    tool_calls: tool_calls.filter(isObject).map((call) => ({ ...call, id: shortId(call.id) })),
  };
}

/** The end of an id of ours, which is random: 45 bits, for the calls of one prompt. */
function shortId(id: unknown): string {
  return String(id).replace(/[^a-z0-9]/gi, '').slice(-ID_CHARACTERS).padStart(ID_CHARACTERS, '0');
}
