/** What the usual clients of MCP want in their configuration, each in the form that it reads. */
import { shellWord } from '../shellWord.ts';

/** What a client starts that only knows processes: with the place of the key, not with the key. */
export interface BridgeCommand { command: string; args: string[]; env: Record<string, string> }

/**
 * The configurations for the server at `url`, and for the process that passes messages on to it.
 * Clients that connect by themselves read the key from the variable `key`.
 */
export function configurations(url: string, started: BridgeCommand, key: string): string {
  return `Address: ${url}   (Streamable HTTP; Authorization: Bearer <API_KEY>)

${connecting(url, key)}
${starting(started)}`;
}

const NAME = 'gatehouse';
const json = (value: object) => `${JSON.stringify(value, undefined, 2)}\n`;
const headers = (value: string) => ({ Authorization: `Bearer ${value}` });

function connecting(url: string, key: string): string {
  return `Clients that connect to it themselves. ${key} has to be set where they are started.

# Claude Code
claude mcp add --transport http ${NAME} ${shellWord(url)} --header "Authorization: Bearer $${key}"

# Cursor: .cursor/mcp.json
${json({ mcpServers: { [NAME]: { url, headers: headers(`\${env:${key}}`) } } })}
# VS Code: .vscode/mcp.json (it asks for the key)
${json({
  inputs: [{ id: NAME, type: 'promptString', description: 'Gatehouse api key', password: true }],
  servers: { [NAME]: { type: 'http', url, headers: headers(`\${input:${NAME}}`) } },
})}
# Windsurf: ~/.codeium/windsurf/mcp_config.json
${json({ mcpServers: { [NAME]: { serverUrl: url, headers: headers(`\${env:${key}}`) } } })}
# Gemini CLI: .gemini/settings.json
${json({ mcpServers: { [NAME]: { httpUrl: url, headers: headers(`$${key}`) } } })}
# Codex: ~/.codex/config.toml
[mcp_servers.${NAME}]
url = ${JSON.stringify(url)}
bearer_token_env_var = "${key}"
`;
}

function starting({ command, args, env }: BridgeCommand): string {
  const set = Object.entries(env).map(([name, value]) => `--env ${shellWord(`${name}=${value}`)}`);
  return `Clients that start a process, which reads the key where it is kept.

# Claude Desktop, and every client that starts processes
${json({ mcpServers: { [NAME]: { command, args, env } } })}
# Claude Code
claude mcp add ${NAME} ${set.join(' ')} -- ${[command, ...args].map(shellWord).join(' ')}

# Zed: settings.json
${json({ context_servers: { [NAME]: { command, args, env } } })}
# Goose: ~/.config/goose/config.yaml
extensions:
  ${NAME}:
    name: ${NAME}
    type: stdio
    enabled: true
    cmd: ${JSON.stringify(command)}
    args: ${JSON.stringify(args)}
    envs: ${JSON.stringify(env)}
    timeout: 300
`;
}
