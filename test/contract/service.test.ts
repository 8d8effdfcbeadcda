/** The contract on the service; for one that runs elsewhere there is `gatehouse contract`. */
import t from 'tap';
import { otherWorkspace, testServer } from '../support/server.ts';
import { contractSuite } from './suite.ts';

const server = await testServer(t);
const { base_url, api_key } = server.client;
const { api_key: other_api_key } = await otherWorkspace(server);
contractSuite(t, { kind: 'service', base_url, api_key: api_key!, other_api_key });
