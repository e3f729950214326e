import { mappingUniqueViolation } from '../../lib/unique-violation.js';

/** Converts a unique violation on the label's slug into an error for the field `slug`. */
export const reportingTakenSlug = mappingUniqueViolation({
  constraint: 'chat_labels_workspace_id_slug_key',
  pointer: '/slug',
  message: 'Another chat label of the workspace has this slug.',
});
