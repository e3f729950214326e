import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parameterNames } from '../../../api/http/define-route.js';
import type { Route } from '../../../api/http/route.js';
import {
  compileRequest,
  compileResponse,
  requestBodySchema,
} from '../../../api/http/validation/validation.js';
import { routes } from '../../../api/resources/index.js';

const resources = new URL('../../../api/resources/', import.meta.url);
const foldersIn = async (folder: string) =>
  (await readdir(new URL(folder, resources), { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${folder}${entry.name}/`);

/** Folders with a routes.ts, as `area/resource/`. */
const folders = (await Promise.all((await foldersIn('')).map(foldersIn))).flat();
const nameOf = (folder: string) => folder.split('/')[1] ?? '';
const names = folders.map(nameOf);

/** The routes that each routes.ts exports, recognised by their shape. */
const routesOfFolder = new Map<string, Route[]>();
for (const folder of folders) {
  const exported: Record<string, unknown> = await import(new URL(`${folder}routes.ts`, resources).href);
  routesOfFolder.set(folder, Object.values(exported).filter(Array.isArray).flat() as Route[]);
}

const repeated = (texts: string[]) => texts.filter((text, index) => texts.indexOf(text) !== index);

const titled = routes.map((route) => [`${route.method} ${route.path}`, route] as const);

describe('the list of routes', () => {
  it('has unique operation ids', () => {
    expect(repeated(routes.map((route) => route.operationId))).toEqual([]);
  });

  it('contains each method and path once', () => {
    const places = routes.map((route) => `${route.method} ${route.path.replace(/\{\w+\}/g, '{}')}`);
    expect(repeated(places)).toEqual([]);
  });

  it('contains every route that a folder exports', () => {
    const exported = [...routesOfFolder.values()].flat().map((route) => route.operationId);
    expect(routes.map((route) => route.operationId).sort()).toEqual(exported.sort());
  });
});

describe('resource folders', () => {
  it('have unique names across all areas', () => {
    expect(repeated(names)).toEqual([]);
  });

  it.each([...routesOfFolder])('contain exactly the routes of their paths: %s', (folder, own) => {
    const paths = own.map(({ path }) => path);
    expect(paths.filter((path) => resourceOf(path) !== nameOf(folder))).toEqual([]);
  });
});

describe.each(titled)('%s', (_title, route) => {
  it('declares access, response, tag, summary and operation id', () => {
    expect(route.access.grant).toBeTypeOf('function');
    expect(route.response.status).toBeTypeOf('number');
    expect(route.operationId).toMatch(/^[a-z][A-Za-z]+$/);
    for (const text of [route.tag, route.summary]) expect(text).toMatch(/\S/);
  });

  it('declares exactly the parameters of its path', () => {
    expect(Object.keys(route.params.properties).sort()).toEqual(parameterNames(route.path).sort());
  });

  it('declares a file if and only if its body has or is one', () => {
    expect(route.file !== undefined).toBe(['multipart', 'mail'].includes(route.consumes));
  });

  it('is not idempotent by key if it streams or answers with a file', () => {
    if ((route.response.stream ?? route.response.events ?? route.response.file) !== undefined)
      expect(route.idempotent).toBe(false);
  });

  it('has schemas that compile', () => {
    expect(() => [compileRequest(route), compileResponse(route)]).not.toThrow();
  });

  it('accepts only closed and bounded values', () => {
    const body = route.body === undefined ? {} : requestBodySchema(route, route.body);
    const loose = [
      ...looseParts(route.params as object as Schema, true, 'path'),
      ...looseParts((route.query ?? {}) as object as Schema, true, 'query'),
      ...looseParts(body as Schema, route.consumes === 'form', 'body'),
    ];
    expect(loose).toEqual([]);
  });
});

/** Path segments with a longer name in docs/glossary.md, because they have several meanings in the service. */
const longerNames: Record<string, string> = {
  'create-signup': 'sign-up',
  attempts: 'webhook-attempts',
  deliveries: 'webhook-deliveries',
  records: 'data-records',
  s: 'public-sites',
  redeliveries: 'webhook-redeliveries',
  workflows: 'workflow-definitions',
};

/**
 * The one folder of a path: the last segment that is a folder, prefixed with the item it belongs to where such a
 * folder exists (`chats/{id}/events` -> `chat-events`, `assignments/{id}/messages` -> `messages`). All of `sharing` is one.
 */
function resourceOf(path: string): string | undefined {
  if (path === '/w/{workspace_uuid}') return 'workspaces';
  const words = path.split('/').filter((word) => word !== '' && word !== 'w' && !word.startsWith('{'));
  if (words[0] === 'sharing') return 'sharing';
  if (words[0] === 's' && words[1] === 'files') return 'site-files';
  if (words[0] === 's' && (words[1] === 'chat' || words[1] === 'visitors')) return 'visitors';
  for (const [index, word] of [...words.entries()].reverse()) {
    const owner = words[index - 1]?.replace(/s$/, '');
    const found = [`${owner}-${word}`, longerNames[word] ?? word].find((name) => names.includes(name));
    if (found !== undefined) return found;
  }
  return undefined;
}

type Schema = Record<string, unknown>;

/** Paths of a schema that allow unbounded values. `open`: unknown fields are allowed. */
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
