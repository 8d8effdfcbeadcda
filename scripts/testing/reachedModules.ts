import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** The texts of modules below `root`, each read once, by their paths. */
export function textsBelow(root: string): (path: string) => string {
  const texts = new Map<string, string>();
  return (path) => {
    if (!texts.has(path)) texts.set(path, readFileSync(join(root, path), 'utf8'));
    return texts.get(path)!;
  };
}

/** The module and all below test/ that it imports for more than their types, however deep. */
export function* reachedModules(
  file: string, textOf: (path: string) => string): Generator<{ path: string; text: string }> {
  const reached = new Set([file]);
  for (const path of reached) {
    const text = textOf(path);
    yield { path, text };
    for (const imported of importsOf(path, text)) reached.add(imported);
  }
}

function importsOf(path: string, text: string): string[] {
  return [...text.matchAll(/^(?:import|export|\}) (?!type ).*?from '(\.[^']+\.ts)'/gm)]
    .map(([, specifier]) => normalize(join(dirname(path), specifier!)))
    .filter((imported) => imported.startsWith('test/'));
}
