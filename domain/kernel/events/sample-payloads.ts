import type { EventType } from './event-types.js';
import type {
  EventAssignment,
  EventChat,
  EventDataRecord,
  EventEndedCall,
  EventFile,
  EventMember,
  EventMessage,
  EventPayload,
} from './payloads.js';

const uuid = '00000000-0000-4000-8000-000000000000';
const earlier = '2030-01-31T12:00:00.000Z';
const later = '2030-01-31T12:05:00.000Z';

const dataRecord: EventDataRecord = {
  id: 1,
  uuid,
  dataTypeId: 1,
  dataTypeSlug: 'sample',
  memberId: 1,
  externalId: null,
  fields: { sample: 'A sample value' },
  accessMode: 0,
  retiredAt: null,
  createdAt: earlier,
  updatedAt: later,
};

const member: EventMember = {
  id: 1,
  uuid,
  kind: 'human',
  email: 'sample@example.com',
  phone: '+12025550123',
  name: 'Sample Member',
  dateOfBirth: '1990-01-31',
  description: null,
  externalId: null,
  memberRoleId: 1,
  labels: [{ id: 1, slug: 'sample', name: 'Sample' }],
  locale: 'en-US',
  notifyEmail: true,
  notifySms: true,
  notifyVoice: true,
  createdAt: earlier,
  updatedAt: later,
};

const chat: EventChat = {
  id: 1,
  uuid,
  channel: 'web-chat',
  chatType: 'simple',
  memberId: 1,
  createdByMemberId: 1,
  assistantMemberId: null,
  workflowId: null,
  workflowRevisionId: null,
  phoneNumberId: null,
  inboxId: null,
  siteId: null,
  folderId: null,
  fromMessageId: null,
  isTest: true,
  createdAt: earlier,
};

const received: EventMessage = {
  id: 1,
  uuid,
  role: 'user',
  author: 'member',
  memberId: 1,
  fileCount: 0,
  smsKeyword: null,
  createdAt: later,
};

const assignment: EventAssignment = {
  id: 1,
  uuid,
  memberId: 1,
  workflowId: 1,
  workflowRevisionId: 1,
  chatId: 1,
  status: 'active',
  outcome: null,
  isTest: true,
  createdByMemberId: 1,
  createdAt: earlier,
  concludedAt: null,
};

const file: EventFile = {
  id: 1,
  uuid,
  title: 'Sample file',
  description: null,
  filename: 'sample.pdf',
  mimeType: 'application/pdf',
  fileSize: 1,
  folderId: null,
  ownerId: 1,
  access: 'private',
  source: 'upload',
  externalId: null,
  currentVersionNumber: 2,
  lastEditedByMemberId: 1,
  createdAt: earlier,
  updatedAt: later,
};

const smsChat: EventChat = { ...chat, channel: 'phone-sms', phoneNumberId: 1 };
const sent: EventMessage = { ...received, role: 'assistant', author: 'agent', memberId: 2 };
const voiceChat: EventChat = { ...chat, channel: 'phone-voice', phoneNumberId: 1 };
const startedCall = { id: 1, phoneNumberId: 1, inbound: true, createdAt: earlier, startedAt: earlier };
const endedCall: EventEndedCall = {
  ...startedCall,
  finishedAt: later,
  terminationReason: 'completed',
  carrierStatus: 'completed',
  failureDetail: null,
};

/** The payloads of sample events. They refer to nothing that exists. */
export const samplePayloads: { readonly [Type in EventType]: EventPayload<Type> } = {
  'data_record:created': { dataRecord: { ...dataRecord, updatedAt: earlier } },
  'data_record:updated': { dataRecord },
  'data_record:changed': { operation: 'updated', dataRecord },
  'member:created': { member: { ...member, updatedAt: earlier } },
  'member:updated': { member },
  'member:opted_out': { member, channel: 'sms', source: 'keyword' },
  'member:opted_in': { member, channel: 'sms' },
  'member:erased': { member: { id: 1, uuid } },
  'chat:created': { chat },
  'chat:needs_response': { chat, reason: 'handoff', waitingSince: later },
  'chat:closed': { chat, reason: 'archived' },
  'message:received': { chat: smsChat, message: received },
  'message:sent': { chat: smsChat, message: sent, channel: 'phone-sms' },
  'message:failed': {
    chat: smsChat,
    message: sent,
    channel: 'phone-sms',
    failureReason: 'unreachable',
    errorCode: '30003',
  },
  'assignment:created': { assignment },
  'assignment:task_entered': {
    assignment,
    task: { id: 1, workflowTaskId: 1, name: 'Sample task', taskType: 'conversation' },
    causedBy: 'automatic',
  },
  'assignment:concluded': {
    assignment: { ...assignment, status: 'completed', outcome: 'done', concludedAt: later },
    causedBy: 'agent',
  },
  'file:created': { file: { ...file, currentVersionNumber: 1, updatedAt: earlier } },
  'file:updated': { file },
  'file:deleted': { file },
  'credit_budget:reached': {
    creditBudget: {
      month: '2030-01',
      state: 'low',
      monthlyCredits: 1000,
      creditsUsed: 800,
      extraUsageEnabled: false,
    },
  },
  'call:started': { chat: voiceChat, call: startedCall },
  'call:completed': { chat: voiceChat, call: endedCall },
  'call:summary': { chat: voiceChat, call: endedCall, summary: 'A sample summary' },
};
