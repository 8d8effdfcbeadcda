/**
 * The contract on the mock, as on the service: whoever writes a client against it writes it for the
 * service. One check of the suite is left out.
 */
import t from 'tap';
import { mockProcess } from '../mock/support.ts';
import { contractSuite } from './suite.ts';

const { base_url } = await mockProcess(t, ['--pace', '0']);
contractSuite(t, {
  kind: 'service', base_url, api_key: 'any', other_api_key: 'other',
  except: { 'auth.invalid_key': 'any token is a key, but for "invalid"' },
});
