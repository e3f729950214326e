import { type Static, type TSchema, Type } from 'typebox';
import type { Activities } from '../../../activities/index.js';

const id = Type.Integer({ minimum: 1 });
const uuid = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' });
const chat = Type.Object({ workspaceId: id, chatId: id });
const assignment = Type.Object({ workspaceId: id, assignmentId: id });
const webhook = Type.Object({ workspaceId: id, deliveryId: id, ruleId: id });

/**
 * The input that each activity takes today. The types below keep it equal to the code; the recordings of earlier
 * releases are held against it, since activities that they scheduled are carried out by later workers.
 */
export const activityInputs = {
  advanceAssignment: assignment,
  selectTask: Type.Object({
    workspaceId: id,
    assignmentId: id,
    requestUuid: uuid,
    assignmentTaskId: id,
    actorMemberId: id,
    byOperator: Type.Boolean(),
    anyTask: Type.Optional(Type.Boolean()),
    answerBy: Type.Optional(Type.Number()),
    notAfter: Type.Optional(Type.Number()),
  }),
  cancelAssignment: Type.Object({
    workspaceId: id,
    assignmentId: id,
    requestUuid: Type.Optional(uuid),
  }),
  advanceChat: chat,
  takeTurnRound: Type.Object({
    workspaceId: id,
    chatId: id,
    assignmentId: Type.Optional(id),
    turnUuid: uuid,
    round: id,
    mustAnswer: Type.Boolean(),
  }),
  runTool: Type.Object({ workspaceId: id, chatId: id, toolCallId: Type.String() }),
  abandonTurn: Type.Object({ workspaceId: id, chatId: id, chatVersion: Type.Integer() }),
  deliverNext: chat,
  advanceCall: Type.Object({ workspaceId: id, callId: id }),
  sendLoginCode: Type.Object({ loginCodeUuid: uuid }),
  deliverWebhook: webhook,
  cancelWebhookDelivery: webhook,
  sendRuleNotice: Type.Object({ workspaceId: id, noticeId: id }),
  sendHandoffNotice: Type.Object({ workspaceId: id, noticeId: id }),
  tellOfWaitingChats: Type.Undefined(),
  recheckSiteDomains: Type.Undefined(),
  startDueCrawls: Type.Union([Type.Undefined(), Type.Object({ left: Type.Integer() })]),
  crawlPages: Type.Object({ workspaceId: id, siteId: id }),
  endCrawl: Type.Object({ workspaceId: id, siteId: id }),
  wakeAssignments: Type.Object({ workspaceId: id, definitionId: Type.Union([id, Type.Null()]) }),
  applyLabelChange: Type.Object({
    workspaceId: id,
    labelId: id,
    kind: Type.Enum(['member', 'chat', 'file']),
  }),
  indexFile: Type.Object({ workspaceId: id, workspaceUuid: uuid, versionId: id }),
  fetchMedia: Type.Object({ workspaceId: id, workspaceUuid: uuid, messageId: id }),
  receiveEmail: Type.Object({ workspaceId: id, workspaceUuid: uuid, inboundEmailId: id }),
  summarizeChat: Type.Object({
    workspaceId: id,
    chatId: id,
    requestUuid: uuid,
    updateLabels: Type.Boolean(),
  }),
  sendScheduledMessage: Type.Object({ workspaceId: id, scheduledMessageId: id }),
  cancelScheduledMessage: Type.Object({ workspaceId: id, scheduledMessageId: id }),
  publishDuePage: Type.Object({ workspaceId: id, pageId: id }),
  reconcileRuns: Type.Union([Type.Undefined(), Type.Object({ walked: Type.Boolean() })]),
  askForReceipts: Type.Undefined(),
  forgetOldKeys: Type.Undefined(),
  collectObjects: Type.Undefined(),
  noteStandstill: Type.Object({ workspaceId: id, chatId: id, step: Type.String() }),
  forgetOldData: Type.Undefined(),
  forgetOldEvents: Type.Undefined(),
  erasePersonData: Type.Object({ workspaceId: id, erasureId: id }),
  exportPersonData: Type.Object({ workspaceId: id, exportId: id, workspaceUuid: uuid }),
  importMemberRows: Type.Object({ workspaceId: id, importId: id, workspaceUuid: uuid }),
  cancelImport: Type.Object({ workspaceId: id, importId: id, workspaceUuid: uuid }),
  storeTextPrices: Type.Union([Type.Undefined(), Type.Object({ from: Type.Number() })]),
  receiveMissedMessages: Type.Object({
    graceMs: Type.Optional(Type.Integer()),
    from: Type.Optional(Type.Number()),
    isHeld: Type.Optional(Type.Boolean()),
  }),
} satisfies Record<keyof Activities, TSchema>;

type Inputs = typeof activityInputs;
type Today<Name extends keyof Activities> = Parameters<Activities[Name]>[0];
type Differing = {
  [Name in keyof Activities]: [Static<Inputs[Name]>, Today<Name>] extends [Today<Name>, Static<Inputs[Name]>]
    ? never
    : Name;
}[keyof Activities];

/** Does not compile where the schemas above differ from the code, and names the activities. */
true satisfies [Differing] extends [never] ? true : Differing;
