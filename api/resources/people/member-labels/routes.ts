import { memberLabels } from '../../../../domain/people/member-labels/member-labels.js';
import { labelRoutes } from '../../labels.js';

export const memberLabelRoutes = labelRoutes(
  memberLabels,
  'members:read',
  'To assign labels to a member, set labelIds in Create a member or Change a member.',
);
