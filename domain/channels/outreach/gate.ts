import { countDeliveriesTo, countStartedTexts } from '../../../db/channels/deliveries.js';
import { findEmailOptOut } from '../../../db/channels/email-opt-outs.js';
import { countStartedByRelay } from '../../../db/channels/emails.js';
import { findInboxByAddress } from '../../../db/channels/inboxes.js';
import { hasOptedOutOfCalls } from '../../../db/channels/opt-out-proofs.js';
import { hasOptedOut } from '../../../db/channels/sms-opt-outs.js';
import { hasChatPausedFor } from '../../../db/conversations/chats.js';
import { countNoticesTo } from '../../../db/events/event-rule-notices.js';
import { countHandoffNoticesTo } from '../../../db/events/handoff-notices.js';
import { hasAccountOptedOut, hasProvedAddress } from '../../../db/identity/accounts.js';
import type { IdentityStore } from '../../../db/identity/identity-store.js';
import type { LoginChannel } from '../../../db/identity/models/login-code.js';
import { selectNumbersOfService } from '../../../db/identity/phone-number-routes.js';
import { outboundTextsOf } from '../../../db/identity/workspaces.js';
import { findMember, isMemberDisabled, type MemberRow } from '../../../db/people/members.js';
import type { AnyTx, Tx } from '../../../db/tx.js';
import { optOutUnclear } from '../../kernel/alert-colleague.js';
import {
  classifyPhoneNumber,
  countriesOf,
  refusalOfDestination,
} from '../phone-numbers/phone-destination.js';

type OutreachChannel = 'phone-sms' | 'phone-voice' | 'email';

/** Why a message may not be sent. The codes contain no personal data. */
export type OutreachRefusal =
  | 'member_deleted'
  | 'member_disabled'
  | 'opted_out'
  | 'notifications_disabled'
  | 'unproved_address'
  | 'daily_cap'
  | 'workspace_daily_cap'
  | 'country_not_allowed'
  | 'premium_number'
  | 'number_of_service';

interface Outreach {
  /**
   * Why the member is contacted. By the service itself: `notice`, and `handoff_notice` where chats wait for a person. Login
   * codes have their own gate, `refusalOfCode`.
   */
  purpose: 'reply' | 'agent_initiated' | 'task' | 'opt_out_confirmation' | 'notice' | 'handoff_notice';
  channel: OutreachChannel;
  memberId: number;
  recipient: string;
  /** The address or number that it is queued from. */
  sender?: string;
  now: Date;
  /** Of a text: whether the workspace begins with it, and does not answer a person who has texted. */
  isStarted?: boolean;
  /** The delivery about to be sent, which does not count against the daily cap. */
  deliveryId?: number;
}

/** Maximum number of messages to one number within 24 hours. */
export const maxMessagesADay = 250;
/** Maximum number of texts that a workspace begins to one number within 24 hours. */
export const maxStartedToNumberADay = 50;
/** How many texts a workspace begins within 24 hours: by default, and as it may say. */
export const textsPerDay = { usual: 10_000, min: 1, most: 100_000 };
/** Maximum number of emails to one address within 24 hours: two programs that answer each other send no more. */
export const maxEmailsADay = 100;
/**
 * Maximum number of emails that agents and tasks of a workspace begin within 24 hours through the service's relay, whose
 * reputation all workspaces share. Replies, and inboxes with a mail server of their own, are not bounded by it.
 */
export const maxStartedByRelayADay = 2_000;
/** Maximum number of notices to one member within 24 hours, without those that chats wait. */
export const maxNoticesADay = 20;
/**
 * Maximum number of notices that chats wait, to one member on one channel within 24 hours: as many as the shortest interval
 * (`everyMinutes`) allows. It limits a workspace that switches them off and on again, which begins the interval anew.
 */
export const maxHandoffNoticesADay = (24 * 60) / 5;
const dayMs = 24 * 3_600_000;

/**
 * The outreach gate, for all rules that prevent messages: checked when a message is queued and again when it is sent.
 * Returns why the message may not be sent.
 */
export async function refusalOf(tx: Tx, outreach: Outreach): Promise<OutreachRefusal | undefined> {
  const { purpose, channel, memberId, recipient } = outreach;
  const member = await findMember(tx, memberId);
  if (member === undefined) return 'member_deleted';
  if (await isMemberDisabled(tx, memberId)) return 'member_disabled';
  // Who has said STOP is not called either.
  const isPhone = channel !== 'email';
  // The one message that says so to who has opted out.
  const confirms = purpose === 'opt_out_confirmation';
  if (isPhone && !confirms && (member.smsOptedOutAt !== null || (await hasOptedOut(tx, recipient))))
    return 'opted_out';
  if (channel === 'phone-voice' && (await hasOptedOutOfCalls(tx, { memberId, recipient })))
    return 'opted_out';
  if (channel === 'phone-sms') {
    if (classifyPhoneNumber(recipient)?.isPremiumRate === true) return 'premium_number';
    // Two agents of the service would write to each other.
    if ((await selectNumbersOfService(tx, [recipient])).length > 0) return 'number_of_service';
    if (await isCapReached(tx, outreach, maxMessagesADay)) return 'daily_cap';
    const refused = outreach.isStarted === true ? await refusalOfStarted(tx, outreach) : undefined;
    if (refused !== undefined) return refused;
  }
  if (channel === 'email' && !isNotice(purpose) && !confirms) {
    const refused = await refusalOfEmail(tx, outreach);
    if (refused !== undefined) return refused;
  }
  // A member who writes gets replies regardless of the notification settings.
  if (purpose === 'reply' || confirms) return undefined;
  if (!isNotice(purpose) && (await hasChatPausedFor(tx, memberId, optOutUnclear))) return 'opted_out';
  if (!wantsNotifications(member, channel)) return 'notifications_disabled';
  if (await hasAccountOptedOut(tx, memberId)) return 'opted_out';
  return isNotice(purpose) ? refusalOfNotice(tx, outreach) : undefined;
}

/**
 * Where the workspace begins to text, and how often: who has texted is answered wherever they are. The bounds are checked where
 * a text is queued: what is queued is within them.
 */
async function refusalOfStarted(
  tx: Tx,
  { recipient, sender, deliveryId, now }: Outreach,
): Promise<OutreachRefusal | undefined> {
  const settings = await outboundTextsOf(tx);
  const countries = settings?.smsCountries ?? countriesOf(sender === undefined ? [] : [sender]);
  const place = refusalOfDestination(recipient, countries);
  if (place !== undefined || deliveryId !== undefined) return place;
  const since = new Date(now.getTime() - dayMs);
  const toNumber = { since, recipient, most: maxStartedToNumberADay };
  if ((await countStartedTexts(tx, toNumber)) >= toNumber.most) return 'daily_cap';
  const most = settings?.smsPerDay ?? textsPerDay.usual;
  return (await countStartedTexts(tx, { since, most })) >= most ? 'workspace_daily_cap' : undefined;
}

/** Whether a keyword is answered: what was texted from a number that costs more than others, or of the service, is not. */
export async function mayAnswerKeyword(tx: Tx, recipient: string): Promise<boolean> {
  return answersKeyword(recipient) && (await selectNumbersOfService(tx, [recipient])).length === 0;
}

/** As `mayAnswerKeyword`, for the number of login codes, which belongs to no workspace. */
export function answersKeyword(recipient: string): boolean {
  return classifyPhoneNumber(recipient)?.isPremiumRate !== true;
}

function isNotice(purpose: Outreach['purpose']): boolean {
  return purpose === 'notice' || purpose === 'handoff_notice';
}

/**
 * What a recipient or its mail server has told the workspace. Unsubscribing by the link leaves replies: people who write
 * get answers. What servers reported stops these as well. Notices of the service are not from the workspace's inboxes.
 */
async function refusalOfEmail(
  tx: Tx,
  outreach: Outreach,
): Promise<Extract<OutreachRefusal, 'opted_out' | 'daily_cap'> | undefined> {
  const optOut = await findEmailOptOut(tx, outreach.recipient, outreach.now);
  if (optOut !== undefined && (optOut !== 'link' || outreach.purpose !== 'reply')) return 'opted_out';
  if (await isCapReached(tx, outreach, maxEmailsADay)) return 'daily_cap';
  return (await isRelayUsedUp(tx, outreach)) ? 'daily_cap' : undefined;
}

/** Checked where an email is queued: what is queued is within the bound. */
async function isRelayUsedUp(tx: Tx, { purpose, sender, now }: Outreach): Promise<boolean> {
  if (purpose === 'reply' || sender === undefined) return false;
  const inbox = await findInboxByAddress(tx, sender);
  if (inbox === undefined || inbox.smtpHost !== null) return false;
  const since = new Date(now.getTime() - dayMs);
  return (await countStartedByRelay(tx, since, maxStartedByRelayADay)) >= maxStartedByRelayADay;
}

/**
 * The gate for login codes, which belong to no workspace: a STOP to the number of the codes blocks them. Where they may go, and how
 * many to a country, is for `countSms`, which asks the same table of places.
 */
export async function refusalOfCode(
  tx: AnyTx,
  { codeOptOuts }: Pick<IdentityStore, 'codeOptOuts'>,
  { channel, recipient }: { channel: LoginChannel; recipient: string },
): Promise<Extract<OutreachRefusal, 'opted_out'> | undefined> {
  if (channel === 'email') return undefined;
  return (await codeOptOuts.has(recipient, tx)) ? 'opted_out' : undefined;
}

/** The service writes only to addresses that their owners proved; others are claims of the workspace. */
async function refusalOfNotice(
  tx: Tx,
  { purpose, channel, memberId, recipient, now }: Outreach,
): Promise<OutreachRefusal | undefined> {
  const address = { channel: channel === 'email' ? 'email' : 'phone', address: recipient } as const;
  if (!(await hasProvedAddress(tx, memberId, address))) return 'unproved_address';
  const since = new Date(now.getTime() - dayMs);
  // Each kind for itself: that chats wait must not keep an admin from learning that the credits are used up.
  if (purpose === 'handoff_notice') {
    const kind = { memberId, channel: channel === 'email' ? 'email' : 'sms', since } as const;
    return (await countHandoffNoticesTo(tx, kind)) >= maxHandoffNoticesADay ? 'daily_cap' : undefined;
  }
  return (await countNoticesTo(tx, memberId, since)) >= maxNoticesADay ? 'daily_cap' : undefined;
}

function wantsNotifications(member: MemberRow, channel: OutreachChannel): boolean {
  if (channel === 'phone-sms') return member.notifySms;
  return channel === 'email' ? member.notifyEmail : member.notifyVoice;
}

async function isCapReached(
  tx: Tx,
  { recipient, now, deliveryId }: Outreach,
  most: number,
): Promise<boolean> {
  const since = new Date(now.getTime() - dayMs);
  const bounds = { since, except: deliveryId ?? 0, most };
  return (await countDeliveriesTo(tx, recipient, bounds)) >= most;
}
