/** What the address of the list of colleagues says. */
export interface PeopleSearch {
  search?: string | undefined;
  role?: number | undefined;
}

export function readPeopleSearch({ search, role }: Record<string, unknown>): PeopleSearch {
  return {
    search: typeof search === 'string' ? search : undefined,
    role: Number.isSafeInteger(role) ? (role as number) : undefined,
  };
}
