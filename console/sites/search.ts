const statuses = ['draft', 'scheduled', 'published'] as const;
const kinds = ['public', 'internal'] as const;

export type PageStatus = (typeof statuses)[number];

/** What the address of the list of sites says. */
export interface SitesSearch {
  search?: string;
  /** Only sites that everybody reads, or those that members read alone. */
  readers?: (typeof kinds)[number];
}

/** What the address of the pages of a site says. */
export interface PagesSearch {
  search?: string;
  status?: PageStatus;
}

const text = (value: unknown): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && value !== '' ? String(value) : undefined;
const oneOf = <T extends string>(allowed: readonly T[], value: unknown): T | undefined =>
  allowed.find((one) => one === value);

/** What addresses do not know is left out. */
export const readSitesSearch = (search: Record<string, unknown>): SitesSearch => ({
  search: text(search.search),
  readers: oneOf(kinds, search.readers),
});

export const readPagesSearch = (search: Record<string, unknown>): PagesSearch => ({
  search: text(search.search),
  status: oneOf(statuses, search.status),
});

export const readPageSearch = (search: Record<string, unknown>): { locale?: string | undefined } => ({
  locale: text(search.locale),
});

export const readCrawlSearch = (search: Record<string, unknown>): { outcome?: string | undefined } => ({
  outcome: text(search.outcome),
});
