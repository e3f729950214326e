import { createHash } from 'node:crypto';

/** As long as names of tools are that models take. */
const maxNameLength = 64;
const digestLength = 8;

/**
 * What a model calls a tool of a remote MCP server: the name of the server, two underscores, and the name of the tool. A name that
 * models do not take is changed, and ends in a digest, so that no two tools have the same.
 */
export function remoteToolName({ server, tool }: { server: string; tool: string }): string {
  const name = `${server}__${tool}`;
  if (name.length <= maxNameLength && /^[A-Za-z0-9_-]+$/.test(name)) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, digestLength);
  const kept = name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, maxNameLength - digestLength - 1);
  return `${kept}_${digest}`;
}
