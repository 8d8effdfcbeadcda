import t from 'tap';
import { hashToken, hintOf, isWellFormed, newToken, sameHash } from '../../src/accounts/token.ts';

t.test('tokens are recognised, and a changed character is noticed', async (t) => {
  for (let i = 0; i < 200; i++) {
    const token = newToken('gth');
    t.match(token, /^gth_[0-9A-Za-z]{49}$/);
    t.ok(isWellFormed('gth', token));
    t.notOk(isWellFormed('gta', token), 'an api key is no admin token');
    const place = 4 + (i % 49);
    const changed = token[place] === 'a' ? 'b' : 'a';
    t.notOk(isWellFormed('gth', token.slice(0, place) + changed + token.slice(place + 1)));
  }
  for (const other of ['', 'gth_', 'gth_short', `gth_${'a'.repeat(49)}`, 'Bearer x', '\0']) {
    t.notOk(isWellFormed('gth', other));
  }
});

t.test('no two are alike, and the hash tells them apart', async (t) => {
  const tokens = Array.from({ length: 1_000 }, () => newToken('gth'));
  t.equal(new Set(tokens).size, tokens.length);
  const [one, other] = tokens.map(hashToken);
  t.ok(sameHash(one!, hashToken(tokens[0]!)));
  t.notOk(sameHash(one!, other!));
  t.notOk(sameHash(one!, one!.subarray(1)));
  t.equal(hintOf('gth_abcdef'), '…cdef');
});
