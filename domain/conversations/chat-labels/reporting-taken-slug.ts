import { mappingUniqueViolation } from '../../lib/unique-violation.js';

/** Runs a command and says which field is at fault when the label's slug is taken. */
export const reportingTakenSlug = mappingUniqueViolation({
  constraint: 'chat_labels_workspace_id_slug_key',
  pointer: '/slug',
  message: 'Another chat label of the workspace has this slug.',
});
