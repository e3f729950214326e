import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Route } from '../../../api/http/define-route.js';
import { parameterNames } from '../../../api/http/path-parameters.js';
import { compileRequest, compileResponse, requestBodySchema } from '../../../api/http/validation.js';
import { routes } from '../../../api/resources/index.js';

const resources = new URL('../../../api/resources/', import.meta.url);
const folders = (await readdir(resources, { withFileTypes: true }))
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

/** The routes each folder's routes.ts exports, found by the shape of what it exports. */
const routesOfFolder = new Map<string, Route[]>();
for (const folder of folders) {
  const exported: Record<string, unknown> = await import(new URL(`${folder}/routes.ts`, resources).href);
  routesOfFolder.set(folder, Object.values(exported).filter(Array.isArray).flat() as Route[]);
}

const titled = routes.map((route) => [`${route.method} ${route.path}`, route] as const);

describe('the list of routes', () => {
  it('names every operation differently', () => {
    const names = routes.map((route) => route.operationId);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('has each method and path once', () => {
    const places = routes.map((route) => `${route.method} ${route.path.replace(/\{\w+\}/g, '{}')}`);
    expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([]);
  });

  it('lists every route that a folder exports', () => {
    const exported = [...routesOfFolder.values()].flat().map((route) => route.operationId);
    expect(routes.map((route) => route.operationId).sort()).toEqual(exported.sort());
  });
});

describe.each([...routesOfFolder])('folder %s', (folder, own) => {
  it('is named after the innermost collection of its paths', () => {
    const elsewhere = own
      .filter((route) => !collectionsOf(route.path).includes(folder))
      .map((route) => route.path);
    expect(elsewhere).toEqual([]);
  });
});

describe.each(titled)('%s', (_title, route) => {
  it('has access, response, tag, summary and operation id', () => {
    expect(route.access.grant).toBeTypeOf('function');
    expect(route.response.status).toBeTypeOf('number');
    expect(route.operationId).toMatch(/^[a-z][A-Za-z]+$/);
    for (const text of [route.tag, route.summary]) expect(text).toMatch(/\S/);
  });

  it('declares just the parameters of its path', () => {
    expect(Object.keys(route.params.properties).sort()).toEqual(parameterNames(route.path).sort());
  });

  it('takes a file if and only if its body has parts', () => {
    expect(route.file !== undefined).toBe(route.consumes === 'multipart');
  });

  it('is not to be repeated by key where its answer is a stream or its body a file', () => {
    const { stream, events } = route.response;
    if (stream !== undefined || events !== undefined || route.file !== undefined) {
      expect(route.idempotent).toBe(false);
    }
  });

  it('has schemas that compile', () => {
    expect(() => [compileRequest(route), compileResponse(route)]).not.toThrow();
  });

  it('takes closed and bounded values only', () => {
    const body = route.body === undefined ? {} : requestBodySchema(route, route.body);
    const loose = [
      ...looseParts(route.params as object as Schema, true, 'path'),
      ...looseParts((route.query ?? {}) as object as Schema, true, 'query'),
      ...looseParts(body as Schema, route.consumes === 'form', 'body'),
    ];
    expect(loose).toEqual([]);
  });
});

/**
 * Folders a path may stand in: its innermost collection, alone or with the collection it belongs to
 * (`assignments/{id}/tasks` → `tasks`, `assignment-tasks`), or what an action is done to.
 */
function collectionsOf(path: string): string[] {
  if (/^\/w\/\{workspace_uuid\}$/.test(path)) return ['workspaces'];
  const segments = path
    .replace(/^\/w\/\{workspace_uuid\}/, '')
    .split('/')
    .slice(1);
  const fixed = segments.filter((segment) => !segment.startsWith('{'));
  const withItem = segments.filter(
    (segment, index) => !segment.startsWith('{') && segments[index + 1]?.startsWith('{'),
  );
  const last = segments.slice(-2);
  // `records/import`: what is done to the collection
  const actedOn = last.every((segment) => !segment.startsWith('{')) ? last[0] : undefined;
  const innermost = [fixed.at(-1), actedOn, withItem.at(-1), fixed[0]].filter((name) => name !== undefined);
  const parent = fixed.at(-2)?.replace(/s$/, '');
  return [...innermost, ...(parent === undefined ? [] : innermost.map((name) => `${parent}-${name}`))];
}

type Schema = Record<string, unknown>;

/** Where a schema lets through what has no end. `open` is for what may hold unknown fields. */
function looseParts(schema: Schema, open: boolean, at: string): string[] {
  const loose: string[] = [];
  const types = [schema.type].flat();
  const isBoundedText = 'maxLength' in schema || 'enum' in schema || 'const' in schema;
  if (types.includes('string') && !isBoundedText) loose.push(`${at}: a string without maxLength`);
  if (types.includes('array') && !('maxItems' in schema)) loose.push(`${at}: an array without maxItems`);
  const isClosed = schema.additionalProperties === false || schema.unevaluatedProperties === false;
  if (types.includes('object') && !open && !isClosed && !('maxProperties' in schema)) {
    loose.push(`${at}: an object without an end`);
  }
  for (const keyword of ['properties', 'patternProperties', '$defs']) {
    for (const [name, inner] of Object.entries((schema[keyword] ?? {}) as Record<string, Schema>)) {
      loose.push(...looseParts(inner, false, `${at}/${name}`));
    }
  }
  for (const keyword of ['items', 'anyOf', 'oneOf', 'prefixItems', 'additionalProperties']) {
    for (const inner of [schema[keyword] ?? []].flat()) {
      if (typeof inner === 'object' && inner !== null)
        loose.push(...looseParts(inner as Schema, false, `${at}/*`));
    }
  }
  return loose;
}
