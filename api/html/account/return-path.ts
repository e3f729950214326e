import { ownPath } from './own-path.js';
import { queryText, type VisitorRequest } from './page-request.js';

/** Where a sign-in leads to, as its form or its address says. */
export function returnPath({ ctx, form, services }: VisitorRequest): string {
  return ownPath(form.one('return') || queryText(ctx, 'return'), services.ownOrigin);
}

/** The address of a page of the sign-in, which leads to `next`. */
export function withReturn(path: string, next: string): string {
  return `${path}?return=${encodeURIComponent(next)}`;
}
