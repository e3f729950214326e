import { violatedConstraint } from '../../db/violated-constraint.js';
import { InvalidInput } from '../errors.js';

/** Runs a command and says which field is at fault when the role's name is taken. */
export async function reportingTakenName<T>(command: () => Promise<T>): Promise<T> {
  try {
    return await command();
  } catch (error) {
    if (violatedConstraint(error) !== 'member_roles_workspace_id_name_key') throw error;
    throw InvalidInput.field('/name', 'Another role of the workspace has this name.', 'duplicate');
  }
}
