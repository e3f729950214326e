import { fileURLToPath } from 'node:url';

/** Also the extension of the files beside this one: compiled in `dist`, else TypeScript. */
const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));

const fileOf = (name: string) => fileURLToPath(new URL(`../workflows/${name}${extension}`, import.meta.url));

/** What a bundle of the workflows is made of. A replay needs the interceptors too: they change commands. */
export const workflowSources = {
  workflowsPath: fileOf('index'),
  workflowInterceptorModules: [fileOf('interceptors')],
};
