/** Inputs of runs hold ids, codes and names of configuration, never what a person wrote or who they are. */

export const taskQueues = {
  /** Workflow tasks and short database steps. */
  runs: 'runs',
  /** Model calls and tool calls. */
  turns: 'turns',
  /** Messages to members, and notices: carriers and mail servers may be slow. */
  deliveries: 'deliveries',
  /** Steps of calls, and login codes: a person waits on the line, or for the code. */
  urgent: 'urgent',
  /** Webhook deliveries: receivers may be slow. */
  webhooks: 'webhooks',
  /** Texts of files: a process for each, one at a time. */
  files: 'files',
  /** What takes seconds to minutes: received mail, media, imports, archives, erasures, waking of many runs, and passes. */
  jobs: 'jobs',
  /** Requests to sites that are crawled: they may be slow, and are asked at their pace. */
  crawls: 'crawls',
} as const;

/** Temporal hands out tasks of lower numbers first; within a number, workspaces take turns. Activities inherit it. */
export const priorities = {
  /** A person waits on the line, or for a code. */
  atOnce: 1,
  /** A person waits for an answer. */
  answer: 3,
  /** Begun for many, or later: nobody looks at the clock. */
  forMany: 5,
} as const;

/** Queues of the release before: activities that it has scheduled wait in them. */
export const formerTaskQueues = ['codes', 'exports', 'imports', 'media', 'mails'] as const;

export interface InWorkspace {
  workspaceId: number;
  workspaceUuid: string;
}

export interface ChatRef extends InWorkspace {
  chatId: number;
  memberId: number;
}

export interface AssignmentRunInput extends ChatRef {
  assignmentId: number;
  /** Name of the workflow definition, shown to operators. */
  definitionName: string;
}

export interface ChatRunInput extends ChatRef {
  channel: string;
}

export type DeliveriesRunInput = ChatRunInput;

/** A login code belongs to no workspace. */
export interface LoginCodeRunInput {
  loginCodeUuid: string;
  channel: string;
}

/** One event for the receiver of one rule. */
export interface WebhookRunInput extends InWorkspace {
  deliveryId: number;
  ruleId: number;
  eventType: string;
}

/** The notice to one admin that a rule was disabled, or that the credits of the month run out. */
export interface RuleNoticeRunInput extends InWorkspace {
  noticeId: number;
  /** Of a disabled rule. */
  ruleId?: number;
  reason: string;
}

/** The notice to one colleague that chats wait for a person. */
export interface HandoffNoticeRunInput extends InWorkspace {
  noticeId: number;
  memberId: number;
  channel: string;
}

/** The assignments of a definition that is not held any more; null: all that rests in a workspace that is held. */
export interface WakingRunInput extends InWorkspace {
  definitionId: number | null;
  /** Name of the workflow definition, shown to operators. */
  definitionName: string | null;
}

/** A label that was deleted, or whose slug has changed. */
export interface LabelRunInput extends InWorkspace {
  labelId: number;
  /** What has it. */
  kind: 'member' | 'chat' | 'file';
}

/** One version of a file, whose text is indexed. */
export interface IndexingRunInput extends InWorkspace {
  fileId: number;
  versionId: number;
}

/** A message whose media are at the carrier. */
export interface MediaRunInput extends InWorkspace {
  chatId: number;
  messageId: number;
}

/** A mail that was handed in to an inbox. */
export interface EmailRunInput extends InWorkspace {
  inboxId: number;
  inboundEmailId: number;
}

/** The erasure of one member's data. */
export interface ErasureRunInput extends InWorkspace {
  erasureId: number;
  memberId: number;
}

/** A request to summarize a chat. */
export interface SummaryRunInput extends ChatRef {
  requestUuid: string;
  updateLabels: boolean;
}

/** A message of a colleague that is sent later. */
export interface ScheduledMessageRunInput extends ChatRef {
  scheduledMessageId: number;
}

/** A page of a site that is published later. */
export interface PublicationRunInput extends InWorkspace {
  pageId: number;
}

/** A site into which another one is read. */
export interface CrawlRunInput extends InWorkspace {
  siteId: number;
}

/** The archive of one member's data. */
export interface ExportRunInput extends InWorkspace {
  exportId: number;
  memberId: number;
}

/** An import of members. */
export interface MemberImportRunInput extends InWorkspace {
  importId: number;
  memberId: number;
}

/** A phone call in a chat. */
export interface CallRunInput extends ChatRef {
  callId: number;
  direction: 'inbound' | 'outbound';
}

export interface RunInputs {
  runAssignment: AssignmentRunInput;
  answerChat: ChatRunInput;
  deliverMessages: DeliveriesRunInput;
  sendLoginCode: LoginCodeRunInput;
  deliverWebhook: WebhookRunInput;
  sendRuleNotice: RuleNoticeRunInput;
  sendHandoffNotice: HandoffNoticeRunInput;
  wakeAssignments: WakingRunInput;
  applyLabelChange: LabelRunInput;
  indexFile: IndexingRunInput;
  fetchMedia: MediaRunInput;
  receiveEmail: EmailRunInput;
  erasePersonData: ErasureRunInput;
  exportPersonData: ExportRunInput;
  summarizeChat: SummaryRunInput;
  sendScheduledMessage: ScheduledMessageRunInput;
  runVoiceCall: CallRunInput;
  publishPage: PublicationRunInput;
  importMembers: MemberImportRunInput;
  crawlSite: CrawlRunInput;
}

export type RunType = keyof RunInputs;

/** A run to be started or poked: its type, the uuid of the row it belongs to, and its input. */
export type RunEntry<Type extends RunType = RunType> = {
  [T in Type]: { runType: T; subject: string; input: RunInputs[T] };
}[Type];

const workflowIdPrefixes: Record<RunType, string> = {
  runAssignment: 'assignment',
  answerChat: 'chat',
  deliverMessages: 'deliveries',
  sendLoginCode: 'login-code',
  deliverWebhook: 'webhook',
  sendRuleNotice: 'rule-notice',
  sendHandoffNotice: 'handoff-notice',
  wakeAssignments: 'wake',
  applyLabelChange: 'label-change',
  indexFile: 'index',
  fetchMedia: 'media',
  receiveEmail: 'inbound-email',
  erasePersonData: 'erasure',
  exportPersonData: 'export',
  summarizeChat: 'summary',
  sendScheduledMessage: 'scheduled-message',
  runVoiceCall: 'call',
  publishPage: 'publication',
  importMembers: 'member-import',
  crawlSite: 'crawl',
};

/** The search attribute that says why a run stands; the run sets it itself (`workflows/show-stands.ts`). */
export const standsAttribute = 'Stands';

/** Run types that belong to a row; runs of schedules are short and not listed. */
export const runTypes = Object.keys(workflowIdPrefixes) as RunType[];

/**
 * What Cancel in Temporal does to a run. `ends`: what it is for can be cancelled, is, and the run ends as cancelled. `goes_on`:
 * it is not heeded, because half of the work would be left to nobody
 * (docs/decisions/0249-cancel-is-heeded-where-there-is-something-to-cancel.md).
 */
export const onCancel: Record<RunType, 'ends' | 'goes_on'> = {
  runAssignment: 'ends',
  deliverWebhook: 'ends',
  sendScheduledMessage: 'ends',
  importMembers: 'ends',
  crawlSite: 'ends',
  summarizeChat: 'ends',
  answerChat: 'goes_on',
  deliverMessages: 'goes_on',
  runVoiceCall: 'goes_on',
  sendLoginCode: 'goes_on',
  sendRuleNotice: 'goes_on',
  sendHandoffNotice: 'goes_on',
  wakeAssignments: 'goes_on',
  applyLabelChange: 'goes_on',
  indexFile: 'goes_on',
  fetchMedia: 'goes_on',
  receiveEmail: 'goes_on',
  erasePersonData: 'goes_on',
  exportPersonData: 'goes_on',
  publishPage: 'goes_on',
};

/**
 * Which version of the code a run stays with, where workers have versions. `PINNED`: that which it began with, as it ends
 * within a day. `AUTO_UPGRADE`: the current one, with its next task
 * (docs/decisions/0250-short-runs-stay-with-their-version.md).
 */
export const versioning: Record<RunType, 'PINNED' | 'AUTO_UPGRADE'> = {
  runVoiceCall: 'PINNED',
  sendLoginCode: 'PINNED',
  sendRuleNotice: 'PINNED',
  sendHandoffNotice: 'PINNED',
  summarizeChat: 'PINNED',
  applyLabelChange: 'PINNED',
  indexFile: 'PINNED',
  fetchMedia: 'PINNED',
  receiveEmail: 'PINNED',
  exportPersonData: 'PINNED',
  importMembers: 'PINNED',
  // One activity for up to three days, and another after each poke.
  deliverWebhook: 'AUTO_UPGRADE',
  runAssignment: 'AUTO_UPGRADE',
  answerChat: 'AUTO_UPGRADE',
  deliverMessages: 'AUTO_UPGRADE',
  sendScheduledMessage: 'AUTO_UPGRADE',
  // That of a workspace waits for the end of its hold.
  wakeAssignments: 'AUTO_UPGRADE',
  publishPage: 'AUTO_UPGRADE',
  crawlSite: 'AUTO_UPGRADE',
  erasePersonData: 'AUTO_UPGRADE',
};

/** Determined by the subject, so that starting a run twice starts it once. */
export function workflowIdOf(runType: RunType, subject: string): string {
  return `${workflowIdPrefixes[runType]}-${subject}`;
}

export function isRunType(text: string): text is RunType {
  return Object.hasOwn(workflowIdPrefixes, text);
}

export const reconcilerScheduleId = 'reconcile-runs';
export const receiptsScheduleId = 'ask-for-receipts';
export const keysScheduleId = 'forget-old-keys';
export const waitingChatsScheduleId = 'tell-of-waiting-chats';
export const missedMessagesScheduleId = 'receive-missed-messages';
export const textPricesScheduleId = 'store-text-prices';
export const collectorScheduleId = 'collect-objects';
export const dueCrawlsScheduleId = 'start-due-crawls';
export const siteDomainsScheduleId = 'recheck-site-domains';
export const retentionScheduleId = 'forget-old-events';
export const dataRetentionScheduleId = 'forget-old-data';
