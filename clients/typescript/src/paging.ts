interface Page {
  items: unknown[];
  total: number;
  isCut?: boolean;
}

const largestPage = 100;

/** Reads a part of a list. */
export type List = (range: Record<string, number>) => Promise<unknown>;

/** Reads a list of pages from `page` (`page` and `pageSize`), or of messages from `offset`, item by item. */
export function items(list: List, paged: 'page' | 'offset', given: Record<string, unknown>) {
  return paged === 'page' ? itemsOfPages(list, given) : itemsByOffset(list, given);
}

async function* itemsOfPages(list: List, { page = 1, pageSize = largestPage }: Record<string, unknown>) {
  let size = Number(pageSize);
  for (let next = (Number(page) - 1) * size; ; ) {
    const answer = (await list({ page: Math.floor(next / size) + 1, pageSize: size })) as Page;
    const found = answer.items.slice(next % size);
    yield* found;
    next += found.length;
    if (answer.isCut) {
      // The page was too large for one answer: the rest follows in smaller pages.
      size = Math.max(1, Math.floor(size / 2));
    } else if (answer.items.length < size || next >= answer.total) return;
  }
}

async function* itemsByOffset(list: List, { limit = largestPage, offset = 0 }: Record<string, unknown>) {
  for (let next = Number(offset); ; ) {
    const found = (await list({ limit: Number(limit), offset: next })) as unknown[];
    yield* found;
    next += found.length;
    if (found.length < Number(limit)) return;
  }
}
