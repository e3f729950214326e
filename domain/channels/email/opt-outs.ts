import {
  type EmailOptOut,
  type EmailOptOutSource,
  emailOptOutSources,
  removeEmailOptOuts,
  selectEmailOptOuts,
} from '../../../db/channels/email-opt-outs.js';
import { hasProvedAddress } from '../../../db/identity/accounts.js';
import { findMember, lockMember } from '../../../db/people/members.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, NotFound } from '../../lib/errors.js';
import { liftAddressOptOut } from '../outreach/opt-outs.js';
import { watchOptOut } from '../outreach/record-opt-out.js';

/** What the person has done itself, by the link or by calling an email spam: nobody consents for another. */
const personal: ReadonlySet<EmailOptOutSource> = new Set(['link', 'complaint']);

const isOfThePerson =
  'The person has unsubscribed, or called an email spam, and only the person can lift that.';
const needsProof =
  'Only a session of an account that has proved the address can lift that: sign in by a code to the address.';

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
 * Lifts what stops email to the address of a member: all of it in a session of the member's account that has proved the
 * address; otherwise that the mailbox did not exist. Without the proof, who gives a member the address of another person
 * could consent for that one, as could who has a token for the member.
 * @throws NotFound, Forbidden, Conflict `opted_out` where nothing is left that the caller may lift
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
    const tell = await watchOptOut(tx, 'email', { memberId }, clock.now());
    const proof = { channel: 'email', address: member.email } as const;
    const isSelf = memberId === actor.memberId;
    if (isSelf && actor.isInPerson && (await hasProvedAddress(tx, memberId, proof))) {
      recordAudit(tx, { clock, actor }, 'opt_out:lifted', {
        subject: ['member', memberId],
        names: ['email'],
      });
      await liftAddressOptOut(tx, member.email, emailOptOutSources, clock.now());
      return tell('request');
    }
    const found = await selectEmailOptOuts(tx, member.email, clock.now());
    if (found.length > 0 && found.every(({ source }) => personal.has(source))) {
      throw new Conflict('opted_out', isSelf ? needsProof : isOfThePerson);
    }
    if (found.some(({ source }) => source === 'bounce')) {
      const names = ['email', 'bounce'];
      recordAudit(tx, { clock, actor }, 'opt_out:lifted', { subject: ['member', memberId], names });
    }
    await removeEmailOptOuts(tx, member.email, ['bounce']);
    await tell('request');
  });
}
