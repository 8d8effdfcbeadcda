import { createSecretKey, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { DecryptionFailed, keyIdOf, open, seal } from '../../../src/gateway/vault/cipher.ts';
import { filesBelow, read, readSource } from '../../support/sourceTree.ts';

const key = createSecretKey(randomBytes(32));
const PLACE = ['connection_secrets', 'wsp_1', 'con_1', 'credentials'];
const fails = (t: Test, work: () => unknown, why: string) =>
  t.throws(work, DecryptionFailed, why);

t.test('what was sealed opens for its place', async (t) => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
    const plain = Buffer.from(bytes);
    return open(key, PLACE, seal(key, '1', PLACE, plain)).equals(plain);
  }));
  const sealed = seal(key, 'k-7', PLACE, Buffer.from('secret'));
  t.match(sealed, /^v1\.k-7\.[\w-]{16}\.[\w-]{22}\.[\w-]{8}$/);
  t.equal(keyIdOf(sealed), 'k-7');
  t.not(sealed, seal(key, 'k-7', PLACE, Buffer.from('secret')), 'each has its own nonce');
});

t.test('it opens for no other place', async (t) => {
  const sealed = seal(key, '1', PLACE, Buffer.from('secret'));
  PLACE.forEach((part, index) => {
    fails(t, () => open(key, PLACE.with(index, `${part}x`), sealed), part);
  });
  fails(t, () => open(key, PLACE.slice(1), sealed), 'a part is missing');
  t.throws(() => seal(key, '1', ['a|b'], Buffer.alloc(1)), /holds a \|/,
    'nor can a name run into the next part');
  t.throws(() => seal(key, '1', ['a', ''], Buffer.alloc(1)), /empty/);
});

t.test('it opens with no other key', async (t) => {
  const sealed = seal(key, '1', PLACE, Buffer.from('secret'));
  fails(t, () => open(createSecretKey(randomBytes(32)), PLACE, sealed), 'another key');
});

t.test('no character of it can be changed, added or left out', async (t) => {
  const sealed = seal(key, '1', PLACE, Buffer.from('a secret of some length'));
  const start = sealed.indexOf('.', 3) + 1; // Behind the version and the key's name.
  const others = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ ';
  let tried = 0;
  for (let at = start; at < sealed.length; at++) {
    const without = sealed.slice(0, at) + sealed.slice(at + 1);
    const changed = [...others].filter((other) => other !== sealed[at])
      .flatMap((other) => [sealed.slice(0, at) + other + sealed.slice(at + 1),
        sealed.slice(0, at) + other + sealed.slice(at)]);
    for (const text of [without, ...changed]) {
      tried += 1;
      let opened = null;
      try { opened = open(key, PLACE, text); } catch (error) {
        if (!(error instanceof DecryptionFailed)) throw error;
      }
      if (opened !== null && text !== sealed) t.fail(`opened: ${text}`);
    }
  }
  t.ok(tried > 5_000);
});

t.test('what is no sealed value does not open', async (t) => {
  const [version, id, iv, tag, text] = seal(key, '1', PLACE, Buffer.from('secret')).split('.');
  const shortTag = Buffer.from(tag!, 'base64url').subarray(0, 4).toString('base64url');
  for (const wrong of ['', 'v1', '....', `v2.${id}.${iv}.${tag}.${text}`,
    `v1..${iv}.${tag}.${text}`, `${version}.${id}.${iv}.${shortTag}.${text}`,
    `${version}.${id}.${iv}.${tag}`, `${version}.${id}.${iv}.${tag}.${text}.`, 'plain text']) {
    fails(t, () => open(key, PLACE, wrong), wrong);
  }
  fc.assert(fc.property(fc.string(), (text) => {
    try { open(key, PLACE, text); } catch (error) { return error instanceof DecryptionFailed; }
    return false;
  }));
});

t.test('an error says nothing of what was sealed', async (t) => {
  const sealed = seal(key, '1', PLACE, Buffer.from('hunter2-hunter2'));
  try {
    open(key, PLACE.with(0, 'other'), sealed);
    t.fail('it opened');
  } catch (error) {
    const { message, stack, cause } = error as Error;
    t.equal(cause, undefined);
    t.notMatch(`${message}${stack}`, 'hunter2');
    t.notOk(`${message}${stack}`.includes(sealed.slice(-10)));
  }
});

t.test('secrets.ts is the one place that decrypts', async (t) => {
  const files = filesBelow('src').filter((path) => path.endsWith('.ts'));
  t.strictSame(files.filter((path) => /createDecipher/.test(read(path))),
    ['src/gateway/vault/cipher.ts']);
  const importers = (file: string) =>
    files.filter((path) => readSource(path).files.includes(`src/gateway/vault/${file}`));
  t.strictSame(importers('cipher.ts').sort(), ['dataKeys.ts', 'masterKeys.ts', 'secrets.ts']
    .map((file) => `src/gateway/vault/${file}`));
  const openers = files.filter((path) => /\bsecrets\.open\b/.test(read(path)));
  t.strictSame(openers.sort(), ['src/gateway/credentials/credentialStore.ts',
    'src/gateway/credentials/flows.ts', 'src/gateway/credentials/ownClients.ts',
    'src/gateway/mcp/mcpServers.ts',
    'src/gateway/vault/anchorSeal.ts']);
});
