export const kinds = ['document', 'image', 'data', 'media', 'other'] as const;
export const accesses = ['private', 'workspace', 'public'] as const;
const sortFields = ['title', 'createdAt', 'updatedAt'] as const;

export type Access = (typeof accesses)[number];

/** What the address of the files says. */
export interface FilesSearch {
  /** The folder that is shown; none: the root. */
  folder?: number | undefined;
  /** What is open beside the list: a file, or the folder that is shown. */
  open?: number | 'folder' | undefined;
  /** What is searched for, in all folders. */
  q?: string | undefined;
  /** Whether the list has the files of all folders. */
  all?: true | undefined;
  kind?: (typeof kinds)[number] | undefined;
  /** The id of a label. */
  label?: number | undefined;
  access?: Access | undefined;
  sortBy?: (typeof sortFields)[number] | undefined;
  sortOrder?: 'asc' | 'desc' | undefined;
}

const oneOf = <T extends string>(allowed: readonly T[], value: unknown): T | undefined =>
  allowed.find((one) => one === value);
const idOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined;

/** Reads the query of the address; what it does not know is left out. */
export function readFilesSearch(given: Record<string, unknown>): FilesSearch {
  const { q } = given;
  return {
    folder: idOf(given.folder),
    open: given.open === 'folder' ? 'folder' : idOf(given.open),
    // A number in the address is read as one.
    q: (typeof q === 'string' || typeof q === 'number') && q !== '' ? String(q) : undefined,
    all: given.all === true ? true : undefined,
    kind: oneOf(kinds, given.kind),
    label: idOf(given.label),
    access: oneOf(accesses, given.access),
    sortBy: oneOf(sortFields, given.sortBy),
    sortOrder: oneOf(['asc', 'desc'], given.sortOrder),
  };
}

/** Whether the list is restricted beside its folder. */
export const isNarrowed = ({ kind, label, access }: FilesSearch): boolean =>
  kind !== undefined || label !== undefined || access !== undefined;
