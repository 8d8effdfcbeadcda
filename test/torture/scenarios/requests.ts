/** Nothing happens to the service; what it is asked is as strange as the document allows. */
import { randomBytes } from 'node:crypto';
import { fuzz } from '../../fuzz/fuzz.ts';
import { fuzzGround } from '../../fuzz/ground.ts';
import { Client } from '../../support/client.ts';
import type { Scenario } from '../scenario.ts';

const TIME_LIMIT_MS = 15 * 60_000;

/** Its short version is test/fuzz/requests.test.ts. */
export const requests: Scenario = {
  name: 'requests',
  says: 'requests made of the document: right ones, nearly right ones and strange ones',
  without_ledger: true,
  async run(lab, random) {
    await lab.open();
    const [node] = await lab.addNodes(1, { env: { GATEHOUSE_ACTION_TIMEOUT_MS: '2000',
      GATEHOUSE_MASTER_KEYS: `torture:${randomBytes(32).toString('base64')}` } });
    const { workspace_id, ...credentials } = lab.credentials;
    const client = new Client({ base_url: node!.base_url, ...credentials });
    client.on_answer = (id, status) => {
      lab.patience.moved(`${id} answered ${status}`);
      lab.journal.count(status < 400 ? 'requests that succeeded' : 'requests refused');
    };
    await fuzz({
      ...await fuzzGround(lab.owner, client, workspace_id), seed: random.between(1, 2 ** 30),
      requests: lab.amount(500, 20_000), time_limit_ms: TIME_LIMIT_MS });
  },
};
