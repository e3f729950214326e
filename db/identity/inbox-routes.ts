import type { Tx } from '../tx.js';
import { IdentityTable } from './columns.js';

/** The workspace and its inbox that mail to an address belongs to. */
export interface InboxRoute {
  workspaceId: number;
  inboxId: number;
}

const table = 'identity.inbox_routes';
const route = { workspaceId: 'workspace_id', inboxId: 'inbox_id' };

/** The mapping of email addresses to workspaces, by which received mail finds its tenant. */
export class InboxRoutesTable extends IdentityTable {
  /** Claims an address (in lower case) for an inbox; false when another inbox has it. */
  async claim(address: string, inboxUuid: string, owner: InboxRoute, tx?: Tx): Promise<boolean> {
    const claimed: unknown[] = await (tx ?? this.knex)(table)
      .insert({
        address,
        inbox_uuid: inboxUuid,
        workspace_id: owner.workspaceId,
        inbox_id: owner.inboxId,
      })
      .onConflict('address')
      .ignore()
      .returning('address');
    return claimed.length > 0;
  }

  async find(address: string): Promise<InboxRoute | undefined> {
    return this.knex(table).select(route).where({ address }).first();
  }

  async findByUuid(inboxUuid: string): Promise<(InboxRoute & { address: string }) | undefined> {
    return this.knex(table)
      .select({ ...route, address: 'address' })
      .where({ inbox_uuid: inboxUuid })
      .first();
  }

  /** Releases an address; only the inbox that holds it can. */
  async release(address: string, owner: InboxRoute, tx?: Tx): Promise<boolean> {
    const released = await (tx ?? this.knex)(table)
      .where({ address, workspace_id: owner.workspaceId, inbox_id: owner.inboxId })
      .delete();
    return released > 0;
  }
}
