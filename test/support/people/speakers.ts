import { randomUUID } from 'node:crypto';
import type { Tx } from '../../../db/tx.js';
import { liveOutreach } from '../../../domain/calls/live-outreach.js';
import { createChat } from '../../../domain/conversations/chats/create-chat.js';
import { openInboundChat } from '../../../domain/conversations/chats/open-inbound-chat.js';
import { receiveSms } from '../../../domain/conversations/chats/receive-sms.js';
import { memberOfSender } from '../../../domain/conversations/chats/sender-member.js';
import { openBrowser } from '../api/browser.js';
import type { useApi } from '../api/use-api.js';
import { type StagedCall, stageCall } from '../calls/staged-call.js';
import type { MovedClock } from '../lib/moved-clock.js';
import { addRecordType } from '../records/use-records.js';
import { addChatSite, visit } from '../sites/site-chat.js';
import {
  addMember,
  addMemberRow,
  type TestMember,
  uniqueEmail,
  uniquePhone,
} from '../workspace/factories.js';

/** Where people speak with the agent of one workflow. */
export interface SpeakersDesk {
  suite: ReturnType<typeof useApi>;
  clock: MovedClock;
  workflowId: number;
  smsNumber: { id: number; number: string };
  inboxId: number;
  form: PublicForm;
}

/** Its key may sign people up, and nothing else. It asks for a record of one type. */
export interface PublicForm {
  member: TestMember;
  dataType: string;
}

export interface SpokenChat {
  chatId: number;
  /** The call of the chat that is up. */
  call?: StagedCall;
}

/** What is told of what is stored: all, all but by `read_data`, or nothing. */
export type Told = 'all' | 'in texts' | 'nothing';

export interface Speaker {
  who: string;
  /** Files of which access it is shown, those of less access with them. */
  reads: 'public' | 'workspace';
  told: Told;
  speak: (desk: SpeakersDesk) => Promise<SpokenChat>;
}

const inside = <Result>(
  { suite: { database, workspace } }: SpeakersDesk,
  work: (tx: Tx) => Promise<Result>,
) => database.database.inWorkspace(workspace.workspaceId, work);

/** The data of a sign-up form, as a server gives it with the rights of an admin. */
export const signUp = async ({ suite }: Pick<SpeakersDesk, 'suite'>, member: object) =>
  (await suite.asAdmin('POST', '/create-signup', { member })).body as {
    token: string;
    member: { id: number };
  };

/** The same by the public key of a form, which somebody else may have filled in. */
const fillIn = async ({ suite, form }: SpeakersDesk, member: object) => {
  const data = { [form.dataType]: { externalId: randomUUID(), values: { reason: 'Cough' } } };
  const { status, body } = await suite.as(form.member)('POST', '/create-signup', { member, data });
  if (status !== 201) throw new Error(`no sign-up: ${status} ${JSON.stringify(body)}`);
  return body as { token: string; member: { id: number } };
};

/** A member that a colleague has written down. */
export async function recorded({ suite }: Pick<SpeakersDesk, 'suite'>, values: object): Promise<number> {
  return (await suite.asAdmin('POST', '/members', values)).body.id;
}

export async function withAccount(
  desk: SpeakersDesk,
  proved: { phone?: string; email?: string },
): Promise<number> {
  const { database, workspace } = desk.suite;
  const { phone = null, email = null } = proved;
  const memberRoleId = workspace.roles.member.id;
  const row = await addMemberRow(workspace, { memberRoleId, phone, email }, { isVouchedFor: false });
  const now = desk.clock.now();
  const { accounts, memberships } = database.database.identity;
  const account = await accounts.create({
    name: 'Person',
    ...(phone === null ? {} : { phone, phoneVerifiedAt: now }),
    ...(email === null ? {} : { email, emailVerifiedAt: now }),
  });
  await memberships.add({
    workspaceId: workspace.workspaceId,
    memberId: row.id,
    accountId: account.id,
  });
  return row.id;
}

async function textFrom(desk: SpeakersDesk, from: string): Promise<SpokenChat> {
  const { workspace } = desk.suite;
  const sms = { carrierMessageId: `SM${randomUUID()}`, from, to: desk.smsNumber.number, body: 'Hello' };
  await receiveSms(workspace.context(undefined, desk.clock), sms);
  const chat = await inside(desk, (tx) =>
    tx('chats')
      .join('members', 'members.id', 'chats.member_id')
      .where({ 'members.phone': from, 'chats.channel': 'phone-sms' })
      .orderBy('chats.id', 'desc')
      .first('chats.id'),
  );
  return { chatId: chat.id };
}

const mailFrom = (desk: SpeakersDesk, address: string): Promise<SpokenChat> =>
  inside(desk, async (tx) => {
    const now = desk.clock.now();
    const { database } = desk.suite.database;
    const member = await memberOfSender(database, tx, { channel: 'email', address }, now);
    const place = { memberId: member.id, phoneNumberId: null, inboxId: desk.inboxId, title: null };
    const opening = { ...place, channel: 'email', definitionId: desk.workflowId } as const;
    return { chatId: (await openInboundChat(tx, opening, { outreach: liveOutreach, now })).id };
  });

/** A chat on the web of a member, which a colleague has begun unless its own credential does. */
async function onWeb({ suite, workflowId, ...desk }: SpeakersDesk, memberId: number): Promise<SpokenChat> {
  const { body } = await suite.asAdmin('POST', '/assignments', { workflowId, memberId });
  const { chat_id: chatId } = await inside({ suite, workflowId, ...desk }, (tx) =>
    tx('assignments').where({ id: body.id }).first('chat_id'),
  );
  return { chatId };
}

/** A chat whose member is on the phone. */
async function onPhone(
  desk: SpeakersDesk,
  phone: string,
  { inbound, proved = false }: { inbound: boolean; proved?: boolean },
): Promise<SpokenChat> {
  const { id } = await inside(desk, (tx) => tx('members').where({ phone }).first('id'));
  const { chatId } = await onWeb(desk, id);
  const call = await stageCall(desk.suite.workspace, desk.clock, chatId);
  await inside(desk, (tx) =>
    tx('phone_calls')
      .where({ id: call.callId })
      .update({
        inbound,
        remote_number: phone,
        ...(proved ? { identity_proved_at: desk.clock.now() } : {}),
      }),
  );
  return { chatId, call };
}

/** As after a call from a number that nobody knows. */
async function uncalled({ suite: { workspace } }: SpeakersDesk, phone: string): Promise<void> {
  const row = { memberRoleId: workspace.roles.member.id, phone, email: null };
  await addMemberRow(workspace, row, { isVouchedFor: false });
}

const memberOfNumber = (desk: SpeakersDesk, phone: string) =>
  inside(desk, (tx) => tx('members').where({ phone }).first('id')) as Promise<{ id: number }>;

/** Every kind of nobody and somebody that an agent speaks with, each in a chat of its own. */
export const speakers: readonly Speaker[] = [
  {
    who: 'a visitor of a site',
    reads: 'public',
    told: 'all',
    speak: async (desk) => {
      const { api, workspace } = desk.suite;
      const site = await addChatSite(api, workspace, { defaultWorkflowId: desk.workflowId });
      await (await visit(api, site)).write('Hello');
      const { id } = await inside(desk, (tx) => tx('chats').where({ site_id: site.id }).first('id'));
      return { chatId: id };
    },
  },
  {
    who: 'an unknown texter',
    reads: 'public',
    told: 'all',
    speak: (desk) => textFrom(desk, uniquePhone()),
  },
  {
    who: 'a texter that a form has named',
    reads: 'public',
    told: 'all',
    speak: async (desk) => {
      const phone = uniquePhone();
      await signUp(desk, { phone, email: uniqueEmail() });
      return textFrom(desk, phone);
    },
  },
  {
    who: 'a texter of whom a colleague has written down the email alone',
    reads: 'public',
    told: 'all',
    speak: async (desk) => {
      const phone = uniquePhone();
      const chat = await textFrom(desk, phone);
      const { id } = await memberOfNumber(desk, phone);
      await desk.suite.asAdmin('PUT', `/members/${id}`, { email: uniqueEmail() });
      return chat;
    },
  },
  {
    who: 'a texter at a number that a second form has left out',
    reads: 'public',
    told: 'nothing',
    speak: async (desk) => {
      const [email, phone] = [uniqueEmail(), uniquePhone()];
      const { member } = await fillIn(desk, { email, phone });
      const { workspace } = desk.suite;
      const opened = await createChat(workspace.context(workspace.admin, desk.clock), {
        channel: 'phone-sms',
        phoneNumberId: desk.smsNumber.id,
        memberId: member.id,
        workflowId: desk.workflowId,
      });
      await fillIn(desk, { email });
      return { chatId: opened.id };
    },
  },
  {
    who: 'a texter whose number a colleague has written down since',
    reads: 'workspace',
    told: 'all',
    speak: async (desk) => {
      const phone = uniquePhone();
      const chat = await textFrom(desk, phone);
      const { id } = await memberOfNumber(desk, phone);
      await desk.suite.asAdmin('PUT', `/members/${id}`, { phone });
      return chat;
    },
  },
  {
    who: 'a texter whom the workspace has written down',
    reads: 'workspace',
    told: 'all',
    speak: async (desk) => {
      const phone = uniquePhone();
      await recorded(desk, { phone });
      return textFrom(desk, phone);
    },
  },
  {
    who: 'a texter whose account has proved the number',
    reads: 'workspace',
    told: 'all',
    speak: async (desk) => {
      const phone = uniquePhone();
      await withAccount(desk, { phone });
      return textFrom(desk, phone);
    },
  },
  {
    who: 'an unknown mailer',
    reads: 'public',
    told: 'all',
    speak: (desk) => mailFrom(desk, uniqueEmail()),
  },
  {
    who: 'a mailer that a form has named',
    reads: 'public',
    told: 'all',
    speak: async (desk) => {
      const email = uniqueEmail();
      await signUp(desk, { email });
      return mailFrom(desk, email);
    },
  },
  {
    who: 'a mailer whom the workspace has written down',
    reads: 'workspace',
    told: 'all',
    speak: async (desk) => {
      const email = uniqueEmail();
      await recorded(desk, { email });
      return mailFrom(desk, email);
    },
  },
  {
    who: 'a mailer whose account has proved the address',
    reads: 'workspace',
    told: 'all',
    speak: async (desk) => {
      const email = uniqueEmail();
      await withAccount(desk, { email });
      return mailFrom(desk, email);
    },
  },
  {
    who: 'an unknown caller',
    reads: 'public',
    told: 'nothing',
    speak: async (desk) => {
      const phone = uniquePhone();
      await uncalled(desk, phone);
      return onPhone(desk, phone, { inbound: true });
    },
  },
  {
    who: 'an unknown caller who has proved to be the same as before',
    reads: 'public',
    told: 'all',
    speak: async (desk) => {
      const phone = uniquePhone();
      await uncalled(desk, phone);
      return onPhone(desk, phone, { inbound: true, proved: true });
    },
  },
  {
    who: 'a caller with the number of a member',
    reads: 'public',
    told: 'nothing',
    speak: async (desk) => {
      const phone = uniquePhone();
      await recorded(desk, { phone });
      return onPhone(desk, phone, { inbound: true });
    },
  },
  {
    who: 'a caller who has proved to be a member',
    reads: 'workspace',
    told: 'all',
    speak: async (desk) => {
      const phone = uniquePhone();
      await recorded(desk, { phone });
      return onPhone(desk, phone, { inbound: true, proved: true });
    },
  },
  {
    who: 'a member whom the service has called',
    reads: 'workspace',
    told: 'in texts',
    speak: async (desk) => {
      const phone = uniquePhone();
      await recorded(desk, { phone });
      return onPhone(desk, phone, { inbound: false });
    },
  },
  {
    who: 'whoever takes a call to a number of a form',
    reads: 'public',
    told: 'nothing',
    speak: async (desk) => {
      const phone = uniquePhone();
      await fillIn(desk, { phone });
      return onPhone(desk, phone, { inbound: false });
    },
  },
  {
    who: 'whoever takes a call to a number that a server has signed up',
    reads: 'public',
    told: 'in texts',
    speak: async (desk) => {
      const phone = uniquePhone();
      await signUp(desk, { phone });
      return onPhone(desk, phone, { inbound: false });
    },
  },
  {
    who: 'a person of a form on the web',
    reads: 'public',
    told: 'all',
    speak: async (desk) => onWeb(desk, (await signUp(desk, { email: uniqueEmail() })).member.id),
  },
  {
    who: 'a person of a form on the web, where a second form has given data since',
    reads: 'public',
    told: 'nothing',
    speak: async (desk) => {
      const email = uniqueEmail();
      const { token, member } = await fillIn(desk, { email });
      await openBrowser(desk.suite.api).request('POST', '/sessions', { body: { memberToken: token } });
      await fillIn(desk, { email });
      return onWeb(desk, member.id);
    },
  },
  {
    who: 'a person of a form whose address a colleague has written down since, on the web',
    reads: 'public',
    told: 'all',
    speak: async (desk) => {
      const email = uniqueEmail();
      const { member } = await signUp(desk, { email });
      await desk.suite.asAdmin('PUT', `/members/${member.id}`, { email });
      return onWeb(desk, member.id);
    },
  },
  {
    who: 'a member whom the workspace has written down, on the web',
    reads: 'workspace',
    told: 'all',
    speak: async (desk) => onWeb(desk, await recorded(desk, { name: 'Jo' })),
  },
  {
    who: 'a member with an account, on the web',
    reads: 'workspace',
    told: 'all',
    speak: async (desk) => onWeb(desk, await withAccount(desk, { email: uniqueEmail() })),
  },
  {
    who: 'a member in whose chat a person of a form takes part',
    reads: 'public',
    told: 'all',
    speak: async (desk) => {
      const chat = await onWeb(desk, await recorded(desk, { name: 'Jo' }));
      const { member } = await signUp(desk, { email: uniqueEmail() });
      const path = `/chats/${chat.chatId}/participants`;
      const { status } = await desk.suite.asAdmin('POST', path, { memberId: member.id });
      if (status !== 201) throw new Error(`nobody takes part: ${status}`);
      return chat;
    },
  },
];

export async function addForm({
  workspace,
}: Pick<ReturnType<typeof useApi>, 'workspace'>): Promise<PublicForm> {
  const { slug } = await addRecordType(workspace, true);
  return { member: await addMember(workspace, { permissions: ['account:create'] }), dataType: slug };
}
