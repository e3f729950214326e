import { violatedConstraint } from '../../db/violated-constraint.js';
import { InvalidInput } from '../errors.js';

/** Runs a command and says which field is at fault when the label's slug is taken. */
export async function reportingTakenSlug<T>(command: () => Promise<T>): Promise<T> {
  try {
    return await command();
  } catch (error) {
    if (violatedConstraint(error) !== 'member_labels_workspace_id_slug_key') throw error;
    throw InvalidInput.field('/slug', 'Another member label of the workspace has this slug.', 'duplicate');
  }
}
