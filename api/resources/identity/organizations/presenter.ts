import type { Static } from 'typebox';
import type { OrganizationView } from '../../../../domain/identity/organizations/organizations.js';
import type { OrganizationResponse } from './schemas.js';

export function presentOrganization({
  organization,
  role,
  workspaces,
}: OrganizationView): Static<typeof OrganizationResponse> {
  const {
    uuid,
    name,
    slug,
    joinDomains,
    anyoneMayJoin,
    publicPath,
    ssoOnly,
    logoFileId,
    createdAt,
    updatedAt,
  } = organization;
  return {
    uuid,
    name,
    slug,
    role,
    joinDomains,
    anyoneMayJoin,
    publicPath,
    ssoOnly,
    hasLogo: logoFileId !== null,
    ...(workspaces && { workspaces: workspaces.map((one) => ({ uuid: one.uuid, name: one.name })) }),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
