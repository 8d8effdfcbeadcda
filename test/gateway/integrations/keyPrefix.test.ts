import t from 'tap';
import { keyPrefix } from '../../../src/gateway/integrations/keyPrefix.ts';

const scheme = (description: string | null, name = 'Authorization') => ({
  name: 'x', type: 'api_key' as const, description, placement: { in: 'header' as const, name } });

t.test('the word before a key, as documents of frameworks and services say it', async (t) => {
  const rows: [description: string | null, prefix: string | undefined][] = [
    ['Token-based authentication with required prefix "Token"', 'Token'],
    ['Type "Bearer" followed by a space and JWT token.', 'Bearer'],
    ['JWT Authorization header using the Bearer scheme.\r\n\r\nEnter \'Bearer\' [space] and then'
      + ' your token in the text input below.', 'Bearer'],
    ['API tokens must be prepended with "token" followed by a space.', 'token'],
    ['The string "OAuth" followed by the user’s token: OAuth ACCESS_TOKEN', 'OAuth'],
    ['An access token in the header, in the format `Bearer {token}`.', 'Bearer'],
    ['Authorization: Token <your key>', 'Token'],
    ['JWT token prefixed with "Bearer "', 'Bearer'],
    ['Bearer Token authentication', 'Bearer'],
    ['Authorization token. It can be found in your "Admin" console.', undefined],
    ['Conjur access token in `Token token=<base64_encoded_token>` format.', undefined],
    ['Your API key alone, without the Bearer scheme.', undefined],
    ['This is not a Bearer token: send it as it is.', undefined],
    ['Do not prefix it with "Bearer".', undefined],
    ['Not the password. JWT Authorization header using the Bearer scheme.', 'Bearer'],
    ['Unlike Bearers of other services, this key is sent as it is.', undefined],
    ['', undefined], [null, undefined],
  ];
  for (const [description, prefix] of rows) {
    t.equal(keyPrefix(scheme(description), 'k'), prefix, String(description));
  }
});

t.test('none where the key has it, and at another place', async (t) => {
  const said = 'Type "Bearer" followed by a space and the token';
  t.equal(keyPrefix(scheme(said), 'bearer abc'), undefined);
  t.equal(keyPrefix(scheme(said, 'X-Key'), 'abc'), undefined);
  t.equal(keyPrefix({ ...scheme(said), placement: { in: 'query', name: 'Authorization' } }, 'abc'),
    undefined);
});
