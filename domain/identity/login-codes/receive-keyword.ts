import { answersKeyword } from '../../channels/outreach/gate.js';
import { findKeyword, type SmsKeyword } from '../../channels/sms/keywords.js';
import { senderPhone } from '../../channels/sms/sender-phone.js';
import type { ServiceContext } from '../../kernel/context.js';

/** An inbound SMS to a number that belongs to no workspace. */
export interface SmsToNobody {
  from: string;
  to: string;
  body: string;
  /** The keyword that the carrier recognized and has already replied to. */
  carrierKeyword?: SmsKeyword;
  at: Date;
}

/** The carrier treats it as START, and to this number it never answers a question. */
const alsoStart = 'YES';

const replies: Record<SmsKeyword, string> = {
  stop: 'You will get no more sign-in codes by text message. Reply START to get them again.',
  start: 'You get sign-in codes by text message again. Reply STOP to stop them.',
  help: 'Sign-in codes are sent from this number to who asks for one. Reply STOP to stop them.',
};

/**
 * Applies STOP and START sent to the number of login codes. @returns whether anything changed, and the reply unless the
 * carrier has replied
 */
export async function receiveCodeKeyword(
  { db }: Pick<ServiceContext, 'db'>,
  { from, to, body, carrierKeyword, at }: SmsToNobody,
): Promise<{ changed: boolean; reply?: string }> {
  const recipient = senderPhone(from);
  const keyword = carrierKeyword ?? findKeyword(body.trim().toUpperCase() === alsoStart ? 'START' : body);
  if (recipient === null || keyword === null) return { changed: false };
  return db.inIdentity(async (tx) => {
    const { phoneNumberPool, codeOptOuts } = db.identity;
    if (!(await phoneNumberPool.sendsLoginCodes(to, tx))) return { changed: false };
    const isAnswered = carrierKeyword === undefined && answersKeyword(recipient);
    const reply = isAnswered ? { reply: replies[keyword] } : {};
    if (keyword === 'help') return { changed: false, ...reply };
    const optsOut = keyword === 'stop';
    const changed = await codeOptOuts.note({ sender: to, recipient, optsOut, heardAt: at }, tx);
    return { changed, ...(changed ? reply : {}) };
  });
}
