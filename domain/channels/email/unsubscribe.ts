import {
  type EmailOptOutSource,
  findEmailOptOut,
  insertEmailOptOut,
  removeEmailOptOut,
} from '../../../db/channels/email-opt-outs.js';
import { type EmailRow, findEmailByToken } from '../../../db/channels/emails.js';
import type { Tx } from '../../../db/database.js';
import type { ServiceContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';

/** The link of an email, by which its recipient unsubscribes. */
export interface UnsubscribeLink {
  workspaceUuid: string;
  token: string;
}

/** What the page behind the link shows. */
export interface Unsubscription {
  fromName: string;
  /** How the address has opted out, the one that stops more first; undefined if it has not. */
  optOut: EmailOptOutSource | undefined;
}

/** Reads and changes nothing: mail programs open links by themselves. @throws NotFound */
export async function findUnsubscription(
  context: ServiceContext,
  link: UnsubscribeLink,
): Promise<Unsubscription> {
  return withEmail(context, link, (tx, email) => shown(tx, email, context.clock.now()));
}

/**
 * Unsubscribes the address that an email was sent to from what agents and tasks of the workspace begin, or lifts that. The
 * token stands in that email alone. Repeating it changes nothing. @throws NotFound
 */
export async function setUnsubscribed(
  context: ServiceContext,
  link: UnsubscribeLink,
  isUnsubscribed: boolean,
): Promise<Unsubscription> {
  const now = context.clock.now();
  return withEmail(context, link, async (tx, email) => {
    const { toAddress: recipient } = email;
    if (isUnsubscribed) await insertEmailOptOut(tx, { recipient, optedOutAt: now, source: 'link' });
    else await removeEmailOptOut(tx, recipient);
    return shown(tx, email, now);
  });
}

async function shown(tx: Tx, { fromName, toAddress }: EmailRow, now: Date): Promise<Unsubscription> {
  return { fromName, optOut: await findEmailOptOut(tx, toAddress, now) };
}

async function withEmail<T>(
  context: ServiceContext,
  { workspaceUuid, token }: UnsubscribeLink,
  work: (tx: Tx, email: EmailRow) => Promise<T>,
): Promise<T> {
  const workspace = await context.db.identity.workspaces.findByUuid(workspaceUuid);
  if (workspace === undefined) throw new NotFound('Link');
  return context.db.inWorkspace(workspace.id, async (tx) => {
    const email = await findEmailByToken(tx, 'unsubscribe', token);
    if (email === undefined) throw new NotFound('Link');
    return work(tx, email);
  });
}
