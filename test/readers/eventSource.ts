/** The three EventSources: of npm, of Node, and of a browser, each with the same few lines. */
import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Test } from 'tap';
import { startChromium } from '../support/chromium.ts';

/** A process that has not read to the end by then never will. */
export const LIMIT_MS = 240_000;

/** A message as a reader gave it. */
export interface Message {
  id: string;
  event: string;
  data: string;
}

/** What the EventSources have in common. */
type Source = new (url: string) => {
  readyState: number;
  addEventListener(
    type: string, listener: (event: { type: string; lastEventId: string; data: string }) => void,
  ): void;
};

/**
 * Every message until the source gives up. It runs in other processes too, as the text that it is
 * here: so it stands alone. Messages without a kind, which there should be none of, are `message`.
 */
export function readBy(Source: Source, url: string, kinds: readonly string[]): Promise<Message[]> {
  const messages: Message[] = [];
  return new Promise((resolve) => {
    const source = new Source(url);
    for (const kind of [...kinds, 'message']) {
      source.addEventListener(kind, ({ type, lastEventId, data }) => {
        messages.push({ id: lastEventId, event: type, data });
      });
    }
    source.addEventListener('error', () => {
      if (source.readyState === 2) resolve(messages); // CLOSED
    });
  });
}

/** Reads with the EventSource that Node brings along. */
export async function readByNode(url: string, kinds: readonly string[]): Promise<Message[]> {
  // Its wait until it connects again keeps no process alive; the interval does.
  const program = `${readBy}
    const alive = setInterval(() => {}, 60_000);
    console.log(JSON.stringify(await readBy(EventSource, ...${JSON.stringify([url, kinds])})));
    clearInterval(alive);`;
  const child = spawn(process.execPath,
    ['--experimental-eventsource', '--no-warnings', '--input-type=module', '-e', program],
    { stdio: ['ignore', 'pipe', 'inherit'], timeout: LIMIT_MS });
  return JSON.parse(await text(child.stdout)) as Message[];
}

/** A page that reads with the browser's EventSource, and its report. */
export class ReadingPage {
  readonly #html: string;
  readonly #report = Promise.withResolvers<Message[]>();

  /** `path`: that of the stream, on the page's own server. */
  constructor(path: string, kinds: readonly string[]) {
    this.#html = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script>
      ${readBy}
      readBy(EventSource, ...${JSON.stringify([path, kinds])}).then((messages) =>
        fetch('/report', { method: 'POST', body: JSON.stringify(messages) }));
      </script>`;
  }

  /** Serves the page and takes its report. */
  readonly answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'POST') {
      this.#report.resolve(JSON.parse(await text(request)) as Message[]);
    }
    response.writeHead(200, { 'content-type': 'text/html' }).end(this.#html);
  };

  /** Opens the page in a browser without a window, which ends with the test. */
  async openIn(t: Pick<Test, 'teardown'>, url: string): Promise<Message[]> {
    const page = await (await startChromium(t)).newPage();
    await page.goto(url);
    return await this.#report.promise;
  }
}
