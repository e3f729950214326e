import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readAuditSearch } from '../settings/audit/search.js';
import { readLabelsSearch } from '../settings/labels/search.js';
import { settings } from './route-roots.js';

/** The settings of a workspace, without those of who may do what. */
export const settingsPages = [
  createRoute({
    getParentRoute: () => settings,
    path: '/',
    component: lazyRouteComponent(() => import('../settings/settings-shell.js'), 'SectionsPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'workspace',
    component: lazyRouteComponent(() => import('../settings/workspace/workspace-page.js'), 'WorkspacePage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'hours',
    component: lazyRouteComponent(() => import('../settings/hours/hours-page.js'), 'HoursPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'notices',
    component: lazyRouteComponent(() => import('../settings/notices/notices-page.js'), 'NoticesPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'calls',
    component: lazyRouteComponent(() => import('../settings/calls/calls-page.js'), 'CallsPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'numbers',
    component: lazyRouteComponent(() => import('../settings/channels/numbers-page.js'), 'NumbersPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'numbers/$numberId',
    component: lazyRouteComponent(() => import('../settings/channels/number-page.js'), 'NumberPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'inboxes',
    component: lazyRouteComponent(() => import('../settings/channels/inboxes-page.js'), 'InboxesPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'inboxes/new',
    component: lazyRouteComponent(() => import('../settings/channels/new-inbox-page.js'), 'NewInboxPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'inboxes/$inboxId',
    component: lazyRouteComponent(() => import('../settings/channels/inbox-page.js'), 'InboxPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'budget',
    component: lazyRouteComponent(() => import('../settings/budget/budget-page.js'), 'BudgetPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'retention',
    component: lazyRouteComponent(() => import('../settings/retention/retention-page.js'), 'RetentionPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'labels',
    validateSearch: readLabelsSearch,
    component: lazyRouteComponent(() => import('../settings/labels/labels-page.js'), 'LabelsPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'labels/$kind/$labelId',
    component: lazyRouteComponent(() => import('../settings/labels/label-page.js'), 'LabelPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'audit',
    validateSearch: readAuditSearch,
    component: lazyRouteComponent(() => import('../settings/audit/audit-page.js'), 'AuditPage'),
  }),
] as const;
