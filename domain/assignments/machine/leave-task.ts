import { withdrawApproval } from '../../chat-state/approvals.js';
import { clearStandingAlert } from './clear-standing-alert.js';
import { changeChat, type Machine } from './machine.js';

/** `clearStandingAlert` where a task is left: a tool call that waits for approval was of this task, and is withdrawn. */
export async function leaveTask(machine: Machine): Promise<void> {
  await changeChat(machine, withdrawApproval);
  await clearStandingAlert(machine);
}
