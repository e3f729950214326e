import { column, identityTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** The identity provider of an organization. */
export class IdentityProviderModel extends identityTable('identity_providers', {
  organizationId: column<number>(),
  /** As the provider calls itself (OpenID Connect Discovery 1.0, 4.3). */
  issuer: column<string>('configuration'),
  clientId: column<string>('configuration'),
  clientSecret: column<Buffer>('encrypted'),
  /** People with addresses of other domains are refused; empty: none is. */
  emailDomains: column<string[]>('configuration'),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type IdentityProviderRow = RowOf<IdentityProviderModel>;
