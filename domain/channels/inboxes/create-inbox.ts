import { randomUUID } from 'node:crypto';
import { countInboxes, type InboxRow, insertInbox } from '../../../db/channels/inboxes.js';
import { lockSubject } from '../../../db/lock-subject.js';
import type { Tx } from '../../../db/tx.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { Conflict, InvalidInput } from '../../lib/errors.js';
import { isRelayed, isReserved, normalizeInboxAddress } from './inbox-address.js';
import { makeInboundSecret } from './inbox-secret.js';
import { columnsOfSettings, type InboxesContext, type InboxSettings } from './inboxes.js';
import { columnsOfServer, noServer, sealPassword } from './smtp-settings.js';

export interface CreateInbox extends InboxSettings {
  address: string;
  fromName: string;
}

const maxEnabled = 100;
/** One that mails have used cannot be deleted, so that they add up over the years. */
const maxInboxes = 1_000;
const notAvailable = 'This address is not available.';

/**
 * Creates an inbox. Every refusal of an address is the same, to reveal nothing about other tenants. The secret is returned
 * only here.
 * @throws InvalidInput, Conflict `too_many_inboxes`
 */
export async function createInbox(
  { actor, db, clock, encryption, policy }: InboxesContext,
  input: CreateInbox,
): Promise<{ inbox: InboxRow; inboundSecret: string }> {
  actor.require('inboxes:write');
  const address = normalizeInboxAddress(input.address);
  if (address === null) throw refusal('This is not an address that an inbox can have.');
  if (isReserved(address, policy)) throw refusal(notAvailable);
  const { smtp = null } = input;
  if (smtp === null && !isRelayed(address, policy)) {
    const domain = policy.domain === undefined ? 'no domain' : `addresses at ${policy.domain}`;
    throw InvalidInput.field('/smtp', `is required: the service itself sends for ${domain}`);
  }
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    await requireRoom(tx);
    const uuid = randomUUID();
    const named = { uuid, workspaceId: actor.workspaceId };
    const seal = (password: string) => sealPassword(encryption, named, password);
    const { secret: inboundSecret, hash, sealed } = makeInboundSecret(encryption, named);
    const settings = await columnsOfSettings(tx, input);
    const server = smtp === null ? noServer : columnsOfServer(smtp, policy, seal);
    const inbox = await insertInbox(tx, {
      signature: '',
      assistantMemberId: null,
      definitionId: null,
      enabled: true,
      authservId: null,
      ...settings,
      ...server,
      uuid,
      address,
      fromName: input.fromName.trim(),
      inboundSecretHash: hash,
      inboundSecret: sealed,
      createdAt: clock.now(),
    });
    if (inbox === undefined) throw refusal(notAvailable);
    const owner = { workspaceId: actor.workspaceId, inboxId: inbox.id };
    if (!(await db.identity.inboxRoutes.claim(address, uuid, owner, tx))) throw refusal(notAvailable);
    recordAudit(tx, { clock, actor }, 'inbox:created', { subject: ['inbox', inbox.id] });
    return { inbox, inboundSecret };
  });
}

/** Refuses one more enabled inbox than there may be. A lock serializes the count. @throws Conflict `too_many_inboxes` */
export async function requireRoom(tx: Tx): Promise<void> {
  await lockSubject(tx, 'number of inboxes');
  const { all, enabled } = await countInboxes(tx);
  if (enabled < maxEnabled && all < maxInboxes) return;
  const most = `A workspace has at most ${maxEnabled} enabled inboxes, and ${maxInboxes} in all.`;
  throw new Conflict('too_many_inboxes', `${most} Disable one that is not used any more.`);
}

function refusal(message: string): InvalidInput {
  return InvalidInput.field('/address', message);
}
