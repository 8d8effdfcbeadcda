import type { Effect } from '../action/action.ts';
import { snake } from '../action/words.ts';

const words = (text: string) => new Set(text.split(' '));

// No action that only reads has one of these words in its name.
const DESTRUCTIVE = words('delete destroy remove purge wipe erase revoke terminate kill drop');
const MUTATING = words('create update insert upsert connect disconnect exec execute cancel logout '
  + 'reset disable enable deactivate activate approve reject publish unpublish subscribe '
  + 'unsubscribe register unregister restart archive unarchive rename accept decline reboot '
  + 'shutdown logoff regenerate resend rollback undelete');
// These are nouns as often (get_import, list_set_members): they count only as the first word.
const MUTATING_FIRST = words('add set put post patch send trigger start stop run invite import '
  + 'upload move merge sync clear refresh copy assign unassign attach detach lock unlock close '
  + 'open mark apply submit transfer restore save replace edit modify increment rotate generate '
  + 'retry flush unlink void refund rebuild reload deploy launch expire');

/**
 * The rule for an operation's effect: GET and HEAD only read, unless a mutating verb is in the name
 * (without the integration's slug), the operation id or the end of the path: real services do offer
 * `GET /tokens/revoke`. In doubt it says `write`: a write taken for a read would be performed
 * unasked, while a read taken for a write takes one override of the operator.
 */
export function effectOf(
  method: string, resourceAndVerb: string, operation_id: string | undefined, path = ''): Effect {
  const [resource = '', verb = ''] = resourceAndVerb.split('.');
  const idWords = snake(operation_id ?? '').split('_');
  const verbWords = verb.split('_');
  const last = path.split(/[?#]/)[0]!.split('/').at(-1)!;
  const pathWords = last.includes('{') ? [] : snake(last).split('_');
  const all = [...resource.split('_'), ...verbWords, ...idWords, ...pathWords];
  if (method === 'delete' || all.some((word) => DESTRUCTIVE.has(word))) return 'destructive';
  const mutates = all.some((word) => MUTATING.has(word))
    || [verbWords[0]!, idWords[0]!].some((word) => MUTATING_FIRST.has(word));
  return (method === 'get' || method === 'head') && !mutates ? 'read' : 'write';
}
