import type { WorkflowStartOptions } from '@temporalio/client';
import { defineSearchAttributeKey, type SearchAttributePair, type Workflow } from '@temporalio/common';
import { markdownName, shortName } from '../../workflows/contracts/names.js';
import {
  priorities,
  type RunEntry,
  type RunInputs,
  type RunType,
  standsAttribute,
  taskQueues,
  workflowIdOf,
} from '../../workflows/contracts/runs.js';

/** How a run is started: the same options for every starter (relay, update with start, reconciler). */
export type RunOptions = WorkflowStartOptions<Workflow> & { workflowIdConflictPolicy: 'USE_EXISTING' };

interface Details extends Pick<WorkflowStartOptions, 'workflowIdReusePolicy' | 'staticDetails'> {
  /** Shown in the run, and by the search attribute `Summary` in the list of runs. */
  summary: string;
  attributes: Partial<
    Record<Exclude<SearchAttributeName, 'Summary' | typeof standsAttribute>, string | number>
  >;
}

const details: { [Type in RunType]: (input: RunInputs[Type]) => Details } = {
  runAssignment: (input) => ({
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    attributes: { AssignmentId: input.assignmentId, ...attributesOfChat(input) },
    summary: `${shortName(input.definitionName)}: assignment ${input.assignmentId} of member ${input.memberId}`,
    staticDetails: `Walks member ${input.memberId} through the workflow **${markdownName(input.definitionName)}** in chat ${input.chatId}.`,
  }),
  answerChat: (input) => ({
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    attributes: attributesOfChat(input),
    summary: `Chat ${input.chatId} (${input.channel}) with member ${input.memberId}`,
    staticDetails: 'Answers a chat that has an assistant and no active assignment.',
  }),
  deliverMessages: (input) => ({
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    attributes: attributesOfChat(input),
    summary: `Deliveries of chat ${input.chatId} (${input.channel}) to member ${input.memberId}`,
    staticDetails:
      'Hands the outbound messages of a chat to the carrier in order, and ends when none is left. The next message ' +
      'starts another run of this workflow id.',
  }),
  sendLoginCode: (input) => ({
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    attributes: {},
    summary: `Login code (${input.channel})`,
    staticDetails:
      'Sends a one-time login code to the address for which it was requested, if an account has it.',
  }),
  deliverWebhook: (input) => ({
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    attributes: {
      WorkspaceUuid: input.workspaceUuid,
      RuleId: input.ruleId,
      EventType: input.eventType,
    },
    summary: `${input.eventType}: delivery ${input.deliveryId} of rule ${input.ruleId}`,
    staticDetails: `Posts one \`${input.eventType}\` event to the receiver of event rule ${input.ruleId}, until it is taken or the attempts are used up.`,
  }),
  sendRuleNotice: ({ workspaceUuid, ruleId, reason, noticeId }) => ({
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    attributes: { WorkspaceUuid: workspaceUuid, ...(ruleId === undefined ? {} : { RuleId: ruleId }) },
    ...(ruleId === undefined
      ? {
          summary: `Credits of the month (${reason}): notice ${noticeId}`,
          staticDetails: 'Tells one admin of the workspace, by mail, that the credits of the month run out.',
        }
      : {
          summary: `Event rule ${ruleId} was disabled (${reason}): notice ${noticeId}`,
          staticDetails: 'Tells one admin of the workspace, by mail, that an event rule was disabled.',
        }),
  }),
  sendHandoffNotice: (input) => ({
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    attributes: { WorkspaceUuid: input.workspaceUuid, MemberId: input.memberId },
    summary: `Chats wait: notice ${input.noticeId} to member ${input.memberId} (${input.channel})`,
    staticDetails: 'Tells one colleague, by mail or SMS, that chats wait for a person.',
  }),
  wakeAssignments: (input) => ({
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    attributes: { WorkspaceUuid: input.workspaceUuid },
    ...(input.definitionName === null
      ? {
          summary: 'Wakes what rests in the held workspace',
          staticDetails: 'Ends the hold of the workspace at its time, and pokes the runs that have met it.',
        }
      : {
          summary: `${shortName(input.definitionName)}: wakes the assignments of workflow ${input.definitionId}`,
          staticDetails: `Pokes the runs that have met the hold of the workflow **${markdownName(input.definitionName)}**, after it was resumed.`,
        }),
  }),
  applyLabelChange: ({ workspaceUuid, kind, labelId }) => ({
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    attributes: { WorkspaceUuid: workspaceUuid },
    summary: `Label ${labelId} of ${kind}s: applies its change`,
    staticDetails: `Takes a deleted label from all ${kind}s that have it, and wakes those that wait for a change of them.`,
  }),
  indexFile: (input) => ({
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    attributes: { WorkspaceUuid: input.workspaceUuid },
    summary: `Text of file ${input.fileId}, version ${input.versionId}`,
    staticDetails: 'Reads the text of one version of a file, page by page, so that it can be searched.',
  }),
  fetchMedia: (input) => ({
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    attributes: { WorkspaceUuid: input.workspaceUuid, ChatId: input.chatId },
    summary: `Media of message ${input.messageId} in chat ${input.chatId}`,
    staticDetails:
      'Fetches the pictures and other media of one message from the carrier, and makes files of them.',
  }),
  receiveEmail: (input) => ({
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    attributes: { WorkspaceUuid: input.workspaceUuid },
    summary: `Mail ${input.inboundEmailId} to inbox ${input.inboxId}`,
    staticDetails:
      'Receives one mail: a message of its sender, news of a delivery, or something for a person to look at.',
  }),
  erasePersonData: (input) => ({
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    attributes: { WorkspaceUuid: input.workspaceUuid, MemberId: input.memberId },
    summary: `Erasure ${input.erasureId} of the data of member ${input.memberId}`,
    staticDetails: `Erases what is stored about member ${input.memberId}, and looks once more a day later.`,
  }),
  exportPersonData: (input) => ({
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    attributes: { WorkspaceUuid: input.workspaceUuid, MemberId: input.memberId },
    summary: `Export ${input.exportId} of the data of member ${input.memberId}`,
    staticDetails: `Builds an archive of what is stored about member ${input.memberId}.`,
  }),
  summarizeChat: (input) => ({
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    attributes: attributesOfChat(input),
    summary: `Summary of chat ${input.chatId} with member ${input.memberId}`,
    staticDetails: 'Has the model write title and summary of a chat, for a caller who waits for it.',
  }),
  sendScheduledMessage: (input) => ({
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    attributes: attributesOfChat(input),
    summary: `Scheduled message ${input.scheduledMessageId} in chat ${input.chatId} with member ${input.memberId}`,
    staticDetails: 'Sends a message of a colleague at its time, unless it is cancelled before.',
  }),
  publishPage: ({ workspaceUuid, pageId }) => ({
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    attributes: { WorkspaceUuid: workspaceUuid },
    summary: `Publication of page ${pageId}`,
    staticDetails: 'Publishes a page of a site at its time, unless it is taken off its schedule before.',
  }),
  importMembers: ({ workspaceUuid, importId, memberId }) => ({
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    attributes: { WorkspaceUuid: workspaceUuid, MemberId: memberId },
    summary: `Import ${importId} of members by member ${memberId}`,
    staticDetails: `Imports members from a file that member ${memberId} has sent, unless it is cancelled before.`,
  }),
  crawlSite: ({ workspaceUuid, siteId }) => ({
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    attributes: { WorkspaceUuid: workspaceUuid },
    summary: `Crawl into site ${siteId}`,
    staticDetails:
      'Reads another site into the pages of a site, one request at a time, until all is read or a bound is reached.',
  }),
  runVoiceCall: (input) => ({
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    attributes: { CallId: input.callId, ...attributesOfChat(input) },
    summary: `Call ${input.callId} (${input.direction}) with member ${input.memberId} in chat ${input.chatId}`,
    staticDetails:
      'Keeps the deadlines of one phone call, from dialling to the bill. The sound is held by a process of `media`.',
  }),
};

const priorityOf: Record<RunType, keyof typeof priorities> = {
  runVoiceCall: 'atOnce',
  sendLoginCode: 'atOnce',
  runAssignment: 'answer',
  answerChat: 'answer',
  deliverMessages: 'answer',
  summarizeChat: 'answer',
  fetchMedia: 'answer',
  receiveEmail: 'answer',
  sendHandoffNotice: 'answer',
  sendRuleNotice: 'forMany',
  deliverWebhook: 'forMany',
  wakeAssignments: 'forMany',
  applyLabelChange: 'forMany',
  indexFile: 'forMany',
  erasePersonData: 'forMany',
  exportPersonData: 'forMany',
  sendScheduledMessage: 'forMany',
  publishPage: 'forMany',
  importMembers: 'forMany',
  crawlSite: 'forMany',
};

/** The options with which a run of this type is started for its subject, which determines the workflow id. */
export function runOptions<Type extends RunType>({ runType, subject, input }: RunEntry<Type>): RunOptions {
  const { summary, attributes, ...more } = details[runType](input);
  return {
    workflowId: workflowIdOf(runType, subject),
    workflowIdConflictPolicy: 'USE_EXISTING',
    taskQueue: runType === 'deliverWebhook' ? taskQueues.webhooks : taskQueues.runs,
    args: [input],
    priority: {
      priorityKey: priorities[priorityOf[runType]],
      // Runs without a workspace share one fairness key.
      fairnessKey: 'workspaceUuid' in input ? input.workspaceUuid : 'no-workspace',
    },
    staticSummary: summary,
    typedSearchAttributes: searchAttributes({ Summary: summary, ...attributes }),
    ...more,
  } as RunOptions;
}

/**
 * The search attributes of runs, for operators: all Keyword, made by provisioning, set by the start of a run, where they
 * cost nothing (docs/decisions/0099-webhook-runs-stay-and-views-leave-them-out.md). A run sets `Stands` itself
 * (docs/decisions/0258-a-run-says-why-it-stands.md).
 */
export const searchAttributeNames = [
  'Summary',
  'WorkspaceUuid',
  'AssignmentId',
  'ChatId',
  'MemberId',
  'CallId',
  'RuleId',
  'EventType',
  standsAttribute,
] as const;

type SearchAttributeName = (typeof searchAttributeNames)[number];

const keys = Object.fromEntries(
  searchAttributeNames.map((name) => [name, defineSearchAttributeKey(name, 'KEYWORD')]),
) as Record<SearchAttributeName, ReturnType<typeof defineSearchAttributeKey<'KEYWORD'>>>;

function attributesOfChat(input: { workspaceUuid: string; chatId: number; memberId: number }) {
  const { workspaceUuid, chatId, memberId } = input;
  return { WorkspaceUuid: workspaceUuid, ChatId: chatId, MemberId: memberId };
}

function searchAttributes(
  values: Partial<Record<SearchAttributeName, string | number>>,
): SearchAttributePair[] {
  return Object.entries(values).map(([name, value]) => ({
    key: keys[name as SearchAttributeName],
    value: String(value),
  }));
}
