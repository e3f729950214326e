import { type AllowedTool, selectAllowedTools } from '../../../db/definitions/mcp-tools.js';
import type { Tx } from '../../../db/tx.js';
import { isSimulated } from '../../kernel/simulated.js';
import type { ToolSituation } from '../situation.js';
import { configOf } from '../tools/config-of.js';

/** The tools of remote servers that the ability names and that are allowed as they are, in the order of the ability. */
export async function offeredRemoteTools(
  tx: Tx,
  ofTask: Pick<ToolSituation, 'abilities'>,
): Promise<AllowedTool[]> {
  const { tools = [] } = configOf(ofTask, 'mcp_tools') ?? {};
  const allowed = await selectAllowedTools(tx, tools);
  return tools.flatMap(({ server, tool }) => {
    const found = allowed.find((one) => one.server === server && one.tool === tool);
    if (found !== undefined) return [found];
    // In a simulation nothing is called, and nothing has to be configured.
    return isSimulated() ? [{ ...simulated, server, tool }] : [];
  });
}

const simulated = {
  serverId: 0,
  description: 'A tool that is not allowed yet.',
  inputSchema: { type: 'object' },
  approval: 'none',
  isReadOnly: false,
  isIdempotent: false,
} as const;
