import type { ToolName } from '../../definitions/tool-definitions/types.js';
import { completeCurrentTask } from './complete-task.js';
import { concludeAssignment } from './conclude.js';
import { handOffChat } from './handoff.js';
import { readData } from './read-data.js';
import { saveData } from './save-data.js';
import { scheduleFollowUp } from './schedule-follow-up.js';
import { selectChild } from './select-task.js';
import { sendSms } from './send-sms.js';
import type { Tool } from './tool.js';

/** The implementation of each tool. */
export const tools: Record<ToolName, Tool> = {
  select_task: selectChild,
  complete_task: completeCurrentTask,
  save_data: saveData,
  read_data: readData,
  send_sms: sendSms,
  schedule_follow_up: scheduleFollowUp,
  handoff: handOffChat,
  conclude: concludeAssignment,
};
