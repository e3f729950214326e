import { type AllowedTool, selectAllowedTools } from '../../../db/definitions/mcp-tools.js';
import type { Tx } from '../../../db/tx.js';
import type { AbilityInForce } from '../../definitions/task-tree/inherited-abilities.js';
import type { McpToolsConfig } from '../../kernel/ability-configs.js';
import { isSimulated } from '../../kernel/simulated.js';

/** The tools of remote servers that the ability names and that are allowed as they are, in the order of the ability. */
export async function offeredRemoteTools(
  tx: Tx,
  abilities: readonly AbilityInForce[],
): Promise<AllowedTool[]> {
  const declared = abilities.find(({ ability }) => ability.abilityType === 'mcp_tools');
  if (declared === undefined) return [];
  const { tools } = declared.ability.config as unknown as McpToolsConfig;
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
