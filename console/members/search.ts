import type { Sort } from '../kit/grid.js';

const sortFields = ['name', 'email', 'phone', 'createdAt', 'updatedAt'] as const;
type SortField = (typeof sortFields)[number];

/** What the address of the list says. */
export interface MembersSearch {
  search?: string;
  /** The slug of a label. */
  label?: string;
  /** The id of a role. */
  role?: number;
  state?: 'enabled' | 'disabled';
  sortBy?: SortField;
  sortOrder?: 'asc' | 'desc';
}

const text = (value: unknown): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && value !== '' ? String(value) : undefined;
const oneOf = <T extends string>(allowed: readonly T[], value: unknown): T | undefined =>
  allowed.find((one) => one === value);

/** Reads the query of the address; what it does not know is left out. */
export function readMembersSearch(search: Record<string, unknown>): MembersSearch {
  return {
    search: text(search.search),
    label: text(search.label),
    role: Number.isSafeInteger(search.role) ? (search.role as number) : undefined,
    state: oneOf(['enabled', 'disabled'], search.state),
    sortBy: oneOf(sortFields, search.sortBy),
    sortOrder: oneOf(['asc', 'desc'], search.sortOrder),
  };
}

/** The order of the list, the newest members first unless the address says otherwise. */
export const sortOf = ({
  sortBy = 'createdAt',
  sortOrder = 'desc',
}: MembersSearch): Sort & { sortBy: SortField } => ({
  sortBy,
  sortOrder,
});

/** The filters of the list as the API takes them; an export takes the same. */
export const filtersOf = ({ search, label, role, state }: MembersSearch) => ({
  search,
  memberLabel: label === undefined ? undefined : [label],
  memberRoleId: role === undefined ? undefined : [role],
  disabled: state === undefined ? undefined : state === 'disabled',
});
