import { fileLabels } from '../../../../domain/files/labels/file-labels.js';
import { labelRoutes } from '../../labels.js';

export const fileLabelRoutes = labelRoutes(
  fileLabels,
  'files:read',
  'To assign labels to a file, set labelIds in Change a file.',
);
