import { readFileSync } from 'node:fs';
import type { AxeResults, RunOptions, Spec } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * What axe finds wrong on the page as it is, each with where it is: by all of its rules, or by
 * those that `options` say, and as `spec` changes them.
 */
export async function violationsOn(
  page: Page, options: RunOptions = {}, spec: Spec = {}): Promise<string[]> {
  if (!await page.evaluate<boolean>('window.axe !== undefined')) {
    await page.evaluate(`${AXE}\naxe.configure(${JSON.stringify(spec)})`);
  }
  // Of what is sound, axe would tell each element with its selector, for nobody.
  const asked = JSON.stringify({ resultTypes: ['violations'], ...options });
  const { violations } = await page.evaluate<Pick<AxeResults, 'violations'>>(
    `axe.run(${asked}).then(({ violations }) => ({ violations }))`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${page.url()} ${id} ${html} ${failureSummary ?? ''}`));
}
