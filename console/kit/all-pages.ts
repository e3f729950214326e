interface ListPage<T> {
  items: readonly T[];
  total: number;
  totalPages: number;
}

/** A choice of more than so many pages is none. */
const mostPages = 20;

/** All that a list of the API has, to choose from. */
export async function allPages<T>(read: (page: number) => Promise<ListPage<T>>) {
  const { items: first, total, totalPages } = await read(1);
  const items = [...first];
  for (let page = 2; page <= Math.min(totalPages, mostPages); page += 1) {
    items.push(...(await read(page)).items);
  }
  return { items, total };
}
