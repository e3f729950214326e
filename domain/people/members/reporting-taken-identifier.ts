import { violatedConstraint } from '../../../db/violated-constraint.js';
import { type FieldError, InvalidInput } from '../../lib/errors.js';
import { takenIdentifier } from './identifiers.js';

const errorOfConstraint: Record<string, FieldError> = {
  members_email_key: takenIdentifier('email'),
  members_phone_key: takenIdentifier('phone'),
  members_external_id_key: takenIdentifier('externalId'),
  members_workspace_id_member_role_id_fkey: {
    pointer: '/memberRoleId',
    message: 'There is no such member role.',
  },
};

/**
 * Runs a command and reports, as an error of the field, that a concurrent request took an identifier or deleted the
 * role after the command's own checks.
 */
export async function reportingTakenIdentifier<T>(command: () => Promise<T>): Promise<T> {
  try {
    return await command();
  } catch (error) {
    const fault = errorOfConstraint[violatedConstraint(error) ?? ''];
    if (fault === undefined) throw error;
    throw InvalidInput.fields([fault], 'duplicate');
  }
}
