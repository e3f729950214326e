import { eventTable } from './event-table.js';
import type { Parts } from './generated-parts.js';
import { tables } from './tables.js';
import { toolTable } from './tool-table.js';

/** The pages that have generated parts, with these. */
export const pages = {
  'docs/workflows.md': tables,
  'docs/webhooks.md': { events: eventTable },
  'docs/mcp.md': { tools: toolTable },
} as const satisfies Record<string, Parts>;
