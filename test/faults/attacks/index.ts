import type { Attack } from './attack.js';
import { badCredentials } from './bad-credentials.js';
import { bulkWrites, costlyPatterns } from './bulk-writes.js';
import { costlyExpressions } from './costly-expressions.js';
import { hangingReceivers } from './hanging-receivers.js';
import { hostileArguments } from './hostile-arguments.js';
import { deepBodies, manyParts, unsignedForms } from './hostile-bodies.js';
import { largeAnswers } from './large-answers.js';
import { largeImports } from './large-imports.js';
import { manyOwnRecords, poisonPill } from './many-own-records.js';
import { openStreams } from './open-streams.js';
import { searches } from './searches.js';

/** In the order in which they are made on the same processes. */
export const attacks: readonly Attack[] = [
  ...largeAnswers,
  manyOwnRecords,
  poisonPill,
  costlyExpressions,
  hostileArguments,
  costlyPatterns,
  bulkWrites,
  largeImports,
  manyParts,
  deepBodies,
  openStreams,
  hangingReceivers,
  searches,
  badCredentials,
  unsignedForms,
];
