import type { Tool } from '../define-tool.js';
import { assignmentTools } from './assignments.js';
import { chatTools } from './chats.js';
import { eventTools } from './events.js';
import { fileTools } from './files.js';
import { memberTools } from './members.js';
import { phoneCallTools } from './phone-calls.js';
import { recordTools } from './records.js';
import { siteTools } from './sites.js';
import { usageTools } from './usage.js';
import { workflowTools } from './workflows.js';

/** All tools, in the order in which clients list them. A tool that is not listed here does not exist. */
export const catalog: readonly Tool[] = [
  ...memberTools,
  ...recordTools,
  ...fileTools,
  ...siteTools,
  ...chatTools,
  ...assignmentTools,
  ...workflowTools,
  ...phoneCallTools,
  ...eventTools,
  ...usageTools,
];
