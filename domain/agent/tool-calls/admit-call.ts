import { findApprovalOfCall, findApprovalOfMessage } from '../../../db/conversations/tool-approvals.js';
import type { Tx } from '../../../db/tx.js';
import { currentTask } from '../../assignments/machine/machine.js';
import {
  askApproval,
  dropApproval,
  openApproval,
  overtaken,
  startApproved,
} from '../../chat-state/approvals.js';
import { agentMaySpeak } from '../../kernel/agent-due.js';
import type { ToolResult } from '../tools/tool-result.js';
import { type Attempt, type CallPlace, takeChat, type Waiting } from './call-place.js';
import type { LockedTurn } from './locked-turn.js';

/** Whether a call of the agent's turn may be run, as a result for the model if it may not. An approved one is marked as run. */
export async function admitCall(
  tx: Tx,
  place: CallPlace,
  turn: LockedTurn,
): Promise<'run' | 'approved' | Waiting | Extract<ToolResult, { ok: false }>> {
  const { message, call } = turn;
  if (isOvertaken(turn)) {
    await takeChat(place, await dropApproval(tx, place.chat, call.id));
    return overtaken;
  }
  // The model has not seen what became of an earlier call of the same answer that was asked about.
  if (message.toolCalls.length > 1) {
    const asked = await findApprovalOfMessage(tx, place.chat.id, message.id);
    if (asked !== undefined && asked.toolCallId !== call.id) return pending;
  }
  const open = await openApproval(tx, place.chat);
  if (open?.toolCallId !== call.id) return 'run';
  if (open.state === 'waiting') return { kind: 'waiting' };
  await takeChat(place, await startApproved(tx, place.chat, open));
  return 'approved';
}

function isOvertaken({ chat, machine, message, isHeld }: LockedTurn): boolean {
  if (!agentMaySpeak(chat) || isHeld) return true;
  if (message.taskId === null) return false;
  return machine === undefined || currentTask(machine).id !== message.taskId;
}

/** Lets a call wait that needs approval and has none, unless another one waits. @returns undefined if it may be run */
export async function askFirst(
  tx: Tx,
  place: CallPlace,
  { toolCallId, turnVersion, now }: Attempt,
): Promise<ToolResult | Waiting | undefined> {
  const asked = await findApprovalOfCall(tx, place.chat.id, toolCallId);
  // An earlier attempt of this approved call has died after it was marked as run.
  if (asked?.state === 'run') return undefined;
  if (asked !== undefined) return overtaken;
  if ((await openApproval(tx, place.chat)) !== undefined) return pending;
  const { messageId } = place;
  await takeChat(place, await askApproval(tx, place.chat, { messageId, toolCallId, turnVersion }, now));
  return { kind: 'waiting' };
}

const pending = { ok: false, error: 'approval_pending' } as const;
