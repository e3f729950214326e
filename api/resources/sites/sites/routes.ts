import type { CommandContext } from '../../../../domain/kernel/context.js';
import { createSite } from '../../../../domain/sites/sites/create-site.js';
import { deleteSite } from '../../../../domain/sites/sites/delete-site.js';
import { duplicateSite } from '../../../../domain/sites/sites/duplicate-site.js';
import { getSite, listSites } from '../../../../domain/sites/sites/read-sites.js';
import { lockSiteForChange } from '../../../../domain/sites/sites/require-site.js';
import { updateSite } from '../../../../domain/sites/sites/update-site.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { editors } from '../access.js';
import { presentSite } from './presenter.js';
import {
  CreateSiteRequest,
  DuplicateSiteRequest,
  ListSitesQuery,
  SitePage,
  SiteResponse,
  UpdateSiteRequest,
} from './schemas.js';

const tag = 'Sites';
const path = '/w/{workspace_uuid}/sites';
const pathOfOne = `${path}/{site_id}` as const;
const readers = workspaceMember({ scope: 'sites:read' });

const full = 'The workspace has 100 sites, the most it may (`too_many_sites`).';

const list = defineRoute({
  operationId: 'listSites',
  method: 'GET',
  path,
  tag,
  summary: 'List sites',
  description:
    'All sites of the workspace, public or not; only its public ones with the token of a sign-up form. Fields that only the team of a site needs are for roles with a permission for sites.',
  access: readers,
  query: ListSitesQuery,
  response: { status: 200, schema: SitePage },
  handler: async ({ context, services, query }) =>
    presentPage(query, await listSites(context, query), presentSite(services.sites)),
});

const create = defineRoute({
  operationId: 'createSite',
  audit: ['site:created'],
  method: 'POST',
  path,
  tag,
  summary: 'Create a site',
  description:
    'The caller is its owner. No visitor sees it unless `isPublic` is true. A workspace has at most 100 sites. A domain is claimed by `PUT …/domain`.',
  access: editors.write,
  body: CreateSiteRequest,
  example: {
    body: { name: 'Summer campaign', theme: 'patient-engagement-demo', availableLocales: ['en-US', 'es-US'] },
    once: true,
  },
  response: { status: 201, schema: SiteResponse },
  errors: { 409: full },
  handler: async ({ context, services, body }) =>
    presentSite(services.sites)(await createSite(context, body)),
});

const get = defineRoute({
  operationId: 'getSite',
  method: 'GET',
  path: pathOfOne,
  tag,
  summary: 'Get a site',
  access: readers,
  response: { status: 200, schema: SiteResponse },
  etag: { except: ['organizationLogoUrl'] },
  handler: async ({ context, services, params }) =>
    presentSite(services.sites)(await getSite(context, params.site_id)),
});

const lock = ({ context, params }: { context: CommandContext; params: { site_id: number } }) =>
  lockSiteForChange(context, params.site_id);

const update = defineRoute({
  operationId: 'updateSite',
  audit: ['site:updated'],
  method: 'PUT',
  path: pathOfOne,
  tag,
  summary: 'Change a site',
  description:
    'A new `defaultWorkflowId` holds for chats that begin from then on; chats that have begun keep their workflow and its revision.',
  access: editors.write,
  body: UpdateSiteRequest,
  example: { body: { tagLine: 'Care close to home', themeSettings: { light: { primary: '#0f6b5c' } } } },
  response: { status: 200, schema: SiteResponse },
  ifMatch: { current: get, lock },
  handler: async ({ context, services, params, body }) =>
    presentSite(services.sites)(await updateSite(context, params.site_id, body)),
});

const remove = defineRoute({
  operationId: 'deleteSite',
  method: 'DELETE',
  path: pathOfOne,
  tag,
  summary: 'Delete a site',
  description: 'With its pages and its menu; its domain is given back. Its files stay.',
  access: editors.write,
  example: { params: { site_id: demo.siteToDelete }, once: true },
  response: { status: 204 },
  ifMatch: { current: get, lock },
  handler: async ({ context, params }) => deleteSite(context, params.site_id),
});

const duplicate = defineRoute({
  operationId: 'duplicateSite',
  method: 'POST',
  path: `${pathOfOne}/duplicate`,
  tag,
  summary: 'Duplicate a site',
  description: 'A site of the caller’s with the settings of this one. It is not public, and has no domain.',
  access: editors.write,
  body: DuplicateSiteRequest,
  example: { body: { name: 'Demo Clinic, next year' }, once: true },
  response: { status: 201, schema: SiteResponse },
  errors: { 409: full },
  handler: async ({ context, services, params, body }) =>
    presentSite(services.sites)(await duplicateSite(context, params.site_id, body)),
});

export const siteRoutes = [list, create, get, update, remove, duplicate];
