import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { FailedPage, NotFoundPage } from './problem-pages.js';
import { Root } from './root.js';
import { WorkspaceShell } from './workspace-shell.js';

export const root = createRootRoute({
  component: Root,
  notFoundComponent: NotFoundPage,
  errorComponent: FailedPage,
});

export const workspace = createRoute({
  getParentRoute: () => root,
  path: '/w/$workspace',
  component: WorkspaceShell,
});

export const settings = createRoute({
  getParentRoute: () => workspace,
  path: 'settings',
  component: lazyRouteComponent(() => import('../settings/settings-shell.js'), 'SettingsShell'),
});
