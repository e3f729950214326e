import { createHash } from 'node:crypto';
import { liftOptOutProofs } from '../../../db/channels/opt-out-proofs.js';
import type { PhoneNumberRow } from '../../../db/channels/phone-numbers.js';
import { insertOptOut, markOptedOut, removeOptOuts } from '../../../db/channels/sms-opt-outs.js';
import { type ChatRow, findChatOfSender, lockChat, patchChat } from '../../../db/conversations/chats.js';
import { selectMemberRoles } from '../../../db/people/member-roles.js';
import { findMember } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import { recordOptOut } from '../../channels/outreach/opt-outs.js';
import { watchOptOut } from '../../channels/outreach/record-opt-out.js';
import type { SmsKeyword } from '../../channels/sms/keywords.js';
import type { OptOutWords } from '../../channels/sms/opt-out-words.js';
import { openChat } from '../../chat-state/open-chat.js';
import { storeReceived } from '../../chat-state/store-received.js';
import { alertColleague } from '../../kernel/alert-colleague.js';
import { defaultMemberRole } from '../../people/member-roles/default-member-role.js';
import { addMembers } from '../../people/members/add-member.js';
import { awaitingMedia, beginMedia } from '../media/await-media.js';
import type { InboundSms } from './inbound-sms.js';

/**
 * Takes an SMS of a sender that is no phone number, such as a short code or a name, into a chat of its own on
 * the number: with a member that has the sender as its name and no address, so that nothing can be sent to
 * it, and without an agent. A colleague is alerted. The caller holds the lock of the sender's thread.
 */
export async function receiveUnanswerableSms(
  tx: Tx,
  sms: InboundSms,
  {
    number,
    keyword: word,
    said,
  }: { number: PhoneNumberRow; keyword: SmsKeyword | null; said: OptOutWords | null },
  now: Date,
): Promise<void> {
  const chat = await chatOfSender(tx, sms.from, number, now);
  const tell = await watchOptOut(tx, 'sms', { memberId: chat.memberId }, now);
  const inWords = said?.isClear === true;
  const keyword = inWords ? 'stop' : word;
  if (keyword === 'stop') {
    await markOptedOut(tx, 'id', chat.memberId, now);
    const optOut = {
      recipient: sms.from,
      sender: number.number,
      optedOutAt: now,
      source: 'keyword',
    } as const;
    await insertOptOut(tx, optOut);
    const source = inWords ? 'words' : 'keyword';
    const proof = { source, heardOn: 'phone-sms', words: sms.body } as const;
    const member = { id: chat.memberId };
    await recordOptOut(tx, { channel: 'sms', member, recipient: sms.from, ...proof }, now);
  }
  if (keyword === 'start') {
    await markOptedOut(tx, 'id', chat.memberId, null);
    await removeOptOuts(tx, sms.from);
    await liftOptOutProofs(tx, 'sms', { memberId: chat.memberId, recipient: sms.from }, now);
  }
  await tell(inWords ? 'words' : 'keyword');
  await lockChat(tx, chat.id);
  const written: Parameters<typeof storeReceived>[2] = {
    author: 'member',
    memberId: chat.memberId,
    content: sms.body,
    carrierMessageId: sms.carrierMessageId,
    carrierReceivedAt: sms.missedAt ?? null,
    smsKeyword: keyword,
    ...awaitingMedia(sms.mediaCount ?? 0, now),
  };
  const message = await storeReceived(tx, chat, written, now);
  await beginMedia(tx, message);
  if (word !== null) return;
  await alertColleague(tx, chat, 'sender_without_number', { archived: false, lastMessageReceivedAt: now });
}

async function chatOfSender(tx: Tx, sender: string, number: PhoneNumberRow, now: Date): Promise<ChatRow> {
  const senderKey = createHash('sha256').update(`${number.id} ${sender.trim().toLowerCase()}`).digest('hex');
  const known = await findChatOfSender(tx, senderKey);
  if (known !== undefined && (await findMember(tx, known.memberId)) !== undefined) return known;
  // Its member was deleted.
  if (known !== undefined) await patchChat(tx, known.id, { senderKey: null });
  const role = defaultMemberRole(await selectMemberRoles(tx));
  if (role === undefined) throw new Error('the workspace has no role for new members');
  const [added] = await addMembers(tx, { now }, [
    { values: { name: sender, memberRoleId: role.id }, isVouchedFor: false },
  ]);
  if (added?.status !== 'created') throw new Error('a member without an identifier was not added');
  const place = {
    channel: 'phone-sms',
    chatType: 'simple',
    memberId: added.member.id,
    createdByMemberId: null,
    assistantEnabled: false,
    phoneNumberId: number.id,
    senderKey,
  } as const;
  return (await openChat(tx, place, now)).chat;
}
