import type { HttpRequest } from '../../kernel/ability-configs.js';
import { fillUrlTemplate, isWhole, readUrlTemplate } from '../../lib/url-template.js';

/** What is sent to a web service, without what is secret. */
export interface ComposedRequest {
  method: string;
  /** With its port, unless that is 443. */
  host: string;
  url: string;
  headers: Record<string, string>;
  /** JSON. */
  body: string | undefined;
}

/**
 * Composes a request of these arguments, which match its parameters. Those that the URL does not name are sent in the
 * query of a GET or DELETE, else in the body.
 * @returns the name of an argument that the path cannot carry, as `refused`
 */
export function composeRequest(
  request: Pick<HttpRequest, 'method' | 'url' | 'headers'>,
  input: Readonly<Record<string, unknown>>,
): ComposedRequest | { refused: string } {
  const template = readUrlTemplate(request.url);
  if (typeof template === 'string') throw new Error('a published request has an address that is none');
  const filled = fillUrlTemplate(template, input);
  if ('refused' in filled) return filled;
  const others = Object.entries(input).filter(([name]) => !template.names.includes(name));
  const hasBody = request.method !== 'GET' && request.method !== 'DELETE';
  const headers = Object.fromEntries(
    (request.headers ?? []).flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
  );
  const { method } = request;
  const { host } = template;
  if (hasBody) {
    return { method, host, url: filled.url, headers, body: JSON.stringify(Object.fromEntries(others)) };
  }
  const unsound = others.find(([, value]) => !isWhole(String(value)));
  if (unsound !== undefined) return { refused: unsound[0] };
  const url = new URL(filled.url);
  for (const [name, value] of others) url.searchParams.append(name, String(value));
  return { method, host, url: url.href, headers, body: undefined };
}
