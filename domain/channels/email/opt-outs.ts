import {
  type EmailOptOut,
  type EmailOptOutSource,
  emailOptOutSources,
  removeEmailOptOuts,
  selectEmailOptOuts,
} from '../../../db/channels/email-opt-outs.js';
import { hasProvedAddress } from '../../../db/identity/accounts.js';
import { findMember, lockMember } from '../../../db/people/members.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, NotFound } from '../../lib/errors.js';

/** What the person has done itself, by the link or by calling an email spam: nobody consents for another. */
const personal: ReadonlySet<EmailOptOutSource> = new Set(['link', 'complaint']);

/** How the address of a member has opted out of email. @throws NotFound, Forbidden */
export async function listEmailOptOuts(
  { actor, db, clock }: CommandContext,
  memberId: number,
): Promise<EmailOptOut[]> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const member = await findMember(tx, memberId);
    if (member === undefined) throw new NotFound('Member');
    actor.requireSelfOr(memberId, 'members:read');
    return member.email === null ? [] : selectEmailOptOuts(tx, member.email, clock.now());
  });
}

/**
 * Lifts what stops email to the address of a member: all of it for the caller's own member, whose account has proved the
 * address; otherwise that the mailbox did not exist. Without the proof, whoever gives a member the address of another
 * person could consent for that one.
 * @throws NotFound, Forbidden, Conflict `opted_out` where only the person can lift it
 */
export async function liftEmailOptOuts(
  { actor, db, clock }: CommandContext,
  memberId: number,
): Promise<void> {
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const member = await lockMember(tx, memberId);
    if (member === undefined) throw new NotFound('Member');
    actor.requireSelfOr(memberId, 'members:write');
    if (member.email === null) return;
    const proof = { channel: 'email', address: member.email } as const;
    if (memberId === actor.memberId && (await hasProvedAddress(tx, memberId, proof))) {
      return removeEmailOptOuts(tx, member.email, emailOptOutSources);
    }
    const found = await selectEmailOptOuts(tx, member.email, clock.now());
    if (found.some(({ source }) => personal.has(source))) {
      throw new Conflict(
        'opted_out',
        'The person has unsubscribed from email, and only the person can lift that.',
      );
    }
    await removeEmailOptOuts(tx, member.email, ['bounce']);
  });
}
