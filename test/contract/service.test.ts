/**
 * The contract on the service: one that is started here, or with CONTRACT_BASE_URL (with /v1) and
 * CONTRACT_API_KEY any other. It leaves sessions and runs behind there; give it a key of its own
 * workspace.
 */
import t from 'tap';
import { testServer } from '../support/server.ts';
import { contractSuite } from './suite.ts';

const base_url = process.env.CONTRACT_BASE_URL;
if (base_url) {
  const api_key = process.env.CONTRACT_API_KEY;
  if (!api_key) throw new Error('CONTRACT_BASE_URL is set; set CONTRACT_API_KEY, too');
  contractSuite(t, { kind: 'service', base_url, api_key });
} else {
  const { client } = await testServer(t);
  contractSuite(t, { kind: 'service', base_url: client.base_url, api_key: client.api_key! });
}
