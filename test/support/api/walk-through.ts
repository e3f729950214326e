import type { WalkPage } from '../../../domain/lib/paging.js';

/** The items of all pages. */
export async function walkThrough<Item, Place>(
  page: (after: Place | undefined) => Promise<WalkPage<Item, Place>>,
): Promise<Item[]> {
  const items: Item[] = [];
  let after: Place | undefined;
  do {
    const found = await page(after);
    items.push(...found.items);
    after = found.next;
  } while (after !== undefined);
  return items;
}
