import type { Middleware } from 'koa';
import { HttpProblem } from '../problems/http-problem.js';

const escapedBytes = /(?:%[0-9a-f]{2})+/gi;
const beyondAscii = /[^\p{ASCII}]/u;

/** Refuses a query that is not percent-encoded UTF-8: decoding would replace its invalid bytes. */
export function readableQuery(): Middleware {
  return (ctx, next) => {
    if (!isReadable(ctx.querystring)) {
      throw new HttpProblem(400, 'malformed_query', 'The query is not percent-encoded UTF-8.');
    }
    return next();
  };
}

function isReadable(query: string): boolean {
  if (beyondAscii.test(query)) return false;
  try {
    for (const [escaped] of query.matchAll(escapedBytes)) decodeURIComponent(escaped);
    return true;
  } catch {
    return false;
  }
}
