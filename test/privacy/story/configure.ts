import { randomBytes } from 'node:crypto';
import { pooledPhone } from '../../support/workspace/phone-number-pool.js';
import { type MarkerName, planted } from '../markers.js';
import type { Stage } from '../stage.js';

export interface Configured {
  roleId: number;
  labelId: number;
  memberLabelId: number;
  dataTypeId: number;
  phoneNumberId: number;
  assistantMemberId: number;
  workflowId: number;
}

export const fieldSlug = planted('fieldSlug');
export const dataTypeSlug = 'planted';
export const fieldsOfRecord: Record<string, { fieldType: string; marker: MarkerName }> = {
  [fieldSlug]: { fieldType: 'text', marker: 'recordText' },
  area: { fieldType: 'textarea', marker: 'recordArea' },
  email: { fieldType: 'email', marker: 'recordEmail' },
  phone: { fieldType: 'phone', marker: 'recordPhone' },
  url: { fieldType: 'url', marker: 'recordUrl' },
  choice: { fieldType: 'select', marker: 'recordChoice' },
  choices: { fieldType: 'multiselect', marker: 'recordChoices' },
  json: { fieldType: 'json', marker: 'recordJson' },
  number: { fieldType: 'number', marker: 'recordNumber' },
  integer: { fieldType: 'integer', marker: 'recordInteger' },
  date: { fieldType: 'date', marker: 'recordDate' },
  datetime: { fieldType: 'datetime', marker: 'recordDatetime' },
};

/** Nothing listens there. */
const requestHost = 'localhost:1';

function plantedRequest() {
  return {
    name: 'planted_request',
    description: planted('requestDescription'),
    method: 'GET',
    url: `https://${requestHost}/{word}`,
    parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
    headers: [{ name: 'Authorization', secret: planted('secretName') }],
  };
}

const tasks = {
  name: planted('taskName'),
  taskType: 'conversation',
  prompt: planted('prompt'),
  shortPrompt: planted('shortPrompt'),
  description: planted('taskDescription'),
  abilities: [
    { abilityType: 'handoff' },
    { abilityType: 'schedule_follow_up' },
    { abilityType: 'search_files' },
    { abilityType: 'send_files' },
    { abilityType: 'suggest_answers' },
    { abilityType: 'send_sms', celCondition: `member.name != "${planted('abilityCondition')}"` },
    { abilityType: 'send_email' },
    { abilityType: 'save_data', config: { dataTypeSlug, fieldSlugs: [fieldSlug] } },
    { abilityType: 'http_request', config: { requests: [plantedRequest()] } },
    { abilityType: 'conclude', config: { outcomes: [planted('outcome')], requiresApproval: true } },
  ],
  children: [
    {
      name: 'Message',
      taskType: 'message',
      choicePrompt: planted('choicePrompt'),
      celCondition: `member.name != "${planted('condition')}"`,
      configuration: { text: planted('messageText') },
    },
    {
      name: `${planted('taskName')} Closed`,
      taskType: 'conversation',
      choicePrompt: 'The closed one',
      celGuard: `member.name == "${planted('guard')}"`,
      abilities: [{ abilityType: 'handoff' }],
    },
    {
      name: 'Colleague',
      taskType: 'handoff',
      choicePrompt: 'A person',
      configuration: { reason: planted('handoffReason'), message: planted('messageText') },
    },
  ],
};

export async function configure(stage: Stage): Promise<Configured> {
  const admin = stage.as();
  const role = await admin('POST', '/member-roles', { name: planted('roleName'), permissions: [] });
  const label = await admin('POST', '/chat-labels', {
    name: planted('chatLabelName'),
    description: planted('chatLabelDescription'),
  });
  await admin('POST', '/message-templates', {
    name: planted('templateName'),
    shortcut: planted('templateShortcut'),
    text: planted('templateText'),
    translations: { de: planted('templateTranslation') },
  });
  const fields = Object.entries(fieldsOfRecord).map(([slug, { fieldType }]) => ({
    slug,
    name: slug,
    fieldType,
    shouldIndex: fieldType !== 'json',
  }));
  const dataType = await admin('POST', '/data-types', {
    name: planted('dataTypeName'),
    slug: dataTypeSlug,
    isCollection: true,
    fields: [
      ...fields,
      {
        slug: 'option',
        name: planted('fieldName'),
        fieldType: 'select',
        options: [planted('fieldOption')],
      },
    ],
  });
  await pooledPhone(stage.system.database, { number: planted('workspaceNumber') });
  const number = await admin('POST', '/phone-numbers', {
    number: planted('workspaceNumber'),
    name: planted('numberName'),
    greeting: planted('numberGreeting'),
    businessHours: { windows: [{ from: '00:00', to: '00:00' }], closedText: planted('closedText') },
    mmsEnabled: true,
    segmentsPerSecond: 5,
  });
  await stage.system.carrier.route(planted('workspaceNumber'), stage.api.baseUrl);
  const assistant = await admin('POST', '/assistants', {
    name: planted('assistantName'),
    instructions: planted('instructions'),
    isDefault: true,
    chatModelConfig: { stop: [planted('modelSetting')] },
    realtimeModelConfig: { voice: planted('modelSetting') },
  });
  await admin('PUT', '', { requestHosts: [requestHost] });
  const value = randomBytes(16).toString('hex');
  stage.keepSecret('requestSecret', value);
  await admin('POST', '/secrets', { name: planted('secretName'), value, hosts: [requestHost] });
  const mcpToken = randomBytes(16).toString('hex');
  stage.keepSecret('mcpToken', mcpToken);
  await admin('POST', '/mcp-servers', {
    name: planted('mcpServerName'),
    url: `https://${requestHost}/${planted('mcpServerUrl')}`,
    token: mcpToken,
  });
  const workflow = await admin('POST', '/workflows', {
    name: planted('definitionName'),
    description: planted('definitionDescription'),
    assistantMemberId: assistant.memberId,
    defaultPhoneNumberId: number.id,
  });
  const revision = await admin('POST', `/workflows/${workflow.id}/revisions`, {
    name: planted('revisionName'),
    rootTask: tasks,
  });
  await admin('POST', `/workflows/${workflow.id}/revisions/${revision.id}/publish`, {}, 200);
  const held = await admin('POST', '/workflows', { name: planted('definitionName') });
  for (const verb of ['hold', 'resume', 'hold']) {
    const body = verb === 'hold' ? { reason: planted('heldReason') } : undefined;
    await admin('POST', `/workflows/${held.id}/${verb}`, body, 200);
  }
  await admin('POST', '/workspace-hold', { reason: planted('heldReason') }, 200);
  await admin('DELETE', '/workspace-hold', undefined, 204);
  const memberLabel = await admin('POST', '/member-labels', {
    name: planted('labelOfMember'),
    slug: 'planted',
  });
  return {
    roleId: role.id,
    labelId: label.id,
    memberLabelId: memberLabel.id,
    dataTypeId: dataType.id,
    phoneNumberId: number.id,
    assistantMemberId: assistant.memberId,
    workflowId: workflow.id,
  };
}
