import {
  exportAuditEvents,
  exportOrganizationAuditEvents,
  listAccountAuditEvents,
  listAuditEvents,
  listOrganizationAuditEvents,
} from '../../../../domain/identity/audit/read-audit.js';
import { signedInPerson, workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentPage } from '../../../http/paging.js';
import {
  AuditEventPage,
  auditFilter,
  ExportAuditEventsQuery,
  ListAccountAuditEventsQuery,
  ListAuditEventsQuery,
} from './schemas.js';

const tag = 'Audit log';
const readers = workspaceMember({ scope: 'audit:read', permission: 'audit:read' });

const list = defineRoute({
  operationId: 'listAuditEvents',
  method: 'GET',
  path: '/w/{workspace_uuid}/audit-events',
  tag,
  summary: 'List what was done in a workspace',
  description:
    'Newest first by default: who did what, when and from where, without content. Kept for `auditRetentionDays` of the workspace. Pages end at the 10,000th event: narrow the list by createdFrom and createdBefore.',
  access: readers,
  query: ListAuditEventsQuery,
  response: { status: 200, schema: AuditEventPage },
  handler: async ({ context, query }) => {
    const { page, pageSize, sortBy, sortOrder, ...filter } = query;
    const found = await listAuditEvents(context, auditFilter(filter), { page, pageSize, sortBy, sortOrder });
    return presentPage(query, found);
  },
});

const exportAll = defineRoute({
  operationId: 'exportAuditEvents',
  audit: ['audit:exported'],
  method: 'GET',
  path: '/w/{workspace_uuid}/audit-events/export',
  tag,
  summary: 'Export what was done in a workspace as a CSV file',
  description:
    'Oldest first, with the same filters as the list and without its bound. The export itself is recorded.',
  access: readers,
  query: ExportAuditEventsQuery,
  response: { status: 200, stream: 'text/csv', description: 'The file; it is cut off if an error occurs' },
  handler: async ({ context, query: { neutralize, ...filter } }) =>
    exportAuditEvents(context, auditFilter(filter), { neutralize }),
});

const listOwn = defineRoute({
  operationId: 'listAccountAuditEvents',
  method: 'GET',
  path: '/account/audit-events',
  tag: 'Account',
  summary: 'List what was done with the own account',
  description:
    'Newest first by default: sign-ins and wrong codes, sessions, API keys, applications, organizations and changes of the account, with where they came from. Needs a session of the account. Kept for a year.',
  access: signedInPerson(),
  query: ListAccountAuditEventsQuery,
  response: { status: 200, schema: AuditEventPage },
  handler: async ({ context, query }) => {
    const { page, pageSize, sortBy, sortOrder, ...filter } = query;
    const request = { page, pageSize, sortBy, sortOrder };
    const found = await listAccountAuditEvents(context, auditFilter(filter), request);
    return presentPage(query, found);
  },
});

const listOfOrganization = defineRoute({
  operationId: 'listOrganizationAuditEvents',
  method: 'GET',
  path: '/organizations/{organization_uuid}/audit-events',
  tag: 'Organizations',
  summary: 'List what was done in an organization',
  description:
    'For its owners and admins, newest first by default: members, invitations, settings, workspaces and sign-ins by the identity provider. Kept for a year.',
  access: signedInPerson({ openToProviders: true }),
  query: ListAuditEventsQuery,
  response: { status: 200, schema: AuditEventPage },
  handler: async ({ context, params, query }) => {
    const { page, pageSize, sortBy, sortOrder, ...filter } = query;
    const request = { page, pageSize, sortBy, sortOrder };
    const uuid = params.organization_uuid;
    const found = await listOrganizationAuditEvents(context, uuid, auditFilter(filter), request);
    return presentPage(query, found);
  },
});

const exportOfOrganization = defineRoute({
  operationId: 'exportOrganizationAuditEvents',
  audit: ['audit:exported'],
  method: 'GET',
  path: '/organizations/{organization_uuid}/audit-events/export',
  tag: 'Organizations',
  summary: 'Export what was done in an organization as a CSV file',
  description:
    'For its owners and admins. Oldest first, with the same filters as the list and without its bound. The export itself is recorded.',
  access: signedInPerson({ openToProviders: true }),
  query: ExportAuditEventsQuery,
  response: { status: 200, stream: 'text/csv', description: 'The file; it is cut off if an error occurs' },
  handler: async ({ context, params, query: { neutralize, ...filter } }) =>
    exportOrganizationAuditEvents(context, params.organization_uuid, auditFilter(filter), { neutralize }),
});

export const auditRoutes = [list, exportAll, listOwn, listOfOrganization, exportOfOrganization];
