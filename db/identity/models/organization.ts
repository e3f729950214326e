import { column, identityTable, unread } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** A group of workspaces with settings of its own. */
export class OrganizationModel extends identityTable('organizations', {
  id: column<number>(),
  uuid: column<string>(),
  name: column<string>('configuration'),
  slug: column<string>('configuration'),
  /** Who has proved an address of these domains may join; empty: invited people only. */
  joinDomains: column<string[]>('configuration'),
  /** Whoever is signed in may join. */
  anyoneMayJoin: column<boolean>(),
  /** A public picture of one of its workspaces; null: none. */
  logoWorkspaceId: column<number | null>(),
  logoFileId: column<number | null>(),
  /** Its workspaces are entered by its identity provider only. */
  ssoOnly: column<boolean>(),
  /** The name below which the carrier calls back for its workspaces; null: it calls back at the usual addresses. */
  publicPath: column<string | null>('code'),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
  createdByAccountId: unread<number | null>(),
}) {}

export type OrganizationRow = RowOf<OrganizationModel>;
