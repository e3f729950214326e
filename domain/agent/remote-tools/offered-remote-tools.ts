import { type AllowedTool, selectAllowedTools } from '../../../db/definitions/mcp-tools.js';
import type { Tx } from '../../../db/tx.js';
import type { ToolSituation } from '../situation.js';
import { configOf } from '../tools/config-of.js';

/** The tools of remote servers that the ability names and that are allowed as they are, in the order of the ability. */
export async function offeredRemoteTools(
  tx: Tx,
  ofTask: Pick<ToolSituation, 'abilities'>,
): Promise<AllowedTool[]> {
  const { tools = [] } = configOf(ofTask, 'mcp_tools') ?? {};
  const allowed = await selectAllowedTools(tx, tools);
  return tools
    .map(({ server, tool }) => allowed.find((one) => one.server === server && one.tool === tool))
    .filter((found) => found !== undefined);
}
