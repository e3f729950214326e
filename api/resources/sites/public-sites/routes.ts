import { readSite } from '../../../../domain/sites/public/read-site.js';
import { defineRoute } from '../../../http/define-route.js';
import { visitors } from '../access.js';
import { presentSite, presentSiteForVisitor } from '../sites/presenter.js';
import { SiteResponse } from '../sites/schemas.js';

const get = defineRoute({
  operationId: 'readSite',
  method: 'GET',
  path: '/s/{workspace_uuid}/{site_uuid}',
  tag: 'Sites',
  summary: 'Read a site',
  description:
    'A public site, without signing in; members of the workspace read all its sites. Visitors get no fields that only the team of the site needs. Everything else is 404.',
  access: visitors,
  response: { status: 200, schema: SiteResponse },
  handler: async ({ context, services, params }) => {
    const site = await readSite(context, params.site_uuid);
    const present = context.actor === undefined ? presentSiteForVisitor : presentSite;
    return present(services.sites)(site);
  },
});

export const publicSiteRoutes = [get];
