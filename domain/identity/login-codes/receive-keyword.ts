import { findKeyword, type SmsKeyword } from '../../channels/sms/keywords.js';
import type { ServiceContext } from '../../kernel/context.js';
import { normalizePhone } from '../../lib/phone.js';

/** A message to a number that no workspace has. */
export interface SmsToNobody {
  from: string;
  to: string;
  body: string;
  /** The keyword that the carrier took it for, and has answered itself. */
  carrierKeyword?: SmsKeyword;
  at: Date;
}

/** To the number of codes nobody answers a question: what the carrier takes as START is START. */
const alsoStart = new Set(['UNSTOP', 'YES']);

const replies: Record<SmsKeyword, string> = {
  stop: 'You will get no more sign-in codes by text message. Reply START to get them again.',
  start: 'You get sign-in codes by text message again. Reply STOP to stop them.',
  help: 'Sign-in codes are sent from this number to who asks for one. Reply STOP to stop them.',
};

/**
 * Obeys STOP and START that somebody sends to the number of login codes, as the carrier does: whether or not anybody is
 * known by the sender's number. All else that comes to a number which no workspace has is passed over.
 *
 * @returns whether it changed anything, and what to answer, unless the carrier did
 */
export async function receiveCodeKeyword(
  { db }: Pick<ServiceContext, 'db'>,
  { from, to, body, carrierKeyword, at }: SmsToNobody,
): Promise<{ changed: boolean; reply?: string }> {
  const recipient = normalizePhone(from, 'US');
  const keyword = carrierKeyword ?? findKeyword(alsoStart.has(body.trim().toUpperCase()) ? 'START' : body);
  if (recipient === null || keyword === null) return { changed: false };
  return db.inIdentity(async (tx) => {
    const { phoneNumberPool, codeOptOuts } = db.identity;
    if (!(await phoneNumberPool.sendsLoginCodes(to, tx))) return { changed: false };
    const reply = carrierKeyword === undefined ? { reply: replies[keyword] } : {};
    if (keyword === 'help') return { changed: false, ...reply };
    const optsOut = keyword === 'stop';
    const changed = await codeOptOuts.note({ sender: to, recipient, optsOut, heardAt: at }, tx);
    return { changed, ...(changed ? reply : {}) };
  });
}
