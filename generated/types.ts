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
                /** @description Id of the session, `ses_…`. */
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
        /**
         * Delete a session and all it holds
         * @description For good: the session, its messages, its runs with their events, the records of what its runs called, and the approvals that these calls asked for. A session with a queued or running run is refused: cancel that first. A session with very many runs takes more than one request: it answers 503 then, with a part of the runs gone and the session archived, and the same request goes on from there until it answers 204. The audit log stays; it holds names and ids, no texts of a session. What the runs of today have used still counts towards `max_total_tokens_per_day`. The request has no body; one that is sent is not looked at.
         */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        /**
         * Rename, archive or annotate a session
         * @description Changes the fields that are given and leaves the others; `metadata` takes the place of all that was there. An archived session keeps its transcript and its open runs, and takes no new ones until it is active again.
         */
        patch: operations["updateSession"];
        trace?: never;
    };
    "/sessions/{session_id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the session, `ses_…`. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        /**
         * List the messages of a session
         * @description The transcript in pages, newest message first: what was asked, what the agent answered, which actions it called and what they returned. The order is that of the conversation, not of ids and times: run by run, as they were accepted. While runs of the session are open, their messages are still to come, before those of runs that are queued behind them.
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
                /** @description Id of the session, `ses_…`. */
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
         *     - neither `wait` nor `stream`: **202** at once, with the run, queued or begun already;
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
         * @description Runs of the key's workspace, newest first, without their output, tool calls, instructions and limits, and with no more than the beginning of a long input (`input_truncated`); getRun answers all of it. The order is that of their ids, which need not be the one in which the runs of a session are executed: that is the order in which they were accepted.
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
                /** @description Id of the run, `run_…`. */
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
                /** @description Id of the run, `run_…`. */
                run_id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run
         * @description Marks a queued or running run as cancelled and appends `run.cancelled`, before the reply. A run that has already ended is answered as it is, so the call may be repeated. Calls of actions that were under way are aborted, and no further one is let go. One that was let go just before may still be on its way to the other service when this is answered. If it changes something, it ends with what is known of it, `outcome_unknown` otherwise, and with its `invocation_id`: in the log, in the run, in the transcript and in its invocation alike. The request has no body; one that is sent is not looked at.
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
                /** @description Id of the run, `run_…`. */
                run_id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        /**
         * Follow or read a run's events
         * @description With `Accept: text/event-stream`: the events after `starting_after`, then live ones as they
         *     happen, until the run has ended; then the server closes the stream. Each message has
         *     `event:` (the type), `data:` (the event as JSON) and `id:` (the sequence number). A comment
         *     is sent every 15 seconds of silence. To resume, reconnect with `starting_after`, or let the
         *     client send `Last-Event-ID`; of the two the larger counts. Asked for what comes after the
         *     end, the stream is empty; with a `Last-Event-ID` that is the last event, or beyond, the
         *     answer is **204**, and a browser's `EventSource` connects no more.
         *
         *     A number that the run has not come to is refused with 410: whoever has that event has read
         *     what a failover has lost, and reads the run anew.
         *
         *     Otherwise: a JSON page of events in ascending order.
         *
         *     Numbers start at 1 and have no gaps. `starting_after=0` replays the whole run. Events are
         *     kept for 30 days from the end of their run, unless the operator of the service has decided
         *     otherwise; to ask for one that has expired is 410, too.
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
         * @description The visible actions that fit the words of the query best, the best first. At equal score read-only actions come before others. Where no action holds enough of the query, none is found rather than strangers that share a word with it, and `hint` says what to do then.
         */
        post: operations["searchActions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/actions/{action}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The dotted name of the action. */
                action: components["parameters"]["ActionByName"];
            };
            cookie?: never;
        };
        /**
         * Get an action
         * @description One action that exists for the key, with what it takes and what it answers; also one of an integration that the workspace has no connection to, or none that can be used now.
         */
        get: operations["getAction"];
        put?: never;
        post?: never;
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
                /** @description Id of the invocation, `inv_…`. */
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
                /** @description Id of the workspace, `wsp_…`. */
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
         * @description Keys of all workspaces or of one, newest first, never with the key itself. Each tells what would end if it were revoked now.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an api key
         * @description Creates a key for a workspace. The answer carries `api_key` this once; only its hash is kept. A repeat under the same idempotency key therefore cannot answer it: it creates no second key, and is 409 `already_exists`, which names the first one. An archived workspace gets no keys: 409 `workspace_archived`.
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
                /** @description Id of the key, `key_…`. */
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
        /**
         * Change an api key
         * @description Changes the fields that are given. Whom `identities` names no more is refused from the next request on; what runs in the name of the key goes on. The key itself, its workspace and the end of its validity stay as they are.
         */
        patch: operations["updateApiKey"];
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
                /** @description Id of the token, `adm_…`. */
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
    "/admin/dashboard_sign_in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the ways to sign in
         * @description What the sign-in screen of the dashboard needs to know. An admin token and a one-time link always sign in; an identity provider does if one is configured, by the page `/dashboard/oidc`.
         */
        get: operations["getDashboardSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/dashboard_sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List dashboard sessions
         * @description Who is signed in to the dashboard, newest first. Whoever is not an admin sees their own sessions. What has ended is in the audit log.
         */
        get: operations["listDashboardSessions"];
        put?: never;
        /**
         * Sign in to the dashboard
         * @description Exchanges an admin token, or a ticket of a one-time link, for a session: a cookie that no script can read. It ends 12 hours after its last use, 7 days after it began, or as soon as the admin token that it came from ends. The session that the browser has had, by the cookie of this request, ends as it begins: it would live on where nobody sees it. A request that a page of another origin makes is refused.
         */
        post: operations["createDashboardSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/dashboard_sessions/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one's own dashboard session
         * @description Who is signed in by the cookie of this request, and what they may do.
         */
        get: operations["getCurrentDashboardSession"];
        put?: never;
        post?: never;
        /**
         * Sign out of the dashboard
         * @description Ends the session of this request's cookie, and takes the cookie away.
         */
        delete: operations["endDashboardSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/dashboard_sessions/{dashboard_session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the session, `dbs_…`. */
                dashboard_session_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a dashboard session
         * @description The session, and those that began with a link made in it, are refused from now on, within a second on every node; their open event streams end. Revoking one that has ended is fine. Whoever is not an admin revokes their own sessions.
         */
        delete: operations["revokeDashboardSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/dashboard_tickets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a one-time link to the dashboard
         * @description Who opens the link is signed in as who has made it: once, within ten minutes. The ticket stands behind the `#`, so that no log and no preview of links sees it.
         */
        post: operations["createDashboardTicket"];
        delete?: never;
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
         * @description Makes actions of an OpenAPI document (2.0, 3.0, 3.1 or 3.2) or of an MCP server. The answer says how many, and what was left out and why. A document may be far larger than other bodies (32 times GATEHOUSE_BODY_LIMIT_BYTES). A workspace sees the actions once it has a connection.
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
                /** @description Slug of the integration. */
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
                /** @description Slug of the integration. */
                slug: components["schemas"]["Slug"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import an integration anew
         * @description Fetches the document, or asks the MCP server, again. What has changed about an action that is in use is set aside, and shown in report.changes, until this is called with accept_changes: of a tool of an MCP server its words, schema and hints; of an operation of a document its effect, and words and input of one that writes. Changed words and operations go on as they were accepted; a tool whose schema or hints have changed is quarantined. An MCP server that announces changed tools is asked without this, too; nothing is accepted then. Grants, overrides and names hold on for an operation whose path parameters have other names, or that has its operationId at another path; what is gone is in report.vanished.
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
                /** @description Id of the connection, `con_…`. */
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
         * @description Removes the connection and its secrets. The record of what was done with it stays. Tokens of OAuth 2.0 are then revoked where their server offers that, for six seconds at most; the audit log says what came of it.
         */
        delete: operations["deleteConnection"];
        options?: never;
        head?: never;
        /**
         * Change or reconnect a connection
         * @description Changes the fields that are given. New credentials reconnect the account; its id stays, and so do the grants that name it. Where somebody has to consent to them first, a connection that is connected, or needs_reconnect, keeps its credentials and its account_label until they do: authorized_at is later then. One that has no credentials is pending until then.
         */
        patch: operations["updateConnection"];
        trace?: never;
    };
    "/admin/connections/{connection_id}/check": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the connection, `con_…`. */
                connection_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a connection
         * @description Performs an action that reads and needs no input: one that tells whose account it is (`/user`, `/me`, `whoami`, …), else the list with the shortest address. If that is refused for itself (as 404), it goes on to another, three in all; `action` of the answer is the last one. An MCP server over HTTP without such an action is asked for its tools instead. An OAuth token is renewed for it if need be. The status follows what comes of it; a timeout or a fault of the other side changes nothing.
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
    "/admin/grants/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * See what a pattern matches
         * @description The actions that a grant of this pattern would be about, of those that there are for the workspace now, also those that another grant denies. Nothing is granted. A grant also holds for actions that are added later.
         */
        post: operations["previewGrant"];
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
                /** @description Id of the grant, `grt_…`. */
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
                /** @description Id of the approval, `apr_…`. */
                approval_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /**
         * Get an approval
         * @description One approval, with the exact call that it is for, and what that would send.
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
                /** @description Id of the approval, `apr_…`. */
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
    "/admin/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an overview
         * @description How the service is doing, or one workspace of it: what is open now, what has become of the runs that were created in the last hours, what waits for a person, and what `gatehouse doctor` finds by the database and the configuration. A node makes it anew every few seconds at most, however often it is asked; `made_at` says when it was.
         */
        get: operations["getOverview"];
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
        /** @description The beginning of an identifier. */
        IdPrefix: string;
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
        ApiError: {
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
         * @description Stable, for programs. docs/errors.md says what each asks of you. There may be others in time: take one that you do not know for what its status says.
         * @enum {string}
         */
        ErrorCode: "invalid_json" | "invalid_request" | "invalid_cursor" | "invalid_input" | "invalid_document" | "egress_refused" | "missing_api_key" | "invalid_api_key" | "not_permitted" | "action_not_read_only" | "approval_required" | "storage_full" | "not_found" | "unknown_action" | "method_not_allowed" | "not_acceptable" | "session_busy" | "session_archived" | "workspace_archived" | "idempotency_key_reused" | "idempotency_in_progress" | "not_connected" | "needs_reconnect" | "connection_ambiguous" | "answer_required" | "already_exists" | "integration_in_use" | "approval_decided" | "events_expired" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "queue_full" | "approvals_full" | "internal_error" | "upstream_error" | "upstream_forbidden" | "upstream_rate_limited" | "unavailable" | "upstream_timeout";
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
        /** @description A part of a message. There may be other kinds in time: pass over one whose `type` you do not know. */
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
        /** @description An item of a run's input, as it was sent. */
        RunInputItem: {
            /** @constant */
            role: "user";
            content: components["schemas"]["InputTextPart"][];
        };
        OutputItem: {
            /** @constant */
            type: "message";
            /** @constant */
            role: "assistant";
            content: components["schemas"]["OutputTextPart"][];
            /**
             * @description Why the model's provider ended the message before the model did (`other`: for a reason that it does not tell, or that the service does not know); absent from a whole one.
             * @enum {string}
             */
            incomplete_reason?: "max_output_tokens" | "content_filter" | "other";
        };
        CreateRunRequest: {
            input: components["schemas"]["InputItem"][];
            /** @description Answer with the terminal run. Not together with `stream`. */
            wait?: boolean;
            /** @description Answer with the run's events as server-sent events. */
            stream?: boolean;
            /** @description How long `wait` waits; 50 if it is left out. For longer than that, each proxy on the way has to wait as long: most give up after 60. */
            wait_timeout_s?: number;
            /** @description Instead of the workspace's model: `<provider>/<id>` with `openai`, `anthropic`, `google` or `compatible`, or `rehearsal`, as far as it is allowed. */
            model?: string;
            /** @description Instead of the workspace's instructions. */
            instructions?: string;
            /** @description Model steps at most; no more than the operator allows (32 unless set). */
            max_steps?: number;
            /** @description Time from the first start; no more than the operator allows (900 unless set). */
            timeout_s?: number;
            /** @description Tokens, all steps together; no more than is allowed (without limit unless set). Looked at before each step, so that the last may go beyond. Steps that were left before they were committed count by an estimate. */
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
            input: components["schemas"]["RunInputItem"][];
            /** @description What the agent said; empty until the run has completed. */
            output: components["schemas"]["OutputItem"][];
            /** @description The calls of actions so far, in the order they began. */
            tool_calls: components["schemas"]["ToolCallSummary"][];
            error: components["schemas"]["RunError"] | null;
            usage: components["schemas"]["Usage"] | null;
            /** @description How often a worker has taken it on: more than once if one was lost or stopped. Each is a `run.started` in its events. */
            attempts?: number;
            metadata: components["schemas"]["Metadata"];
            /** @description What it was told beyond `input`: the instructions of its request, or else those that its workspace had then. Null if there were none. */
            instructions: string | null;
            /** @description What holds for it, whether its request, its workspace or the operator set it. */
            max_steps: number;
            /** @description From its first start; set as `max_steps` is. */
            timeout_s: number;
            /** @description Set as `max_steps` is; null for no limit. */
            max_total_tokens: number | null;
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
            /** @description What was asked, or the beginning of it: the first 4,096 characters, of which each part of the content takes 32 besides its text. The last text may be cut, and parts and items that follow are absent. */
            input: components["schemas"]["RunInputItem"][];
            /** @description True, where `input` is only the beginning; else left out. getRun answers all of it. */
            input_truncated?: boolean;
            error: components["schemas"]["RunError"] | null;
            usage: components["schemas"]["Usage"] | null;
            /** @description How often a worker has taken it on: more than once if one was lost or stopped. Each is a `run.started` in its events. */
            attempts?: number;
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
            /**
             * @description There may be others in time; `retryable` holds for those too.
             * @enum {string}
             */
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
            /** @description Its record, which says the same of it. Null while it goes on, and if it was not made, or only reads and was broken off. */
            invocation_id: string | null;
            started_at: components["schemas"]["Timestamp"];
            finished_at: components["schemas"]["Timestamp"] | null;
        };
        ToolCallError: {
            code: string;
            message: string;
            /** @description Exactly what is missing for the call to succeed. */
            missing?: components["schemas"]["Missing"][];
            /** @description What the other system answered to a call that was made: `status`, `upstream_request_id`, and unless the status is 5xx the `body`, as far as there is room; of a body that is no text, its `media_type` and `bytes`. Of a tool of an MCP server that says that it failed, the `body` is what is structured of its answer. Direct calls have the same as `details.upstream`. */
            upstream?: {
                [key: string]: unknown;
            };
        };
        /** @description One gap, with the particulars that its code carries. */
        Missing: {
            /** @enum {string} */
            code: "not_connected" | "needs_reconnect" | "not_permitted" | "approval_required" | "approvals_full" | "invalid_input" | "unknown_action" | "connection_ambiguous" | "answer_required" | "action_not_read_only";
            message: string;
        };
        /** @description Server-sent events. The `data` of each is a RunEvent on one line. */
        EventStream: string;
        /** @description One event of a run's log. There may be other kinds in time: pass over one whose `type` you do not know. */
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
                input: components["schemas"]["RunInputItem"][];
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
        /** @description The call did not succeed, or was never made: `error` says which and why. With the code `outcome_unknown` it was to change something and was interrupted, by the loss of its worker or the end of its run: it may have taken effect, and was not repeated. `invocation_id` names its record, which says the same; without one the call was not made, or only reads. */
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
                /**
                 * @description `requested` (cancelRun), `interrupted` (by a new run of the session), `api_key_revoked` (the key that created the run) or `workspace_archived`. There may be others in time.
                 * @enum {string}
                 */
                reason: "requested" | "interrupted" | "api_key_revoked" | "workspace_archived";
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
        /** @description The accounts that it can be called with, the first 100 of them; the action `gateway.connections.list` finds the others. */
        ActionConnections: components["schemas"]["ActionConnection"][];
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
            /** @description Given by lists that are asked to include schemas. */
            input_schema?: components["schemas"]["JsonSchema"];
            /** @description As `input_schema`. */
            output_schema?: components["schemas"]["JsonSchema"] | null;
            connections: components["schemas"]["ActionConnections"];
        };
        WholeAction: {
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
            connections: components["schemas"]["ActionConnections"];
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
            connections: components["schemas"]["ActionConnections"];
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
            /** @description Words of the query, in lower case, that no action of the integrations searched knows, nor any word that is spelled or meant like them. */
            unknown_words: string[];
            /** @description What to do next if nothing is found; else null. */
            hint: string | null;
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
        /**
         * @description What asked for the call: an application (`api`), the agent of a run (`run`), or an MCP client (`mcp`).
         * @enum {string}
         */
        ActionInvocationSource: "api" | "run" | "mcp";
        ActionInvocationError: {
            code: string;
            message: string;
            /** @description Particulars of the code. */
            details?: unknown;
        };
        CreateActionInvocationRequest: {
            action: components["schemas"]["ActionName"];
            /** @description As the action's `input_schema` says; an empty object if it is left out. An integer beyond 2^53 - 1 is refused, for it would become another one on its way: send it as a text. */
            input?: {
                [key: string]: unknown;
            };
            connection_id?: components["schemas"]["Id"];
            /** @description Only these fields of the result, as dotted paths; lists are gone through. All of it if the list is empty or left out. */
            fields?: string[];
            /** @description `page.next_cursor` of the call before, for the next page of its result. It counts for the same action, input and connection, and is refused with any other. */
            cursor?: string;
        };
        ActionInvocation: {
            invocation_id: components["schemas"]["Id"];
            /** @constant */
            object: "action_invocation";
            action: components["schemas"]["ActionName"];
            /** @description Absent where the call came to no connection, as one of an unknown action. A call that has `completed` has one. */
            connection_id?: components["schemas"]["Id"];
            status: components["schemas"]["ActionInvocationStatus"];
            /** @description What the action returned; null if it failed. Of a successful answer that calls itself JSON and is none, such as a part of one, it is `{not_json: {bytes, hint}, text}`. */
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
            /** @description Those of the `fields` asked for that the result does not have. Present if there are any. */
            unknown_fields?: string[];
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
        /** @description Limits of the workspace's runs, within the operator's. In a change they take the place of all limits before: one that is left out is taken back, and the operator's holds. Null is refused. */
        WorkspaceLimits: {
            max_steps?: number;
            timeout_s?: number;
            /** @description Tokens of one run, all its steps together. Steps that were left before they were committed count by an estimate. */
            max_total_tokens?: number;
            /**
             * Format: int64
             * @description Tokens of all runs that the workspace has created since midnight UTC; steps that were left before they were committed count by an estimate. Beyond, no run takes another step; it fails with `budget_exceeded`.
             */
            max_total_tokens_per_day?: number;
            /** @description Queued runs of the workspace, in the place of the service's limit. Beyond, creating one is refused with `queue_full`. */
            max_queued_runs?: number;
            /** @description Runs of the workspace that all workers together execute at once, in the place of the service's limit. Further ones wait. */
            max_running_runs?: number;
            /**
             * Format: int64
             * @description What the workspace may store, in the place of the service's limit: inputs and outputs of runs, events, messages, action calls. Beyond, createRun and createActionInvocation are refused with `storage_full`.
             */
            max_storage_bytes?: number;
        };
        /** @description The limits that the workspace has of its own; the operator's hold for the others. */
        WorkspaceLimitsShown: {
            max_steps?: number;
            timeout_s?: number;
            max_total_tokens?: number;
            /** Format: int64 */
            max_total_tokens_per_day?: number;
            max_queued_runs?: number;
            max_running_runs?: number;
            /** Format: int64 */
            max_storage_bytes?: number;
        };
        /** @description The models that its runs may have, as `<provider>/<id>`, where `*` may stand for the end; null for all that the operator allows. */
        AllowedModels: string[];
        Workspace: {
            id: components["schemas"]["Id"];
            /** @constant */
            object: "workspace";
            status: components["schemas"]["WorkspaceStatus"];
            name: string;
            /** @description The model of its runs; null for the operator's. */
            model: string | null;
            allowed_models: components["schemas"]["AllowedModels"] | null;
            /** @description What its agents are told before the conversation. */
            instructions: string | null;
            limits: components["schemas"]["WorkspaceLimitsShown"];
            storage: components["schemas"]["WorkspaceStorage"];
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        /** @description What the workspace has stored, as it was a few seconds ago: inputs and outputs of runs, events, messages, action calls. What is new counts by its length, and after a day at most as it lies there, compressed and without what has expired. */
        WorkspaceStorage: {
            /** Format: int64 */
            bytes: number;
            /** @description The most that it may store; null for no limit. */
            limit_bytes: number | null;
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
            allowed_models?: components["schemas"]["AllowedModels"] | null;
            instructions?: string | null;
            limits?: components["schemas"]["WorkspaceLimits"];
        };
        UpdateWorkspaceRequest: {
            status?: components["schemas"]["WorkspaceStatus"];
            name?: string;
            model?: string | null;
            allowed_models?: components["schemas"]["AllowedModels"] | null;
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
            /** @description Whether it is the key as which the dashboard acts in the workspace. Nobody holds it; once it is revoked, the next use of the dashboard makes another one. */
            dashboard: boolean;
            identities: components["schemas"]["ApiKeyIdentities"];
            status: components["schemas"]["ApiKeyStatus"];
            created_at: components["schemas"]["Timestamp"];
            last_used_at: components["schemas"]["Timestamp"] | null;
            expires_at: components["schemas"]["Timestamp"] | null;
            revoked_at: components["schemas"]["Timestamp"] | null;
            /** @description Runs in its name that are queued or running, which end when it is revoked. Of queued ones 1,000 are counted. */
            open_runs: number;
            /** @description Approvals that were asked for in its name and are not decided, which expire when it is revoked. 1,000 are counted. */
            pending_approvals: number;
        };
        ApiKeyWithSecret: {
            id: components["schemas"]["Id"];
            /** @constant */
            object: "api_key";
            workspace_id: components["schemas"]["Id"];
            name: string;
            hint: string;
            identities: components["schemas"]["ApiKeyIdentities"];
            status: components["schemas"]["ApiKeyStatus"];
            created_at: components["schemas"]["Timestamp"];
            last_used_at: components["schemas"]["Timestamp"] | null;
            expires_at: components["schemas"]["Timestamp"] | null;
            revoked_at: components["schemas"]["Timestamp"] | null;
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
            expires_at?: string | null;
            identities?: components["schemas"]["ApiKeyIdentities"];
        };
        UpdateApiKeyRequest: {
            name?: string;
            identities?: components["schemas"]["ApiKeyIdentities"];
        };
        /** @description For whom the key stands, as the identity provider of the service (GATEHOUSE_OIDC_ISSUER) knows them: `ada@example.com` and `@example.com` for verified e-mail addresses, `group:name`, `sub:id`. They reach `/mcp` with an access token of the provider in place of the key. */
        ApiKeyIdentities: string[];
        /** @enum {string} */
        AdminTokenStatus: "active" | "expired" | "revoked";
        DashboardSignIn: {
            /** @constant */
            object: "dashboard_sign_in";
            /** @description The identity provider; null if none is configured. */
            oidc: components["schemas"]["DashboardIdentityProvider"] | null;
        };
        DashboardIdentityProvider: {
            /** @description The host name of the provider. */
            issuer_name: string;
        };
        /** @description One of the two. */
        CreateDashboardSessionRequest: {
            admin_token?: string;
            /** @description What stands behind `#ticket=` of a one-time link. */
            ticket?: string;
        };
        /**
         * @description A viewer reads. An operator also makes and changes sessions, makes and cancels runs, calls actions directly and decides about approvals. An admin may do everything.
         * @enum {string}
         */
        DashboardRole: "viewer" | "operator" | "admin";
        DashboardSession: {
            id: components["schemas"]["Id"];
            /** @constant */
            object: "dashboard_session";
            role: components["schemas"]["DashboardRole"];
            /** @description The name of the admin token that the session came from, or the name or e-mail address of the person. */
            name: string;
            /** @description Whom the audit log names for what is done in it. */
            actor: components["schemas"]["AuditActor"];
            /**
             * @description How it began.
             * @enum {string}
             */
            method: "ticket" | "admin_token" | "oidc";
            /** @description Whether it is the session of this request. */
            current: boolean;
            created_at: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description To within a minute or two.
             */
            last_used_at: string;
            /**
             * Format: date-time
             * @description When it ends unless it is used again; it never lives longer than 7 days.
             */
            expires_at: string;
            /** @description What the browser says it is. */
            user_agent: string | null;
        };
        DashboardSessionList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["DashboardSession"][];
            has_more: boolean;
            next_cursor: components["schemas"]["NextCursor"];
        };
        DashboardTicket: {
            /** @constant */
            object: "dashboard_ticket";
            /** @description The secret of the link. Good once. */
            ticket: string;
            /**
             * Format: uri
             * @description The link.
             */
            url: string;
            expires_at: components["schemas"]["Timestamp"];
        };
        AdminToken: {
            id: components["schemas"]["Id"];
            /** @constant */
            object: "admin_token";
            name: string;
            /** @description The last characters of the token; null for one of an early version. */
            hint: string | null;
            status: components["schemas"]["AdminTokenStatus"];
            created_at: components["schemas"]["Timestamp"];
            /** @description To within some seconds. */
            last_used_at: components["schemas"]["Timestamp"] | null;
            expires_at: components["schemas"]["Timestamp"] | null;
            revoked_at: components["schemas"]["Timestamp"] | null;
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
            /** @description To within some seconds. */
            last_used_at: components["schemas"]["Timestamp"] | null;
            expires_at: components["schemas"]["Timestamp"] | null;
            revoked_at: components["schemas"]["Timestamp"] | null;
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
            expires_at?: string | null;
        };
        /** @enum {string} */
        IntegrationKind: "openapi" | "mcp";
        /** @description The OpenAPI document: its text (JSON or YAML), or the object itself. */
        IntegrationDocument: string | {
            [key: string]: unknown;
        };
        /** @description Other files that `document` refers to: their texts, by their paths as seen from its folder (`schemas/pet.yaml`). Those of a document_url are fetched below its origin. */
        DocumentFiles: {
            [key: string]: string;
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
        /** @description Addresses besides public ones that the integration may be called at, as `cidr:port`: 10.1.0.0/16:443, [fd00::/8]:8443. */
        EgressAllow: string[];
        /** @description Whether credentials may be sent to public addresses by plain http, where everybody on the way can read them. If not, such a call is refused. */
        InsecureHttp: boolean;
        /** @description Origins besides that of base_url where operations may be called that the document has there, such as https://uploads.github.com. The credentials go there as well. Operations at any other origin are not called, and report.warnings names them. */
        OtherOrigins: string[];
        /**
         * @description What becomes of an action that the source has added since: it waits until you accept it (`report.changes`), or it is offered at once. What an integration has when it is added, and what a document has that you hand over yourself, counts as accepted. If it is left out, it is `wait`.
         * @enum {string}
         */
        NewActions: "wait" | "offer";
        /** @description Whether a browser that comes back from authorizing a connection has an address of this integration's own, `/oauth/callback/{slug}`. False for integrations that were added before there were any: they have the common one, `/oauth/callback`, registered. Register the other one before you set it. */
        OwnRedirect: boolean;
        /** @description What you know better than the rules, by source key (`POST /pets/search`, or the tool's name), or by a name or a pattern of names (`pets.search.*`, `*` for everything). For each field the most specific key wins: a source key, then a name, then the pattern with more fixed parts; of two that are equally specific the later one. */
        Overrides: {
            [key: string]: {
                /** @enum {string} */
                effect?: "read" | "write" | "destructive";
                /** @description The action is not offered. */
                hidden?: boolean;
                /** @description Parameters that callers do not get to set: `header.x-tenant`. */
                hidden_parameters?: string[];
                /** @description Values that every call sends, by place and name: `header.Notion-Version`, `query.api-version`, `path.account_id`. Callers neither see nor set such a parameter. A header and one of the query are sent also if the document does not declare them. Of several keys that hold, the values are joined. They are no place for secrets: whoever may see the integration or an approval sees them. */
                parameters?: {
                    [key: string]: string | number | boolean;
                };
                /** @description For an API that answers 200 to what failed: the field (a JSON pointer) that says so, the value that it then has, and where the message is. */
                soft_error?: {
                    pointer: string;
                    equals: unknown;
                    message_pointer?: string;
                };
                /** @description Of an action that reads and needs no input, such as `GET /user`: the field of its result (a JSON pointer, `/login`) that says whose account it is. It is called when an account is connected whose label nobody has given. */
                account_label?: string;
                /** @description Path parameters whose values may hold slashes, whatever the document says, by name; `*` for all of the operation. encoded: they are sent as `%2F`, and a value of one that is named may begin with a slash, or be one (RabbitMQ's virtual host `/`). encoded_twice: a value with slashes is sent encoded twice, they as `%252F`. reserved: they are sent as they are, so that a value may name several segments, and with them whatever is there. Segments of dots are never taken. */
                path_slashes?: {
                    [key: string]: components["schemas"]["PathSlashes"];
                };
                /** @description The media type that its body is sent as, where the document says another one: `application/x-ndjson` for the bulk operations of Elasticsearch, which then take a list and send a line of JSON for each of it. An operation without a body has none. */
                media_type?: string;
                /** @description The operation is offered although it asks for credentials that are not served (AWS signatures, mutual TLS, HTTP Digest): something on the way adds them. */
                signed_elsewhere?: boolean;
            };
        };
        /**
         * @description How slashes in the value of a path parameter are sent.
         * @enum {string}
         */
        PathSlashes: "encoded" | "encoded_twice" | "reserved";
        /** @description What the operator said of actions, by source key. */
        OverridesShown: {
            [key: string]: {
                effect?: components["schemas"]["ActionEffect"];
                hidden?: boolean;
                hidden_parameters?: string[];
                /** @description What every call sends, by place and name. */
                parameters?: {
                    [key: string]: string | number | boolean;
                };
                soft_error?: {
                    pointer: string;
                    equals: unknown;
                    message_pointer?: string;
                };
                path_slashes?: {
                    [key: string]: components["schemas"]["PathSlashes"];
                };
                media_type?: string;
                signed_elsewhere?: boolean;
                account_label?: string;
            };
        };
        CreateIntegrationRequest: {
            slug: components["schemas"]["Slug"];
            /** @enum {string} */
            kind: "openapi" | "mcp";
            title?: string;
            document?: components["schemas"]["IntegrationDocument"];
            document_files?: components["schemas"]["DocumentFiles"];
            /** Format: uri */
            document_url?: string;
            /**
             * Format: uri
             * @description Where the API is, if the document does not say, or says it wrongly. If it is left out, the document's first server is, or, if it names none, the origin of document_url, of which report.warnings tells; a refresh keeps either.
             */
            base_url?: string;
            mcp?: components["schemas"]["McpServer"];
            egress_allow?: components["schemas"]["EgressAllow"];
            insecure_http?: components["schemas"]["InsecureHttp"];
            other_origins?: components["schemas"]["OtherOrigins"];
            new_actions?: components["schemas"]["NewActions"];
            overrides?: components["schemas"]["Overrides"];
            /** @description The workspaces that it is offered to; null for all. */
            workspace_ids?: components["schemas"]["Id"][] | null;
        };
        UpdateIntegrationRequest: {
            title?: string;
            document?: components["schemas"]["IntegrationDocument"];
            document_files?: components["schemas"]["DocumentFiles"];
            /** Format: uri */
            document_url?: string;
            /** @description Where the API is; null for the first server that the document names now, or, if it names none, the origin of document_url. */
            base_url?: string | null;
            mcp?: components["schemas"]["McpServer"];
            egress_allow?: components["schemas"]["EgressAllow"];
            insecure_http?: components["schemas"]["InsecureHttp"];
            other_origins?: components["schemas"]["OtherOrigins"];
            new_actions?: components["schemas"]["NewActions"];
            own_redirect?: components["schemas"]["OwnRedirect"];
            overrides?: components["schemas"]["Overrides"];
            workspace_ids?: components["schemas"]["Id"][] | null;
        };
        RefreshIntegrationRequest: {
            /** @description Accepts what report.changes shows, as it was when it was set aside, and that what report.vanished shows is gone, and then asks again. What has changed since is set aside anew. */
            accept_changes?: boolean;
            /**
             * @description Names last, and today's rule may know better ones than the import of then. show: report them in report.renames. apply: take them where nothing is in the way. Grants and overrides that name such an action go with it; approvals that are open or unused expire.
             * @enum {string}
             */
            rename?: "show" | "apply";
        };
        ImportReport: {
            /** @description How many operations the document has, or tools the MCP server. */
            operations: number;
            /** @description How many of them are actions. */
            imported: number;
            /** @description Whether the MCP server has resources: one more action reads them, which is none of these tools. Left out where there is none. */
            has_resources?: boolean;
            /** @description At most 100 of them are named. */
            skipped: {
                source_key: string;
                reason: string;
            }[];
            /** @description Why operations are left out that could be called otherwise, and how many: references to other files that were not to be had, credentials of a kind that is not served. At most 100; left out for none. */
            errors?: string[];
            warnings: string[];
            /** @description What the document says about authentication; at most 50 schemes. It is not there for an MCP server, and for a document that was imported before this was kept: a refresh adds it. */
            security_schemes?: components["schemas"]["SecurityScheme"][];
            /** @description Which of these schemes the actions ask for, all of an entry together, and how many actions each entry suffices for; at most 20, those for the most actions first. An entry without schemes is of actions that need no account. */
            security_alternatives?: components["schemas"]["SecurityAlternative"][];
            /** @description How many actions the source does not have any more, without anybody having accepted that; left out for none. */
            vanished_total?: number;
            /** @description At most 50 of them, those that were restricted first. While one of those is among them, what is new is quarantined until accept_changes. */
            vanished?: components["schemas"]["VanishedAction"][];
            /** @description How many actions go on under their name although the source calls them otherwise since the import before; left out for none. */
            moved_total?: number;
            /** @description At most 50 of them. */
            moved?: components["schemas"]["MovedAction"][];
            /** @description How many grants name actions of this integration and match none that is there; left out for none. */
            dangling_grants_total?: number;
            /** @description At most 50 of them. */
            dangling_grants?: components["schemas"]["DanglingGrant"][];
            /** @description The overrides by pattern that hold for something; at most 50. */
            patterns?: {
                pattern: string;
                /** @description Actions that it matches. */
                matches: number;
                /** @description Actions of which nothing more specific says anything. */
                decides: number;
            }[];
            /** @description How many actions a first import would name otherwise today. Left out unless it was asked for. */
            renames_total?: number;
            /** @description At most 500 of them. */
            renames?: components["schemas"]["ActionRename"][];
            /** @description How many actions have changed and wait for accept_changes; left out for none. */
            changes_total?: number;
            /** @description What has changed about them: at most 50 actions, and as much of their texts as fits into 65,536 characters. Left out if nothing waits. */
            changes?: components["schemas"]["ActionChange"][];
        };
        VanishedAction: {
            /** @description Its name. */
            action: string;
            source_key: string;
            /** @description Whether a grant denied it or asked for approval, or an override hid it, hid parameters of it, or made it ask for a grant. */
            restricted: boolean;
        };
        MovedAction: {
            /** @description Its name. */
            action: string;
            /** @description Its source key until then. */
            before: string;
            /** @description Its source key now. */
            after: string;
        };
        DanglingGrant: {
            grant_id: components["schemas"]["Id"];
            workspace_id: components["schemas"]["Id"];
            actions: string;
            decision: components["schemas"]["GrantDecision"];
        };
        ActionRename: {
            /** @description The name that it had. */
            action: string;
            source_key: string;
            /** @description The name that a first import would give it. */
            name: string;
            /** @description Whether it has that name now. */
            applied: boolean;
            /** @description Why it keeps the name that it had; null if nothing is in the way. */
            reason: string | null;
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
                /** @description effect, operation, address, title, description or hints, or a JSON pointer into the action: /input_schema/properties/path/description. The operation is its method and path, if these are others; the address is what a document gives an operation of its own, and null is that of the integration. */
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
        SecurityAlternative: {
            schemes: string[];
            actions: number;
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
            other_origins: components["schemas"]["OtherOrigins"];
            new_actions: components["schemas"]["NewActions"];
            own_redirect: components["schemas"]["OwnRedirect"];
            overrides: components["schemas"]["OverridesShown"];
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
            also?: components["schemas"]["FurtherKeys"];
        };
        ApiKeyCredentials: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "api_key";
            scheme?: components["schemas"]["KeyScheme"];
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
            also?: components["schemas"]["FurtherKeys"];
        };
        /** @description The security scheme of the document that says where the key goes, by its name. */
        KeyScheme: string;
        /** @description Api keys that go with every request besides, as an API wants that takes an api key and an application key together. If it is left out, and most actions of the document need further keys with what is given, the request is refused with 400, which names them; an empty list says that none are needed. */
        FurtherKeys: components["schemas"]["FurtherKey"][];
        FurtherKey: {
            scheme?: components["schemas"]["KeyScheme"];
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
            /** @description Sealed when it arrives, never shown again. It may be empty: some services take a key as the user name, and no password; then the user name is kept as secret. */
            password: string;
            also?: components["schemas"]["FurtherKeys"];
        };
        /** @description What is left out is taken from the document of the integration, if it declares it. Of an MCP server with an address all may be left out: what its authorization server says of itself is read (RFC 9728, RFC 8414), unless token_url is given. A connection that is changed keeps its client, with secret, addresses and scopes, where no other client, grant, scheme, address or issuer is given. */
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
             * @description For an authorization code. Its query must not have what each request says itself, such as redirect_uri, state, client_id and scope.
             */
            authorize_url?: string;
            /**
             * Format: uri
             * @description Where tokens are renewed, if that is not token_url.
             */
            refresh_url?: string;
            /**
             * Format: uri
             * @description Where tokens are revoked (RFC 7009) when the connection is removed. If left out, what the server says of itself (RFC 8414, OpenID Connect Discovery), if it does.
             */
            revoke_url?: string;
            /**
             * Format: uri
             * @description What the server calls itself, if it says so when a browser comes back (`iss`, RFC 9207). If left out, what its discovery said, else it must have the origin of authorize_url. Of the authorization servers that an MCP server names it chooses one.
             */
            issuer?: string;
            /** @description May be left out for an MCP server whose authorization server takes the address of a document as one, or registers clients by itself (RFC 7591). */
            client_id?: string;
            client_secret?: components["schemas"]["Secret"];
            /**
             * @description How the client sends its secret to the token endpoint: in a header (basic), as servers must take it, or in the body (post), which some take alone (RFC 6749, 2.3.1).
             * @enum {string}
             */
            client_auth?: "basic" | "post";
            /** @description What is asked for. If it and token_url are left out: what the actions need at least that only read, if that is at most 10 scopes. An empty list asks for none. */
            scopes?: string[];
            /** @description Whom the tokens are for, where the server has to be told by this name, as Auth0 has. It goes with each request for tokens, and to authorize_url unless its query has one. */
            audience?: string;
            /**
             * Format: uri
             * @description Which resource the tokens are for (RFC 8707), where the server has to be told, as older endpoints of Microsoft have. If left out, an MCP server whose metadata is read.
             */
            resource?: string;
            access_token?: components["schemas"]["Secret"];
            refresh_token?: components["schemas"]["Secret"];
            also?: components["schemas"]["FurtherKeys"];
        };
        /** @enum {string} */
        OAuthGrant: "authorization_code" | "client_credentials";
        /** @description How the account is used, but for what is secret: what was given, and what was taken from the document. Of api keys and of OAuth, and only in the answer to the request that gave the credentials. */
        ConnectionSettings: {
            /** @enum {string} */
            in?: "header" | "query" | "cookie";
            name?: string;
            /** @description Where the further keys go. */
            also?: {
                /** @enum {string} */
                in: "header" | "query" | "cookie";
                name: string;
            }[];
            /** @enum {string} */
            grant?: "authorization_code" | "client_credentials";
            /** @enum {string} */
            client_auth?: "basic" | "post" | "none";
            token_url?: string;
            authorize_url?: string;
            refresh_url?: string;
            revoke_url?: string;
            issuer?: string;
            /** @description Of a client that this service brought itself. */
            client_id?: string;
            audience?: string;
            /** @description Which resource the tokens are asked for (RFC 8707). */
            resource?: string;
            /** @description Where a browser comes back to once a person has authorized the connection. Register it at the other service. */
            redirect_uri?: string;
            scopes?: string[];
        };
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
            return_url?: components["schemas"]["ReturnUrl"];
        };
        UpdateConnectionRequest: {
            name?: string;
            account_label?: string | null;
            /** @enum {string} */
            status?: "connected" | "disabled";
            credentials?: components["schemas"]["Credentials"];
            return_url?: components["schemas"]["ReturnUrl"];
        };
        /**
         * Format: uri
         * @description Where the browser goes at the end of an authorization, if it is begun now. Its query then has the connection_id, and the status: `connected`, or `failed` with a reason (`denied` if nobody consented, `refused` or `unreachable` if the other service gave no token). Anybody can open such an address: what holds is the status of the connection, and of one that was in use already its authorized_at. If it is left out, a page of this service says how it went. It is ignored where nobody has to consent.
         */
        ReturnUrl: string;
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
            expires_at: components["schemas"]["Timestamp"] | null;
            settings: components["schemas"]["ConnectionSettings"] | null;
            /** @description A page of this service that sends a browser on to the other one, where somebody consents. It opens once, within ten minutes, and the same browser has to come back within ten more; not any more once somebody has consented, the connection has other credentials, or another authorization of it was begun. Only in the answer that began it. */
            authorization_url: string | null;
            /** @description Until when authorization_url opens. */
            authorization_expires_at: components["schemas"]["Timestamp"] | null;
            /** @description When somebody consented to what it has now, or gave it. Null: nobody has yet, or it is not known any more (of connections from before this was noted). */
            authorized_at: components["schemas"]["Timestamp"] | null;
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
            /** @description What was performed: the name of an action, or `tools/list` where an MCP server was asked for its tools; null if nothing was. */
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
            expires_at: components["schemas"]["Timestamp"] | null;
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
        PreviewGrantRequest: {
            workspace_id: components["schemas"]["Id"];
            actions: components["schemas"]["ActionPattern"];
        };
        GrantPreview: {
            /** @constant */
            object: "grant_preview";
            /** @description How many actions there are that the pattern matches. */
            matches: number;
            /** @description How many of them have each effect. */
            effects: {
                read: number;
                write: number;
                destructive: number;
            };
            /** @description The first 50 of them, by name. */
            actions: components["schemas"]["MatchedAction"][];
        };
        MatchedAction: {
            name: components["schemas"]["ActionName"];
            integration: components["schemas"]["Slug"];
            title: string;
            effect: components["schemas"]["ActionEffect"];
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
            /** @description What its integration calls the action; null if there is no such action any more. Only in the answer of `GET /admin/approvals/{approval_id}`. */
            action_title?: string | null;
            effect: components["schemas"]["ActionEffect"];
            connection_id: components["schemas"]["Id"];
            /** @description The name of the connection; null if it was removed. */
            connection_name: string | null;
            /** @description Whose account the connection is, as far as it is known. */
            account_label: string | null;
            /** @description The exact input, with the page that is asked for; another one is another call. */
            input: {
                [key: string]: unknown;
            };
            /** @description What the call will send, while the approval is pending or approved. Null after that, if nothing leaves, as with the service's own actions, and if no request can be made. Only in the answer of `GET /admin/approvals/{approval_id}`. */
            request?: components["schemas"]["OutgoingRequest"] | null;
            status: components["schemas"]["ApprovalStatus"];
            /** @description What was said with the decision; or why the approval has expired before its time: `integration_changed`, or `account_changed`, after the connection was given other credentials, was authorized anew or was removed. */
            reason: string | null;
            created_at: components["schemas"]["Timestamp"];
            decided_at: components["schemas"]["Timestamp"] | null;
            expires_at: components["schemas"]["Timestamp"];
        };
        /** @description What a call sends to another system. There may be other kinds in time. */
        OutgoingRequest: components["schemas"]["OutgoingHttpRequest"] | components["schemas"]["OutgoingToolCall"];
        /** @description The request of an action of an OpenAPI document, without what is added as it leaves: the credentials of the connection, which take the place of what stands in theirs, an `Idempotency-Key`, and headers of the transport. */
        OutgoingHttpRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "http";
            method: string;
            url: string;
            /** @description By name in lower case. */
            headers: {
                [key: string]: string;
            };
            /** @description Null if there is none, or if it is no text. Of multipart, the boundary changes. */
            body: string | null;
            body_bytes: number;
        };
        /** @description A call of a tool of an MCP server. */
        OutgoingToolCall: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "mcp_tool";
            /** @description The URL of the server, or the command that it is started by. */
            server: string;
            /** @description The tool, as the server names it. */
            tool: string;
            arguments: {
                [key: string]: unknown;
            };
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
            type: "admin" | "person" | "api_key" | "run" | "system";
            /** @description The api key, the run or, for an admin, the admin token; null for the token of GATEHOUSE_ADMIN_TOKEN, and in entries of early versions. For a person, the verified e-mail address, or `sub:` and the subject by which the identity provider knows them. */
            id: string | null;
        };
        AuditEntry: {
            /** Format: int64 */
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
            /** @description Whether there are no problems. */
            ok: boolean;
            /** Format: int64 */
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
            /** @description What is wrong, a sentence or two for each: also that the first anchors are missing or later than the service made them, and that the answering node has seen another log. */
            problems: string[];
        };
        Overview: {
            /** @constant */
            object: "overview";
            workspace_id: string | null;
            made_at: components["schemas"]["Timestamp"];
            /** @description Runs that were created from then on are counted. */
            since: components["schemas"]["Timestamp"];
            /** @description How long each of `buckets` is, 3600 or 86400 seconds. */
            bucket_s: number;
            open_runs: components["schemas"]["OpenRuns"];
            /** @description Oldest first, also those without a run; the first and the last may be partly in. */
            buckets: components["schemas"]["RunBucket"][];
            /** @description How many runs have failed, by the code of their error, most first. */
            failures: components["schemas"]["FailureCount"][];
            /** @description By the day (UTC) that runs were created on, and by model; models beyond the ten that have used most are put together. */
            tokens: components["schemas"]["TokenCount"][];
            /** @description From the first start to the end, of runs that have completed or failed. What is the duration of one of `slowest` is exact, and the rest is no more than theirs. */
            durations: components["schemas"]["Quantiles"];
            /** @description From the creation to the first start. */
            waits: components["schemas"]["Quantiles"];
            /** @description The five that took longest, slowest first. */
            slowest: components["schemas"]["SlowRun"][];
            /** @description At most 100, those alive first. One that has stopped in order is not there any more. */
            workers: components["schemas"]["OverviewWorker"][];
            /** @description At most 10,000 are counted. */
            pending_approvals: number;
            connections: components["schemas"]["ConnectionAttention"];
            /** @description What `gatehouse doctor` says of free connections, durability, clocks, partitions, workers, integrations and connections. Its other checks need more than the database. */
            findings: components["schemas"]["Finding"][];
        };
        OpenRuns: {
            /** @description At most 10,000 are counted. */
            queued: number;
            /** @description At most 10,000 are counted. */
            running: number;
            /** @description For how long the oldest run has waited that waits for a worker alone. */
            queue_age_s: number;
        };
        /** @description Runs by what has become of them, by the time of their creation. */
        RunBucket: {
            from: components["schemas"]["Timestamp"];
            open: number;
            completed: number;
            failed: number;
            cancelled: number;
        };
        FailureCount: {
            error_code: string;
            runs: number;
        };
        TokenCount: {
            /** Format: date */
            day: string;
            /** @description Null for all others. */
            model: string | null;
            /** Format: int64 */
            input_tokens: number;
            /** Format: int64 */
            output_tokens: number;
        };
        /** @description Within 10 percent; null if there is no run. */
        Quantiles: {
            runs: number;
            p50_s: number | null;
            p90_s: number | null;
            p99_s: number | null;
        };
        SlowRun: {
            id: components["schemas"]["Id"];
            workspace_id: components["schemas"]["Id"];
            session_id: components["schemas"]["Id"];
            status: components["schemas"]["RunStatus"];
            model: string;
            /** @description From the first start to the end. */
            duration_s: number;
        };
        OverviewWorker: {
            id: components["schemas"]["Id"];
            host: string;
            started_at: components["schemas"]["Timestamp"];
            /** @description Whether it has renewed its lease in time. */
            alive: boolean;
            running_runs: number;
        };
        /** @description Connections that wait for a person. */
        ConnectionAttention: {
            needs_reconnect: number;
            pending: number;
            /** @description The first 20 of them. */
            first: components["schemas"]["WaitingConnection"][];
        };
        WaitingConnection: {
            id: components["schemas"]["Id"];
            workspace_id: components["schemas"]["Id"];
            integration: components["schemas"]["Slug"];
            name: string;
            status: components["schemas"]["ConnectionStatus"];
            status_reason: string | null;
        };
        Finding: {
            check: string;
            /** @enum {string} */
            status: "ok" | "warning" | "failed" | "skipped";
            /** @description One line for a person. */
            found: string;
            /** @description What to do about it, a line each. */
            advice: string | null;
        };
    };
    responses: {
        /** @description The new session. */
        SessionCreated: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                Location: components["headers"]["SessionLocation"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Session"];
            };
        };
        /** @description A page of sessions. */
        SessionPage: {
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
        /** @description The session with its messages. */
        SessionFound: {
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
        /** @description The session as it is now. */
        SessionUpdated: {
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
        /** @description The session is gone, with all it held. */
        SessionDeleted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description A run of the session is queued or running. */
        SessionBusy: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description A page of messages. */
        MessagePage: {
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
        /** @description `wait: true`: the terminal run. `stream: true`: the run's events, as streamRunEvents sends them. */
        RunFollowed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                Location: components["headers"]["RunLocation"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Run"];
                "text/event-stream": components["schemas"]["EventStream"];
            };
        };
        /** @description The run is queued, or still going on when the wait was over. */
        RunAccepted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                Location: components["headers"]["RunLocation"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Run"];
            };
        };
        /** @description The session is archived, or busy and `concurrency` is `reject`, or the idempotency key is in use. */
        RunConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description A page of runs. */
        RunPage: {
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
        /** @description The run. */
        RunFound: {
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
        /** @description The run, which has ended. */
        RunEnded: {
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
        /** @description The events, as a stream or as a page. */
        RunEvents: {
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
        /** @description The run has ended, and `Last-Event-ID` says that the client has its last event: there is no more to stream. */
        NoMoreEvents: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Events after `starting_after` are no longer kept, or the run has none up to there. */
        EventsExpired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description A page of actions. */
        ActionPage: {
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
        /** @description The action. */
        ActionFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WholeAction"];
            };
        };
        /** @description Matching actions with their scores; the list has no further pages. */
        ActionsFound: {
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
        /** @description The result. */
        ActionInvoked: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                Location: components["headers"]["InvocationLocation"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ActionInvocation"];
            };
        };
        /** @description The request, or the action's input, is not valid; or (`invalid_document`) the integration describes the action so that no input can be checked, and it cannot be called; or (`egress_refused`) it is at an address that is not called, or at none: nothing was sent. */
        ActionInputInvalid: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The workspace has stored as much as it may (`storage_full`), or the role of who is signed in to the dashboard does not allow this. Nothing was made. */
        RunNotPermitted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The action changes data, the key may not use it, or the workspace has stored as much as it may (`storage_full`). Nothing was executed. */
        ActionNotPermitted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description No visible action has this name. */
        ActionUnknown: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The integration is not connected, must be reconnected, or has several accounts; or the idempotency key is in use. */
        ActionNotConnected: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The integration answered with an error, or not in HTTP. */
        IntegrationFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The integration did not answer in time. */
        IntegrationTimedOut: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description A page of invocations. */
        ActionInvocationPage: {
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
        /** @description The invocation. */
        ActionInvocationFound: {
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
        /** @description The document. */
        DocumentFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenapiDocument"];
            };
        };
        /** @description Your copy is current. */
        DocumentNotModified: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The new workspace. */
        WorkspaceCreated: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                Location: components["headers"]["Location"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Workspace"];
            };
        };
        /** @description A page of workspaces. */
        WorkspacePage: {
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
        /** @description The workspace. */
        WorkspaceFound: {
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
        /** @description The workspace as it is now. */
        WorkspaceUpdated: {
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
        /** @description The new key. */
        ApiKeyCreated: {
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
        /** @description A page of keys. */
        ApiKeyPage: {
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
        /** @description The key as it is now, without the key itself. */
        ApiKeyUpdated: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiKey"];
            };
        };
        /** @description The key is revoked. */
        ApiKeyRevoked: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The new token. */
        AdminTokenCreated: {
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
        /** @description A page of tokens. */
        AdminTokenPage: {
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
        /** @description The token is revoked. */
        AdminTokenRevoked: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The ways to sign in. */
        DashboardSignInFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DashboardSignIn"];
            };
        };
        /** @description The new session. */
        DashboardSessionCreated: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Set-Cookie": components["headers"]["Set-Cookie"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DashboardSession"];
            };
        };
        /** @description The session. */
        DashboardSessionFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DashboardSession"];
            };
        };
        /** @description The session has ended. */
        DashboardSessionEnded: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Set-Cookie": components["headers"]["Set-Cookie"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description A page of sessions. */
        DashboardSessionPage: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DashboardSessionList"];
            };
        };
        /** @description The session is revoked. */
        DashboardSessionRevoked: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The link, which is good once. */
        DashboardTicketCreated: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DashboardTicket"];
            };
        };
        /** @description The integration, with the report of its import. */
        IntegrationCreated: {
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
        /** @description A page of integrations. */
        IntegrationPage: {
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
        /** @description The integration. */
        IntegrationFound: {
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
        /** @description The integration as it is now. */
        IntegrationUpdated: {
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
        /** @description The integration is gone. */
        IntegrationRemoved: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The integration as it is now. */
        IntegrationRefreshed: {
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
        /** @description The connection. */
        ConnectionCreated: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                Location: components["headers"]["Location"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Connection"];
            };
        };
        /** @description A page of connections. */
        ConnectionPage: {
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
        /** @description The connection. */
        ConnectionFound: {
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
        /** @description The connection as it is now. */
        ConnectionUpdated: {
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
        /** @description The connection is gone. */
        ConnectionRemoved: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description What came of it. */
        ConnectionChecked: {
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
        /** @description The grant. */
        GrantCreated: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                Location: components["headers"]["Location"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Grant"];
            };
        };
        /** @description A page of grants. */
        GrantPage: {
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
        /** @description What the pattern matches. */
        GrantPreviewed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GrantPreview"];
            };
        };
        /** @description The grant is gone. */
        GrantRemoved: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description A page of approvals. */
        ApprovalPage: {
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
        /** @description The approval. */
        ApprovalFound: {
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
        /** @description The approval as it is now. */
        ApprovalDecided: {
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
        /** @description A page of entries. */
        AuditEntryPage: {
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
        /** @description What came of it. */
        AuditLogVerified: {
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
        /** @description The overview. */
        OverviewMade: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Overview"];
            };
        };
        /** @description The request is not valid. `details` lists every violation with its path. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description There is no credential, or it is unknown, revoked or expired. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The role of who is signed in to the dashboard does not allow this. */
        NotPermitted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description There is no such resource in the workspace. The answer is the same for an id of another workspace. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The Accept header admits nothing that this operation produces. */
        NotAcceptable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The idempotency key names another request, or one that is still in flight. */
        IdempotencyConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description It does not go with what is there: `already_exists`, `integration_in_use`, `approval_decided`, `workspace_archived`, or with what the idempotency key stands for: `idempotency_key_reused`, `idempotency_in_progress`. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The other side could not be reached, or did not answer as it should. */
        UpstreamError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The body is larger than the service takes: 1 MiB, or 32 MiB where it may hold a document, unless the operator has set other limits. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The body is not declared as JSON. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description A limit is reached, and nothing was done: the key, its workspace or the operator asks too often, or has too many requests, waits or event streams open on this node, or too many credentials from this address were not valid. Or, of the code `queue_full`, the workspace, or this key of it, has as many queued runs as it may; of the code `approvals_full`, a call would have to be approved, and too many of the workspace, or of this key, wait for that already. Repeat the request after `Retry-After`. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description A fault of the service. It is in the log under the request id. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The service cannot reach its database, or not in time, or that has no room left, or the service is shutting down. Nothing was done, unless the message says that the request may have taken effect: then repeat it with the same `Idempotency-Key`, or look first. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
    };
    parameters: {
        /** @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB. */
        Limit: number;
        /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
        Cursor: string;
        /** @description Newest first (`desc`) or oldest first (`asc`): by `id`, byte by byte, whatever the filters (entries of the audit log: by `sequence_number`; messages of a session: by their place in it). An id begins with the time at which a node of the service made it, by its own clock. So the order is that of creation as far as the clocks of the nodes agree, and within a millisecond it is any; but it never changes, and pages neither repeat anything nor leave out what was there when the first one was read. */
        Order: "asc" | "desc";
        /** @description Only those whose `metadata` has this key with this value, written `key=value`, such as `team=growth`: the key is what stands before the first `=`, so that none with an `=` in it can be asked for. */
        MetadataPair: string;
        /** @description A string of your choice, of 1 to 255 printable characters of ASCII, that names this request for 24 hours, among those of your api key (of an admin operation: of your admin token; in the dashboard: of you). Repeat the request with the same key and body and it takes effect once; an answer about what the first one made has the header `Idempotent-Replayed`. */
        IdempotencyKey: string;
        /** @description Id of the session, `ses_…`. */
        SessionId: components["schemas"]["Id"];
        /** @description Id of the run, `run_…`. */
        RunId: components["schemas"]["Id"];
        /** @description The dotted name of the action. */
        ActionByName: string;
        /** @description Id of the invocation, `inv_…`. */
        InvocationId: components["schemas"]["Id"];
        /** @description Id of the workspace, `wsp_…`. */
        WorkspaceId: components["schemas"]["Id"];
    };
    requestBodies: never;
    headers: {
        /**
         * @description Names this request in the service's log. Give it when you report a problem.
         * @example req_01kagz4f0a2b4c6d8e0f2g4h6j
         */
        "X-Request-Id": string;
        /** @description Where the resource is, as a path of this server. */
        Location: string;
        /**
         * @description Where the session is, as a path of this server.
         * @example /v1/sessions/ses_01kagz4c8me3t0v5x7n9q2r4ab
         */
        SessionLocation: string;
        /**
         * @description Where the run is, as a path of this server.
         * @example /v1/runs/run_01kagz4e6f1s3t5v7w9x1y3z5a
         */
        RunLocation: string;
        /**
         * @description Where the invocation is, as a path of this server.
         * @example /v1/action_invocations/inv_01kagz4ec9e1f3g5h7j9k1m3n5
         */
        InvocationLocation: string;
        /**
         * @description Whole seconds to wait before trying again.
         * @example 1
         */
        "Retry-After": number;
        /**
         * @description Names this version of the document; it changes with it.
         * @example "d2a84f4b8b650937ec8f73cd8be2c74a"
         */
        ETag: string;
        /** @description The cookie `gatehouse_dashboard`, for browsers; an empty one takes it away. */
        "Set-Cookie": string;
        /**
         * @description How to authenticate.
         * @example Bearer
         */
        "WWW-Authenticate": string;
        /** @description `true` if a request before this one, with the same `Idempotency-Key`, has made what the answer tells of; left out of a first answer. */
        "Idempotent-Replayed": boolean;
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
                /** @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB. */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Newest first (`desc`) or oldest first (`asc`): by `id`, byte by byte, whatever the filters (entries of the audit log: by `sequence_number`; messages of a session: by their place in it). An id begins with the time at which a node of the service made it, by its own clock. So the order is that of creation as far as the clocks of the nodes agree, and within a millisecond it is any; but it never changes, and pages neither repeat anything nor leave out what was there when the first one was read. */
                order?: components["parameters"]["Order"];
                /** @description Only sessions with this status. */
                status?: components["schemas"]["SessionStatus"];
                /** @description Words that the title has, in any order, each also as a part of a longer one, and whatever the case of `a` to `z`: the newest 10,000 sessions are searched, or with `metadata` the newest 10,000 that have it. Or the beginning of an id, with its `ses_`: of all sessions. */
                query?: string;
                /** @description Only those whose `metadata` has this key with this value, written `key=value`, such as `team=growth`: the key is what stands before the first `=`, so that none with an `=` in it can be asked for. */
                metadata?: components["parameters"]["MetadataPair"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SessionPage"];
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
                /** @description A string of your choice, of 1 to 255 printable characters of ASCII, that names this request for 24 hours, among those of your api key (of an admin operation: of your admin token; in the dashboard: of you). Repeat the request with the same key and body and it takes effect once; an answer about what the first one made has the header `Idempotent-Replayed`. */
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
            201: components["responses"]["SessionCreated"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotPermitted"];
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
                /** @description Id of the session, `ses_…`. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SessionFound"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the session, `ses_…`. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["SessionDeleted"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["SessionBusy"];
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
                /** @description Id of the session, `ses_…`. */
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
            200: components["responses"]["SessionUpdated"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotPermitted"];
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
                /** @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB. */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Newest first (`desc`) or oldest first (`asc`): by `id`, byte by byte, whatever the filters (entries of the audit log: by `sequence_number`; messages of a session: by their place in it). An id begins with the time at which a node of the service made it, by its own clock. So the order is that of creation as far as the clocks of the nodes agree, and within a millisecond it is any; but it never changes, and pages neither repeat anything nor leave out what was there when the first one was read. */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path: {
                /** @description Id of the session, `ses_…`. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MessagePage"];
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
                /** @description A string of your choice, of 1 to 255 printable characters of ASCII, that names this request for 24 hours, among those of your api key (of an admin operation: of your admin token; in the dashboard: of you). Repeat the request with the same key and body and it takes effect once; an answer about what the first one made has the header `Idempotent-Replayed`. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the session, `ses_…`. */
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
            200: components["responses"]["RunFollowed"];
            202: components["responses"]["RunAccepted"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["RunNotPermitted"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["RunConflict"];
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
                /** @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB. */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Newest first (`desc`) or oldest first (`asc`): by `id`, byte by byte, whatever the filters (entries of the audit log: by `sequence_number`; messages of a session: by their place in it). An id begins with the time at which a node of the service made it, by its own clock. So the order is that of creation as far as the clocks of the nodes agree, and within a millisecond it is any; but it never changes, and pages neither repeat anything nor leave out what was there when the first one was read. */
                order?: components["parameters"]["Order"];
                /** @description Only runs with this status. */
                status?: components["schemas"]["RunStatus"];
                /** @description Only runs of this session. */
                session_id?: components["schemas"]["Id"];
                /** @description Only runs that have failed with this code of their error. */
                error_code?: string;
                /** @description Only runs of this model, by its whole name. */
                model?: string;
                /** @description Only runs that applications have made (`api`), or people in the dashboard (`console`). */
                source?: "api" | "console";
                /** @description Only runs created after this time. */
                created_after?: string;
                /** @description Only runs created before this time. */
                created_before?: string;
                /** @description Only runs whose id begins so, with its `run_`. */
                id_prefix?: components["schemas"]["IdPrefix"];
                /** @description Only those whose `metadata` has this key with this value, written `key=value`, such as `team=growth`: the key is what stands before the first `=`, so that none with an `=` in it can be asked for. */
                metadata?: components["parameters"]["MetadataPair"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RunPage"];
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
                /** @description Id of the run, `run_…`. */
                run_id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RunFound"];
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
                /** @description Id of the run, `run_…`. */
                run_id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RunEnded"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotPermitted"];
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
                /** @description Only events with a larger sequence number. */
                starting_after?: number;
                /** @description Largest number of events in a JSON page. One with large events ends earlier, at about 1 MiB. The stream has no limit. */
                limit?: number;
            };
            header?: {
                /** @description The last sequence number that the client has seen; event-stream clients send it when they reconnect. */
                "Last-Event-ID"?: number;
            };
            path: {
                /** @description Id of the run, `run_…`. */
                run_id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RunEvents"];
            204: components["responses"]["NoMoreEvents"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            410: components["responses"]["EventsExpired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listActions: {
        parameters: {
            query?: {
                /** @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB. */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only actions of this integration. */
                integration?: components["schemas"]["Slug"];
                /** @description Only actions that do (or do not) change data. */
                read_only?: boolean;
                /** @description With `input_schema` and `output_schema` of each action. A page is then up to a hundred times as large, and ends with the action that brings it to a megabyte. */
                include_schemas?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ActionPage"];
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
            200: components["responses"]["ActionsFound"];
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
    getAction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The dotted name of the action. */
                action: components["parameters"]["ActionByName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ActionFound"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listActionInvocations: {
        parameters: {
            query?: {
                /** @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB. */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Newest first (`desc`) or oldest first (`asc`): by `id`, byte by byte, whatever the filters (entries of the audit log: by `sequence_number`; messages of a session: by their place in it). An id begins with the time at which a node of the service made it, by its own clock. So the order is that of creation as far as the clocks of the nodes agree, and within a millisecond it is any; but it never changes, and pages neither repeat anything nor leave out what was there when the first one was read. */
                order?: components["parameters"]["Order"];
                /** @description Only invocations of this action. */
                action?: string;
                /** @description Only invocations with this status. */
                status?: components["schemas"]["ActionInvocationStatus"];
                /** @description Only invocations by applications (`api`), by agents of runs (`run`) or by MCP clients (`mcp`). */
                source?: "api" | "run" | "mcp";
                /** @description Only invocations by this run. */
                run_id?: components["schemas"]["Id"];
                /** @description Only invocations whose id begins so, with its `inv_`. */
                id_prefix?: components["schemas"]["IdPrefix"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ActionInvocationPage"];
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
                /** @description A string of your choice, of 1 to 255 printable characters of ASCII, that names this request for 24 hours, among those of your api key (of an admin operation: of your admin token; in the dashboard: of you). Repeat the request with the same key and body and it takes effect once; an answer about what the first one made has the header `Idempotent-Replayed`. */
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
            201: components["responses"]["ActionInvoked"];
            400: components["responses"]["ActionInputInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ActionNotPermitted"];
            404: components["responses"]["ActionUnknown"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["ActionNotConnected"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["IntegrationFailed"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["IntegrationTimedOut"];
        };
    };
    getActionInvocation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the invocation, `inv_…`. */
                invocation_id: components["parameters"]["InvocationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ActionInvocationFound"];
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
                /** @description The `ETag` of the copy you have; if it is current the answer is 304. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DocumentFound"];
            304: components["responses"]["DocumentNotModified"];
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
                /** @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB. */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Newest first (`desc`) or oldest first (`asc`): by `id`, byte by byte, whatever the filters (entries of the audit log: by `sequence_number`; messages of a session: by their place in it). An id begins with the time at which a node of the service made it, by its own clock. So the order is that of creation as far as the clocks of the nodes agree, and within a millisecond it is any; but it never changes, and pages neither repeat anything nor leave out what was there when the first one was read. */
                order?: components["parameters"]["Order"];
                /** @description Only the workspace that this run is of. */
                run_id?: components["schemas"]["Id"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["WorkspacePage"];
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
                /** @description A string of your choice, of 1 to 255 printable characters of ASCII, that names this request for 24 hours, among those of your api key (of an admin operation: of your admin token; in the dashboard: of you). Repeat the request with the same key and body and it takes effect once; an answer about what the first one made has the header `Idempotent-Replayed`. */
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
            201: components["responses"]["WorkspaceCreated"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotPermitted"];
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
                /** @description Id of the workspace, `wsp_…`. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["WorkspaceFound"];
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
                /** @description Id of the workspace, `wsp_…`. */
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
            200: components["responses"]["WorkspaceUpdated"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotPermitted"];
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
                /** @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB. */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Newest first (`desc`) or oldest first (`asc`): by `id`, byte by byte, whatever the filters (entries of the audit log: by `sequence_number`; messages of a session: by their place in it). An id begins with the time at which a node of the service made it, by its own clock. So the order is that of creation as far as the clocks of the nodes agree, and within a millisecond it is any; but it never changes, and pages neither repeat anything nor leave out what was there when the first one was read. */
                order?: components["parameters"]["Order"];
                /** @description Only keys of this workspace. */
                workspace_id?: components["schemas"]["Id"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ApiKeyPage"];
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
                /** @description A string of your choice, of 1 to 255 printable characters of ASCII, that names this request for 24 hours, among those of your api key (of an admin operation: of your admin token; in the dashboard: of you). Repeat the request with the same key and body and it takes effect once; an answer about what the first one made has the header `Idempotent-Replayed`. */
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
            201: components["responses"]["ApiKeyCreated"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotPermitted"];
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
                /** @description Id of the key, `key_…`. */
                api_key_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["ApiKeyRevoked"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the key, `key_…`. */
                api_key_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateApiKeyRequest"];
            };
        };
        responses: {
            200: components["responses"]["ApiKeyUpdated"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAdminTokens: {
        parameters: {
            query?: {
                /** @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB. */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Newest first (`desc`) or oldest first (`asc`): by `id`, byte by byte, whatever the filters (entries of the audit log: by `sequence_number`; messages of a session: by their place in it). An id begins with the time at which a node of the service made it, by its own clock. So the order is that of creation as far as the clocks of the nodes agree, and within a millisecond it is any; but it never changes, and pages neither repeat anything nor leave out what was there when the first one was read. */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AdminTokenPage"];
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
                /** @description A string of your choice, of 1 to 255 printable characters of ASCII, that names this request for 24 hours, among those of your api key (of an admin operation: of your admin token; in the dashboard: of you). Repeat the request with the same key and body and it takes effect once; an answer about what the first one made has the header `Idempotent-Replayed`. */
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
            201: components["responses"]["AdminTokenCreated"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotPermitted"];
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
                /** @description Id of the token, `adm_…`. */
                admin_token_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["AdminTokenRevoked"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDashboardSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DashboardSignInFound"];
            400: components["responses"]["BadRequest"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
        };
    };
    listDashboardSessions: {
        parameters: {
            query?: {
                /** @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB. */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Newest first (`desc`) or oldest first (`asc`): by `id`, byte by byte, whatever the filters (entries of the audit log: by `sequence_number`; messages of a session: by their place in it). An id begins with the time at which a node of the service made it, by its own clock. So the order is that of creation as far as the clocks of the nodes agree, and within a millisecond it is any; but it never changes, and pages neither repeat anything nor leave out what was there when the first one was read. */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DashboardSessionPage"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createDashboardSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDashboardSessionRequest"];
            };
        };
        responses: {
            201: components["responses"]["DashboardSessionCreated"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotPermitted"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCurrentDashboardSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DashboardSessionFound"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endDashboardSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["DashboardSessionEnded"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeDashboardSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the session, `dbs_…`. */
                dashboard_session_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["DashboardSessionRevoked"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createDashboardTicket: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: components["responses"]["DashboardTicketCreated"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotPermitted"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listIntegrations: {
        parameters: {
            query?: {
                /** @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB. */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Newest first (`desc`) or oldest first (`asc`): by `id`, byte by byte, whatever the filters (entries of the audit log: by `sequence_number`; messages of a session: by their place in it). An id begins with the time at which a node of the service made it, by its own clock. So the order is that of creation as far as the clocks of the nodes agree, and within a millisecond it is any; but it never changes, and pages neither repeat anything nor leave out what was there when the first one was read. */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["IntegrationPage"];
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
            201: components["responses"]["IntegrationCreated"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotPermitted"];
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
                /** @description Slug of the integration. */
                slug: components["schemas"]["Slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["IntegrationFound"];
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
                /** @description Slug of the integration. */
                slug: components["schemas"]["Slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["IntegrationRemoved"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotPermitted"];
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
                /** @description Slug of the integration. */
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
            200: components["responses"]["IntegrationUpdated"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotPermitted"];
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
                /** @description Slug of the integration. */
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
            200: components["responses"]["IntegrationRefreshed"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotPermitted"];
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
                /** @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB. */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Newest first (`desc`) or oldest first (`asc`): by `id`, byte by byte, whatever the filters (entries of the audit log: by `sequence_number`; messages of a session: by their place in it). An id begins with the time at which a node of the service made it, by its own clock. So the order is that of creation as far as the clocks of the nodes agree, and within a millisecond it is any; but it never changes, and pages neither repeat anything nor leave out what was there when the first one was read. */
                order?: components["parameters"]["Order"];
                /** @description Only those of this workspace. */
                workspace_id?: components["schemas"]["Id"];
                /** @description Only those to this integration. */
                integration?: components["schemas"]["Slug"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ConnectionPage"];
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
                /** @description A string of your choice, of 1 to 255 printable characters of ASCII, that names this request for 24 hours, among those of your api key (of an admin operation: of your admin token; in the dashboard: of you). Repeat the request with the same key and body and it takes effect once; an answer about what the first one made has the header `Idempotent-Replayed`. */
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
            201: components["responses"]["ConnectionCreated"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotPermitted"];
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
                /** @description Id of the connection, `con_…`. */
                connection_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ConnectionFound"];
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
                /** @description Id of the connection, `con_…`. */
                connection_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["ConnectionRemoved"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotPermitted"];
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
                /** @description Id of the connection, `con_…`. */
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
            200: components["responses"]["ConnectionUpdated"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotPermitted"];
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
                /** @description Id of the connection, `con_…`. */
                connection_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ConnectionChecked"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotPermitted"];
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
                /** @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB. */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Newest first (`desc`) or oldest first (`asc`): by `id`, byte by byte, whatever the filters (entries of the audit log: by `sequence_number`; messages of a session: by their place in it). An id begins with the time at which a node of the service made it, by its own clock. So the order is that of creation as far as the clocks of the nodes agree, and within a millisecond it is any; but it never changes, and pages neither repeat anything nor leave out what was there when the first one was read. */
                order?: components["parameters"]["Order"];
                /** @description Only those of this workspace. */
                workspace_id?: components["schemas"]["Id"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["GrantPage"];
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
                /** @description A string of your choice, of 1 to 255 printable characters of ASCII, that names this request for 24 hours, among those of your api key (of an admin operation: of your admin token; in the dashboard: of you). Repeat the request with the same key and body and it takes effect once; an answer about what the first one made has the header `Idempotent-Replayed`. */
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
            201: components["responses"]["GrantCreated"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotPermitted"];
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
    previewGrant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewGrantRequest"];
            };
        };
        responses: {
            200: components["responses"]["GrantPreviewed"];
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
    deleteGrant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the grant, `grt_…`. */
                grant_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["GrantRemoved"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotPermitted"];
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
                /** @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB. */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Newest first (`desc`) or oldest first (`asc`): by `id`, byte by byte, whatever the filters (entries of the audit log: by `sequence_number`; messages of a session: by their place in it). An id begins with the time at which a node of the service made it, by its own clock. So the order is that of creation as far as the clocks of the nodes agree, and within a millisecond it is any; but it never changes, and pages neither repeat anything nor leave out what was there when the first one was read. */
                order?: components["parameters"]["Order"];
                /** @description Only those of this workspace. */
                workspace_id?: components["schemas"]["Id"];
                /** @description Only those in this state. */
                status?: components["schemas"]["ApprovalStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ApprovalPage"];
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
                /** @description Id of the approval, `apr_…`. */
                approval_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ApprovalFound"];
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
                /** @description Id of the approval, `apr_…`. */
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
            200: components["responses"]["ApprovalDecided"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotPermitted"];
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
                /** @description Largest number of items in the page. One with large items ends earlier, at about 1 MiB. */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the page before. Opaque, and good for the same list only. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Newest first (`desc`) or oldest first (`asc`): by `id`, byte by byte, whatever the filters (entries of the audit log: by `sequence_number`; messages of a session: by their place in it). An id begins with the time at which a node of the service made it, by its own clock. So the order is that of creation as far as the clocks of the nodes agree, and within a millisecond it is any; but it never changes, and pages neither repeat anything nor leave out what was there when the first one was read. */
                order?: components["parameters"]["Order"];
                /** @description Only the entry with this number. */
                sequence_number?: number;
                /** @description Only those of this workspace. */
                workspace_id?: components["schemas"]["Id"];
                /** @description Only this kind of event. */
                event?: string;
                /** @description Only entries about this id or name. */
                target?: string;
                /** @description Only what this one has done, by the `id` of the entry's `actor`. */
                actor?: string;
                /** @description Only entries of after this time. */
                created_after?: string;
                /** @description Only entries of before this time. */
                created_before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AuditEntryPage"];
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
            200: components["responses"]["AuditLogVerified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOverview: {
        parameters: {
            query?: {
                /** @description Only this workspace; workers and findings are of the whole service. */
                workspace_id?: components["schemas"]["Id"];
                /** @description How many hours back, the present one being the first. From 73 on they are put together to days (UTC). */
                hours?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OverviewMade"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
export type Schemas = components['schemas'];
export type RunEvent = Schemas['RunEvent'];
