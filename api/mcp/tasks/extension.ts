import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  MissingRequiredClientCapabilityError,
} from '@modelcontextprotocol/server';

/** The extension by which long calls are answered with a task. https://github.com/modelcontextprotocol/ext-tasks */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** Whether the client says with a request, in what its `_meta` has of the protocol, that it knows tasks. */
export function knowsTasks(envelope: unknown): boolean {
  const told = envelope as Record<string, { extensions?: object } | undefined> | undefined;
  return Object.hasOwn(told?.[CLIENT_CAPABILITIES_META_KEY]?.extensions ?? {}, tasksExtension);
}

/** The error -32021, which names the extension. */
export function lacksTasks(): MissingRequiredClientCapabilityError {
  const requiredCapabilities = { extensions: { [tasksExtension]: {} } } as ClientCapabilities;
  return new MissingRequiredClientCapabilityError({ requiredCapabilities });
}
