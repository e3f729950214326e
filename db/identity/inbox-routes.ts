import type { Tx } from '../tx.js';
import { IdentityTable } from './identity-table.js';
import { InboxRouteModel, type InboxRouteRow } from './models/inbox-route.js';

type InboxRoute = Pick<InboxRouteRow, 'workspaceId' | 'inboxId'>;

/** The mapping of email addresses to workspaces, by which received mail finds its tenant. */
export class InboxRoutesTable extends IdentityTable {
  /** Claims an address (in lower case) for an inbox; false when another inbox has it. */
  async claim(
    address: string,
    inboxUuid: string,
    { workspaceId, inboxId }: InboxRoute,
    tx?: Tx,
  ): Promise<boolean> {
    const route = { address, inboxUuid, workspaceId, inboxId };
    return (await InboxRouteModel.insertOnce(tx ?? this.knex, route, ['address'])) !== undefined;
  }

  async find(address: string): Promise<InboxRouteRow | undefined> {
    return InboxRouteModel.first(this.knex, 'address = ?', [address]);
  }

  async findByUuid(inboxUuid: string): Promise<InboxRouteRow | undefined> {
    return InboxRouteModel.first(this.knex, 'inbox_uuid = ?', [inboxUuid]);
  }

  /** Releases an address; only the inbox that holds it can. */
  async release(address: string, { workspaceId, inboxId }: InboxRoute, tx?: Tx): Promise<boolean> {
    const isHeld = 'address = ? and workspace_id = ? and inbox_id = ?';
    return (await InboxRouteModel.deleteWhere(tx ?? this.knex, isHeld, [address, workspaceId, inboxId])) > 0;
  }
}
