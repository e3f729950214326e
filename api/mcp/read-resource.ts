import { type ReadResourceResult, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { callTool, type ServedTool } from './call-tool.js';
import type { McpResource } from './define-resource.js';
import { invalid } from './protocol-error.js';
import type { Visit } from './visit.js';

/** A resource with the route that reads it, compiled. */
export interface ServedResource extends ServedTool {
  resource: McpResource;
}

/** The resource at an address, with its parameters. */
export function resourceAt(
  resources: readonly ServedResource[],
  uri: string,
): { served: ServedResource; params: Record<string, string> } | undefined {
  for (const served of resources) {
    const params = served.resource.match(uri);
    if (params !== undefined) return { served, params };
  }
  return undefined;
}

/** Reads a resource as its tool would. @throws ProtocolError */
export async function readResource(
  resources: readonly ServedResource[],
  uri: string,
  visit: Visit,
): Promise<ReadResourceResult> {
  const found = resourceAt(resources, uri);
  if (found === undefined) throw new ResourceNotFoundError(uri);
  const { content, isError } = await callTool(found.served, found.params, visit);
  const texts = content.map((part) => (part.type === 'text' ? part.text : ''));
  const whole = texts.at(-1) ?? '';
  if (isError === true) {
    const { code, detail } = JSON.parse(whole) as { code: string; detail: string };
    throw code === 'not_found' ? new ResourceNotFoundError(uri) : invalid(`${code}: ${detail}`);
  }
  const notes = texts.slice(0, -1).join(' ');
  return {
    contents: [{ uri, mimeType: 'application/json', text: whole, _meta: { untrusted: true, note: notes } }],
  };
}
