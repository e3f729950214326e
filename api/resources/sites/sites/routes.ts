import type { CommandContext } from '../../../../domain/kernel/context.js';
import { createSite } from '../../../../domain/sites/sites/create-site.js';
import { deleteSite } from '../../../../domain/sites/sites/delete-site.js';
import { duplicateSite } from '../../../../domain/sites/sites/duplicate-site.js';
import { getSite, listSites } from '../../../../domain/sites/sites/read-sites.js';
import { lockSiteForChange } from '../../../../domain/sites/sites/require-site.js';
import { updateSite } from '../../../../domain/sites/sites/update-site.js';
import { workspaceMember } from '../../../http/access.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
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

const full = 'The workspace has 100 sites, the most it may (`too_many_sites`).';

const sites = resource({
  tag: 'Sites',
  path: '/w/{workspace_uuid}/sites',
  read: workspaceMember({ scope: 'sites:read' }),
  write: editors.write,
});

const list = sites.list({
  operationId: 'listSites',
  summary: 'List sites',
  description:
    'All sites of the workspace, public or not; only its public ones with the token of a sign-up form. Fields that only the team of a site needs are for roles with a permission for sites.',
  query: ListSitesQuery,
  response: SitePage,
  handler: async ({ context, services, query }) =>
    presentPage(query, await listSites(context, query), presentSite(services.sites)),
});

const create = sites.create({
  operationId: 'createSite',
  audit: ['site:created'],
  summary: 'Create a site',
  description:
    'The caller is its owner. No visitor sees it unless `isPublic` is true. A workspace has at most 100 sites. A domain is claimed by `PUT …/domain`.',
  body: CreateSiteRequest,
  example: {
    body: { name: 'Summer campaign', theme: 'patient-engagement-demo', availableLocales: ['en-US', 'es-US'] },
    once: true,
  },
  response: SiteResponse,
  errors: { 409: full },
  handler: async ({ context, services, body }) =>
    presentSite(services.sites)(await createSite(context, body)),
});

const get = sites.get('/{site_id}', {
  operationId: 'getSite',
  summary: 'Get a site',
  response: SiteResponse,
  etag: { except: ['organizationLogoUrl'] },
  handler: async ({ context, services, params }) =>
    presentSite(services.sites)(await getSite(context, params.site_id)),
});

const lock = ({ context, params }: { context: CommandContext; params: { site_id: number } }) =>
  lockSiteForChange(context, params.site_id);

const update = sites.update('/{site_id}', {
  operationId: 'updateSite',
  audit: ['site:updated'],
  summary: 'Change a site',
  description:
    'A new `defaultWorkflowId` holds for chats that begin from then on; chats that have begun keep their workflow and its revision.',
  body: UpdateSiteRequest,
  example: { body: { tagLine: 'Care close to home', themeSettings: { light: { primary: '#0f6b5c' } } } },
  response: SiteResponse,
  ifMatch: { current: get, lock },
  handler: async ({ context, services, params, body }) =>
    presentSite(services.sites)(await updateSite(context, params.site_id, body)),
});

const remove = sites.remove('/{site_id}', {
  operationId: 'deleteSite',
  summary: 'Delete a site',
  description: 'With its pages and its menu; its domain is given back. Its files stay.',
  example: { params: { site_id: demo.siteToDelete }, once: true },
  ifMatch: { current: get, lock },
  handler: async ({ context, params }) => deleteSite(context, params.site_id),
});

const duplicate = sites.create('/{site_id}/duplicate', {
  operationId: 'duplicateSite',
  summary: 'Duplicate a site',
  description: 'A site of the caller’s with the settings of this one. It is not public, and has no domain.',
  body: DuplicateSiteRequest,
  example: { body: { name: 'Demo Clinic, next year' }, once: true },
  response: SiteResponse,
  errors: { 409: full },
  handler: async ({ context, services, params, body }) =>
    presentSite(services.sites)(await duplicateSite(context, params.site_id, body)),
});

export const siteRoutes = [list, create, get, update, remove, duplicate];
