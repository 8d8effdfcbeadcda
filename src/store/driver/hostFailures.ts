import { placeOf, type Address } from './databaseTarget.ts';
import { markLost } from './lost.ts';

/** Of a server that takes no writes, though the URL asks for one that does. */
export const NO_PRIMARY = '25006';

/** Why a connection to one of the hosts of a URL was not to be had. */
export interface HostFailure { address: Address; error: NodeJS.ErrnoException }

/**
 * The error of a URL whose hosts have all failed: it says what each of them said, the likeliest
 * cause first, whose code it has. That a standby is none to write to is as it should be, and says
 * nothing of why the primary is not there; what a server answered says more than that none did.
 * Of one host alone it is that host's error itself.
 */
export function failureOfHosts(failures: HostFailure[]): Error {
  const ranked = failures.toSorted((one, other) => rank(one.error) - rank(other.error));
  const { error } = ranked[0]!;
  if (ranked.length === 1) return error;
  const { code, syscall } = error;
  const said = ranked.map((one) =>
    `${placeOf(one.address)}: ${one.error.message || one.error.code}`).join('; ');
  const failure = Object.assign(new Error(said, { cause: error }), { code, syscall });
  markLost(failure);
  return failure;
}

function rank({ code = '' }: NodeJS.ErrnoException): number {
  if (code === NO_PRIMARY) return 2;
  const is_of_server = /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('E');
  return is_of_server ? 0 : 1;
}
