import { patchEntryReason } from '../../../db/assignments/timeline-entries.js';
import type { Tx } from '../../../db/tx.js';
import type { Machine } from '../../assignments/machine/machine.js';
import { note } from '../../assignments/timeline/note.js';
import { remoteToolName } from '../../definitions/mcp-servers/remote-tool-names.js';
import type { HttpRequestConfig, McpToolsConfig } from '../../kernel/ability-configs.js';
import type { ClaimedCall } from '../tools/tool.js';
import type { ToolResult } from '../tools/tool-result.js';
import { isToolName } from '../tools/tools.js';
import type { CallPlace, Waiting } from './call-place.js';

/** Runs a call that is noted in the timeline before what it does. */
export async function noted<Result extends ToolResult | ClaimedCall | Waiting>(
  tx: Tx,
  place: CallPlace,
  name: string,
  run: () => Promise<Result>,
): Promise<Result> {
  const entryId = await recordCall(place, name);
  const result = await run();
  const reason = reasonOf(result);
  if (reason !== undefined && entryId !== undefined) await patchEntryReason(tx, entryId, reason);
  return result;
}

function reasonOf(result: ToolResult | ClaimedCall | Waiting): string | undefined {
  if ('ok' in result) return result.ok ? undefined : result.error;
  return result.kind === 'waiting' ? 'approval_pending' : undefined;
}

/** @returns the id of the entry; undefined without an active assignment */
export async function recordCall(
  { machine, performer, messageId }: CallPlace,
  name: string,
  reason?: string,
): Promise<number | undefined> {
  if (machine === undefined) return undefined;
  const { by, memberId } = performer;
  const [entry] = await note(machine, {
    kind: 'tool',
    assignmentTaskId: machine.assignment.currentTaskId,
    // A model may invent names.
    code: isToolName(name) ? name : (abilityOf(machine, name) ?? 'unknown'),
    reason,
    messageId,
    causedBy: by,
    actorMemberId: by === 'operator' ? memberId : null,
  });
  return entry?.id;
}

/** The ability of a task of the revision that has a tool of this name. */
function abilityOf({ tree }: Machine, name: string): string | undefined {
  const declared = [...tree.byId.values()].flatMap(({ abilities }) => abilities);
  return declared.find(({ abilityType, config }) => {
    if (abilityType === 'http_request' && Array.isArray(config.requests)) {
      return (config as unknown as HttpRequestConfig).requests.some((request) => request.name === name);
    }
    if (abilityType !== 'mcp_tools' || !Array.isArray(config.tools)) return false;
    return (config as unknown as McpToolsConfig).tools.some((tool) => remoteToolName(tool) === name);
  })?.abilityType;
}
