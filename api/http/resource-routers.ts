import Router from '@koa/router';
import type { Middleware } from 'koa';

/**
 * One router per resource: `/account` and everything below it, `/w/{workspace_uuid}/chats` and everything below it. A
 * router tries its paths one by one, and all resources together have hundreds (docs/decisions/0083-a-single-record.md).
 */
export class ResourceRouters {
  readonly #prefix: string;
  readonly #routers = new Map<string, Router>();

  /** @param prefix common prefix of all paths, without a slash at its end */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Returns the router to add a declared path to. @param path without the prefix */
  routerOf(path: string): Router {
    const resource = resourceOf(path);
    let router = this.#routers.get(resource);
    if (router === undefined) {
      router = new Router({ prefix: this.#prefix });
      this.#routers.set(resource, router);
    }
    return router;
  }

  /** Serves the routes that were added before this call. */
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

/** Paths match case-insensitively. */
function resourceOf(path: string): string {
  const [, first = '', , third = ''] = path.toLowerCase().split('/', 4);
  return first === 'w' ? `w/${third}` : first;
}
