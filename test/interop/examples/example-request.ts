import type { OpenApiDocument, OpenApiOperation } from '../../../api/http/openapi/document.js';

export interface Operation extends OpenApiOperation {
  method: string;
  path: string;
}

/** The operations of the document as its page shows them: by tag, and in the order of the document. */
export function operationsOf({ paths, tags }: OpenApiDocument): Operation[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ ...one, method: method.toUpperCase(), path })),
  );
  return tags.flatMap(({ name }) => all.filter(({ tags: [tag] }) => tag === name));
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  example?: string | number | boolean | number[];
}

/** What differs from the example: what only the reader knows, such as a code that came by mail. */
export interface Known {
  params?: Record<string, string | number>;
  query?: Record<string, unknown>;
  body?: object;
}

/** The example of an operation as a request: only what the document says. */
export function exampleRequest(operation: Operation, known: Known = {}): { path: string; init: RequestInit } {
  const parameters = (operation.parameters ?? []) as Parameter[];
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const found = parameters.find((one) => one.in === 'path' && one.name === name);
    const value = known.params?.[name] ?? found?.example;
    if (value === undefined) throw new Error(`${operation.operationId} has no example of ${name}`);
    return encodeURIComponent(String(value));
  });
  const asked = parameters.flatMap((one): [string, string][] => {
    const value = known.query?.[one.name] ?? one.example;
    return one.in === 'query' && value !== undefined ? [[one.name, String(value)]] : [];
  });
  const query = new URLSearchParams(asked).toString();
  return {
    path: query === '' ? path : `${path}?${query}`,
    init: { method: operation.method, ...bodyOf(operation, known) },
  };
}

function bodyOf({ requestBody }: Operation, { body }: Known): RequestInit {
  const { content = {} } = (requestBody ?? {}) as { content?: Record<string, { example?: object }> };
  const [type, { example } = {}] = Object.entries(content)[0] ?? [];
  if (type === undefined) return {};
  if (type === 'message/rfc822') return { headers: { 'Content-Type': type }, body: String(example) };
  const value = { ...example, ...body };
  if (type === 'application/json') {
    return { headers: { 'Content-Type': type }, body: JSON.stringify(value) };
  }
  const fields = Object.entries(value).map(([name, field]): [string, string] => [name, String(field)]);
  if (type === 'application/x-www-form-urlencoded') return { body: new URLSearchParams(fields) };
  const form = new FormData();
  for (const [name, field] of fields) {
    form.append(name, name === 'file' ? new File([field], 'example.csv', { type: 'text/csv' }) : field);
  }
  return { body: form };
}
