import { mappingUniqueViolation } from '../../lib/unique-violation.js';

/** Runs a command and reports a taken name as an error of its field. */
export const reportingTakenName = mappingUniqueViolation({
  constraint: 'member_roles_workspace_id_name_key',
  pointer: '/name',
  message: 'Another role of the workspace has this name.',
});
