import { markdownName, shortName } from './names.js';
import { type ChatRef, type InWorkspace, type RunDeclaration, run } from './run.js';

export * from './run.js';

/** Queues of the release before: activities that it has scheduled wait in them. */
export const formerTaskQueues = ['codes', 'exports', 'imports', 'media', 'mails'] as const;

export interface AssignmentRunInput extends ChatRef {
  assignmentId: number;
  definitionName: string;
}

export interface SummaryRunInput extends ChatRef {
  requestUuid: string;
  updateLabels: boolean;
}

type OfChannel = ChatRef & { channel: string };

const declared = {
  runAssignment: run<AssignmentRunInput>({
    idPrefix: 'assignment',
    once: true,
    priority: 'answer',
    onCancel: 'ends',
    versioning: 'AUTO_UPGRADE',
    inWords: ({ definitionName, assignmentId, memberId, chatId }) => ({
      summary: `${shortName(definitionName)}: assignment ${assignmentId} of member ${memberId}`,
      details: `Walks member ${memberId} through the workflow **${markdownName(definitionName)}** in chat ${chatId}.`,
    }),
  }),

  answerChat: run<OfChannel>({
    idPrefix: 'chat',
    priority: 'answer',
    onCancel: 'goes_on',
    versioning: 'AUTO_UPGRADE',
    inWords: ({ chatId, channel, memberId }) => ({
      summary: `Chat ${chatId} (${channel}) with member ${memberId}`,
      details: 'Answers a chat that has an assistant and no active assignment.',
    }),
  }),

  deliverMessages: run<OfChannel>({
    idPrefix: 'deliveries',
    priority: 'answer',
    onCancel: 'goes_on',
    versioning: 'AUTO_UPGRADE',
    inWords: ({ chatId, channel, memberId }) => ({
      summary: `Deliveries of chat ${chatId} (${channel}) to member ${memberId}`,
      details:
        'Hands the outbound messages of a chat to the carrier in order, and ends when none is left. The next message ' +
        'starts another run of this workflow id.',
    }),
  }),

  /** A code belongs to no workspace. */
  sendLoginCode: run<{ loginCodeUuid: string; channel: string }>({
    idPrefix: 'login-code',
    once: true,
    priority: 'atOnce',
    onCancel: 'goes_on',
    versioning: 'PINNED',
    inWords: ({ channel }) => ({
      summary: `Login code (${channel})`,
      details: 'Sends a one-time login code to the address for which it was requested, if an account has it.',
    }),
  }),

  /** One event for the receiver of one rule: one activity for up to three days, and another after each poke. */
  deliverWebhook: run<InWorkspace & { deliveryId: number; ruleId: number; eventType: string }>({
    idPrefix: 'webhook',
    once: true,
    taskQueue: 'webhooks',
    priority: 'forMany',
    onCancel: 'ends',
    versioning: 'AUTO_UPGRADE',
    inWords: ({ eventType, deliveryId, ruleId }) => ({
      summary: `${eventType}: delivery ${deliveryId} of rule ${ruleId}`,
      details: `Posts one \`${eventType}\` event to the receiver of event rule ${ruleId}, until it is taken or the attempts are used up.`,
    }),
  }),

  /** `ruleId`: of a disabled rule. */
  sendRuleNotice: run<InWorkspace & { noticeId: number; ruleId?: number; reason: string }>({
    idPrefix: 'rule-notice',
    once: true,
    priority: 'forMany',
    onCancel: 'goes_on',
    versioning: 'PINNED',
    inWords: ({ ruleId, reason, noticeId }) =>
      ruleId === undefined
        ? {
            summary: `Credits of the month (${reason}): notice ${noticeId}`,
            details: 'Tells one admin of the workspace, by mail, that the credits of the month run out.',
          }
        : {
            summary: `Event rule ${ruleId} was disabled (${reason}): notice ${noticeId}`,
            details: 'Tells one admin of the workspace, by mail, that an event rule was disabled.',
          },
  }),

  sendHandoffNotice: run<InWorkspace & { noticeId: number; memberId: number; channel: string }>({
    idPrefix: 'handoff-notice',
    once: true,
    priority: 'answer',
    onCancel: 'goes_on',
    versioning: 'PINNED',
    inWords: ({ noticeId, memberId, channel }) => ({
      summary: `Chats wait: notice ${noticeId} to member ${memberId} (${channel})`,
      details: 'Tells one colleague, by mail or SMS, that chats wait for a person.',
    }),
  }),

  /** The assignments of a definition that is not held any more; null: all that rests in a workspace, until the end of its hold. */
  wakeAssignments: run<InWorkspace & { definitionId: number | null; definitionName: string | null }>({
    idPrefix: 'wake',
    priority: 'forMany',
    onCancel: 'goes_on',
    versioning: 'AUTO_UPGRADE',
    inWords: ({ definitionId, definitionName }) =>
      definitionName === null
        ? {
            summary: 'Wakes what rests in the held workspace',
            details: 'Ends the hold of the workspace at its time, and pokes the runs that have met it.',
          }
        : {
            summary: `${shortName(definitionName)}: wakes the assignments of workflow ${definitionId}`,
            details: `Pokes the runs that have met the hold of the workflow **${markdownName(definitionName)}**, after it was resumed.`,
          },
  }),

  applyLabelChange: run<InWorkspace & { labelId: number; kind: 'member' | 'chat' | 'file' }>({
    idPrefix: 'label-change',
    priority: 'forMany',
    onCancel: 'goes_on',
    versioning: 'PINNED',
    inWords: ({ kind, labelId }) => ({
      summary: `Label ${labelId} of ${kind}s: applies its change`,
      details: `Takes a deleted label from all ${kind}s that have it, and wakes those that wait for a change of them.`,
    }),
  }),

  indexFile: run<InWorkspace & { fileId: number; versionId: number }>({
    idPrefix: 'index',
    priority: 'forMany',
    onCancel: 'goes_on',
    versioning: 'PINNED',
    inWords: ({ fileId, versionId }) => ({
      summary: `Text of file ${fileId}, version ${versionId}`,
      details: 'Reads the text of one version of a file, page by page, so that it can be searched.',
    }),
  }),

  fetchMedia: run<InWorkspace & { chatId: number; messageId: number }>({
    idPrefix: 'media',
    priority: 'answer',
    onCancel: 'goes_on',
    versioning: 'PINNED',
    inWords: ({ messageId, chatId }) => ({
      summary: `Media of message ${messageId} in chat ${chatId}`,
      details:
        'Fetches the pictures and other media of one message from the carrier, and makes files of them.',
    }),
  }),

  receiveEmail: run<InWorkspace & { inboxId: number; inboundEmailId: number }>({
    idPrefix: 'inbound-email',
    priority: 'answer',
    onCancel: 'goes_on',
    versioning: 'PINNED',
    inWords: ({ inboundEmailId, inboxId }) => ({
      summary: `Mail ${inboundEmailId} to inbox ${inboxId}`,
      details:
        'Receives one mail: a message of its sender, news of a delivery, or something for a person to look at.',
    }),
  }),

  erasePersonData: run<InWorkspace & { erasureId: number; memberId: number }>({
    idPrefix: 'erasure',
    priority: 'forMany',
    onCancel: 'goes_on',
    versioning: 'AUTO_UPGRADE',
    inWords: ({ erasureId, memberId }) => ({
      summary: `Erasure ${erasureId} of the data of member ${memberId}`,
      details: `Erases what is stored about member ${memberId}, and looks once more a day later.`,
    }),
  }),

  exportPersonData: run<InWorkspace & { exportId: number; memberId: number }>({
    idPrefix: 'export',
    priority: 'forMany',
    onCancel: 'goes_on',
    versioning: 'PINNED',
    inWords: ({ exportId, memberId }) => ({
      summary: `Export ${exportId} of the data of member ${memberId}`,
      details: `Builds an archive of what is stored about member ${memberId}.`,
    }),
  }),

  summarizeChat: run<SummaryRunInput>({
    idPrefix: 'summary',
    once: true,
    priority: 'answer',
    onCancel: 'ends',
    versioning: 'PINNED',
    inWords: ({ chatId, memberId }) => ({
      summary: `Summary of chat ${chatId} with member ${memberId}`,
      details: 'Has the model write title and summary of a chat, for a caller who waits for it.',
    }),
  }),

  sendScheduledMessage: run<ChatRef & { scheduledMessageId: number }>({
    idPrefix: 'scheduled-message',
    priority: 'forMany',
    onCancel: 'ends',
    versioning: 'AUTO_UPGRADE',
    inWords: ({ scheduledMessageId, chatId, memberId }) => ({
      summary: `Scheduled message ${scheduledMessageId} in chat ${chatId} with member ${memberId}`,
      details: 'Sends a message of a colleague at its time, unless it is cancelled before.',
    }),
  }),

  runVoiceCall: run<ChatRef & { callId: number; direction: 'inbound' | 'outbound' }>({
    idPrefix: 'call',
    priority: 'atOnce',
    onCancel: 'goes_on',
    versioning: 'PINNED',
    inWords: ({ callId, direction, memberId, chatId }) => ({
      summary: `Call ${callId} (${direction}) with member ${memberId} in chat ${chatId}`,
      details:
        'Keeps the deadlines of one phone call, from dialling to the bill. The sound is held by a process of `media`.',
    }),
  }),

  publishPage: run<InWorkspace & { pageId: number }>({
    idPrefix: 'publication',
    priority: 'forMany',
    onCancel: 'goes_on',
    versioning: 'AUTO_UPGRADE',
    inWords: ({ pageId }) => ({
      summary: `Publication of page ${pageId}`,
      details: 'Publishes a page of a site at its time, unless it is taken off its schedule before.',
    }),
  }),

  importMembers: run<InWorkspace & { importId: number; memberId: number }>({
    idPrefix: 'member-import',
    priority: 'forMany',
    onCancel: 'ends',
    versioning: 'PINNED',
    inWords: ({ importId, memberId }) => ({
      summary: `Import ${importId} of members by member ${memberId}`,
      details: `Imports members from a file that member ${memberId} has sent, unless it is cancelled before.`,
    }),
  }),

  /** `siteId`: the site into which another one is read. */
  crawlSite: run<InWorkspace & { siteId: number }>({
    idPrefix: 'crawl',
    priority: 'forMany',
    onCancel: 'ends',
    versioning: 'AUTO_UPGRADE',
    inWords: ({ siteId }) => ({
      summary: `Crawl into site ${siteId}`,
      details:
        'Reads another site into the pages of a site, one request at a time, until all is read or a bound is reached.',
    }),
  }),
};

type Declared = typeof declared;

/** A run that belongs to a row. Those of schedules are short, and not declared. */
export type RunType = keyof Declared;

export type RunInputs = {
  [Type in RunType]: Declared[Type] extends RunDeclaration<infer Input> ? Input : never;
};

/** The types of run. */
export const runs: { [Type in RunType]: RunDeclaration<RunInputs[Type]> } = declared;

export const runTypes = Object.keys(runs) as RunType[];

/** A run to be started or poked: its type, the uuid of the row it belongs to, and its input. */
export type RunEntry<Type extends RunType = RunType> = {
  [T in Type]: { runType: T; subject: string; input: RunInputs[T] };
}[Type];

/** Determined by the subject, so that starting a run twice starts it once. */
export function workflowIdOf(runType: RunType, subject: string): string {
  return `${runs[runType].idPrefix}-${subject}`;
}

export function isRunType(text: string): text is RunType {
  return Object.hasOwn(runs, text);
}

/** The search attribute that says why a run stands; the run sets it itself (`workflows/show-stands.ts`). */
export const standsAttribute = 'Stands';

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
