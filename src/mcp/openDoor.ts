import type { McpDoor, McpDoorOptions } from './door.ts';

/** The door, whose package is loaded for the first who knocks: most services start without one. */
export function openMcpDoor(options: McpDoorOptions): McpDoor {
  let door: Promise<McpDoor> | undefined;
  return async (request) => {
    door ??= import('./door.ts').then(({ createMcpDoor }) => createMcpDoor(options));
    return await (await door)(request);
  };
}
