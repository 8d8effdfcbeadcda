/** The command as an operator calls it, and what a service may answer to it. */
import type { Test } from 'tap';
import { gatehouse } from './oneProcess.ts';
import { fakeService, type Answer } from './support.ts';

/** Calls the command as an operator and application of a fake service. */
export async function against(test: Test, answer: Answer) {
  const service = await fakeService(test, answer);
  const cwd = test.testdir({});
  const env = {
    GATEHOUSE_BASE_URL: service.base_url, GATEHOUSE_API_KEY: 'gth_test',
    GATEHOUSE_ADMIN_TOKEN: 'gta_test', SECRET_OF_MCP: 'for the server alone',
  };
  return {
    ...service, cwd, env,
    call: (...args: string[]) => gatehouse(args, { cwd, env }),
    callWith: (input: string, ...args: string[]) => gatehouse(args, { cwd, env, input }),
  };
}

export const page = (...data: object[]) =>
  ({ object: 'list', data, has_more: false, next_cursor: null });
export const error = (code: string, message: string, details?: unknown) =>
  ({ error: message, code, param: null, request_id: 'req_1', details });

export const INTEGRATION = {
  slug: 'github', object: 'integration', kind: 'openapi', title: 'GitHub', mcp: null,
  base_url: 'https://api.github.com', auth_methods: ['bearer'], egress_allow: [], overrides: {},
  workspace_ids: null,
  actions: { read: 12, write: 7, destructive: 2, quarantined: 0 },
  report: {
    operations: 22, imported: 21, warnings: ['A warning.'],
    skipped: [{ source_key: 'TRACE /x', reason: 'the method is not supported' }],
  },
};
export const CONNECTION = {
  id: 'con_1', object: 'connection', workspace_id: 'wsp_1', integration: 'github', name: 'github',
  account_label: 'octocat', auth_type: 'bearer', status: 'connected', status_reason: null,
  settings: null, authorization_url: null, authorization_expires_at: null,
};
