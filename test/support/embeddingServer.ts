/** A provider of embeddings on loopback, by OpenAI's API. */
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Test } from 'tap';
import type { Config } from '../../src/config.ts';
import { listen } from './listen.ts';

export interface EmbeddingRequest {
  model: string;
  input: string[];
  dimensions?: number;
}

/** Answers a request, or says by `undefined` that it is to be answered as usual. */
export type Answer = (
  request: EmbeddingRequest, response: ServerResponse) => unknown | undefined;

export interface EmbeddingServer {
  config: Partial<Config>;
  requests: EmbeddingRequest[];
  /** All texts that were asked for, in order. */
  texts(): string[];
  /** From now on. */
  answer(answer: Answer): void;
}

export const API_KEY = 'key-of-the-embedding-server';

/** Words that the model has learnt to mean the same. */
const MEANING: Record<string, string> = {
  terminate: 'delete', erase: 'delete', persons: 'users', people: 'users', folks: 'users',
};

/** A vector of a text by its words, the same each time: texts that share words are near. */
export function hashed(words: string, dimensions = 64): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const word of words.toLowerCase().match(/[a-z]+/g) ?? []) {
    let seed = [...MEANING[word] ?? word].reduce((sum, letter) =>
      (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, 7);
    for (let i = 0; i < dimensions; i++) {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) | 0;
      vector[i]! += (seed >> 16) / 32_768;
    }
  }
  return vector;
}

export async function embeddingServer(t: Pick<Test, 'teardown'>): Promise<EmbeddingServer> {
  const requests: EmbeddingRequest[] = [];
  let special: Answer = () => undefined;
  const server = createServer(async (request, response) => {
    const asked = JSON.parse(await text(request)) as EmbeddingRequest;
    requests.push(asked);
    const own = request.headers.authorization === `Bearer ${API_KEY}`
      ? await special(asked, response) : refuse(response, 401, 'wrong key');
    if (response.writableEnded) return;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(own ?? {
      data: asked.input.map((one) => ({ embedding: hashed(one, asked.dimensions) })),
      usage: { prompt_tokens: asked.input.join(' ').split(' ').length },
    }));
  });
  const port = await listen(t, server);
  return {
    requests,
    config: {
      embedding_model: 'compatible/words', embedding_api_key: API_KEY,
      embedding_base_url: `http://127.0.0.1:${port}/v1`,
    },
    texts: () => requests.flatMap(({ input }) => input),
    answer: (answer) => { special = answer; },
  };
}

export function refuse(
  response: ServerResponse, status: number, message: string,
  headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ error: { message, type: 'test', code: null } }));
}
