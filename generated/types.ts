// Generated from openapi.yaml by scripts/generate.ts. Do not edit.
export interface paths {
    "/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sessions
         * @description Sessions of the key's workspace, newest first, without their messages.
         */
        get: operations["listSessions"];
        put?: never;
        /**
         * Create a session
         * @description Creates an empty session in the key's workspace. The body may be left out; every field is optional.
         */
        post: operations["createSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the session.
                 * @example ses_01kagz4c8me3t0v5x7n9q2r4ab
                 */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        /**
         * Get a session with its transcript
         * @description The session and the messages collected so far, oldest first: what was asked, what the agent answered, which actions it called and what they returned. Of a long transcript these are the newest messages, at most 100 and about 1 MiB; `messages_next_cursor` then is the `cursor` of `GET /sessions/{session_id}/messages` for the earlier ones.
         */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename, archive or annotate a session
         * @description Changes the fields that are given and leaves the others. An archived session keeps its transcript and its open runs, and takes no new ones until it is active again.
         */
        patch: operations["updateSession"];
        trace?: never;
    };
    "/sessions/{session_id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the session.
                 * @example ses_01kagz4c8me3t0v5x7n9q2r4ab
                 */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        /**
         * List the messages of a session
         * @description The transcript in pages, newest message first: what was asked, what the agent answered, which actions it called and what they returned. While runs of the session are open, their messages are still to come, before those of runs that are queued behind them.
         */
        get: operations["listSessionMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the session.
                 * @example ses_01kagz4c8me3t0v5x7n9q2r4ab
                 */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a prompt in a session
         * @description Queues a run; the runs of a session are executed one after the other, in the order of their
         *     creation. How the call answers is the caller's choice:
         *
         *     - neither `wait` nor `stream`: **202** at once, with the queued run;
         *     - `wait: true`: **200** with the terminal run and its output; if `wait_timeout_s` is over
         *       first, **202** with the run as it is and `Retry-After`;
         *     - `stream: true`: **200** `text/event-stream`, the run's events from the first one on.
         *
         *     A run goes on whether or not anybody listens: closing the connection never cancels it.
         *
         *     With an `Idempotency-Key` a repeated request is about the run that the first one created, in
         *     the mode the repeated one asks for.
         */
        post: operations["createRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List runs
         * @description Runs of the key's workspace, newest first, without their output and tool calls.
         */
        get: operations["listRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the run.
                 * @example run_01kagz4e6f1s3t5v7w9x1y3z5a
                 */
                run_id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        /**
         * Get a run
         * @description The run as it is now, with its tool calls. A terminal run also has its output, or the error that ended it.
         */
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{run_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the run.
                 * @example run_01kagz4e6f1s3t5v7w9x1y3z5a
                 */
                run_id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run
         * @description Marks a queued or running run as cancelled and appends `run.cancelled`, before the reply. A run that has already ended is answered as it is, so the call may be repeated. Calls of actions that were under way are aborted.
         */
        post: operations["cancelRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{run_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the run.
                 * @example run_01kagz4e6f1s3t5v7w9x1y3z5a
                 */
                run_id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        /**
         * Follow or read a run's events
         * @description With `Accept: text/event-stream`: the events after `starting_after`, then live ones as they
         *     happen, until the run has ended; then the server closes the stream. Each message has
         *     `id:` (the sequence number), `event:` (the type) and `data:` (the event as JSON). A comment
         *     is sent every 15 seconds of silence. To resume, reconnect with `starting_after`, or let the
         *     client send `Last-Event-ID`; of the two the larger counts.
         *
         *     Otherwise: a JSON page of events in ascending order.
         *
         *     Numbers start at 1 and have no gaps. `starting_after=0` replays the whole run.
         */
        get: operations["streamRunEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List actions
         * @description Actions that the key may see, by name: those of connected integrations, as permission grants and the workspace's scope allow.
         */
        get: operations["listActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/actions/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search actions
         * @description The visible actions that fit the words of the query best, the best first. At equal score read-only actions come before others.
         */
        post: operations["searchActions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/action_invocations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List action invocations
         * @description Attempts to perform an action in the key's workspace, by applications and by agents, newest first, without their results.
         */
        get: operations["listActionInvocations"];
        put?: never;
        /**
         * Call a read-only action
         * @description Performs a read-only action and answers with its result, with no model, session or run. An action that changes data is refused with 403 and nothing is executed. Every attempt is recorded; a refused or failed one carries its `invocation_id` in the error's details. With an `Idempotency-Key`, a completed call is answered again from the record; a failed one releases its key.
         */
        post: operations["createActionInvocation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/action_invocations/{invocation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the invocation.
                 * @example inv_01kagz4ec9e1f3g5h7j9k1m3n5
                 */
                invocation_id: components["parameters"]["InvocationId"];
            };
            cookie?: never;
        };
        /**
         * Get an action invocation
         * @description One attempt, with its result or its error.
         */
        get: operations["getActionInvocation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this document
         * @description The OpenAPI 3.1 description of the public API, with an `ETag`.
         */
        get: operations["getOpenapiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workspaces
         * @description All workspaces, newest first.
         */
        get: operations["listWorkspaces"];
        put?: never;
        /**
         * Create a workspace
         * @description Creates a workspace with its built-in connections.
         */
        post: operations["createWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/workspaces/{workspace_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the workspace.
                 * @example wsp_01kagz3xz1a3b5c7d9e1f3g5h7
                 */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Get a workspace
         * @description One workspace.
         */
        get: operations["getWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a workspace
         * @description Changes the fields that are given. The defaults hold for runs created from then on. To archive a workspace refuses all its keys and ends its runs, as revoking a key does, until it is active again; the ended runs stay ended.
         */
        patch: operations["updateWorkspace"];
        trace?: never;
    };
    "/admin/api_keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List api keys
         * @description Keys of all workspaces or of one, newest first, never with the key itself.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an api key
         * @description Creates a key for a workspace. The answer carries `api_key` this once; only its hash is kept. A repeat under the same idempotency key therefore cannot answer it: it creates no second key, and is 409 `already_exists`, which names the first one.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api_keys/{api_key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the key.
                 * @example key_01kagz3y0c2d4e6f8g0h2j4k6m
                 */
                api_key_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an api key
         * @description The key is refused from the next request on (on other nodes within a second), and what runs in its name ends: its streams and waiting requests, its queued runs, and running ones before their next step or call, all with `run.cancelled` and the reason `api_key_revoked`. Approvals that were asked for in its name expire. Revoking a revoked key is fine. The key stays in the list, so that the record of who did what stays readable.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/admin_tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List admin tokens
         * @description The admin tokens that the database knows, newest first, never with the token itself. The one of GATEHOUSE_ADMIN_TOKEN is no such: it is part of a node's configuration.
         */
        get: operations["listAdminTokens"];
        put?: never;
        /**
         * Create an admin token
         * @description Creates a token for the admin operations. The answer carries `admin_token` this once; only its hash is kept. A repeat under the same idempotency key therefore cannot answer it: it creates no second token, and is 409 `already_exists`, which names the first one. A token that expires creates none that would outlive it.
         */
        post: operations["createAdminToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/admin_tokens/{admin_token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the token.
                 * @example adm_01kagz3y0c2d4e6f8g0h2j4k6m
                 */
                admin_token_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an admin token
         * @description The token is refused from now on, on every node; also if it is the one of this request. Revoking a revoked token is fine. The token stays in the list, so that the record of who did what stays readable.
         */
        delete: operations["revokeAdminToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List integrations
         * @description All integrations, newest first, the built-in ones not among them.
         */
        get: operations["listIntegrations"];
        put?: never;
        /**
         * Add an integration
         * @description Makes actions of an OpenAPI document (2.0, 3.0 or 3.1) or of an MCP server. The answer says how many, and what was left out and why. A document may be far larger than other bodies (GATEHOUSE_DOCUMENT_LIMIT_BYTES). A workspace sees the actions once it has a connection.
         */
        post: operations["createIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/integrations/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the integration.
                 * @example pets
                 */
                slug: components["schemas"]["Slug"];
            };
            cookie?: never;
        };
        /**
         * Get an integration
         * @description One integration, with the report of its last import.
         */
        get: operations["getIntegration"];
        put?: never;
        post?: never;
        /**
         * Remove an integration
         * @description Removes the integration with its actions. Refused while workspaces have connections to it.
         */
        delete: operations["deleteIntegration"];
        options?: never;
        head?: never;
        /**
         * Change an integration
         * @description Changes the fields that are given. A new document, document_url, mcp or overrides imports anew: names that exist stay as they are, actions that are gone are no longer offered.
         */
        patch: operations["updateIntegration"];
        trace?: never;
    };
    "/admin/integrations/{slug}/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the integration.
                 * @example pets
                 */
                slug: components["schemas"]["Slug"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import an integration anew
         * @description Fetches the document, or asks the MCP server, again. What has changed about an action that is in use is set aside, and shown in report.changes, until this is called with accept_changes: of a tool of an MCP server its words, schema and hints; of an operation of a document its effect, and words and input of one that writes. Changed words and operations go on as they were accepted; a tool whose schema or hints have changed is quarantined. An MCP server that announces changed tools is asked without this, too; nothing is accepted then.
         */
        post: operations["refreshIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List connections
         * @description Connections of all workspaces or of one, newest first, without their secrets.
         */
        get: operations["listConnections"];
        put?: never;
        /**
         * Connect an account
         * @description Links an account of an integration to a workspace. Secrets go in here and never come out. What of an OAuth client or of an api key's place is left out is taken from what the integration's document declares, and settings tells what that was; what is given wins. With an OAuth authorization code the connection is pending until somebody opens authorization_url. A repeat under the same idempotency key answers the connection as it is by then, with a new authorization_url if it is still pending.
         */
        post: operations["createConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/connections/{connection_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example con_01kagz50a1b3c5d7e9f1g3h5j7
                 */
                connection_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /**
         * Get a connection
         * @description One connection, without its secrets.
         */
        get: operations["getConnection"];
        put?: never;
        post?: never;
        /**
         * Remove a connection
         * @description Removes the connection and its secrets. The record of what was done with it stays.
         */
        delete: operations["deleteConnection"];
        options?: never;
        head?: never;
        /**
         * Change or reconnect a connection
         * @description Changes the fields that are given. New credentials reconnect the account; its id stays, and so do the grants that name it.
         */
        patch: operations["updateConnection"];
        trace?: never;
    };
    "/admin/connections/{connection_id}/check": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example con_01kagz50a1b3c5d7e9f1g3h5j7
                 */
                connection_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a connection
         * @description Performs one action that reads and needs no input, `action` of the answer: one that tells whose account it is (`/user`, `/me`, `whoami`, …), else the list with the shortest address. An OAuth token is renewed for it if need be. The status follows what comes of it; a timeout or a fault of the other side changes nothing.
         */
        post: operations["checkConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List grants
         * @description Grants of all workspaces or of one, newest first.
         */
        get: operations["listGrants"];
        put?: never;
        /**
         * Grant or deny actions
         * @description Says what a workspace, or one of its api keys, may do. Of the grants that match an action the most restrictive holds: deny, then require_approval, then allow. With none that matches, reading is allowed and the rest is not.
         */
        post: operations["createGrant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/grants/{grant_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the grant.
                 * @example grt_01kagz51a1b3c5d7e9f1g3h5j7
                 */
                grant_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a grant
         * @description The grant no longer holds, from the next call on.
         */
        delete: operations["deleteGrant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List approvals
         * @description Calls that wait for an approval, or did, newest first.
         */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/approvals/{approval_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the approval.
                 * @example apr_01kagz52a1b3c5d7e9f1g3h5j7
                 */
                approval_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /**
         * Get an approval
         * @description One approval, with the exact call that it is for.
         */
        get: operations["getApproval"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/approvals/{approval_id}/decision": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the approval.
                 * @example apr_01kagz52a1b3c5d7e9f1g3h5j7
                 */
                approval_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve or deny a call
         * @description Approves the exact call, once: the next call of the same action with the same input and connection goes through, by the same api key if that is its `scope`. Or denies it.
         */
        post: operations["decideApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit_entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit entries
         * @description Who did what, newest first. Entries are never changed or removed.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit_log/verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify the audit log
         * @description Walks the chain of hashes from the first entry to the last, and the anchors: once a minute the service seals what the log then holds with a key that the database does not have. Names the first of each that does not fit. An anchor that was kept elsewhere shows also whether the newest entries were removed or rewritten together with their anchors.
         */
        get: operations["verifyAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description An opaque identifier. */
        Id: string;
        /**
         * Format: date-time
         * @description ISO 8601, UTC, with milliseconds.
         */
        Timestamp: string;
        Slug: string;
        /** @description A dotted name, `<integration>.<resource>.<verb>`. */
        ActionName: string;
        /** @description Up to 16 strings of your own: keys of up to 64 characters, values of up to 512. */
        Metadata: {
            [key: string]: string;
        };
        /** @enum {string} */
        SessionStatus: "active" | "archived";
        /** @enum {string} */
        RunStatus: "queued" | "running" | "completed" | "failed" | "cancelled";
        /** @description Pass it as `cursor` for the next page; null on the last one. */
        NextCursor: string | null;
        Error: {
            /** @description For a person; what was wrong, with what, and what to do next. */
            error: string;
            code: components["schemas"]["ErrorCode"];
            /** @description JSON pointer into the body, or the name of the parameter or (in lower case) of the header. */
            param: string | null;
            request_id: string;
            /** @description Particulars of the code, for a program. */
            details?: unknown;
        };
        /**
         * @description Stable, for programs. docs/errors.md says what each asks of you.
         * @enum {string}
         */
        ErrorCode: "invalid_json" | "invalid_request" | "invalid_cursor" | "invalid_input" | "invalid_document" | "egress_refused" | "missing_api_key" | "invalid_api_key" | "not_permitted" | "action_not_read_only" | "approval_required" | "not_found" | "unknown_action" | "method_not_allowed" | "not_acceptable" | "session_busy" | "session_archived" | "idempotency_key_reused" | "idempotency_in_progress" | "not_connected" | "needs_reconnect" | "connection_ambiguous" | "already_exists" | "integration_in_use" | "approval_decided" | "events_expired" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "queue_full" | "approvals_full" | "internal_error" | "upstream_error" | "upstream_forbidden" | "upstream_rate_limited" | "unavailable" | "upstream_timeout";
        Session: {
            id: components["schemas"]["Id"];
            /** @constant */
            object: "session";
            status: components["schemas"]["SessionStatus"];
            title: string | null;
            metadata: components["schemas"]["Metadata"];
            /** @description The run that is being executed, if any. */
            active_run_id: string | null;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        SessionWithMessages: {
            id: components["schemas"]["Id"];
            /** @constant */
            object: "session";
            status: components["schemas"]["SessionStatus"];
            title: string | null;
            metadata: components["schemas"]["Metadata"];
            active_run_id: string | null;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
            /** @description The transcript, oldest first; of a long one the newest messages. */
            messages: components["schemas"]["Message"][];
            /** @description Pass it as `cursor` to list the earlier messages of the session; null if these are all. */
            messages_next_cursor: string | null;
        };
        MessageList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Message"][];
            has_more: boolean;
            next_cursor: components["schemas"]["NextCursor"];
        };
        SessionList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Session"][];
            has_more: boolean;
            next_cursor: components["schemas"]["NextCursor"];
        };
        CreateSessionRequest: {
            title?: string | null;
            metadata?: components["schemas"]["Metadata"];
        };
        UpdateSessionRequest: {
            title?: string | null;
            metadata?: components["schemas"]["Metadata"];
            status?: components["schemas"]["SessionStatus"];
        };
        Message: {
            id: components["schemas"]["Id"];
            run_id: components["schemas"]["Id"];
            /** @enum {string} */
            role: "user" | "assistant" | "tool";
            content: components["schemas"]["MessagePart"][];
            /** @description Which model said it; of an assistant's message. */
            model?: string;
            usage?: components["schemas"]["Usage"];
            created_at: components["schemas"]["Timestamp"];
        };
        MessagePart: components["schemas"]["InputTextPart"] | components["schemas"]["OutputTextPart"] | components["schemas"]["ToolCallPart"] | components["schemas"]["ToolResultPart"];
        InputTextPart: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "input_text";
            text: string;
        };
        OutputTextPart: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "output_text";
            text: string;
        };
        ToolCallPart: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_call";
            tool_call_id: components["schemas"]["Id"];
            name: components["schemas"]["ActionName"];
            /** @description What the model passed to `call_action`. */
            arguments: unknown;
        };
        ToolResultPart: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_result";
            tool_call_id: components["schemas"]["Id"];
            name: components["schemas"]["ActionName"];
            /** @description What the model saw of the result. */
            result?: unknown;
            error?: components["schemas"]["ToolCallError"];
        };
        InputItem: {
            /** @constant */
            role: "user";
            content: components["schemas"]["InputContentPart"][];
        };
        InputContentPart: {
            /** @constant */
            type: "input_text";
            text: string;
        };
        OutputItem: {
            /** @constant */
            type: "message";
            /** @constant */
            role: "assistant";
            content: components["schemas"]["OutputTextPart"][];
            /**
             * @description Why the model's provider ended the message before the model did; absent from a whole one.
             * @enum {string}
             */
            incomplete_reason?: "max_output_tokens" | "content_filter";
        };
        CreateRunRequest: {
            input: components["schemas"]["InputItem"][];
            /** @description Answer with the terminal run. Not together with `stream`. */
            wait?: boolean;
            /** @description Answer with the run's events as server-sent events. */
            stream?: boolean;
            /** @description How long `wait` waits; 60 if it is left out. */
            wait_timeout_s?: number;
            /** @description Instead of the workspace's model: `<provider>/<id>` with `openai`, `anthropic`, `google` or `compatible`, or `rehearsal`, as far as it is allowed. */
            model?: string;
            /** @description Instead of the workspace's instructions. */
            instructions?: string;
            /** @description Model steps at most; no more than the operator allows (32 unless set). */
            max_steps?: number;
            /** @description Time from the first start; no more than the operator allows (900 unless set). */
            timeout_s?: number;
            /** @description Tokens, all steps together; no more than is allowed (without limit unless set). Looked at before each step, so that the last may go beyond. */
            max_total_tokens?: number;
            metadata?: components["schemas"]["Metadata"];
            /**
             * @description If the session has open runs: wait for them (`enqueue`, the default), refuse with 409 (`reject`), or cancel them (`interrupt`).
             * @enum {string}
             */
            concurrency?: "enqueue" | "reject" | "interrupt";
        };
        Run: {
            id: components["schemas"]["Id"];
            /** @constant */
            object: "run";
            session_id: components["schemas"]["Id"];
            status: components["schemas"]["RunStatus"];
            source: components["schemas"]["RunSource"];
            model: string;
            input: components["schemas"]["InputItem"][];
            /** @description What the agent said; empty until the run has completed. */
            output: components["schemas"]["OutputItem"][];
            /** @description The calls of actions so far, in the order they began. */
            tool_calls: components["schemas"]["ToolCallSummary"][];
            error: components["schemas"]["RunError"] | null;
            usage: components["schemas"]["Usage"] | null;
            metadata: components["schemas"]["Metadata"];
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
            started_at: components["schemas"]["Timestamp"] | null;
            finished_at: components["schemas"]["Timestamp"] | null;
        };
        /** @description A run as lists show it. */
        RunSummary: {
            id: components["schemas"]["Id"];
            /** @constant */
            object: "run";
            session_id: components["schemas"]["Id"];
            status: components["schemas"]["RunStatus"];
            source: components["schemas"]["RunSource"];
            model: string;
            input: components["schemas"]["InputItem"][];
            error: components["schemas"]["RunError"] | null;
            usage: components["schemas"]["Usage"] | null;
            metadata: components["schemas"]["Metadata"];
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
            started_at: components["schemas"]["Timestamp"] | null;
            finished_at: components["schemas"]["Timestamp"] | null;
        };
        /** @enum {string} */
        RunSource: "api" | "console";
        RunList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["RunSummary"][];
            has_more: boolean;
            next_cursor: components["schemas"]["NextCursor"];
        };
        RunError: {
            /** @enum {string} */
            code: "model_error" | "model_rate_limited" | "max_steps_exceeded" | "timeout" | "budget_exceeded" | "worker_lost" | "internal_error";
            message: string;
            /** @description Whether the same prompt may well succeed in a new run. */
            retryable: boolean;
        };
        Usage: {
            input_tokens: number;
            output_tokens: number;
            total_tokens: number;
        };
        ToolCallSummary: {
            tool_call_id: components["schemas"]["Id"];
            name: components["schemas"]["ActionName"];
            /** @enum {string} */
            status: "running" | "completed" | "failed" | "cancelled";
            /** @description What the model passed to `call_action`; null if it never finished. */
            arguments: unknown;
            error: components["schemas"]["ToolCallError"] | null;
            invocation_id: string | null;
            started_at: components["schemas"]["Timestamp"];
            finished_at: components["schemas"]["Timestamp"] | null;
        };
        ToolCallError: {
            code: string;
            message: string;
            /** @description Exactly what is missing for the call to succeed. */
            missing?: components["schemas"]["Missing"][];
        };
        /** @description One gap, with the particulars that its code carries. */
        Missing: {
            /** @enum {string} */
            code: "not_connected" | "needs_reconnect" | "not_permitted" | "approval_required" | "approvals_full" | "invalid_input" | "unknown_action" | "connection_ambiguous" | "action_not_read_only";
            message: string;
        };
        /** @description Server-sent events. The `data` of each is a RunEvent on one line. */
        EventStream: string;
        RunEvent: components["schemas"]["RunCreatedEvent"] | components["schemas"]["RunStartedEvent"] | components["schemas"]["ReasoningSummaryDeltaEvent"] | components["schemas"]["ToolCallStartedEvent"] | components["schemas"]["ToolCallArgumentsDeltaEvent"] | components["schemas"]["ToolCallCompletedEvent"] | components["schemas"]["ToolCallFailedEvent"] | components["schemas"]["MessageOutputDeltaEvent"] | components["schemas"]["MessageOutputCompletedEvent"] | components["schemas"]["RunCompletedEvent"] | components["schemas"]["RunFailedEvent"] | components["schemas"]["RunCancelledEvent"];
        /** @description The run was created. Always the first event. */
        RunCreatedEvent: {
            id: components["schemas"]["Id"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run.created";
            run_id: components["schemas"]["Id"];
            session_id: components["schemas"]["Id"];
            sequence_number: number;
            created_at: components["schemas"]["Timestamp"];
            data: {
                /** @constant */
                status: "queued";
                input: components["schemas"]["InputItem"][];
                metadata: components["schemas"]["Metadata"];
            };
        };
        /** @description A worker took the run on; again, with a higher attempt, after a crash. */
        RunStartedEvent: {
            id: components["schemas"]["Id"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run.started";
            run_id: components["schemas"]["Id"];
            session_id: components["schemas"]["Id"];
            sequence_number: number;
            created_at: components["schemas"]["Timestamp"];
            data: {
                attempt: number;
                model: string;
            };
        };
        /** @description A piece of the model's reasoning summary. */
        ReasoningSummaryDeltaEvent: {
            id: components["schemas"]["Id"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "reasoning.summary.delta";
            run_id: components["schemas"]["Id"];
            session_id: components["schemas"]["Id"];
            sequence_number: number;
            created_at: components["schemas"]["Timestamp"];
            data: {
                item_id: components["schemas"]["Id"];
                delta: string;
            };
        };
        /** @description The agent begins to call an action. */
        ToolCallStartedEvent: {
            id: components["schemas"]["Id"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_call.started";
            run_id: components["schemas"]["Id"];
            session_id: components["schemas"]["Id"];
            sequence_number: number;
            created_at: components["schemas"]["Timestamp"];
            data: {
                tool_call_id: components["schemas"]["Id"];
                name: components["schemas"]["ActionName"];
            };
        };
        /** @description A piece of the call's arguments; the pieces joined are the whole JSON. */
        ToolCallArgumentsDeltaEvent: {
            id: components["schemas"]["Id"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_call.arguments.delta";
            run_id: components["schemas"]["Id"];
            session_id: components["schemas"]["Id"];
            sequence_number: number;
            created_at: components["schemas"]["Timestamp"];
            data: {
                tool_call_id: components["schemas"]["Id"];
                delta: string;
            };
        };
        /** @description The action returned. */
        ToolCallCompletedEvent: {
            id: components["schemas"]["Id"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_call.completed";
            run_id: components["schemas"]["Id"];
            session_id: components["schemas"]["Id"];
            sequence_number: number;
            created_at: components["schemas"]["Timestamp"];
            data: {
                tool_call_id: components["schemas"]["Id"];
                name: components["schemas"]["ActionName"];
                invocation_id: components["schemas"]["Id"];
                /** @description What the model passed to `call_action`. */
                arguments: unknown;
                /** @description What the model saw of the result. */
                result: unknown;
                truncated: boolean;
                duration_ms: number;
            };
        };
        /** @description The call did not succeed, or was never made: `error` says which and why. */
        ToolCallFailedEvent: {
            id: components["schemas"]["Id"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_call.failed";
            run_id: components["schemas"]["Id"];
            session_id: components["schemas"]["Id"];
            sequence_number: number;
            created_at: components["schemas"]["Timestamp"];
            data: {
                tool_call_id: components["schemas"]["Id"];
                name: components["schemas"]["ActionName"];
                error: components["schemas"]["ToolCallError"];
                invocation_id?: components["schemas"]["Id"];
                duration_ms?: number;
            };
        };
        /** @description A piece of what the agent says. */
        MessageOutputDeltaEvent: {
            id: components["schemas"]["Id"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message.output.delta";
            run_id: components["schemas"]["Id"];
            session_id: components["schemas"]["Id"];
            sequence_number: number;
            created_at: components["schemas"]["Timestamp"];
            data: {
                message_id: components["schemas"]["Id"];
                delta: string;
            };
        };
        /** @description A whole message, as it is in the transcript from now on. */
        MessageOutputCompletedEvent: {
            id: components["schemas"]["Id"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message.output.completed";
            run_id: components["schemas"]["Id"];
            session_id: components["schemas"]["Id"];
            sequence_number: number;
            created_at: components["schemas"]["Timestamp"];
            data: {
                message_id: components["schemas"]["Id"];
                message: components["schemas"]["OutputItem"];
            };
        };
        /** @description The run has succeeded. The last event. */
        RunCompletedEvent: {
            id: components["schemas"]["Id"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run.completed";
            run_id: components["schemas"]["Id"];
            session_id: components["schemas"]["Id"];
            sequence_number: number;
            created_at: components["schemas"]["Timestamp"];
            data: {
                output: components["schemas"]["OutputItem"][];
                usage: components["schemas"]["Usage"];
            };
        };
        /** @description The run has failed. The last event. */
        RunFailedEvent: {
            id: components["schemas"]["Id"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run.failed";
            run_id: components["schemas"]["Id"];
            session_id: components["schemas"]["Id"];
            sequence_number: number;
            created_at: components["schemas"]["Timestamp"];
            data: {
                error: components["schemas"]["RunError"];
                usage: components["schemas"]["Usage"];
            };
        };
        /** @description The run was cancelled. The last event. */
        RunCancelledEvent: {
            id: components["schemas"]["Id"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run.cancelled";
            run_id: components["schemas"]["Id"];
            session_id: components["schemas"]["Id"];
            sequence_number: number;
            created_at: components["schemas"]["Timestamp"];
            data: {
                /** @enum {string} */
                previous_status: "queued" | "running";
                /** @description `requested` (cancelRun), `interrupted` (by a new run of the session), `api_key_revoked` (the key that created the run) or `workspace_archived`. There may be others in time. */
                reason: string;
            };
        };
        RunEventList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["RunEvent"][];
            /** @description Whether there are more events now; an open run may still get others. */
            has_more: boolean;
            /** @description Pass it as `starting_after` for the next page; null if there is none yet. */
            next_cursor: string | null;
        };
        /** @enum {string} */
        ActionEffect: "read" | "write" | "destructive";
        ActionConnection: {
            connection_id: components["schemas"]["Id"];
            account_label: string | null;
        };
        /** @description A JSON Schema (2020-12). */
        JsonSchema: {
            [key: string]: unknown;
        };
        Action: {
            /** @constant */
            object: "action";
            name: components["schemas"]["ActionName"];
            integration: string;
            title: string;
            description: string;
            read_only: boolean;
            effect: components["schemas"]["ActionEffect"];
            input_schema: components["schemas"]["JsonSchema"];
            output_schema: components["schemas"]["JsonSchema"] | null;
            connections: components["schemas"]["ActionConnection"][];
        };
        ScoredAction: {
            /** @constant */
            object: "action";
            name: components["schemas"]["ActionName"];
            integration: string;
            title: string;
            description: string;
            read_only: boolean;
            effect: components["schemas"]["ActionEffect"];
            input_schema: components["schemas"]["JsonSchema"];
            output_schema: components["schemas"]["JsonSchema"] | null;
            connections: components["schemas"]["ActionConnection"][];
            score: number;
        };
        ActionList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Action"][];
            has_more: boolean;
            next_cursor: components["schemas"]["NextCursor"];
        };
        ScoredActionList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["ScoredAction"][];
            has_more: boolean;
            next_cursor: components["schemas"]["NextCursor"];
        };
        SearchActionsRequest: {
            query: string;
            integration?: components["schemas"]["Slug"];
            read_only?: boolean;
            /** @description 10 if it is left out. */
            limit?: number;
        };
        /** @enum {string} */
        ActionInvocationStatus: "completed" | "failed";
        /** @enum {string} */
        ActionInvocationSource: "api" | "run";
        ActionInvocationError: {
            code: string;
            message: string;
            /** @description Particulars of the code. */
            details?: unknown;
        };
        CreateActionInvocationRequest: {
            action: components["schemas"]["ActionName"];
            /** @description As the action's `input_schema` says; an empty object if it is left out. */
            input?: {
                [key: string]: unknown;
            };
            connection_id?: components["schemas"]["Id"];
            /** @description Only these fields of the result, as dotted paths; lists are gone through. */
            fields?: string[];
            /** @description `page.next_cursor` of the call before, for the next page of its result. It counts for the same action, input and connection, and is refused with any other. */
            cursor?: string;
        };
        ActionInvocation: {
            invocation_id: components["schemas"]["Id"];
            /** @constant */
            object: "action_invocation";
            action: components["schemas"]["ActionName"];
            connection_id?: components["schemas"]["Id"];
            status: components["schemas"]["ActionInvocationStatus"];
            /** @description What the action returned; null if it failed. */
            result: unknown;
            error: components["schemas"]["ActionInvocationError"] | null;
            source: components["schemas"]["ActionInvocationSource"];
            run_id: string | null;
            duration_ms: number;
            /** @description Whether the result was cut to the size that is kept. */
            truncated: boolean;
            created_at: components["schemas"]["Timestamp"];
            /** @description Present if the action has more results. */
            page?: {
                /** @description Opaque. Pass it as `cursor` of the next call, which else stays the same. */
                next_cursor: string;
            };
        };
        /** @description An invocation as lists show it. */
        ActionInvocationSummary: {
            invocation_id: components["schemas"]["Id"];
            /** @constant */
            object: "action_invocation";
            action: components["schemas"]["ActionName"];
            connection_id?: components["schemas"]["Id"];
            status: components["schemas"]["ActionInvocationStatus"];
            error: components["schemas"]["ActionInvocationError"] | null;
            source: components["schemas"]["ActionInvocationSource"];
            run_id: string | null;
            duration_ms: number;
            truncated: boolean;
            created_at: components["schemas"]["Timestamp"];
        };
        ActionInvocationList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["ActionInvocationSummary"][];
            has_more: boolean;
            next_cursor: components["schemas"]["NextCursor"];
        };
        OpenapiDocument: {
            openapi: string;
            info: {
                [key: string]: unknown;
            };
            paths: {
                [key: string]: unknown;
            };
        };
        /** @description Limits of the workspace's runs, within the operator's. In a change they take the place of all limits before. */
        WorkspaceLimits: {
            max_steps?: number;
            timeout_s?: number;
            /** @description Tokens of one run, all its steps together. */
            max_total_tokens?: number;
            /** @description Tokens of all runs that the workspace has created since midnight UTC. Beyond, no run takes another step; it fails with `budget_exceeded`. */
            max_total_tokens_per_day?: number;
            /** @description Queued runs of the workspace, in the place of the service's limit. Beyond, creating one is refused with `queue_full`. */
            max_queued_runs?: number;
            /** @description Runs of the workspace that all workers together execute at once, in the place of the service's limit. Further ones wait. */
            max_running_runs?: number;
        };
        /** @description The models that its runs may have, as `<provider>/<id>`, where `*` may stand for the end; null for all that the operator allows. */
        AllowedModels: string[] | null;
        Workspace: {
            id: components["schemas"]["Id"];
            /** @constant */
            object: "workspace";
            status: components["schemas"]["WorkspaceStatus"];
            name: string;
            /** @description The model of its runs; null for the operator's. */
            model: string | null;
            allowed_models: components["schemas"]["AllowedModels"];
            /** @description What its agents are told before the conversation. */
            instructions: string | null;
            limits: components["schemas"]["WorkspaceLimits"];
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        /**
         * @description The keys of an archived workspace open nothing, and nothing runs in it.
         * @enum {string}
         */
        WorkspaceStatus: "active" | "archived";
        WorkspaceList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Workspace"][];
            has_more: boolean;
            next_cursor: components["schemas"]["NextCursor"];
        };
        CreateWorkspaceRequest: {
            name: string;
            model?: string | null;
            allowed_models?: components["schemas"]["AllowedModels"];
            instructions?: string | null;
            limits?: components["schemas"]["WorkspaceLimits"];
        };
        UpdateWorkspaceRequest: {
            status?: components["schemas"]["WorkspaceStatus"];
            name?: string;
            model?: string | null;
            allowed_models?: components["schemas"]["AllowedModels"];
            instructions?: string | null;
            limits?: components["schemas"]["WorkspaceLimits"];
        };
        /** @enum {string} */
        ApiKeyStatus: "active" | "expired" | "revoked";
        ApiKey: {
            id: components["schemas"]["Id"];
            /** @constant */
            object: "api_key";
            workspace_id: components["schemas"]["Id"];
            name: string;
            /** @description The last characters of the key. */
            hint: string;
            status: components["schemas"]["ApiKeyStatus"];
            created_at: components["schemas"]["Timestamp"];
            /** Format: date-time */
            last_used_at: string | null;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
        };
        ApiKeyWithSecret: {
            id: components["schemas"]["Id"];
            /** @constant */
            object: "api_key";
            workspace_id: components["schemas"]["Id"];
            name: string;
            hint: string;
            status: components["schemas"]["ApiKeyStatus"];
            created_at: components["schemas"]["Timestamp"];
            /** Format: date-time */
            last_used_at: string | null;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /** @description The key itself, shown this once. */
            api_key: string;
        };
        ApiKeyList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["ApiKey"][];
            has_more: boolean;
            next_cursor: components["schemas"]["NextCursor"];
        };
        CreateApiKeyRequest: {
            workspace_id: components["schemas"]["Id"];
            name: string;
            /** Format: date-time */
            expires_at?: string | null;
        };
        /** @enum {string} */
        AdminTokenStatus: "active" | "expired" | "revoked";
        AdminToken: {
            id: components["schemas"]["Id"];
            /** @constant */
            object: "admin_token";
            name: string;
            /** @description The last characters of the token; null for one of an early version. */
            hint: string | null;
            status: components["schemas"]["AdminTokenStatus"];
            created_at: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description To within some seconds.
             */
            last_used_at: string | null;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
        };
        AdminTokenWithSecret: {
            id: components["schemas"]["Id"];
            /** @constant */
            object: "admin_token";
            name: string;
            /** @description The last characters of the token; null for one of an early version. */
            hint: string | null;
            status: components["schemas"]["AdminTokenStatus"];
            created_at: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description To within some seconds.
             */
            last_used_at: string | null;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /** @description The token itself, shown this once. */
            admin_token: string;
        };
        AdminTokenList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["AdminToken"][];
            has_more: boolean;
            next_cursor: components["schemas"]["NextCursor"];
        };
        CreateAdminTokenRequest: {
            name: string;
            /** Format: date-time */
            expires_at?: string | null;
        };
        /** @enum {string} */
        IntegrationKind: "openapi" | "mcp";
        /** @description The OpenAPI document: its text (JSON or YAML), or the object itself. */
        IntegrationDocument: string | {
            [key: string]: unknown;
        };
        /** @description An MCP server, by its address, or by the command that the service starts. Which commands it may start is part of its configuration (GATEHOUSE_MCP_STDIO); another one is refused with 400, and the message says what is missing there. */
        McpServer: {
            /** Format: uri */
            url?: string;
            command?: string;
            args?: string[];
            /** @description Environment variables of the command. Sealed like other secrets, never shown. */
            env?: {
                [key: string]: string;
            };
            /** @description Whether this server's readOnlyHint is believed. If it is not, every tool counts as a write. Left out, it stays as it is for the same address or command, and is false for another one. A change may give it alone. */
            trust_hints?: boolean;
        };
        /** @description The MCP server, without the values of its environment. */
        McpServerShown: {
            url?: string;
            command?: string;
            args?: string[];
            env_names?: string[];
            trust_hints: boolean;
        };
        /** @description Addresses besides public ones that the integration may be called at, as `cidr:port`: 10.1.0.0/16:443, [fd00::]/8:8443. */
        EgressAllow: string[];
        /** @description Whether credentials may be sent to public addresses by plain http, where everybody on the way can read them. If not, such a call is refused. */
        InsecureHttp: boolean;
        /** @description Whether a browser that comes back from authorizing a connection has an address of this integration's own, `/oauth/callback/{slug}`. False for integrations that were added before there were any: they have the common one, `/oauth/callback`, registered. Register the other one before you set it. */
        OwnRedirect: boolean;
        /** @description What you know better than the rules, by source key (`POST /pets/search`, or the tool's name). */
        Overrides: {
            [key: string]: {
                effect?: components["schemas"]["ActionEffect"];
                /** @description The action is not offered. */
                hidden?: boolean;
                /** @description Parameters that callers do not get to set: `header.x-tenant`. */
                hidden_parameters?: string[];
                /** @description For an API that answers 200 to what failed: the field (a JSON pointer) that says so, the value that it then has, and where the message is. */
                soft_error?: {
                    pointer: string;
                    equals: unknown;
                    message_pointer?: string;
                };
            };
        };
        CreateIntegrationRequest: {
            slug: components["schemas"]["Slug"];
            kind: components["schemas"]["IntegrationKind"];
            title?: string;
            document?: components["schemas"]["IntegrationDocument"];
            /** Format: uri */
            document_url?: string;
            /**
             * Format: uri
             * @description Where the API is, if the document does not say, or says it wrongly. If it is left out, the document's first server is; a refresh keeps either.
             */
            base_url?: string;
            mcp?: components["schemas"]["McpServer"];
            egress_allow?: components["schemas"]["EgressAllow"];
            insecure_http?: components["schemas"]["InsecureHttp"];
            overrides?: components["schemas"]["Overrides"];
            /** @description The workspaces that it is offered to; null for all. */
            workspace_ids?: components["schemas"]["Id"][] | null;
        };
        UpdateIntegrationRequest: {
            title?: string;
            document?: components["schemas"]["IntegrationDocument"];
            /** Format: uri */
            document_url?: string;
            /**
             * Format: uri
             * @description Where the API is; null for the first server that the document names now.
             */
            base_url?: string | null;
            mcp?: components["schemas"]["McpServer"];
            egress_allow?: components["schemas"]["EgressAllow"];
            insecure_http?: components["schemas"]["InsecureHttp"];
            own_redirect?: components["schemas"]["OwnRedirect"];
            overrides?: components["schemas"]["Overrides"];
            workspace_ids?: components["schemas"]["Id"][] | null;
        };
        RefreshIntegrationRequest: {
            /** @description Accepts what report.changes shows, as it was when it was set aside, and then asks again. What has changed since is set aside anew. */
            accept_changes?: boolean;
        };
        ImportReport: {
            operations: number;
            imported: number;
            /** @description At most 100 of them are named. */
            skipped: {
                source_key: string;
                reason: string;
            }[];
            warnings: string[];
            /** @description What the document says about authentication; at most 50 schemes. It is not there for an MCP server, and for a document that was imported before this was kept: a refresh adds it. */
            security_schemes?: components["schemas"]["SecurityScheme"][];
            /** @description How many actions have changed and wait for accept_changes; left out for none. */
            changes_total?: number;
            /** @description What has changed about them: at most 50 actions, and as much of their texts as fits into 65,536 characters. Left out if nothing waits. */
            changes?: components["schemas"]["ActionChange"][];
        };
        /** @description A change of an action that is set aside until it is accepted. */
        ActionChange: {
            /** @description Its name. */
            action: string;
            source_key: string;
            /** @description Whether it goes on as it was accepted; of two effects the one that asks for more permission holds until then. If not, it is quarantined. */
            offered: boolean;
            /** @description What is different, at most 20 of them; effect, address and words come first. */
            fields: {
                /** @description effect, address, title, description or hints, or a JSON pointer into the action: /input_schema/properties/path/description. The address is what a document gives an operation of its own; null is that of the integration. */
                field: string;
                before: components["schemas"]["ShownText"];
                after: components["schemas"]["ShownText"];
            }[];
            fields_total: number;
        };
        /** @description A text, or a value as JSON, where the two differ; null for nothing. What could hide in it is escaped: line ends as \n, other characters that show nothing or change the order of writing as \u{202e}, many spaces as [40 spaces]. What is left out of a long one is said in it. */
        ShownText: string | null;
        /** @description A way to authenticate that the document of an integration declares. */
        SecurityScheme: {
            /** @description What the document calls it. */
            name: string;
            /**
             * @description OpenID Connect is oauth2.
             * @enum {string}
             */
            type: "bearer" | "basic" | "api_key" | "oauth2" | "unsupported";
            description: string | null;
            /** @description Of an api key. */
            placement?: {
                /** @enum {string} */
                in: "header" | "query" | "cookie";
                name: string;
            };
            /** @description Of OAuth, by grant: authorization_code and client_credentials, which a service can use. */
            flows?: {
                [key: string]: components["schemas"]["OAuthFlow"];
            };
            /** @description Of OpenID Connect: where its endpoints are said. It is read when an account is connected. */
            openid_connect_url?: string;
            /** @description The scopes that actions need at least, as far as the document says so. */
            required_scopes?: {
                /** @description What actions need that only read. */
                read: string[];
                /** @description What the others need besides. */
                other: string[];
            };
        };
        /** @description Addresses are absolute: relative ones are seen from the integration's server. Null if the document does not say. */
        OAuthFlow: {
            authorization_url: string | null;
            token_url: string | null;
            refresh_url: string | null;
            /** @description What each scope is for; at most 200 of them. */
            scopes: {
                [key: string]: string;
            };
        };
        Integration: {
            slug: components["schemas"]["Slug"];
            /** @constant */
            object: "integration";
            kind: components["schemas"]["IntegrationKind"];
            title: string;
            base_url: string | null;
            document_url: string | null;
            document_sha256: string | null;
            mcp: components["schemas"]["McpServerShown"] | null;
            /** @description How accounts can be connected, as the document says. */
            auth_methods: string[];
            egress_allow: components["schemas"]["EgressAllow"];
            insecure_http: components["schemas"]["InsecureHttp"];
            own_redirect: components["schemas"]["OwnRedirect"];
            overrides: components["schemas"]["Overrides"];
            workspace_ids: components["schemas"]["Id"][] | null;
            /** @description One more with every change. */
            revision: number;
            /** @description How many there are, by effect; quarantined ones are not offered. */
            actions: {
                read: number;
                write: number;
                destructive: number;
                quarantined: number;
            };
            report: components["schemas"]["ImportReport"];
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        IntegrationList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Integration"][];
            has_more: boolean;
            next_cursor: components["schemas"]["NextCursor"];
        };
        /** @description Sealed when it arrives, never shown again. */
        Secret: string;
        /** @description How the account is used. What is secret goes in and never comes out. */
        Credentials: components["schemas"]["NoCredentials"] | components["schemas"]["BearerCredentials"] | components["schemas"]["ApiKeyCredentials"] | components["schemas"]["BasicCredentials"] | components["schemas"]["OAuth2Credentials"];
        NoCredentials: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "none";
        };
        BearerCredentials: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "bearer";
            token: components["schemas"]["Secret"];
        };
        ApiKeyCredentials: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "api_key";
            /**
             * @description Where the key goes; if left out, where the document puts it.
             * @enum {string}
             */
            in?: "header" | "query" | "cookie";
            /** @description Of the header, parameter or cookie; if left out, that of the document. */
            name?: string;
            value: components["schemas"]["Secret"];
            /** @description Stands before the value, such as `Token `. */
            prefix?: string;
        };
        BasicCredentials: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "basic";
            username: string;
            password: components["schemas"]["Secret"];
        };
        /** @description What is left out is taken from the document of the integration, if it declares it. */
        OAuth2Credentials: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "oauth2";
            /** @description The security scheme of the document that counts, by its name. If left out, the first with an authorization code, else the first with client credentials. */
            scheme?: string;
            grant?: components["schemas"]["OAuthGrant"];
            /** Format: uri */
            token_url?: string;
            /**
             * Format: uri
             * @description For an authorization code.
             */
            authorize_url?: string;
            /**
             * Format: uri
             * @description Where tokens are renewed, if that is not token_url.
             */
            refresh_url?: string;
            /**
             * Format: uri
             * @description What the server calls itself, if it says so when a browser comes back (`iss`, RFC 9207). If left out, what its discovery said, else it must have the origin of authorize_url.
             */
            issuer?: string;
            client_id: string;
            client_secret?: components["schemas"]["Secret"];
            /**
             * @description How the client sends its secret to the token endpoint: in a header (basic), as servers must take it, or in the body (post), which some take alone (RFC 6749, 2.3.1).
             * @enum {string}
             */
            client_auth?: "basic" | "post";
            /** @description What is asked for. If it and token_url are left out: what the actions need at least that only read, if that is at most 10 scopes. An empty list asks for none. */
            scopes?: string[];
            access_token?: components["schemas"]["Secret"];
            refresh_token?: components["schemas"]["Secret"];
        };
        /** @enum {string} */
        OAuthGrant: "authorization_code" | "client_credentials";
        /** @description How the account is used, but for what is secret: what was given, and what was taken from the document. Of an api key and of OAuth, and only in the answer to the request that gave the credentials. */
        ConnectionSettings: {
            /** @enum {string} */
            in?: "header" | "query" | "cookie";
            name?: string;
            grant?: components["schemas"]["OAuthGrant"];
            /** @enum {string} */
            client_auth?: "basic" | "post" | "none";
            token_url?: string;
            authorize_url?: string;
            refresh_url?: string;
            issuer?: string;
            /** @description Where a browser comes back to once a person has authorized the connection. Register it at the other service. */
            redirect_uri?: string;
            scopes?: string[];
        } | null;
        /** @enum {string} */
        AuthType: "none" | "bearer" | "api_key" | "basic" | "oauth2";
        /** @enum {string} */
        ConnectionStatus: "pending" | "connected" | "needs_reconnect" | "disabled";
        CreateConnectionRequest: {
            workspace_id: components["schemas"]["Id"];
            integration: components["schemas"]["Slug"];
            name: string;
            /** @description Whose account it is; agents tell several accounts apart by it. */
            account_label?: string | null;
            credentials: components["schemas"]["Credentials"];
        };
        UpdateConnectionRequest: {
            name?: string;
            account_label?: string | null;
            /** @enum {string} */
            status?: "connected" | "disabled";
            credentials?: components["schemas"]["Credentials"];
        };
        Connection: {
            id: components["schemas"]["Id"];
            /** @constant */
            object: "connection";
            workspace_id: components["schemas"]["Id"];
            integration: string;
            name: string;
            account_label: string | null;
            auth_type: components["schemas"]["AuthType"];
            status: components["schemas"]["ConnectionStatus"];
            status_reason: string | null;
            granted_scopes: string[];
            /** Format: date-time */
            expires_at: string | null;
            settings: components["schemas"]["ConnectionSettings"];
            /** @description A page of this service that sends a browser on to the other one, where somebody consents. It opens once, within ten minutes, and the same browser has to come back. Only in the answer that began the authorization. */
            authorization_url: string | null;
            /**
             * Format: date-time
             * @description Until when authorization_url opens.
             */
            authorization_expires_at: string | null;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        ConnectionList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Connection"][];
            has_more: boolean;
            next_cursor: components["schemas"]["NextCursor"];
        };
        ConnectionCheck: {
            /** @constant */
            object: "connection_check";
            connection_id: components["schemas"]["Id"];
            ok: boolean;
            status: components["schemas"]["ConnectionStatus"];
            /** @description What was performed; null if nothing was. */
            action: string | null;
            message: string;
        };
        /** @enum {string} */
        GrantDecision: "allow" | "require_approval" | "deny";
        /**
         * @description Who may use an approval: the api key that asked for it, or every key of the workspace. The calls of a run are those of the key that created it.
         * @enum {string}
         */
        ApprovalScope: "api_key" | "workspace";
        /** @description A dotted name in which `*` stands for one part, and at the end for any number of them: `pets.pet.list`, `pets.*`, `*`. */
        ActionPattern: string;
        CreateGrantRequest: {
            workspace_id: components["schemas"]["Id"];
            /** @description Only for this key; for all of the workspace if left out. */
            api_key_id?: components["schemas"]["Id"];
            actions: components["schemas"]["ActionPattern"];
            decision: components["schemas"]["GrantDecision"];
            /** @description Only with require_approval; `api_key` if left out. Of several grants that ask for an approval, all have to say `workspace`. */
            approval_scope?: components["schemas"]["ApprovalScope"];
            /** @description Only for this connection. */
            connection_id?: components["schemas"]["Id"];
            /** Format: date-time */
            expires_at?: string | null;
        };
        Grant: {
            id: components["schemas"]["Id"];
            /** @constant */
            object: "grant";
            workspace_id: components["schemas"]["Id"];
            api_key_id: string | null;
            actions: components["schemas"]["ActionPattern"];
            decision: components["schemas"]["GrantDecision"];
            approval_scope: components["schemas"]["ApprovalScope"];
            connection_id: string | null;
            /** Format: date-time */
            expires_at: string | null;
            created_at: components["schemas"]["Timestamp"];
            /** @description How many of the actions that there are for the workspace its pattern matches. Only in the answer that made it. */
            matches?: number;
        };
        GrantList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Grant"][];
            has_more: boolean;
            next_cursor: components["schemas"]["NextCursor"];
        };
        /** @enum {string} */
        ApprovalStatus: "pending" | "approved" | "denied" | "used" | "expired";
        DecideApprovalRequest: {
            /** @enum {string} */
            decision: "approve" | "deny";
            /** @description The agent is told. */
            reason?: string;
        };
        Approval: {
            id: components["schemas"]["Id"];
            /** @constant */
            object: "approval";
            workspace_id: components["schemas"]["Id"];
            /** @description The key that asked; of a run, the key that created it. */
            api_key_id: string | null;
            scope: components["schemas"]["ApprovalScope"];
            run_id: string | null;
            action: components["schemas"]["ActionName"];
            effect: components["schemas"]["ActionEffect"];
            connection_id: components["schemas"]["Id"];
            /** @description The exact input, with the page that is asked for; another one is another call. */
            input: {
                [key: string]: unknown;
            };
            status: components["schemas"]["ApprovalStatus"];
            /** @description What was said with the decision. */
            reason: string | null;
            created_at: components["schemas"]["Timestamp"];
            /** Format: date-time */
            decided_at: string | null;
            expires_at: components["schemas"]["Timestamp"];
        };
        ApprovalList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Approval"][];
            has_more: boolean;
            next_cursor: components["schemas"]["NextCursor"];
        };
        AuditActor: {
            /** @enum {string} */
            type: "admin" | "api_key" | "run" | "system";
            /** @description The api key, the run or, for an admin, the admin token; null for the token of GATEHOUSE_ADMIN_TOKEN, and in entries of early versions. */
            id: string | null;
        };
        AuditEntry: {
            sequence_number: number;
            /** @constant */
            object: "audit_entry";
            workspace_id: string | null;
            actor: components["schemas"]["AuditActor"];
            event: string;
            target: string | null;
            /** @enum {string} */
            outcome: "ok" | "refused" | "failed" | "unknown";
            reason: string | null;
            /** @description Particulars of the event; never a secret. */
            details: {
                [key: string]: unknown;
            };
            request_id: string | null;
            /** @description SHA-256 over this entry and the hash of the one before, in hexadecimal. */
            hash: string;
            created_at: components["schemas"]["Timestamp"];
        };
        AuditEntryList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["AuditEntry"][];
            has_more: boolean;
            next_cursor: components["schemas"]["NextCursor"];
        };
        AuditLogVerification: {
            /** @constant */
            object: "audit_log_verification";
            ok: boolean;
            entries: number;
            /** @description The hash of the last entry; keep it elsewhere to notice a cut-off end. */
            head: string | null;
            /** @description The sequence_number of the first entry that does not fit. */
            first_broken: number | null;
            /** @description How many anchors there are. A node without a master key makes none, and only counts those of others. */
            anchors: number;
            /** @description The sequence_number of the entry of the first anchor that does not fit the log, or that the service has not made. */
            first_broken_anchor: number | null;
            /** @description The newest anchor; keep it elsewhere. Null if there is none, its entry is gone, or the node has no master key. */
            latest_anchor: string | null;
            /** @description Whether the log still holds what the given anchor says; null if none was given. */
            anchor_ok: boolean | null;
        };
    };
    responses: {
        /** @description The request is not valid. `details` lists every violation with its path. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no credential, or it is unknown, revoked or expired. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such resource in the workspace. The answer is the same for an id of another workspace. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The Accept header admits nothing that this operation produces. */
        NotAcceptable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The idempotency key names another request, or one that is still in flight. */
        IdempotencyConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description It does not go with what is there: `already_exists`, `integration_in_use`, `approval_decided`, or with what the idempotency key stands for: `idempotency_key_reused`, `idempotency_in_progress`. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The other side could not be reached, or did not answer as it should. */
        UpstreamError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than 1 MiB. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not declared as JSON. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A limit is reached, and nothing was done: the key, its workspace or the operator asks too often, or has too many requests, waits or event streams open on this node, or too many credentials from this address were not valid. Or, of the code `queue_full`, the workspace has as many queued runs as it may; of the code `approvals_full`, a call would have to be approved, and too many of the workspace wait for that already. Repeat the request after `Retry-After`. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A fault of the service. It is in the log under the request id. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service cannot reach its database, or is shutting down. Nothing was done. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB.
         * @example 20
         */
        Limit: number;
        /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
        Cursor: string;
        /**
         * @description Newest first (`desc`) or oldest first (`asc`).
         * @example desc
         */
        Order: "asc" | "desc";
        /**
         * @description A string of your choice that names this request for 24 hours, within the workspace (that of an admin operation: among all of them). Repeat the request with the same key and body and it takes effect once.
         * @example order-4711
         */
        IdempotencyKey: string;
        /**
         * @description Id of the session.
         * @example ses_01kagz4c8me3t0v5x7n9q2r4ab
         */
        SessionId: components["schemas"]["Id"];
        /**
         * @description Id of the run.
         * @example run_01kagz4e6f1s3t5v7w9x1y3z5a
         */
        RunId: components["schemas"]["Id"];
        /**
         * @description Id of the invocation.
         * @example inv_01kagz4ec9e1f3g5h7j9k1m3n5
         */
        InvocationId: components["schemas"]["Id"];
        /**
         * @description Id of the workspace.
         * @example wsp_01kagz3xz1a3b5c7d9e1f3g5h7
         */
        WorkspaceId: components["schemas"]["Id"];
    };
    requestBodies: never;
    headers: {
        /** @description Names this request in the service's log. Give it when you report a problem. */
        "X-Request-Id": string;
        /** @description Where the resource is. */
        Location: string;
        /** @description Whole seconds to wait before trying again. */
        "Retry-After": number;
        /** @description How to authenticate. */
        "WWW-Authenticate": string;
        /**
         * @description How often may be asked, by draft-ietf-httpapi-ratelimit-headers: `q` requests at once, and as many more within each `w` seconds, on this node. One policy for the key and one for its workspace, or one for the operator; what has no limit is left out. After 429 also the policy that was met.
         * @example "key";q=400;w=4, "workspace";q=1600;w=4
         */
        "RateLimit-Policy": string;
        /**
         * @description What is left of each policy: `r` requests, and in `t` seconds there are more.
         * @example "key";r=399;t=1, "workspace";r=1598;t=1
         */
        RateLimit: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listSessions: {
        parameters: {
            query?: {
                /**
                 * @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Newest first (`desc`) or oldest first (`asc`).
                 * @example desc
                 */
                order?: components["parameters"]["Order"];
                /**
                 * @description Only sessions with this status.
                 * @example active
                 */
                status?: components["schemas"]["SessionStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sessions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A string of your choice that names this request for 24 hours, within the workspace (that of an admin operation: among all of them). Repeat the request with the same key and body and it takes effect once.
                 * @example order-4711
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateSessionRequest"];
            };
        };
        responses: {
            /** @description The new session. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the session.
                 * @example ses_01kagz4c8me3t0v5x7n9q2r4ab
                 */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session with its messages. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionWithMessages"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the session.
                 * @example ses_01kagz4c8me3t0v5x7n9q2r4ab
                 */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSessionRequest"];
            };
        };
        responses: {
            /** @description The session as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSessionMessages: {
        parameters: {
            query?: {
                /**
                 * @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Newest first (`desc`) or oldest first (`asc`).
                 * @example desc
                 */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path: {
                /**
                 * @description Id of the session.
                 * @example ses_01kagz4c8me3t0v5x7n9q2r4ab
                 */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of messages. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createRun: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A string of your choice that names this request for 24 hours, within the workspace (that of an admin operation: among all of them). Repeat the request with the same key and body and it takes effect once.
                 * @example order-4711
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the session.
                 * @example ses_01kagz4c8me3t0v5x7n9q2r4ab
                 */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRunRequest"];
            };
        };
        responses: {
            /** @description `wait: true`: the terminal run. `stream: true`: the run's events, as streamRunEvents sends them. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                    "text/event-stream": components["schemas"]["EventStream"];
                };
            };
            /** @description The run is queued, or still going on when the wait was over. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The session is archived, or busy and `concurrency` is `reject`, or the idempotency key is in use. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /**
                 * @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Newest first (`desc`) or oldest first (`asc`).
                 * @example desc
                 */
                order?: components["parameters"]["Order"];
                /**
                 * @description Only runs with this status.
                 * @example completed
                 */
                status?: components["schemas"]["RunStatus"];
                /**
                 * @description Only runs of this session.
                 * @example ses_01kagz4c8me3t0v5x7n9q2r4ab
                 */
                session_id?: components["schemas"]["Id"];
                /**
                 * @description Only runs created after this time.
                 * @example 2026-11-21T00:00:00Z
                 */
                created_after?: string;
                /**
                 * @description Only runs created before this time.
                 * @example 2026-11-22T00:00:00Z
                 */
                created_before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of runs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the run.
                 * @example run_01kagz4e6f1s3t5v7w9x1y3z5a
                 */
                run_id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the run.
                 * @example run_01kagz4e6f1s3t5v7w9x1y3z5a
                 */
                run_id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run, which has ended. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    streamRunEvents: {
        parameters: {
            query?: {
                /**
                 * @description Only events with a larger sequence number.
                 * @example 0
                 */
                starting_after?: number;
                /**
                 * @description Largest number of events in a JSON page. One with large events ends earlier, at about 1 MiB. The stream has no limit.
                 * @example 100
                 */
                limit?: number;
            };
            header?: {
                /**
                 * @description The last sequence number that the client has seen; event-stream clients send it when they reconnect.
                 * @example 0
                 */
                "Last-Event-ID"?: number;
            };
            path: {
                /**
                 * @description Id of the run.
                 * @example run_01kagz4e6f1s3t5v7w9x1y3z5a
                 */
                run_id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, as a stream or as a page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunEventList"];
                    "text/event-stream": components["schemas"]["EventStream"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description Events after `starting_after` are no longer kept. */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listActions: {
        parameters: {
            query?: {
                /**
                 * @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Only actions of this integration.
                 * @example gatehouse
                 */
                integration?: components["schemas"]["Slug"];
                /**
                 * @description Only actions that do (or do not) change data.
                 * @example true
                 */
                read_only?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of actions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchActions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SearchActionsRequest"];
            };
        };
        responses: {
            /** @description Matching actions with their scores; the list has no further pages. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScoredActionList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listActionInvocations: {
        parameters: {
            query?: {
                /**
                 * @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Newest first (`desc`) or oldest first (`asc`).
                 * @example desc
                 */
                order?: components["parameters"]["Order"];
                /**
                 * @description Only invocations of this action.
                 * @example gatehouse.sessions.list
                 */
                action?: components["schemas"]["ActionName"];
                /**
                 * @description Only invocations with this status.
                 * @example completed
                 */
                status?: components["schemas"]["ActionInvocationStatus"];
                /**
                 * @description Only invocations by applications (`api`) or by agents (`run`).
                 * @example api
                 */
                source?: components["schemas"]["ActionInvocationSource"];
                /**
                 * @description Only invocations by this run.
                 * @example run_01kagz4e6f1s3t5v7w9x1y3z5a
                 */
                run_id?: components["schemas"]["Id"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of invocations. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionInvocationList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createActionInvocation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A string of your choice that names this request for 24 hours, within the workspace (that of an admin operation: among all of them). Repeat the request with the same key and body and it takes effect once.
                 * @example order-4711
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateActionInvocationRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionInvocation"];
                };
            };
            /** @description The request, or the action's input, is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The action changes data, or the key may not use it. Nothing was executed. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No visible action has this name. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            /** @description The integration is not connected, must be reconnected, or has several accounts; or the idempotency key is in use. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description The integration answered with an error, or not in HTTP. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["Unavailable"];
            /** @description The integration did not answer in time. */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getActionInvocation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the invocation.
                 * @example inv_01kagz4ec9e1f3g5h7j9k1m3n5
                 */
                invocation_id: components["parameters"]["InvocationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invocation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionInvocation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOpenapiDocument: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the copy you have; if it is current the answer is 304.
                 * @example "2f1c9a"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    /** @description Changes with the document. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenapiDocument"];
                };
            };
            /** @description Your copy is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWorkspaces: {
        parameters: {
            query?: {
                /**
                 * @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Newest first (`desc`) or oldest first (`asc`).
                 * @example desc
                 */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of workspaces. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A string of your choice that names this request for 24 hours, within the workspace (that of an admin operation: among all of them). Repeat the request with the same key and body and it takes effect once.
                 * @example order-4711
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWorkspaceRequest"];
            };
        };
        responses: {
            /** @description The new workspace. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the workspace.
                 * @example wsp_01kagz3xz1a3b5c7d9e1f3g5h7
                 */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workspace. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the workspace.
                 * @example wsp_01kagz3xz1a3b5c7d9e1f3g5h7
                 */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWorkspaceRequest"];
            };
        };
        responses: {
            /** @description The workspace as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /**
                 * @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Newest first (`desc`) or oldest first (`asc`).
                 * @example desc
                 */
                order?: components["parameters"]["Order"];
                /**
                 * @description Only keys of this workspace.
                 * @example wsp_01kagz3xz1a3b5c7d9e1f3g5h7
                 */
                workspace_id?: components["schemas"]["Id"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A string of your choice that names this request for 24 hours, within the workspace (that of an admin operation: among all of them). Repeat the request with the same key and body and it takes effect once.
                 * @example order-4711
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            /** @description The new key. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyWithSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the key.
                 * @example key_01kagz3y0c2d4e6f8g0h2j4k6m
                 */
                api_key_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is revoked. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAdminTokens: {
        parameters: {
            query?: {
                /**
                 * @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Newest first (`desc`) or oldest first (`asc`).
                 * @example desc
                 */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tokens. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminTokenList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createAdminToken: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A string of your choice that names this request for 24 hours, within the workspace (that of an admin operation: among all of them). Repeat the request with the same key and body and it takes effect once.
                 * @example order-4711
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAdminTokenRequest"];
            };
        };
        responses: {
            /** @description The new token. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminTokenWithSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeAdminToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the token.
                 * @example adm_01kagz3y0c2d4e6f8g0h2j4k6m
                 */
                admin_token_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token is revoked. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listIntegrations: {
        parameters: {
            query?: {
                /**
                 * @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Newest first (`desc`) or oldest first (`asc`).
                 * @example desc
                 */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of integrations. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createIntegration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateIntegrationRequest"];
            };
        };
        responses: {
            /** @description The integration, with the report of its import. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getIntegration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the integration.
                 * @example pets
                 */
                slug: components["schemas"]["Slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The integration. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteIntegration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the integration.
                 * @example pets
                 */
                slug: components["schemas"]["Slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The integration is gone. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateIntegration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the integration.
                 * @example pets
                 */
                slug: components["schemas"]["Slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateIntegrationRequest"];
            };
        };
        responses: {
            /** @description The integration as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["Unavailable"];
        };
    };
    refreshIntegration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the integration.
                 * @example pets
                 */
                slug: components["schemas"]["Slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefreshIntegrationRequest"];
            };
        };
        responses: {
            /** @description The integration as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listConnections: {
        parameters: {
            query?: {
                /**
                 * @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Newest first (`desc`) or oldest first (`asc`).
                 * @example desc
                 */
                order?: components["parameters"]["Order"];
                /**
                 * @description Only those of this workspace.
                 * @example wsp_01kagz3xz1a3b5c7d9e1f3g5h7
                 */
                workspace_id?: components["schemas"]["Id"];
                /**
                 * @description Only those to this integration.
                 * @example pets
                 */
                integration?: components["schemas"]["Slug"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of connections. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createConnection: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A string of your choice that names this request for 24 hours, within the workspace (that of an admin operation: among all of them). Repeat the request with the same key and body and it takes effect once.
                 * @example order-4711
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateConnectionRequest"];
            };
        };
        responses: {
            /** @description The connection. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connection"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example con_01kagz50a1b3c5d7e9f1g3h5j7
                 */
                connection_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connection"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example con_01kagz50a1b3c5d7e9f1g3h5j7
                 */
                connection_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection is gone. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example con_01kagz50a1b3c5d7e9f1g3h5j7
                 */
                connection_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateConnectionRequest"];
            };
        };
        responses: {
            /** @description The connection as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connection"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example con_01kagz50a1b3c5d7e9f1g3h5j7
                 */
                connection_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionCheck"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listGrants: {
        parameters: {
            query?: {
                /**
                 * @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Newest first (`desc`) or oldest first (`asc`).
                 * @example desc
                 */
                order?: components["parameters"]["Order"];
                /**
                 * @description Only those of this workspace.
                 * @example wsp_01kagz3xz1a3b5c7d9e1f3g5h7
                 */
                workspace_id?: components["schemas"]["Id"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of grants. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GrantList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createGrant: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A string of your choice that names this request for 24 hours, within the workspace (that of an admin operation: among all of them). Repeat the request with the same key and body and it takes effect once.
                 * @example order-4711
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateGrantRequest"];
            };
        };
        responses: {
            /** @description The grant. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Grant"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteGrant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the grant.
                 * @example grt_01kagz51a1b3c5d7e9f1g3h5j7
                 */
                grant_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The grant is gone. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                /**
                 * @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Newest first (`desc`) or oldest first (`asc`).
                 * @example desc
                 */
                order?: components["parameters"]["Order"];
                /**
                 * @description Only those of this workspace.
                 * @example wsp_01kagz3xz1a3b5c7d9e1f3g5h7
                 */
                workspace_id?: components["schemas"]["Id"];
                /**
                 * @description Only those in this state.
                 * @example pending
                 */
                status?: components["schemas"]["ApprovalStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of approvals. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the approval.
                 * @example apr_01kagz52a1b3c5d7e9f1g3h5j7
                 */
                approval_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The approval. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    decideApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the approval.
                 * @example apr_01kagz52a1b3c5d7e9f1g3h5j7
                 */
                approval_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecideApprovalRequest"];
            };
        };
        responses: {
            /** @description The approval as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /**
                 * @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Newest first (`desc`) or oldest first (`asc`).
                 * @example desc
                 */
                order?: components["parameters"]["Order"];
                /**
                 * @description Only those of this workspace.
                 * @example wsp_01kagz3xz1a3b5c7d9e1f3g5h7
                 */
                workspace_id?: components["schemas"]["Id"];
                /**
                 * @description Only this kind of event.
                 * @example grant.created
                 */
                event?: string;
                /**
                 * @description Only entries about this id or name.
                 * @example grt_01kagz51a1b3c5d7e9f1g3h5j7
                 */
                target?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    verifyAuditLog: {
        parameters: {
            query?: {
                /** @description An anchor, as `latest_anchor` or the service's log had it at some time. */
                anchor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLogVerification"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
