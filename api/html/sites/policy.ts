import type { PageScripts } from './scripts.js';

interface Sources {
  scripts: readonly PageScripts[];
  /** Undefined: no script runs. */
  nonce: string | undefined;
  /** The address of the service, if the page is read elsewhere; else empty. */
  service: string;
  /** Whether the console may show it in a frame. */
  isPreview: boolean;
}

/** The content security policy of a page: nothing but its own style sheet, pictures, and the scripts that it has by nonce. */
export function pagePolicy({ scripts, nonce, service, isPreview }: Sources): string {
  const connect = scripts.flatMap(({ connectSources }) => connectSources);
  const run = scripts.flatMap(({ scriptSources }) => scriptSources);
  return [
    "default-src 'none'",
    "style-src 'self'",
    `img-src 'self' https: ${service}`.trim(),
    ...(nonce === undefined ? [] : [['script-src', `'nonce-${nonce}'`, ...new Set(run)].join(' ')]),
    ...(connect.length === 0 ? [] : [['connect-src', ...new Set(connect)].join(' ')]),
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${isPreview ? "'self'" : "'none'"}`,
  ].join('; ');
}

/** Of AMP, whose script is Google's, and sets styles by itself. */
export const ampPolicy = (service: string): string =>
  [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src 'self' https: data: ${service}`.trim(),
    'script-src blob: https://cdn.ampproject.org',
    'connect-src https://cdn.ampproject.org',
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
} as const;
