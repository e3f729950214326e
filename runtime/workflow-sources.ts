import { fileURLToPath } from 'node:url';

/** Also the extension of the files beside this one: compiled in `dist`, else TypeScript. */
const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));

const fileOf = (name: string) => fileURLToPath(new URL(`../workflows/${name}${extension}`, import.meta.url));

const workflowsPath = fileOf('index');
const workflowInterceptorModules = [fileOf('interceptors')];

/**
 * What a bundle of the workflows is made of. A replay needs the interceptors too: they change commands. All modules are evaluated
 * once for all runs, and frozen: they hold no state of a run.
 */
export const workflowSources = {
  workflowsPath,
  workflowInterceptorModules,
  preloadModules: [workflowsPath, ...workflowInterceptorModules],
};
