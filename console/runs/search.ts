export const statuses = ['active', 'completed', 'cancelled', 'failed'] as const;
export const ages = ['day', 'week', 'month'] as const;
const sorts = ['createdAt', 'updatedAt', 'concludedAt', 'status'] as const;

export type Age = (typeof ages)[number];

/** What the address of the list says: which assignments, and in which order. */
export interface AssignmentsSearch {
  workflowId?: number;
  taskId?: number;
  memberId?: number;
  status?: (typeof statuses)[number];
  age?: Age;
  standing?: true;
  sortBy?: (typeof sorts)[number];
  sortOrder?: 'asc' | 'desc';
}

/** What the address of a workflow's picture says. */
export interface PictureSearch {
  revisionId?: number;
}

const oneOf = <T extends string>(allowed: readonly T[], value: unknown): T | undefined =>
  allowed.find((one) => one === value);

const idOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined;

export function readAssignmentsSearch(search: Record<string, unknown>): AssignmentsSearch {
  return {
    workflowId: idOf(search.workflowId),
    taskId: idOf(search.taskId),
    memberId: idOf(search.memberId),
    status: oneOf(statuses, search.status),
    age: oneOf(ages, search.age),
    standing: search.standing === true ? true : undefined,
    sortBy: oneOf(sorts, search.sortBy),
    sortOrder: oneOf(['asc', 'desc'], search.sortOrder),
  };
}

export function readPictureSearch({ revisionId }: Record<string, unknown>): PictureSearch {
  return { revisionId: idOf(revisionId) };
}
