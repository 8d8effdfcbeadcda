/** One call of an action through each of the doors, and what each of them makes of it. */
import type { Caller } from '../../src/caller.ts';
import { Authenticator } from '../../src/accounts/authenticator.ts';
import { readConfig, type Config } from '../../src/config.ts';
import { GatehouseError } from '../../src/errors.ts';
import type { ActionSource } from '../../src/gateway/action/action.ts';
import type { Gateway } from '../../src/gateway/gateway.ts';
import { createLog } from '../../src/log.ts';
import { createMcpDoor } from '../../src/mcp/door.ts';
import { toolNameOf } from '../../src/mcp/toolNames.ts';
import { createActionInvocation } from '../../src/operations/createActionInvocation.ts';
import { agentOf, performToolCall } from '../../src/runs/toolCallExecutor.ts';
import type { TurnSignals } from '../../src/runs/turnSignals.ts';
import { isShareUsedUp, isUnavailable, type Sql } from '../../src/store/database.ts';
import type { ClaimedRun } from '../../src/store/runs.ts';
import { gatewayOf } from '../gateway/support.ts';
import type { Settled } from './worlds.ts';

export const REQUEST_ID = 'req_1';
export type Key = Settled['keys'][number];

/** What a call came to: its report, and under which id it is on record. */
export interface Told { report: Record<string, unknown>; invocation_id: string | null }
export interface Asked { workspace_id: string; key: Key; body: object; tool_call_id: string }

export interface Door {
  call(asked: Asked): Promise<Told>;
  /** The names of the tools that the visible actions would be. */
  visible(asked: Pick<Asked, 'workspace_id' | 'key'>): Promise<string[]>;
}

const checkStorage = async () => {};
const whileValid = () => ({ signal: new AbortController().signal, release() {} });
const config = readConfig({});
const log = createLog('silent');

/** What is told of a key that is not good any more, by whoever notices it. */
const INVALID_KEY: Told = { report: { ok: false, code: 'invalid_api_key' }, invocation_id: null };

/** By the settings of the gateway alone: how many approvals may be pending. */
export function doorsOf(
  sql: Sql, sources: readonly ActionSource[], pending: number): Record<string, Door> {
  const limits: Config = { ...config, pending_approvals: pending, key_pending_approvals: pending };
  const gateway = gatewayOf({ sql, log, config: limits, sources });
  const credentials = new Authenticator(sql, config, log);
  /** An application, whose key is looked at first; or was, before it was revoked. */
  const applicationOf = async ({ workspace_id, key }: Pick<Asked, 'workspace_id' | 'key'>) =>
    (key.status === 'revoked late' ? { workspace_id, api_key_id: key.api_key_id, agent: null }
      : await credentials.authenticate(key.token));
  return {
    run: runDoor(gateway),
    mcp: mcpDoor(gateway, applicationOf),
    api: apiDoor(sql, gateway, limits, applicationOf),
  };
}

type ApplicationOf = (asked: Pick<Asked, 'workspace_id' | 'key'>) => Promise<Caller>;

async function unlessInvalid(told: () => Promise<Told>): Promise<Told> {
  try {
    return await told();
  } catch (error) {
    if (error instanceof GatehouseError && error.code === 'invalid_api_key') return INVALID_KEY;
    throw error;
  }
}

const namesOf = async (gateway: Gateway, caller: Caller) =>
  (await gateway.catalogue.list(caller, {}, '', 100)).map(({ name }) => toolNameOf(name));

function runDoor(gateway: Gateway): Door {
  const attempt = { beginCall: () => () => {} } as never;
  const runOf = ({ workspace_id, key }: Pick<Asked, 'workspace_id' | 'key'>) =>
    ({ ...key, workspace_id, id: key.run_id, attempt: 1 }) as unknown as ClaimedRun;
  return {
    call: (asked) => unlessInvalid(async () => {
      const { part, event } = await performToolCall(
        { gateway, limit_chars: config.tool_result_limit_chars, attempt }, runOf(asked),
        { type: 'tool_call', tool_call_id: asked.tool_call_id, name: 'call_action',
          arguments: asked.body },
        { text: undefined, was_cut: false },
        { stop: whileValid().signal, windDown: whileValid().signal } as TurnSignals);
      const report = 'error' in part ? { ok: false, ...part.error as object }
        : part.result as object;
      return { report: { ...report }, invocation_id: JSON.parse(event.data).invocation_id };
    }),
    visible: async (asked) => await namesOf(gateway, agentOf(runOf(asked))),
  };
}

function apiDoor(
  sql: Sql, gateway: Gateway, limits: Config, applicationOf: ApplicationOf): Door {
  return {
    call: (asked) => unlessInvalid(async () => {
      const caller = await applicationOf(asked);
      try {
        const { body } = await createActionInvocation({
          caller, body: asked.body, params: { headers: {} }, request_id: REQUEST_ID,
          services: { gateway, sql, config: limits, whileValid, checkStorage },
          signal: whileValid().signal,
        } as never) as { body: Record<string, unknown> };
        const { invocation_id, action, connection_id, result, unknown_fields } = body;
        return { invocation_id: invocation_id as string, report: { ok: true, action, connection_id,
          result, ...(unknown_fields !== undefined && { unknown_fields }) } };
      } catch (error) {
        if (!(error instanceof GatehouseError) || error.code === 'invalid_api_key') throw error;
        const { code, message, details } = error;
        const { invocation_id, missing, upstream } = details as Record<string, unknown>;
        return { invocation_id: invocation_id as string,
          report: { ok: false, code, message, missing, upstream } };
      }
    }),
    visible: async (asked) => await namesOf(gateway, await applicationOf(asked)),
  };
}

function mcpDoor(gateway: Gateway, applicationOf: ApplicationOf): Door {
  const door = createMcpDoor(
    { gateway, config, log, whileValid, isUnavailable, isShareUsedUp, checkStorage,
      publicUrl: () => 'http://127.0.0.1' });
  const message = async (caller: Caller, method: string, params: object, search = '') => {
    const { content } = await door({
      caller, search, request_id: REQUEST_ID, signal: whileValid().signal,
      headers: { 'content-type': 'application/json',
        accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method, params },
    });
    const { result, error } = JSON.parse(/^data: (.*)$/m.exec(content.toString())![1]!);
    if (error === undefined) return result;
    throw new GatehouseError(error.data?.code ?? 'internal_error', error.message);
  };
  return {
    call: (asked) => unlessInvalid(async () => {
      const caller = await applicationOf(asked);
      const { structuredContent: { approval_url, ...report } } = await message(
        caller, 'tools/call', { name: 'call_action', arguments: asked.body });
      const is_pending = report.missing?.[0]?.status === 'pending';
      if ((approval_url !== undefined) !== is_pending) throw new Error('it has no page');
      return { report, invocation_id: report.invocation_id };
    }),
    async visible(asked) {
      const { tools } = await message(await applicationOf(asked), 'tools/list', {}, 'actions=*');
      return tools.map(({ name }: { name: string }) => name)
        .filter((name: string) => name.includes('-'));
    },
  };
}
