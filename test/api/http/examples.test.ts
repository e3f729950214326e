import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../api/http/openapi.js';
import type { Route } from '../../../api/http/route.js';
import { compileRequest } from '../../../api/http/validation/validation.js';
import { routes } from '../../../api/resources/index.js';

const document = openApiDocument(routes);
const titled = routes.map((route) => [route.operationId, route] as const);

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  example?: string | number | boolean;
}

function parametersOf(route: Route, place: 'path' | 'query'): Parameter[] {
  const parameters = document.paths[route.path]?.[route.method.toLowerCase()]?.parameters ?? [];
  return (parameters as Parameter[]).filter((one) => one.in === place);
}

/** The examples of parameters as text, as a URL has them. */
function examplesOf(route: Route, place: 'path' | 'query'): Record<string, string> {
  const given = parametersOf(route, place).filter(({ example }) => example !== undefined);
  return Object.fromEntries(given.map(({ name, example }) => [name, String(example)]));
}

describe.each(titled)('the example of %s', (_operationId, route) => {
  it('has every parameter of the path, and every required one of the query', () => {
    const needed = [...parametersOf(route, 'path'), ...parametersOf(route, 'query')].filter(
      ({ required }) => required,
    );
    expect(needed.filter(({ example }) => example === undefined)).toEqual([]);
  });

  it('has a body if the operation takes one, and a file if it takes one', () => {
    expect(route.example?.body !== undefined).toBe(route.body !== undefined);
    expect(route.example?.file !== undefined).toBe(route.file !== undefined);
  });

  it('is a valid request', () => {
    const { params, query, body } = compileRequest(route);
    params(examplesOf(route, 'path'));
    query(examplesOf(route, 'query'));
    body(structuredClone(route.example?.body));
  });
});
