/** What the address of the audit log says. */
export interface AuditSearch {
  action?: string | undefined;
  /** The id of who acted. */
  member?: number | undefined;
  /** The first and the last day. */
  from?: string | undefined;
  to?: string | undefined;
}

const day = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? value : undefined;

export function readAuditSearch({ action, member, from, to }: Record<string, unknown>): AuditSearch {
  return {
    action: typeof action === 'string' && /^\w+:\w+$/.test(action) ? action : undefined,
    member: Number.isSafeInteger(member) ? (member as number) : undefined,
    from: day(from),
    to: day(to),
  };
}

/** The filters as the API takes them: days are those of this computer. */
export function filtersOf({ action, member, from, to }: AuditSearch) {
  const begin = from === undefined ? undefined : new Date(`${from}T00:00`);
  const end = to === undefined ? undefined : new Date(`${to}T00:00`);
  end?.setDate(end.getDate() + 1);
  return {
    action,
    actorMemberId: member,
    createdFrom: begin?.toISOString(),
    createdBefore: end?.toISOString(),
  };
}
