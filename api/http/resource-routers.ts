import Router from '@koa/router';
import type { Middleware } from 'koa';

/**
 * A router for each resource: `/account` and what is below it, `/w/{workspace_uuid}/chats` and what is below it. A router
 * tries its paths one by one, and all resources together have hundreds (docs/decisions/0083-a-single-record.md).
 */
export class ResourceRouters {
  readonly #prefix: string;
  readonly #routers = new Map<string, Router>();

  /** @param prefix what all paths begin with, without a slash at its end */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** The router of a declared path's resource, to which the path is added. @param path without the prefix */
  routerOf(path: string): Router {
    const resource = resourceOf(path);
    let router = this.#routers.get(resource);
    if (router === undefined) {
      router = new Router({ prefix: this.#prefix });
      this.#routers.set(resource, router);
    }
    return router;
  }

  /** Serves what was added until then. */
  serve(): Middleware {
    const prefix = this.#prefix.length;
    const serving = new Map(
      [...this.#routers].map(([resource, router]) => [resource, router.routes() as Middleware]),
    );
    return (ctx, next) => {
      const serve = serving.get(resourceOf(ctx.path.slice(prefix)));
      return serve === undefined ? next() : serve(ctx, next);
    };
  }
}

/** Paths are matched whatever the case of their letters. */
function resourceOf(path: string): string {
  const [, first = '', , third = ''] = path.toLowerCase().split('/', 4);
  return first === 'w' ? `w/${third}` : first;
}
