/** A service whose models are all at one fake provider, which a test tells what to answer. */
import type { Test } from 'tap';
import type { Config } from '../../src/config.ts';
import { createServiceLog } from '../../src/service.ts';
import {
  MODELS, providersAt, providerServer, streamed, type Answer, type ProviderServer,
} from '../models/providerServer.ts';
import { payloadsOf, type Said } from '../models/wireStreams.ts';
import { testServer, type TestServer, type TestServerOptions } from '../support/server.ts';

export const MODEL = MODELS[0];

export interface ModelServer extends TestServer {
  provider: ProviderServer;
  /** All that was logged. */
  lines: string[];
}

/** Starts both; runs that name no model have MODEL. */
export async function modelServer(
  t: Pick<Test, 'teardown'>, config: Partial<Config> = {},
  options: Omit<TestServerOptions, 'config' | 'log'> = {}): Promise<ModelServer> {
  const provider = await providerServer(t);
  const lines: string[] = [];
  const log = createServiceLog('trace', {
    destination: { write: (text: string) => void lines.push(text) } });
  const server = await testServer(t,
    { ...options, log, config: { ...providersAt(provider.origin), model: MODEL, ...config } });
  return { ...server, provider, lines };
}

/** The whole answer of a model that says so. */
export function says(said: Said, model: string = MODEL): Answer {
  return streamed(payloadsOf(model, said));
}

/** An answer that breaks off after so many payloads. */
export function breaksOff(said: Said, after: number, model: string = MODEL): Answer {
  return streamed(payloadsOf(model, said).slice(0, after), 'cut');
}

export interface Held {
  answer: Answer;
  /** Resolves once the request has come. */
  asked: Promise<void>;
  /** Sends the rest of the answer. */
  release(): void;
  /** Resolves once the connection is closed, by whomever. */
  closed: Promise<void>;
}

/** An answer that stops after so many payloads until it is let go. */
export function heldAnswer(said: Said, after: number, model: string = MODEL): Held {
  const [asked, released, closed] = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  return {
    asked: asked!.promise, release: released!.resolve, closed: closed!.promise,
    answer: (response) => {
      response.on('close', closed!.resolve);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const payloads = payloadsOf(model, said).map((payload) => `data: ${payload}\n\n`);
      response.write(payloads.slice(0, after).join(''));
      asked!.resolve();
      void released!.promise.then(() => response.end(payloads.slice(after).join('')));
    },
  };
}

/** The one piece of arguments by which `call_action` calls this action. */
export function callOf(action: string, input: object = {}): string[] {
  return [JSON.stringify({ action, input })];
}
