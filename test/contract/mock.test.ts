/** The contract on the mock: whoever writes a client against it writes it for the service. */
import t from 'tap';
import { readDocument } from '../../scripts/document.ts';
import { startMock } from '../../scripts/mock.ts';
import { contractSuite } from './suite.ts';

const mock = await startMock(readDocument(), 0);
t.teardown(() => mock.close());
contractSuite(t, { kind: 'mock', base_url: mock.base_url, api_key: 'any' });
