/** The versions of the protocol, in refusals of one that is not known. */
import { ProtocolErrorCode, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { objectOf, parseJson } from '../json.ts';

/** The one without sessions, which the package lists apart. */
const SESSIONLESS = '2026-07-28';
const EARLIER = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
const LISTED = /(?<=\(supported versions: )[^()]*(?=\)$)/;

/**
 * A refusal whose words name all versions that are spoken here. The package has a server for each
 * era, which names its own alone: whoever asked for an unknown one would take the others for
 * missing. What is listed for programs stays, for by the protocol it is what `server/discover`
 * lists, where those that begin with `initialize` have no place.
 */
export function withAllVersions(content: Buffer): Buffer {
  const answer = objectOf(parseJson(content.toString()));
  const error = objectOf(answer.error);
  if (typeof error.message !== 'string') return content;
  const message = error.code === ProtocolErrorCode.UnsupportedProtocolVersion
    ? `${error.message}. ${SESSIONLESS} is spoken here, and by initialize ${EARLIER}.`
    : error.message.replace(LISTED, `${SESSIONLESS}, and by initialize ${EARLIER}`);
  return message === error.message ? content
    : Buffer.from(JSON.stringify({ ...answer, error: { ...error, message } }));
}
