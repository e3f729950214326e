import { column, identityTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export class SiteDomainModel extends identityTable('site_domains', {
  id: column<number>(),
  workspaceId: column<number>(),
  siteId: column<number>(),
  /** In punycode, lower case, without a final dot. */
  domain: column<string>('configuration'),
  /** What the TXT record has to say. */
  challenge: column<string>('id'),
  /** When the proof was first found; null: the domain does not map to the site. */
  provedAt: column<Date | null>(),
  /** When the record was last looked up. */
  checkedAt: column<Date | null>(),
  /** Why the last look found no proof: a code. */
  failure: column<string | null>('code'),
  /** Since when each look at a mapped domain has failed. */
  failingSince: column<Date | null>(),
  /** When the domain ceased to map. */
  lapsedAt: column<Date | null>(),
  /** When a mapped domain is looked at next. */
  checkAt: column<Date | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type SiteDomainRow = RowOf<SiteDomainModel>;
