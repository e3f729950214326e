import type { Route } from '../http/route.js';
import { routes } from '../resources/index.js';

const byOperation = new Map(routes.map((route) => [route.operationId, route]));

/** The route with this `operationId`. @throws where there is none */
export function routeOf(operationId: string): Route {
  const route = byOperation.get(operationId);
  if (route === undefined) throw new Error(`There is no operation ${operationId}.`);
  return route;
}
