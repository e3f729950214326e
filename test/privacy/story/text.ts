import { selectAssignmentTasks } from '../../../db/assignments/assignment-tasks.js';
import { sign } from '../../../tools/simulators/carrier/post-webhook.js';
import { testLoginSmsFrom } from '../../support/api/login.js';
import { png } from '../../support/files/samples.js';
import { sendFile } from '../../support/files/send-file.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { calling } from '../../support/simulators/simulated-model.js';
import { tried } from '../../support/temporal/tried.js';
import { planted } from '../markers.js';
import { answered, type Stage } from '../stage.js';
import { type Configured, fieldSlug } from './configure.js';
import { passageWord } from './files.js';

/** A member walked through the workflow by SMS: with tools, failures of model and carrier, a colleague and an end. */
export async function walkByText(stage: Stage, configured: Configured): Promise<{ texterId: number }> {
  const admin = stage.as();
  const { model } = stage.system;
  const texterId = await addTexter(stage, configured);
  const value = { [fieldSlug]: planted('toolValue') };
  await model.script(
    [
      { content: planted('modelWords') },
      calling('save_data', { ...value, integer: planted('toolValue') }),
      calling('save_data', value),
      calling('search_files', { query: passageWord }),
      calling('planted_request', { word: planted('requestArgument') }),
      calling('send_sms', { text: planted('sentBeside') }),
      calling('send_email', { subject: planted('emailSubject'), text: planted('emailText') }),
      calling('schedule_follow_up', { after: 'P1D', instructions: planted('followUp') }),
      { error: 'drop' },
      { content: `${planted('modelWords')} Again.` },
    ],
    planted('texterName'),
  );
  const chat = await admin('POST', '/chats', {
    channel: 'phone-sms',
    workflowId: configured.workflowId,
    memberId: texterId,
    title: planted('chatTitle'),
  });
  await said(stage, chat.id, planted('modelWords'));
  await write(stage, planted('texterPhone'), planted('texterWords'));
  await said(stage, chat.id, `${planted('modelWords')} Again.`);

  await rejectCall(stage, chat.id);
  const followUps = `/chats/${chat.id}/follow-ups`;
  const { items } = await admin('GET', followUps);
  await admin('DELETE', `${followUps}/${items[0].id}`, undefined, 204);
  const map = { content: new Uint8Array(png()), filename: `${planted('fileName')}.png` };
  const file = answered(await sendFile(stage.api, stage.workspace, map));
  const answer = { message: planted('colleagueWords'), files: [file.id] };
  await admin('POST', `/chats/${chat.id}/send-assistant-message`, answer);
  const later = {
    message: planted('wordsForLater'),
    sendAt: new Date(Date.now() + 86_400_000).toISOString(),
  };
  await admin('POST', `/chats/${chat.id}/send-assistant-message`, later);
  await chooseTasks(stage, chat.assignmentId);
  const path = `/assignments/${chat.assignmentId}`;
  const outcome = { outcome: planted('outcome'), outcomeReason: planted('outcomeReason') };
  await admin('PUT', path, outcome);
  await admin('GET', `${path}/cel-context`);
  await admin('GET', `${path}/current-task-detail`);
  await insist(() => stage.raw()('POST', `${path}/cancel`, { reason: planted('cancelReason') }), 200);
  const ended = { ...outcome, status: 'completed' };
  await admin('PUT', path, ended, 409);
  const another = { workflowId: configured.workflowId, memberId: texterId };
  // On the web, the choices of the task are suggested as answers.
  await model.script([{ content: planted('modelWords') }], planted('texterName'));
  const guided = await admin('POST', '/chats', { channel: 'web-chat', ...another });
  await said(stage, guided.id, planted('modelWords'));
  const { id } = await admin('POST', '/assignments', another);
  await admin('PUT', `/assignments/${id}`, ended);
  await settled(stage, chat.id);
  return { texterId };
}

/** The agent asks to conclude, and a colleague rejects it with a comment. */
async function rejectCall(stage: Stage, chatId: number): Promise<void> {
  const admin = stage.as();
  const rejected = `${planted('modelWords')} Rejected.`;
  const answers = [calling('conclude', { outcome: planted('outcome') }), { content: rejected }];
  await stage.system.model.script(answers, planted('texterName'));
  await write(stage, planted('texterPhone'), planted('texterWords'));
  const interrupt = await waitFor('the call waits for approval', async () => {
    const chat = await admin('GET', `/chats/${chatId}`);
    return chat.interrupt;
  });
  const decision = { interruptId: interrupt.id, decision: 'reject', comment: planted('decisionComment') };
  await admin('POST', `/chats/${chatId}/interrupt`, decision, 200);
  await said(stage, chatId, rejected);
}

async function addTexter(stage: Stage, { roleId, memberLabelId }: Configured): Promise<number> {
  const admin = stage.as();
  const texter = {
    name: planted('texterName'),
    email: planted('texterEmail'),
    phone: planted('texterPhone'),
    dateOfBirth: planted('texterBirth'),
    description: planted('texterDescription'),
    externalId: planted('texterExternalId'),
    memberRoleId: roleId,
    labelIds: [memberLabelId],
  };
  const { id } = await admin('POST', '/members', texter);
  await admin('POST', '/members', texter, 400);
  await admin('PUT', `/members/${id}`, { phone: planted('refused'), email: planted('refused') }, 400);
  for (const search of [texter.name, texter.email, texter.phone, texter.externalId]) {
    for (const list of ['/members', '/chats']) await admin('GET', list, undefined, 200, { search });
  }
  return id;
}

/** One that its guard keeps closed, and the one that hands over to a person. */
async function chooseTasks(stage: Stage, assignmentId: number): Promise<void> {
  const { system, workspace } = stage;
  const rows = await system.database.inWorkspace(workspace.workspaceId, (tx) =>
    selectAssignmentTasks(tx, assignmentId),
  );
  const [, , closed, colleague] = rows.map(({ id }) => `/assignments/${assignmentId}/tasks/${id}/select`);
  await insist(() => stage.raw()('PUT', closed ?? ''), 400);
  await insist(() => stage.raw()('PUT', colleague ?? ''), 200);
}

/** A run that is not quick enough is asked again, as the answer tells. */
async function insist(ask: () => Promise<{ status: number; body: unknown }>, status: number): Promise<void> {
  const answer = await waitFor('the run answers', async () => {
    const given = await ask();
    return given.status !== 503 && given;
  });
  answered(answer, status);
}

/** People who are no members yet, one who wants no messages, and numbers that the carrier does not take. */
export async function writeAsStrangers(stage: Stage, { phoneNumberId, roleId }: Configured): Promise<void> {
  const admin = stage.as();
  const { carrier, model } = stage.system;
  await model.script([{ status: 400, error: 'content_filter' }], planted('strangerWords'));
  await write(stage, planted('strangerPhone'), planted('strangerWords'));
  const { items } = await admin('GET', '/chats', undefined, 200, { search: planted('strangerPhone') });
  const { id: chatId, uuid: chatUuid }: { id: number; uuid: string } = items[0];
  await waitFor('a colleague is alerted', async () => {
    const { needsResponse } = await admin('GET', `/chats/${chatId}`);
    return needsResponse;
  });
  await carrier.turn({
    handset: planted('strangerPhone'),
    failing: { code: 30005, rate: 1 },
    busy: { rate: 1 },
  });
  const path = `/chats/${chatId}/send-assistant-message`;
  const answer = { message: planted('colleagueWords') };
  const { message } = await admin('POST', path, answer);
  await tried(stage.system.run('deliverMessages', chatUuid));
  await sendStrangeCallbacks(stage, message.uuid);
  await carrier.turn({ handset: planted('strangerPhone'), busy: { rate: 0 } });
  await settled(stage, chatId);
  await sendPicture(stage, chatId);
  await admin('POST', path, answer, 400);
  await settled(stage, chatId);
  await refuseCodes(stage);

  const refused = await admin('POST', '/members', { phone: planted('refusedPhone'), memberRoleId: roleId });
  const chat = await admin('POST', '/chats', {
    channel: 'phone-sms',
    memberId: refused.id,
    phoneNumberId,
    assistantEnabled: false,
    initialMessage: planted('initialMessage'),
  });
  await settled(stage, chat.id);
}

/** Somebody who wants no codes for signing in either. */
async function refuseCodes({ api, system: { carrier } }: Stage): Promise<void> {
  const phone = planted('strangerPhone');
  await carrier.route(testLoginSmsFrom, api.baseUrl);
  await carrier.write(phone, testLoginSmsFrom, 'STOP');
  const { status } = await api.request('POST', '/login-codes', { body: { phone } });
  if (status !== 409) throw new Error(`a code was made: ${status}`);
}

/** With the word that opts out, so that no agent answers. */
async function sendPicture(stage: Stage, chatId: number): Promise<void> {
  const picture = { contentType: 'image/png', bytes: png() };
  const to = planted('workspaceNumber');
  await stage.system.carrier.write(planted('strangerPhone'), to, 'STOP', [picture]);
  await waitFor('the picture is a file', async () => {
    const messages = await stage.as()('GET', `/chats/${chatId}/messages`);
    return JSON.stringify(messages).includes('"status":"stored"');
  });
}

function write(stage: Stage, from: string, text: string): Promise<void> {
  return stage.system.carrier.write(from, planted('workspaceNumber'), text);
}

export async function said(stage: Stage, chatId: number, text: string): Promise<void> {
  await waitFor(`the agent says “${text}”`, async () => {
    const messages = await stage.as()('GET', `/chats/${chatId}/messages`, undefined, 200, { limit: 100 });
    return messages.some(({ content }: { content: unknown }) => content === text);
  });
}

async function settled(stage: Stage, chatId: number): Promise<void> {
  await waitFor('every delivery is settled', async () => {
    const { rows } = await stage.superuser.query(
      `select 1 from deliveries where chat_id = $1 and state not in ('delivered', 'failed')`,
      [chatId],
    );
    return rows.length === 0;
  });
}

/** Callbacks with something else in each of their fields. */
async function sendStrangeCallbacks(stage: Stage, messageUuid: string): Promise<void> {
  const word = planted('carrierField');
  const status = `/w/${stage.workspace.workspaceUuid}/carrier-messages/${messageUuid}/status?attempt=1`;
  const strange = stage.workspace.path(`/carrier-messages/${word}/status?attempt=${word}`);
  const inbound = '/carrier-messages/inbound';
  const form = { MessageSid: word, MessageStatus: word, ErrorCode: word, From: word, To: word, Body: word };
  const failed = { ...form, MessageStatus: 'undelivered' };
  const tooLong = { ...form, MessageSid: word.repeat(9), ErrorCode: word.repeat(9) };
  for (const [path, fields] of [
    [status, form],
    [status, failed],
    [status, tooLong],
    [strange, form],
    [inbound, form],
    [inbound, { ...form, To: planted('workspaceNumber') }],
    [inbound, tooLong],
  ] as const) {
    const signature = sign(
      stage.system.carrier.credentials.authToken,
      `${stage.api.baseUrl}/api/v2${path}`,
      fields,
    );
    for (const given of [signature, word]) {
      await stage.api.request('POST', path, { form: fields, headers: { 'X-Twilio-Signature': given } });
    }
  }
}
