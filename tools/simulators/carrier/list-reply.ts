import type { Reply, SimulatorRequest } from '../support/serve.js';

/** A page of a list as the carrier answers it, chosen by `Page` and `PageSize`. */
export function listReply<Item>(
  { query, url }: SimulatorRequest,
  matching: readonly Item[],
  present: (item: Item) => unknown,
  { key, path }: { key: string; path: string },
): Reply {
  const pageSize = Math.min(1000, Math.max(1, Number(query.get('PageSize') ?? 50)));
  const page = Math.max(0, Number(query.get('Page') ?? 0));
  const start = page * pageSize;
  const items = matching.slice(start, start + pageSize);
  const pageUri = (number: number): string => {
    const own = { Page: String(number), PageSize: String(pageSize) };
    return `${path}?${new URLSearchParams({ ...Object.fromEntries(query), ...own })}`;
  };
  return {
    body: {
      [key]: items.map(present),
      page,
      page_size: pageSize,
      start,
      end: start + Math.max(0, items.length - 1),
      uri: url,
      first_page_uri: pageUri(0),
      next_page_uri: start + pageSize < matching.length ? pageUri(page + 1) : null,
      previous_page_uri: page > 0 ? pageUri(page - 1) : null,
    },
  };
}
