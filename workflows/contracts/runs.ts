/**
 * The service's durable runs: types, workflow ids and inputs (design section 5).
 *
 * Inputs hold ids, codes and names of configuration, never what a person wrote or who they are.
 */

export const taskQueues = {
  /** Workflow tasks and short database steps. */
  runs: 'runs',
  /** Model calls and tool calls. */
  turns: 'turns',
  /** What goes out through the carrier. */
  deliveries: 'deliveries',
  /** Login codes, for which somebody sits and waits. */
  codes: 'codes',
  /** Events on their way to receivers, who may be slow. */
  webhooks: 'webhooks',
} as const;

interface InWorkspace {
  workspaceId: number;
  workspaceUuid: string;
}

export interface ChatRef extends InWorkspace {
  chatId: number;
  memberId: number;
}

export interface AssignmentRunInput extends ChatRef {
  assignmentId: number;
  /** Name of the workflow definition, for the operator. */
  definitionName: string;
}

export interface ChatRunInput extends ChatRef {
  channel: string;
}

export interface DeliveriesRunInput extends ChatRef {
  channel: string;
}

/** A login code belongs to no workspace. */
export interface LoginCodeRunInput {
  loginCodeUuid: string;
  channel: string;
}

/** One event on its way to the receiver of one rule. */
export interface WebhookRunInput extends InWorkspace {
  deliveryId: number;
  ruleId: number;
  eventType: string;
}

/** What is told to one of the workspace's admins of a rule that was disabled. */
export interface RuleNoticeRunInput extends InWorkspace {
  noticeId: number;
  ruleId: number;
  reason: string;
}

/** The input of each run type. */
export interface RunInputs {
  runAssignment: AssignmentRunInput;
  answerChat: ChatRunInput;
  deliverMessages: DeliveriesRunInput;
  sendLoginCode: LoginCodeRunInput;
  deliverWebhook: WebhookRunInput;
  sendRuleNotice: RuleNoticeRunInput;
}

export type RunType = keyof RunInputs;

const workflowIdPrefixes: Record<RunType, string> = {
  runAssignment: 'assignment',
  answerChat: 'chat',
  deliverMessages: 'deliveries',
  sendLoginCode: 'login-code',
  deliverWebhook: 'webhook',
  sendRuleNotice: 'rule-notice',
};

/** The types of the runs that belong to a row; those that schedules start are short and not listed. */
export const runTypes = Object.keys(workflowIdPrefixes) as RunType[];

/** The workflow id: determined by what the run is about, so that starting twice starts once. */
export function workflowIdOf(runType: RunType, subject: string): string {
  return `${workflowIdPrefixes[runType]}-${subject}`;
}

export function isRunType(text: string): text is RunType {
  return Object.hasOwn(workflowIdPrefixes, text);
}

/** The schedule that compares active rows with their runs. */
export const reconcilerScheduleId = 'reconcile-runs';

/** The schedule that has the carrier asked for late receipts. */
export const receiptsScheduleId = 'ask-for-receipts';

/** The schedule that deletes old Idempotency-Keys. */
export const keysScheduleId = 'forget-old-keys';

/** The schedule that takes messages which the carrier's webhook did not bring. */
export const missedMessagesScheduleId = 'receive-missed-messages';

/** The schedule that deletes what has been kept long enough. */
export const retentionScheduleId = 'forget-old-events';
