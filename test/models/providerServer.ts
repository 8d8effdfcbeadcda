/** A model provider's side of the wire, on loopback: answers what a test says, keeps what came. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Test } from 'tap';
import { readConfig, type Config } from '../../src/config.ts';
import { Models } from '../../src/models/models.ts';
import { listen } from '../support/listen.ts';

export interface ReceivedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

export interface ProviderServer {
  origin: string;
  requests: ReceivedRequest[];
  /** From now on each request gets the next of these, the last for good; forgets earlier ones. */
  script(...answers: Answer[]): void;
  /** Models of all four providers, all of them there. */
  models(changes?: Partial<Config>): Models;
}

export type Answer = (response: ServerResponse, request: ReceivedRequest) => void;

/** Answers each request with the next of `answers`, the last of them for good. */
export async function providerServer(
  t: Pick<Test, 'teardown'>, ...first: Answer[]): Promise<ProviderServer> {
  const requests: ReceivedRequest[] = [];
  let answers = first;
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as Record<string, unknown>;
    const received = { path: request.url!, headers: request.headers, body };
    requests.push(received);
    answers[Math.min(requests.length, answers.length) - 1]!(response, received);
  });
  const origin = `http://127.0.0.1:${await listen(t, server)}`;
  return {
    origin, requests,
    script: (...next) => {
      answers = next;
      requests.length = 0;
    },
    models: (changes = {}) => modelsAt(origin, changes),
  };
}

/** One model of each provider. */
export const MODELS = [
  'openai/gpt-5.1', 'anthropic/claude-sonnet-4-5', 'google/gemini-3-pro', 'compatible/local',
] as const;

/** What makes a server at this address the one of all four providers. */
export function providersAt(origin: string): Partial<Config> {
  return {
    openai_base_url: `${origin}/v1`, openai_api_key: 'sk-canary-openai',
    anthropic_base_url: origin, anthropic_api_key: 'sk-ant-canary',
    google_base_url: origin, google_api_key: 'AIza-canary-google',
    compatible_base_url: `${origin}/v1`, compatible_api_key: 'canary-compatible',
  };
}

/** Models of all four providers, all of them at this address. */
export function modelsAt(origin: string, changes: Partial<Config> = {}): Models {
  return new Models(readConfig({}, { ...providersAt(origin), ...changes }));
}

/** A stream of server-sent events, each line of `payloads` one; `end` may cut it. */
export function streamed(payloads: string[], end: 'whole' | 'cut' = 'whole'): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const payload of payloads) response.write(`data: ${payload}\n\n`);
    if (end === 'whole') response.end();
    else response.write('data: {"', () => response.destroy());
  };
}

/** An error, as JSON. */
export function refused(
  status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}
