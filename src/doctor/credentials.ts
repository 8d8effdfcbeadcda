/** Whether the service takes the keys that the command line would send it. */
import type { ClientEnvironment } from '../config.ts';
import { isSameOrigin, mayTakeSecrets } from '../origin.ts';
import { shellWord } from '../shellWord.ts';
import { ask, type KeptProfile } from './machine.ts';
import {
  failed, ok, together, warning, type CheckAnswer, type CheckOutcome,
} from './report.ts';

interface CheckedCredential {
  name: string;
  variable: string;
  path: string;
  given: string | null;
  kept: string | null;
}

/**
 * Asks for a small list with each key; kept keys go only to the service their file names, and the
 * environment's to none that only this file names, as the command line has it. Gives the admin
 * token that the service accepts.
 */
export async function checkCredentials(
  address: string, environment: ClientEnvironment, kept: KeptProfile,
): Promise<CheckAnswer<string>> {
  const own = kept.base_url !== null && isSameOrigin(kept.base_url, address);
  const credentials: CheckedCredential[] = [
    { name: 'api key', variable: 'GATEHOUSE_API_KEY', path: '/v1/sessions?limit=1',
      given: environment.api_key, kept: own ? kept.api_key : null },
    { name: 'admin token', variable: 'GATEHOUSE_ADMIN_TOKEN', path: '/v1/admin/workspaces?limit=1',
      given: environment.admin_token, kept: own ? kept.admin_token : null },
  ];
  const { base_url, names_data_dir } = environment;
  const takes = base_url !== null || kept.base_url === null
    || mayTakeSecrets(kept.base_url, names_data_dir);
  const tried = await Promise.all(credentials.map((one) =>
    one.given === null || one.given === one.kept || takes
      ? tryOne(address, one, kept.file) : notTried(address, one, kept.file)));
  return { outcome: together(tried), gives: tried[1]!.accepted };
}

/** `accepted`: the key, if the service takes it. */
type Tried = CheckOutcome & { accepted?: string };

function notTried(address: string, { name, variable }: CheckedCredential, file: string): Tried {
  return warning(`the ${name} of ${variable} is not sent to ${address}, which only ${file} names`,
    `If that is your service, set GATEHOUSE_BASE_URL=${shellWord(`${address}/v1`)}; else unset`
      + ` ${variable}.`);
}

async function tryOne(
  address: string, { name, variable, path, given, kept }: CheckedCredential, file: string,
): Promise<Tried> {
  const key = given ?? kept;
  if (key === null) return ok(`no ${name} at hand`);
  const source = given === null ? file : variable;
  const answer = await ask(address + path, { key });
  // The error of fetch quotes a key that no header can hold.
  if (answer instanceof Error) {
    return warning(`the ${name} of ${source} could not be tried`, 'Try again.');
  }
  if (answer.status === 200) {
    return { ...ok(`the ${name} of ${source} is accepted`), accepted: key };
  }
  // A node that only executes runs has no API.
  if (answer.status === 404) return ok(`the ${name} could not be tried: that node has no API`);
  if (answer.status !== 401 && answer.status !== 403) {
    return warning(`the ${name} of ${source} was answered with status ${answer.status}`,
      'Try again. If it stays, look into the log of the service.');
  }
  return failed(`the service refuses the ${name} of ${source}`, given === null
    ? `If another service has taken ${address}, give yours another port. Else restore ${file} from`
      + ` a copy, or give a valid one as ${variable}.`
    : `Correct ${variable}, or unset it: that of ${file} counts then, if it has one.`);
}
