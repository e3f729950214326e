import type { IdentifierHolder } from '../../../db/people/write-members.js';
import { violatedConstraint } from '../../../db/postgres-errors.js';
import { type FieldError, InvalidInput } from '../../lib/errors.js';

/** A member's identifiers besides its id; each is unique among the members of a workspace. */
export const identifierFields = ['email', 'phone', 'externalId'] as const;
type IdentifierField = (typeof identifierFields)[number];

/** Identifiers that another member has, with that member's id. */
export type TakenIdentifiers = Partial<Record<IdentifierField, number>>;

const takenMessages: Record<IdentifierField, string> = {
  email: 'Another member of the workspace has this email.',
  phone: 'Another member of the workspace has this phone number.',
  externalId: 'Another member of the workspace has this external id.',
};

function takenIdentifier(field: IdentifierField): FieldError {
  return { pointer: `/${field}`, message: takenMessages[field] };
}

export function takenErrors(taken: TakenIdentifiers): FieldError[] {
  return identifierFields.filter((field) => taken[field] !== undefined).map(takenIdentifier);
}

/** The members by their identifiers: first the stored ones, then those that a batch assigns. */
export class IdentifierIndex {
  readonly #holders = new Map<string, number>();

  constructor(holders: readonly IdentifierHolder[]) {
    for (const holder of holders) this.note(holder.id, holder);
  }

  note(memberId: number, identifiers: Partial<Record<IdentifierField, string | null>>): void {
    for (const field of identifierFields) {
      const value = identifiers[field];
      if (value != null) this.#holders.set(`${field} ${value}`, memberId);
    }
  }

  /** Returns the identifiers that another member has; empty if all are free or the member's own. */
  takenFrom(
    memberId: number | null,
    identifiers: Partial<Record<IdentifierField, string | null>>,
  ): TakenIdentifiers {
    const taken: TakenIdentifiers = {};
    for (const field of identifierFields) {
      const value = identifiers[field];
      const holder = value == null ? undefined : this.#holders.get(`${field} ${value}`);
      if (holder !== undefined && holder !== memberId) taken[field] = holder;
    }
    return taken;
  }
}

const errorOfConstraint: Record<string, FieldError> = {
  members_email_key: takenIdentifier('email'),
  members_phone_key: takenIdentifier('phone'),
  members_external_id_key: takenIdentifier('externalId'),
  members_workspace_id_member_role_id_fkey: {
    pointer: '/memberRoleId',
    message: 'There is no such member role.',
  },
};

/** Reports as an error of the field what a concurrent request took or deleted after the checks. */
export async function reportingTakenIdentifier<T>(command: () => Promise<T>): Promise<T> {
  try {
    return await command();
  } catch (error) {
    const fault = errorOfConstraint[violatedConstraint(error) ?? ''];
    if (fault === undefined) throw error;
    throw InvalidInput.fields([fault], 'duplicate');
  }
}
