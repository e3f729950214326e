import { catalog } from '../../api/mcp/catalog/index.js';
import type { Tool } from '../../api/mcp/define-tool.js';
import { eventTypes } from '../../domain/kernel/events/event-types.js';
import type { Parts } from './generated-parts.js';
import { code, markdownTable } from './markdown-table.js';
import { tables } from './tables.js';

/** The pages that have generated parts, with these. */
export const pages = {
  'docs/workflows.md': tables,
  'docs/webhooks.md': { events: eventTable },
  'docs/mcp.md': { tools: toolTable },
} as const satisfies Record<string, Parts>;

/** A row for each type of event that a rule can send. */
function eventTable(): string {
  const rows = Object.entries(eventTypes).map(([type, meaning]) => [code(type), meaning]);
  return markdownTable(['Event', 'When'], rows);
}

/** A row for each tool of the MCP endpoint. */
function toolTable(): string {
  const rows = catalog.map((tool) => [
    code(tool.name),
    code(tool.route.operationId),
    tool.scopes.map(code).join(', '),
    effectOf(tool),
  ]);
  return markdownTable(['Tool', 'Operation', 'Scopes', 'Effect'], rows);
}

function effectOf({ annotations, confirmed }: Tool): string {
  if (annotations.readOnlyHint) return 'reads';
  const effects = [
    annotations.destructiveHint ? 'replaces or ends' : 'adds',
    ...(annotations.openWorldHint ? ['reaches outside'] : []),
    ...(confirmed === undefined ? [] : ['asks for confirmation']),
  ];
  return effects.join(', ');
}
