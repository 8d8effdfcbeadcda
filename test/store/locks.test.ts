/** src/store/locks.ts tells of every advisory lock that is taken, wherever it is taken. */
import { basename } from 'node:path';
import t from 'tap';
import * as locks from '../../src/store/locks.ts';
import { filesBelow, read } from '../support/sourceTree.ts';

const LIST = 'src/store/locks.ts';
const { LOCKS_OF_FUNCTIONS, ...others } = locks;
const IN_FUNCTIONS = /^src\/store\/functions\//;

interface Use { path: string; key: string }

const code = filesBelow('src').filter((path) => /\.(tsx?|sql)$/.test(path) && path !== LIST)
  .map((path) => ({ path, text: read(path) }));

/** What stands between the bracket at a place and the one that closes it, as one line. */
function inBrackets(text: string, at: number): string {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    if (text[i] === '(') depth += 1;
    if (text[i] === ')') depth -= 1;
    if (depth > 0) continue;
    return text.slice(at + 1, i).trim().replaceAll(/\s+/g, ' ').replaceAll('( ', '(');
  }
  throw new Error(`no end of ${text.slice(at, at + 80)}`);
}

const uses: Use[] = code.flatMap(({ path, text }) =>
  [...text.matchAll(/\bpg_(?:try_)?advisory_\w+(?=\()/g)].map((found) => ({
    path, key: inBrackets(text, found.index + found[0].length),
  })));

/** The names that a lock in TypeScript is made of; null if it is made of something else. */
function namesOf(key: string): string[] | null {
  const number = /^\$\{([A-Z_]+)\}(, \$\{[\w.]+\})?$/.exec(key);
  if (number) return [number[1]!];
  const text = /^hashtextextended\(\$\{(\w+)\(.*\)\}, (?:0|\$\{([A-Z_]+)\})\)$/.exec(key);
  return text && text.slice(1).filter((name) => name !== undefined);
}

t.test('every use in TypeScript names a lock of the list', async (t) => {
  const inCode = uses.filter(({ path }) => !path.endsWith('.sql'));
  t.ok(inCode.length > 8, `${inCode.length} uses are found`);
  t.strictSame(inCode.filter(({ key }) =>
    !namesOf(key)?.every((name) => name in others)), []);
  const used = new Set(inCode.flatMap(({ key }) => namesOf(key) ?? []));
  t.strictSame(Object.keys(others).filter((name) => !used.has(name)), [], 'all of them are taken');
});

t.test('the list has those of the functions of the database, and no others', async (t) => {
  const found: Record<string, string[]> = {};
  for (const { path, key } of uses.filter(({ path }) => IN_FUNCTIONS.test(path))) {
    const names = found[key] ??= [];
    const name = basename(path, '.sql');
    if (!names.includes(name)) names.push(name);
  }
  t.strictSame(found, LOCKS_OF_FUNCTIONS);
  t.strictSame(uses.filter(({ path }) => path.endsWith('.sql') && !IN_FUNCTIONS.test(path)), [],
    'migrations take none');
});

t.test('nothing that takes a lock is overlooked', async (t) => {
  const words = code.flatMap(({ text }) => text.match(/advisory_\w+/g) ?? []);
  t.equal(words.length, uses.length);
});

t.test('no two locks are one', async (t) => {
  const numbers = [...Object.values(others).filter((one) => typeof one === 'number' && one > 1),
    ...Object.keys(LOCKS_OF_FUNCTIONS).map(Number).filter((one) => !Number.isNaN(one))];
  t.equal(numbers.length, 8);
  t.equal(new Set(numbers).size, numbers.length);
  t.ok(locks.HOUSEKEEPING_LOCK < 2 ** 31, 'the numbers of a pair are small');
  const digest = Buffer.alloc(32);
  const texts = [locks.workerLock('wrk_1'), locks.approvalLock('wsp_1', digest),
    locks.pendingApprovalsLock('wsp_1'), 'claim wsp_1', 'end wsp_1 key_1', 'end wsp_1 '];
  t.equal(new Set(texts).size, texts.length);
});

t.test('what is looked for among the locks is what workers take', async (t) => {
  const text = read('src/store/functions/bury_workers.sql');
  const looked = [...text.matchAll(/hashtextextended(?=\()/g)]
    .map((found) => inBrackets(text, found.index + found[0].length));
  t.strictSame(looked, ['w.id, 0', 'o.id, 0']);
  t.equal(locks.workerLock('wrk_1'), 'wrk_1');
});
