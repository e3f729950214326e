import type { PageOf, PageRequest } from '../../domain/lib/paging.js';

/** One page of a list in an answer: see `Page` in schemas.ts. */
type Presented<Found, Shown> = Omit<Found, 'items' | 'isCut'> & {
  items: Shown[];
  page: number;
  pageSize: number;
  totalPages: number;
  isCut: true | undefined;
};

/** @param present makes what is shown of a row; without it, the row is */
export function presentPage<Found extends PageOf<unknown>, Shown = Found['items'][number]>(
  { page, pageSize }: Pick<PageRequest, 'page' | 'pageSize'>,
  found: Found,
  present: (row: Found['items'][number]) => Shown = (row) => row as Shown,
): Presented<Found, Shown> {
  const items = found.items.map((row) => present(row));
  const isCut = found.isCut || undefined;
  return { ...found, items, page, pageSize, totalPages: Math.ceil(found.total / pageSize), isCut };
}
