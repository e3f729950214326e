import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { readInboxSearch } from '../inbox/search.js';
import { FailedPage, NotFoundPage } from './problem-pages.js';
import { Root } from './root.js';
import { WorkspaceShell } from './workspace-shell.js';
import { WorkspacesPage } from './workspaces-page.js';

const root = createRootRoute({
  component: Root,
  notFoundComponent: NotFoundPage,
  errorComponent: FailedPage,
});

const workspaces = createRoute({ getParentRoute: () => root, path: '/', component: WorkspacesPage });

const workspace = createRoute({
  getParentRoute: () => root,
  path: '/w/$workspace',
  component: WorkspaceShell,
});

const home = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  component: lazyRouteComponent(() => import('../home/home-page.js'), 'HomePage'),
});

const inbox = createRoute({
  getParentRoute: () => workspace,
  path: 'inbox',
  validateSearch: readInboxSearch,
  component: lazyRouteComponent(() => import('../inbox/inbox-page.js'), 'InboxPage'),
});

const chat = createRoute({
  getParentRoute: () => inbox,
  path: '$chatId',
  component: lazyRouteComponent(() => import('../inbox/inbox-page.js'), 'OpenChat'),
});

export const router = createRouter({
  basepath: '/console',
  routeTree: root.addChildren([workspaces, workspace.addChildren([home, inbox.addChildren([chat])])]),
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
