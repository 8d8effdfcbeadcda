/**
 * What the official conformance suite asks of every server and this one does not offer, by the
 * single check: whatever else fails is a fault, and what passes has to go from here.
 */

/** One of the versions that begin with `initialize`, and the one that does not. */
export const VERSIONS = ['2025-11-25', '2026-07-28'] as const;

export interface ExpectedFailure {
  why: string;
  /** Of each scenario, the checks that fail; if none are named, the one that is called as it is. */
  scenarios: Record<string, string[]>;
  /** All, if none are named. */
  versions?: readonly string[];
}

const [INITIALIZED, CURRENT] = VERSIONS.map((one) => [one]);

export const EXPECTED: ExpectedFailure[] = [{
  why: 'There are tools alone: resources, prompts and completion are not declared.',
  scenarios: {
    'completion-complete': [], 'resources-list': [], 'resources-read-text': [],
    'resources-read-binary': [], 'resources-templates-read': [], 'prompts-list': [],
    'prompts-get-simple': [], 'prompts-get-with-args': [], 'prompts-get-embedded-resource': [],
    'prompts-get-with-image': [],
  },
}, {
  why: 'The same, where a version has it alone.',
  versions: INITIALIZED!,
  scenarios: { 'resources-subscribe': [], 'resources-unsubscribe': [] },
}, {
  why: 'The same; the hints for tools/list are there.',
  versions: CURRENT!,
  scenarios: {
    caching: ['sep-2549-prompts-list-caching-hints', 'sep-2549-resources-list-caching-hints',
      'sep-2549-resources-templates-list-caching-hints'],
    'sep-2164-resource-not-found': ['sep-2164-error-code', 'sep-2164-data-uri'],
    'input-required-result-non-tool-request': ['sep-2322-non-tool-incomplete'],
  },
}, {
  why: 'Results are JSON, as an agent reads them: of pictures, sounds and files it is told what'
    + ' they are.',
  scenarios: {
    'tools-call-image': [], 'tools-call-audio': [], 'tools-call-embedded-resource': [],
    'tools-call-mixed-content': [],
  },
}, {
  why: 'A call is answered by one message: no progress is told before.',
  scenarios: { 'tools-call-with-progress': [] },
}, {
  why: 'Logging is not declared: the log is for the operator.',
  versions: INITIALIZED!,
  scenarios: { 'logging-set-level': [], 'tools-call-with-logging': [] },
}, {
  why: 'No server asks a client for anything in the middle of a call here: each node answers by'
    + ' itself, and there are no sessions.',
  versions: INITIALIZED!,
  scenarios: {
    'tools-call-sampling': [], 'tools-call-elicitation': [],
    'elicitation-sep1034-defaults': ['elicitation-sep1034-general'],
    'elicitation-sep1330-enums': ['elicitation-sep1330-general'],
    'server-sse-multiple-streams': ['server-sse-multiple-streams-session'],
    'server-sse-polling': ['server-sse-polling-session', 'server-sse-priming-event',
      'server-sse-retry-field'],
  },
}, {
  why: 'A schema is an outline in the budget of an agent, with its references in place. The gateway'
    + ' checks the input by the whole of it.',
  versions: INITIALIZED!,
  scenarios: { 'json-schema-2020-12': ['json-schema-2020-12-$schema', 'json-schema-2020-12-$defs',
    'json-schema-2020-12-additionalProperties'] },
}, {
  why: 'The same; what of it is a failure in this version alone.',
  versions: CURRENT!,
  scenarios: { 'json-schema-2020-12': ['json-schema-2020-12-$schema', 'json-schema-2020-12-$defs',
    'json-schema-2020-12-additionalProperties', 'sep-2106-composition-keywords-preserved',
    'sep-2106-conditional-keywords-preserved', 'sep-2106-anchor-keyword-preserved'] },
}, {
  why: 'No tool needs anything of the client: where an approval is missing, one that opens pages is'
    + ' asked to (door.test.ts), and any other is told where the page is.',
  versions: CURRENT!,
  scenarios: {
    'server-stateless': ['sep-2575-server-rejects-undeclared-capability',
      'sep-2575-missing-capability-http-400'],
    'input-required-result-basic-elicitation': ['sep-2322-elicitation-incomplete'],
    'input-required-result-basic-sampling': ['sep-2322-sampling-incomplete'],
    'input-required-result-basic-list-roots': ['sep-2322-list-roots-incomplete'],
    'input-required-result-request-state': ['sep-2322-request-state-incomplete'],
    'input-required-result-multiple-input-requests': ['sep-2322-multiple-inputs-incomplete'],
    'input-required-result-multi-round': ['sep-2322-multi-round-r1'],
    'input-required-result-missing-input-response': ['sep-2322-missing-response-rerequests'],
    'input-required-result-result-type': ['sep-2322-result-type-included'],
    'input-required-result-tampered-state': ['sep-2322-reject-tampered-state'],
    'input-required-result-capability-check': ['sep-2322-respect-client-capabilities'],
    'input-required-result-ignore-extra-params': ['sep-2322-ignore-unexpected-params'],
  },
}, {
  why: 'No tool wants any of its arguments in a header of its own.',
  versions: CURRENT!,
  scenarios: { 'http-custom-header-server-validation': ['sep-2243-server-no-xmcp-tool',
    'sep-2243-server-decode-base64', 'sep-2243-server-validate-param-match',
    'sep-2243-server-reject-invalid-param-chars', 'sep-2243-server-reject-param-mismatch'] },
}];
