/** A Chromium of this machine, for tests of what only a browser shows. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import type { Test } from 'tap';

// It has no windows to draw: one file takes 23 s of CPU with it, and 39 s with the whole browser.
const SHELL = 'chromium-headless-shell';
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const PLACES = [
  ...(process.env.PATH ?? '').split(delimiter),
  '/Applications/Google Chrome.app/Contents/MacOS', '/Applications/Chromium.app/Contents/MacOS',
];

/** Why a test that needs a browser is skipped, or false where there is one. */
export const NO_CHROMIUM = findChromium() === undefined
  && 'there is no Chromium here: install one, such as by `apt-get install chromium`, or put'
    + ` one of ${NAMES.join(', ')} on the PATH`;

/** Starts the browser; it ends with the test. */
export async function startChromium(t: Pick<Test, 'teardown'>): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: findChromium()!,
    // Chromium has no sandbox for root, such as in a container; it opens our own pages alone.
    chromiumSandbox: process.getuid?.() !== 0,
  });
  t.teardown(() => browser.close());
  return browser;
}

function findChromium(): string | undefined {
  const below = (names: string[]) => PLACES.flatMap((folder) =>
    names.map((name) => join(folder, name)));
  return [...below([SHELL]), ...below([...NAMES, 'Google Chrome', 'Chromium'])].find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
