import { type EmailOptOutSource, findEmailOptOut } from '../../../db/channels/email-opt-outs.js';
import { findEmailByToken } from '../../../db/channels/emails.js';
import { selectEnabledInboxes } from '../../../db/channels/inboxes.js';
import { findUnsubscribeLink } from '../../../db/channels/unsubscribe-links.js';
import { findMemberByEmail } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import type { ServiceContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import { liftAddressOptOut, optAddressOut } from '../outreach/opt-outs.js';
import { watchOptOut } from '../outreach/record-opt-out.js';

/** How long a link works at least, whatever becomes of its email. The law of some countries wants 30 days, of others 60. */
export const linksLastMs = 60 * 24 * 3_600_000;

/** The link of an email, by which its recipient unsubscribes. */
export interface UnsubscribeLink {
  workspaceUuid: string;
  token: string;
}

/** What the page behind the link shows. */
export interface Unsubscription {
  fromName: string;
  sender: Omit<MailSender, 'address'>;
  /** The language of the recipient; undefined where it is not known who that is. */
  locale: string | undefined;
  /** How the address has opted out, the one that stops more first; undefined if it has not. */
  optOut: EmailOptOutSource | undefined;
}

/** Whose emails they are. */
export interface MailSender {
  name: string;
  postalAddress: string | null;
  /** Where emails of theirs come from; undefined without an inbox. */
  address: string | undefined;
}

/** To whom one may write who has no link that works; undefined: there is no such workspace. */
export async function findSender(
  context: ServiceContext,
  workspaceUuid: string,
): Promise<MailSender | undefined> {
  const workspace = await context.db.identity.workspaces.findByUuid(workspaceUuid);
  if (workspace === undefined) return undefined;
  const [inbox] = await context.db.readInWorkspace(workspace.id, (tx) =>
    selectEnabledInboxes(tx, { limit: 1 }),
  );
  return { name: workspace.name, postalAddress: workspace.postalAddress, address: inbox?.address };
}

/** Reads and changes nothing: mail programs open links by themselves. @throws NotFound */
export async function findUnsubscription(
  context: ServiceContext,
  link: UnsubscribeLink,
): Promise<Unsubscription> {
  return withLink(context, link, (tx, found) => shown(tx, found, context.clock.now()));
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
  return withLink(context, link, async (tx, found) => {
    const { recipient } = found;
    const tell = await watchOptOut(tx, 'email', { email: recipient }, now);
    if (isUnsubscribed) await optAddressOut(tx, recipient, 'link', now);
    else await liftAddressOptOut(tx, recipient, ['link'], now);
    await tell('link');
    return shown(tx, found, now);
  });
}

interface FoundLink {
  fromName: string;
  sender: Omit<MailSender, 'address'>;
  locale: string | undefined;
  /** The address, or its digest where the email is deleted. */
  recipient: string;
}

async function shown(tx: Tx, { recipient, ...found }: FoundLink, now: Date): Promise<Unsubscription> {
  return { ...found, optOut: await findEmailOptOut(tx, recipient, now) };
}

async function withLink<T>(
  context: ServiceContext,
  { workspaceUuid, token }: UnsubscribeLink,
  work: (tx: Tx, link: FoundLink) => Promise<T>,
): Promise<T> {
  const workspace = await context.db.identity.workspaces.findByUuid(workspaceUuid);
  if (workspace === undefined) throw new NotFound('Link');
  return context.db.inWorkspace(workspace.id, async (tx) => {
    const link = await findLink(tx, token, new Date(context.clock.now().getTime() - linksLastMs));
    if (link === undefined) throw new NotFound('Link');
    const { name, postalAddress } = workspace;
    return work(tx, { ...link, sender: { name, postalAddress } });
  });
}

async function findLink(tx: Tx, token: string, since: Date): Promise<Omit<FoundLink, 'sender'> | undefined> {
  const email = await findEmailByToken(tx, 'unsubscribe', token);
  if (email !== undefined) {
    const { fromName, toAddress: recipient } = email;
    return { fromName, recipient, locale: (await findMemberByEmail(tx, recipient))?.locale ?? undefined };
  }
  const link = await findUnsubscribeLink(tx, token, since);
  return link && { fromName: link.fromName, recipient: link.recipientDigest, locale: undefined };
}
