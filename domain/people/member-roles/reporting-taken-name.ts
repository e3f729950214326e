import { mappingUniqueViolation } from '../../lib/unique-violation.js';

/** Runs a command and says which field is at fault when the role's name is taken. */
export const reportingTakenName = mappingUniqueViolation({
  constraint: 'member_roles_workspace_id_name_key',
  pointer: '/name',
  message: 'Another role of the workspace has this name.',
});
