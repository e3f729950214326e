import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readAuditSearch } from '../settings/audit/search.js';
import { root } from './route-roots.js';

/** Organizations are outside of workspaces. */
export const organization = createRoute({
  getParentRoute: () => root,
  path: '/organizations/$organization',
  component: lazyRouteComponent(() => import('../organizations/organization-shell.js'), 'OrganizationShell'),
});

export const organizations = createRoute({
  getParentRoute: () => root,
  path: '/organizations',
  component: lazyRouteComponent(() => import('../organizations/organizations-page.js'), 'OrganizationsPage'),
});

export const joinOrganization = createRoute({
  getParentRoute: () => root,
  path: '/organizations/$organization/join',
  component: lazyRouteComponent(() => import('../organizations/join-page.js'), 'JoinPage'),
});

export const organizationPages = [
  createRoute({
    getParentRoute: () => organization,
    path: '/',
    component: lazyRouteComponent(() => import('../organizations/overview-page.js'), 'OverviewPage'),
  }),
  createRoute({
    getParentRoute: () => organization,
    path: 'people',
    component: lazyRouteComponent(() => import('../organizations/people-page.js'), 'PeoplePage'),
  }),
  createRoute({
    getParentRoute: () => organization,
    path: 'sign-in',
    component: lazyRouteComponent(() => import('../organizations/sign-in-page.js'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => organization,
    path: 'audit',
    validateSearch: readAuditSearch,
    component: lazyRouteComponent(() => import('../organizations/audit-page.js'), 'AuditPage'),
  }),
] as const;
