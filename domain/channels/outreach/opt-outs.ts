import {
  type EmailOptOutSource,
  findEmailOptOut,
  insertEmailOptOut,
  removeEmailOptOuts,
} from '../../../db/channels/email-opt-outs.js';
import { lockOptOuts } from '../../../db/channels/opt-out-locks.js';
import {
  hasOptedOutOfCalls,
  insertOptOutProof,
  liftOptOutProofs,
  type OptOutChannel,
  type OptOutProof,
  type OptOutSource,
  selectOptOutProofs,
} from '../../../db/channels/opt-out-proofs.js';
import { hasOptedOut, insertOptOut, markOptedOut, removeOptOuts } from '../../../db/channels/sms-opt-outs.js';
import type { Channel } from '../../../db/conversations/chats.js';
import {
  findMember,
  findMemberByEmail,
  findMemberByPhone,
  lockMember,
  type MemberRow,
} from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import { recordAudit, recordAuditOfNobody } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, NotFound } from '../../lib/errors.js';
import { watchOptOut } from './record-opt-out.js';

/** How somebody has opted out. */
export interface OptOutSaid {
  source: OptOutSource;
  /** On which channel of a chat, and in which words. */
  heardOn?: Channel;
  words?: string;
  /** Who asked the API for it. */
  byMemberId?: number;
}

/** As much of the words is kept as proof as tells what was meant. */
const maxWordsLength = 2_000;

interface NotedOptOut extends OptOutSaid {
  channel: OptOutChannel;
  member: Pick<MemberRow, 'id'> | undefined;
  /** The number or address. */
  recipient: string | null;
}

/**
 * Keeps the proof of an opt-out, and tells the audit log. Whatever writes an opt-out calls this, in the same transaction; the
 * opt-out of calls is this proof.
 */
export async function recordOptOut(
  tx: Tx,
  { channel, member, recipient, ...said }: NotedOptOut,
  now: Date,
): Promise<void> {
  const { source, heardOn = null, words, byMemberId = null } = said;
  const kept = words === undefined ? null : words.slice(0, maxWordsLength);
  const memberId = member?.id ?? null;
  // What claims a message or call from now on sees the opt-out.
  await lockOptOuts(tx, { memberId, recipient });
  const proof = { memberId, recipient, channel, source, heardOn, words: kept, byMemberId };
  await insertOptOutProof(tx, { ...proof, optedOutAt: now });
}

function auditOfNobody(tx: Tx, member: Pick<MemberRow, 'id'> | undefined, names: string[], now: Date): void {
  const subject = member === undefined ? {} : { subject: ['member', member.id] as const };
  recordAuditOfNobody(tx, { now }, 'opt_out:noted', { ...subject, names });
}

export interface SmsOptOut extends OptOutSaid {
  /** The number that must not receive messages. */
  phone: string;
  /** The workspace's number that received the opt-out, or from which the carrier refused to send. */
  sender: string;
  source: 'keyword' | 'words' | 'carrier';
  now: Date;
}

/**
 * The opt-out applies to the member, also with another number, and to the number, also if another member gets it.
 * Locks the member's row; callers lock the chat's row only afterwards.
 */
export async function optOutOfSms(tx: Tx, { phone, sender, now, ...said }: SmsOptOut): Promise<void> {
  const tell = await watchOptOut(tx, 'sms', { phone }, now);
  await markOptedOut(tx, 'phone', phone, now);
  const source = said.source === 'carrier' ? 'carrier' : 'keyword';
  await insertOptOut(tx, { recipient: phone, sender, optedOutAt: now, source });
  const member = await findMemberByPhone(tx, phone);
  await recordOptOut(tx, { channel: 'sms', member, recipient: phone, ...said }, now);
  auditOfNobody(tx, member, ['sms', said.source], now);
  await tell(said.source);
}

/** Which workspace's number an opt-out was sent to that was not sent by SMS. */
const anySender = 'any';

/**
 * Opts a member out of channels, by its words in a chat. The caller holds the member's row lock. @returns those that it was
 * not opted out of before
 */
export async function optOutBySaying(
  tx: Tx,
  member: Pick<MemberRow, 'id' | 'phone' | 'email' | 'smsOptedOutAt'>,
  channels: readonly OptOutChannel[],
  said: OptOutSaid,
  now: Date,
): Promise<OptOutChannel[]> {
  const { id, phone, email } = member;
  const before = await optedOutOf(tx, member, now);
  const tells = [];
  for (const channel of channels) tells.push(await watchOptOut(tx, channel, { memberId: id }, now));
  if (channels.includes('sms')) {
    await markOptedOut(tx, 'id', id, now);
    const optOut = { sender: anySender, optedOutAt: now, source: 'keyword' } as const;
    if (phone !== null) await insertOptOut(tx, { recipient: phone, ...optOut });
  }
  if (channels.includes('email') && email !== null) {
    await insertEmailOptOut(tx, { recipient: email, optedOutAt: now, source: 'link' });
  }
  const news = channels.filter((channel) => !before.has(channel));
  for (const channel of news) {
    const recipient = channel === 'email' ? email : phone;
    await recordOptOut(tx, { channel, member, recipient, ...said }, now);
    auditOfNobody(tx, member, [channel, said.source], now);
  }
  for (const tell of tells) await tell(said.source);
  return news;
}

async function optedOutOf(
  tx: Tx,
  { id, phone, email, smsOptedOutAt }: Pick<MemberRow, 'id' | 'phone' | 'email' | 'smsOptedOutAt'>,
  now: Date,
): Promise<Set<OptOutChannel>> {
  const ofSms = smsOptedOutAt !== null || (phone !== null && (await hasOptedOut(tx, phone)));
  const ofEmail = email === null ? undefined : await findEmailOptOut(tx, email, now);
  const ofCalls = await hasOptedOutOfCalls(tx, { memberId: id, recipient: phone });
  return new Set([
    ...(ofSms ? (['sms'] as const) : []),
    ...(ofEmail === 'link' || ofEmail === 'complaint' ? (['email'] as const) : []),
    ...(ofCalls ? (['calls'] as const) : []),
  ]);
}

/** Opts an address out of email, whoever's it is: by the link of an email, or by a report that calls one spam. */
export async function optAddressOut(
  tx: Tx,
  recipient: string,
  source: 'link' | 'complaint',
  now: Date,
): Promise<void> {
  const before = await findEmailOptOut(tx, recipient, now);
  await insertEmailOptOut(tx, { recipient, optedOutAt: now, source });
  if (before === 'link' || before === 'complaint') return;
  const member = await memberWithAddress(tx, recipient);
  await recordOptOut(tx, { channel: 'email', member, recipient, source }, now);
}

/** Ends what an address has opted out of by itself, or what its server reported. */
export async function liftAddressOptOut(
  tx: Tx,
  recipient: string,
  sources: readonly EmailOptOutSource[],
  now: Date,
): Promise<void> {
  await removeEmailOptOuts(tx, recipient, sources);
  const left = await findEmailOptOut(tx, recipient, now);
  if (left === 'link' || left === 'complaint') return;
  const memberId = (await memberWithAddress(tx, recipient))?.id ?? null;
  await liftOptOutProofs(tx, 'email', { memberId, recipient }, now);
}

/** @param recipient the address, or its digest */
async function memberWithAddress(tx: Tx, recipient: string): Promise<MemberRow | undefined> {
  return recipient.includes('@') ? findMemberByEmail(tx, recipient) : undefined;
}

/** Lifts the opt-out of the member with a phone number, from which START was received. */
export async function optInToSms(tx: Tx, phone: string, now: Date): Promise<void> {
  const tell = await watchOptOut(tx, 'sms', { phone }, now);
  await markOptedOut(tx, 'phone', phone, null);
  await removeOptOuts(tx, phone);
  const member = await findMemberByPhone(tx, phone);
  await liftOptOutProofs(tx, 'sms', { memberId: member?.id ?? null, recipient: phone }, now);
  recordAuditOfNobody(tx, { now }, 'opt_out:lifted', {
    ...(member === undefined ? {} : { subject: ['member', member.id] }),
    names: ['sms', 'keyword'],
  });
  await tell('keyword');
}

const maxProofs = 100;

/** The newest opt-outs of a member, with their proof. @throws NotFound, Forbidden */
export async function listOptOuts({ actor, db }: CommandContext, memberId: number): Promise<OptOutProof[]> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    if ((await findMember(tx, memberId)) === undefined) throw new NotFound('Member');
    actor.requireSelfOr(memberId, 'members:read');
    return selectOptOutProofs(tx, memberId, maxProofs);
  });
}

/** The caller, or another member with `members:write`. An earlier time is kept. @throws NotFound, Forbidden */
export function optMemberOutOfSms(context: CommandContext, memberId: number): Promise<void> {
  return optMemberOut(context, memberId, 'sms');
}

/** `optMemberOutOfSms`, of calls. @throws NotFound, Forbidden */
export function optMemberOutOfCalls(context: CommandContext, memberId: number): Promise<void> {
  return optMemberOut(context, memberId, 'calls');
}

async function optMemberOut(
  context: CommandContext,
  memberId: number,
  channel: 'sms' | 'calls',
): Promise<void> {
  const { actor, db } = context;
  const now = context.clock.now();
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const member = await lockMember(tx, memberId);
    if (member === undefined) throw new NotFound('Member');
    actor.requireSelfOr(memberId, 'members:write');
    const tell = await watchOptOut(tx, channel, { memberId }, now);
    const recipient = member.phone;
    if (channel === 'sms') await markOptedOut(tx, 'id', memberId, now);
    else if (await hasOptedOutOfCalls(tx, { memberId, recipient })) return;
    const said = { source: 'request', byMemberId: actor.memberId } as const;
    await recordOptOut(tx, { channel, member, recipient, ...said }, now);
    await tell('request');
    recordAudit(tx, context, 'opt_out:noted', { subject: ['member', memberId], names: [channel] });
  });
}

/**
 * No permission allows this for another member, because only the member can consent; nor does a token that others have made
 * for it. @throws NotFound, Conflict `opted_out` outside a session of the member's account
 */
export function liftOwnSmsOptOut(context: CommandContext, memberId: number): Promise<void> {
  return liftOwn(context, memberId, 'sms');
}

/** `liftOwnSmsOptOut`, of calls, which START does not lift. @throws NotFound, Conflict `opted_out` */
export function liftOwnCallOptOut(context: CommandContext, memberId: number): Promise<void> {
  return liftOwn(context, memberId, 'calls');
}

async function liftOwn(
  { actor, db, clock }: CommandContext,
  memberId: number,
  channel: 'sms' | 'calls',
): Promise<void> {
  if (memberId !== actor.memberId) throw new NotFound('Member');
  const now = clock.now();
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const member = await lockMember(tx, memberId);
    if (member === undefined) throw new NotFound('Member');
    const { phone } = member;
    if (!(await optedOutOf(tx, member, now)).has(channel)) return;
    if (!actor.isInPerson) {
      throw new Conflict('opted_out', 'Only a session of the account of the member can lift that.');
    }
    const tell = await watchOptOut(tx, channel, { memberId }, now);
    if (channel === 'sms') {
      await markOptedOut(tx, 'id', memberId, null);
      if (phone !== null) await removeOptOuts(tx, phone);
    }
    await liftOptOutProofs(tx, channel, { memberId, recipient: phone }, now);
    await tell('request');
    recordAudit(tx, { clock, actor }, 'opt_out:lifted', { subject: ['member', memberId], names: [channel] });
  });
}
