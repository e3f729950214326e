import Type from 'typebox';
import { getPublicOrganization } from '../../../../domain/identity/organizations/public-organization.js';
import { publicAccess } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { Nullable, Uuid } from '../../../http/schemas.js';
import { bytesAddress } from '../../files/bytes-address.js';

const PublicOrganizationConfig = Type.Object(
  {
    uuid: Uuid,
    name: Type.String(),
    slug: Type.String(),
    logoUrl: Nullable(
      Type.String({
        description: 'Address of the logo, good for a quarter of an hour at least; null: there is none',
      }),
    ),
  },
  { $id: 'PublicOrganizationConfig' },
);

/** A copy is younger than the address of the logo lasts. */
const freshSeconds = 60;

const getConfig = defineRoute({
  operationId: 'getOrganizationConfig',
  method: 'GET',
  path: '/o/{org}/config',
  tag: 'Organizations',
  summary: 'Get what a page for signing in shows of an organization',
  description:
    'Without signing in. The organization is found by exactly its UUID or its slug. A copy may be used for a minute.',
  access: publicAccess(),
  response: { status: 200, schema: PublicOrganizationConfig },
  freshSeconds,
  handler: async ({ context, services, params }) => {
    const { organization, logo } = await getPublicOrganization(context, params.org);
    const { uuid, name, slug } = organization;
    const file = logo && { ...logo.file, content: logo.content };
    const logoUrl =
      logo && file ? bytesAddress(services, logo.workspaceUuid, file, context.clock.now()) : null;
    return { uuid, name, slug, logoUrl };
  },
});

export const organizationConfigRoutes = [getConfig];
