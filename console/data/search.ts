/** What the address of a list of records says. */
export interface RecordsSearch {
  search?: string | undefined;
  /** As the API has them: `<slug>:<operator>:<value>`. */
  filter?: string[] | undefined;
  /** Only retired records, or all; by default those that are not. */
  retired?: 'true' | 'all' | undefined;
  sortBy?: string | undefined;
  sortOrder?: 'asc' | 'desc' | undefined;
  /** The record that is open beside the list. */
  record?: number | 'new' | undefined;
}

const maxFilters = 6;
const oneOf = <T extends string>(allowed: readonly T[], value: unknown): T | undefined =>
  allowed.find((one) => one === value);

/** Reads the query of the address; what it does not know is left out. */
export function readRecordsSearch(given: Record<string, unknown>): RecordsSearch {
  const { search, filter, record, sortBy } = given;
  const filters = Array.isArray(filter) ? filter.filter((one) => typeof one === 'string') : [];
  const isId = typeof record === 'number' && Number.isSafeInteger(record) && record > 0;
  return {
    search: typeof search === 'string' && search !== '' ? search : undefined,
    filter: filters.length > 0 ? filters.slice(0, maxFilters) : undefined,
    retired: oneOf(['true', 'all'], given.retired),
    sortBy: typeof sortBy === 'string' ? sortBy : undefined,
    sortOrder: oneOf(['asc', 'desc'], given.sortOrder),
    record: isId || record === 'new' ? record : undefined,
  };
}
