import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { readCallsSearch } from '../calls/search.js';
import { readRecordsSearch } from '../data/search.js';
import { readFailedSearch, readFiguresSearch } from '../figures/search.js';
import { readFilesSearch } from '../files/search.js';
import { inboxPage } from '../inbox/queries.js';
import { readInboxSearch } from '../inbox/search.js';
import { queryClient } from '../kit/query-client.js';
import { readMembersSearch } from '../members/search.js';
import { readAssignmentsSearch, readPictureSearch } from '../runs/search.js';
import { readCrawlSearch, readPageSearch, readPagesSearch, readSitesSearch } from '../sites/search.js';
import { readDeliveriesSearch, readEventsSearch, readRulesSearch } from '../webhooks/search.js';
import { readEditorSearch, readWorkflowsSearch } from '../workflows/search.js';
import { joinOrganization, organization, organizationPages, organizations } from './organization-routes.js';
import { peopleSettings } from './people-settings.js';
import { root, settings, workspace } from './route-roots.js';
import { settingsPages } from './settings-pages.js';
import { WorkspacesPage } from './workspaces-page.js';

const workspaces = createRoute({ getParentRoute: () => root, path: '/', component: WorkspacesPage });

const home = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  component: lazyRouteComponent(() => import('../home/home-page.js'), 'HomePage'),
});

const inbox = createRoute({
  getParentRoute: () => workspace,
  path: 'inbox',
  validateSearch: readInboxSearch,
  loaderDeps: ({ search }) => search,
  // What the page shows first is asked for together with the workspace, not after it.
  loader: ({ params, deps }) => void queryClient.prefetchQuery(inboxPage(params.workspace, deps, 1)),
  component: lazyRouteComponent(() => import('../inbox/inbox-page.js'), 'InboxPage'),
});

const chat = createRoute({
  getParentRoute: () => inbox,
  path: '$chatId',
  component: lazyRouteComponent(() => import('../inbox/inbox-page.js'), 'OpenChat'),
});

const members = createRoute({
  getParentRoute: () => workspace,
  path: 'members',
  validateSearch: readMembersSearch,
  component: lazyRouteComponent(() => import('../members/members-page.js'), 'MembersPage'),
});

const memberImport = createRoute({
  getParentRoute: () => workspace,
  path: 'members/import',
  component: lazyRouteComponent(() => import('../members/import-page.js'), 'ImportPage'),
});

const member = createRoute({
  getParentRoute: () => workspace,
  path: 'members/$memberId',
  component: lazyRouteComponent(() => import('../members/member-page.js'), 'MemberPage'),
});

const figures = createRoute({
  getParentRoute: () => workspace,
  path: 'figures',
  validateSearch: readFiguresSearch,
  component: lazyRouteComponent(() => import('../figures/figures-page.js'), 'FiguresPage'),
});
const failedMessages = createRoute({
  getParentRoute: () => workspace,
  path: 'figures/failed',
  validateSearch: readFailedSearch,
  component: lazyRouteComponent(() => import('../figures/failed-page.js'), 'FailedPage'),
});
const runs = createRoute({ getParentRoute: () => workspace, path: 'runs' });

const runPages = [
  createRoute({
    getParentRoute: () => runs,
    path: '/',
    validateSearch: readAssignmentsSearch,
    component: lazyRouteComponent(() => import('../runs/assignments-page.js'), 'AssignmentsPage'),
  }),
  createRoute({
    getParentRoute: () => runs,
    path: '$assignmentId',
    component: lazyRouteComponent(() => import('../runs/assignment-page.js'), 'AssignmentPage'),
  }),
  createRoute({
    getParentRoute: () => runs,
    path: 'workflows/$workflowId',
    validateSearch: readPictureSearch,
    component: lazyRouteComponent(() => import('../runs/workflow-page.js'), 'WorkflowPage'),
  }),
] as const;

const data = createRoute({ getParentRoute: () => workspace, path: 'data' });

const dataPages = [
  createRoute({
    getParentRoute: () => data,
    path: '/',
    component: lazyRouteComponent(() => import('../data/types-page.js'), 'TypesPage'),
  }),
  createRoute({
    getParentRoute: () => data,
    path: 'new',
    component: lazyRouteComponent(() => import('../data/type-page.js'), 'NewTypePage'),
  }),
  createRoute({
    getParentRoute: () => data,
    path: '$typeId',
    validateSearch: readRecordsSearch,
    component: lazyRouteComponent(() => import('../data/records-page.js'), 'RecordsPage'),
  }),
  createRoute({
    getParentRoute: () => data,
    path: '$typeId/fields',
    component: lazyRouteComponent(() => import('../data/type-page.js'), 'FieldsPage'),
  }),
  createRoute({
    getParentRoute: () => data,
    path: '$typeId/import',
    component: lazyRouteComponent(() => import('../data/import-page.js'), 'ImportPage'),
  }),
] as const;

const webhooks = createRoute({ getParentRoute: () => workspace, path: 'webhooks' });

const webhookPages = [
  createRoute({
    getParentRoute: () => webhooks,
    path: '/',
    validateSearch: readRulesSearch,
    component: lazyRouteComponent(() => import('../webhooks/rules-page.js'), 'RulesPage'),
  }),
  createRoute({
    getParentRoute: () => webhooks,
    path: 'new',
    component: lazyRouteComponent(() => import('../webhooks/new-rule-page.js'), 'NewRulePage'),
  }),
  createRoute({
    getParentRoute: () => webhooks,
    path: 'events',
    validateSearch: readEventsSearch,
    component: lazyRouteComponent(() => import('../webhooks/events-page.js'), 'EventsPage'),
  }),
  createRoute({
    getParentRoute: () => webhooks,
    path: '$ruleId',
    validateSearch: readDeliveriesSearch,
    component: lazyRouteComponent(() => import('../webhooks/rule-page.js'), 'RulePage'),
  }),
  createRoute({
    getParentRoute: () => webhooks,
    path: '$ruleId/edit',
    component: lazyRouteComponent(() => import('../webhooks/edit-rule-page.js'), 'EditRulePage'),
  }),
  createRoute({
    getParentRoute: () => webhooks,
    path: '$ruleId/secret',
    component: lazyRouteComponent(() => import('../webhooks/edit-rule-page.js'), 'SecretPage'),
  }),
] as const;

const workflows = createRoute({
  getParentRoute: () => workspace,
  path: 'workflows',
  validateSearch: readWorkflowsSearch,
  component: lazyRouteComponent(() => import('../workflows/workflows-page.js'), 'WorkflowsPage'),
});

const workflow = createRoute({
  getParentRoute: () => workspace,
  path: 'workflows/$workflowId',
  validateSearch: readEditorSearch,
  component: lazyRouteComponent(() => import('../workflows/editor-page.js'), 'EditorPage'),
});

const calls = createRoute({ getParentRoute: () => workspace, path: 'calls' });

const callPages = [
  createRoute({
    getParentRoute: () => calls,
    path: '/',
    validateSearch: readCallsSearch,
    component: lazyRouteComponent(() => import('../calls/calls-page.js'), 'CallsPage'),
  }),
  createRoute({
    getParentRoute: () => calls,
    path: '$callId',
    component: lazyRouteComponent(() => import('../calls/call-page.js'), 'CallPage'),
  }),
] as const;

const templates = createRoute({ getParentRoute: () => workspace, path: 'templates' });

const templatePages = [
  createRoute({
    getParentRoute: () => templates,
    path: '/',
    validateSearch: (search: Record<string, unknown>): { search?: string | undefined } => ({
      search: typeof search.search === 'string' ? search.search : undefined,
    }),
    component: lazyRouteComponent(() => import('../templates/templates-page.js'), 'TemplatesPage'),
  }),
  createRoute({
    getParentRoute: () => templates,
    path: 'new',
    component: lazyRouteComponent(() => import('../templates/template-page.js'), 'NewTemplatePage'),
  }),
  createRoute({
    getParentRoute: () => templates,
    path: '$templateId',
    component: lazyRouteComponent(() => import('../templates/template-page.js'), 'TemplatePage'),
  }),
] as const;

const files = createRoute({
  getParentRoute: () => workspace,
  path: 'files',
  validateSearch: readFilesSearch,
  component: lazyRouteComponent(() => import('../files/files-page.js'), 'FilesPage'),
});
const sites = createRoute({ getParentRoute: () => workspace, path: 'sites' });

const sitePages = [
  createRoute({
    getParentRoute: () => sites,
    path: '/',
    validateSearch: readSitesSearch,
    component: lazyRouteComponent(() => import('../sites/sites-page.js'), 'SitesPage'),
  }),
  createRoute({
    getParentRoute: () => sites,
    path: '$siteId',
    component: lazyRouteComponent(() => import('../sites/look-page.js'), 'LookPage'),
  }),
  createRoute({
    getParentRoute: () => sites,
    path: '$siteId/pages',
    validateSearch: readPagesSearch,
    component: lazyRouteComponent(() => import('../sites/pages-page.js'), 'PagesPage'),
  }),
  createRoute({
    getParentRoute: () => sites,
    path: '$siteId/pages/$pageId',
    validateSearch: readPageSearch,
    component: lazyRouteComponent(() => import('../sites/editor/page-page.js'), 'PagePage'),
  }),
  createRoute({
    getParentRoute: () => sites,
    path: '$siteId/menu',
    component: lazyRouteComponent(() => import('../sites/menu-page.js'), 'MenuPage'),
  }),
  createRoute({
    getParentRoute: () => sites,
    path: '$siteId/settings',
    component: lazyRouteComponent(() => import('../sites/settings-page.js'), 'SettingsPage'),
  }),
  createRoute({
    getParentRoute: () => sites,
    path: '$siteId/domain',
    component: lazyRouteComponent(() => import('../sites/domain-page.js'), 'DomainPage'),
  }),
  createRoute({
    getParentRoute: () => sites,
    path: '$siteId/crawl',
    validateSearch: readCrawlSearch,
    component: lazyRouteComponent(() => import('../sites/crawl/crawl-page.js'), 'CrawlPage'),
  }),
] as const;

export const router = createRouter({
  basepath: '/console',
  routeTree: root.addChildren([
    workspaces,
    organizations,
    joinOrganization,
    organization.addChildren(organizationPages),
    workspace.addChildren([
      home,
      inbox.addChildren([chat]),
      members,
      memberImport,
      member,
      figures,
      failedMessages,
      workflows,
      workflow,
      data.addChildren(dataPages),
      webhooks.addChildren(webhookPages),
      calls.addChildren(callPages),
      templates.addChildren(templatePages),
      runs.addChildren(runPages),
      files,
      settings.addChildren([...settingsPages, ...peopleSettings]),
      sites.addChildren(sitePages),
    ]),
  ]),
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
