import { catalog } from '../../api/mcp/catalog/index.js';
import type { Tool } from '../../api/mcp/define-tool.js';
import { markdownTable } from './markdown-table.js';

/** A row for each tool of the MCP endpoint. */
export function toolTable(): string {
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

function code(text: string): string {
  return `\`${text}\``;
}
