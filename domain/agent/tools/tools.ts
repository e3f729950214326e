import { completeTask } from './complete-task.js';
import { conclude } from './conclude.js';
import { endCall } from './end-call.js';
import { forwardCall } from './forward-call.js';
import { handoff } from './handoff.js';
import { optOut } from './opt-out.js';
import { placeCall } from './place-call.js';
import { proveIdentity } from './prove-identity.js';
import { readData } from './read-data.js';
import { saveData } from './save-data.js';
import { scheduleFollowUp } from './schedule-follow-up.js';
import { searchFiles } from './search-files.js';
import { selectTask } from './select-task.js';
import { sendEmail } from './send-email.js';
import { sendFiles } from './send-files.js';
import { sendSms } from './send-sms.js';
import { suggestAnswers } from './suggest-answers.js';
import type { Tool, ToolName } from './tool.js';

/** All tools of the service, in the order in which a model is told of them. */
export const tools: Record<ToolName, Tool> = {
  select_task: selectTask,
  complete_task: completeTask,
  save_data: saveData,
  prove_identity: proveIdentity,
  read_data: readData,
  search_files: searchFiles,
  send_sms: sendSms,
  send_email: sendEmail,
  send_files: sendFiles,
  suggest_answers: suggestAnswers,
  schedule_follow_up: scheduleFollowUp,
  handoff,
  conclude,
  place_call: placeCall,
  end_call: endCall,
  forward_call: forwardCall,
  opt_out: optOut,
};

/** Whether it is a tool of the service: a model may make up names. */
export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(tools, name);
}

export function optsOut(name: string): boolean {
  return isToolName(name) && tools[name].optsOut === true;
}
