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
    anyoneMayJoin: Type.Boolean({
      description: 'Whether everyone who is signed in may join (`POST /o/{org_uuid}/join`)',
    }),
    sso: Type.Object(
      {
        enabled: Type.Boolean({ description: 'Whether people can sign in by an identity provider' }),
        only: Type.Boolean({ description: 'Whether there is no other way into its workspaces' }),
        startUrl: Nullable(Type.String({ description: 'Where signing in begins; null: it is not enabled' })),
      },
      { description: 'What a page for signing in has to know of single sign-on' },
    ),
  },
  { $id: 'PublicOrganizationConfig' },
);

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
  // A copy is younger than the address of the logo lasts.
  publicSeconds: 60,
  handler: async ({ context, services, params }) => {
    const { organization, logo, hasProvider } = await getPublicOrganization(context, params.org);
    const { uuid, name, slug, ssoOnly } = organization;
    const anyoneMayJoin = organization.anyoneMayJoin && !ssoOnly;
    const startUrl = hasProvider ? `${services.calls.apiUrl}/o/${slug}/sso/start` : null;
    const file = logo && { ...logo.file, content: logo.content };
    const logoUrl =
      logo && file ? bytesAddress(services, logo.workspaceUuid, file, context.clock.now()) : null;
    const sso = { enabled: hasProvider, only: ssoOnly, startUrl };
    return { uuid, name, slug, logoUrl, anyoneMayJoin, sso };
  },
});

export const organizationConfigRoutes = [getConfig];
