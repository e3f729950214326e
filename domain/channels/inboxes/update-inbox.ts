import { type InboxRow, lockInbox, patchInbox } from '../../../db/channels/inboxes.js';
import { givenNames, recordAudit } from '../../kernel/audit/record-audit.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import { requireRoom } from './create-inbox.js';
import { isRelayed } from './inbox-address.js';
import { columnsOfSettings, type InboxesContext, type InboxSettings } from './inboxes.js';
import { columnsOfServer, noServer, sealPassword } from './smtp-settings.js';

/** The address cannot change, because it stands in what was sent. @throws NotFound, InvalidInput, Conflict `too_many_inboxes` */
export async function updateInbox(
  { actor, db, clock, encryption, policy }: InboxesContext,
  id: number,
  input: InboxSettings,
): Promise<InboxRow> {
  actor.require('inboxes:write');
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const stored = await lockInbox(tx, id);
    if (stored === undefined) throw new NotFound('Inbox');
    if (input.enabled === true && !stored.enabled) await requireRoom(tx);
    const { smtp } = input;
    if (smtp === null && !isRelayed(stored.address, policy)) {
      throw InvalidInput.field('/smtp', 'is required: the service itself does not send for the address');
    }
    const seal = (password: string) => sealPassword(encryption, stored, password);
    const server =
      smtp === undefined ? {} : smtp === null ? noServer : columnsOfServer(smtp, policy, seal, stored);
    recordAudit(tx, { clock, actor }, 'inbox:updated', { subject: ['inbox', id], names: givenNames(input) });
    const settings = await columnsOfSettings(tx, input);
    return patchInbox(tx, id, { ...settings, ...server, updatedAt: clock.now() });
  });
}
