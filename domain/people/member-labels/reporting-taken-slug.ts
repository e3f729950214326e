import { mappingUniqueViolation } from '../../lib/unique-violation.js';

/** Runs a command and reports a taken slug as an error of its field. */
export const reportingTakenSlug = mappingUniqueViolation({
  constraint: 'member_labels_workspace_id_slug_key',
  pointer: '/slug',
  message: 'Another member label of the workspace has this slug.',
});
