import type { Attack } from './attack.js';
import { costlyExpressions } from './costly-expressions.js';
import { largeAnswers } from './large-answers.js';
import { manyOwnRecords } from './many-own-records.js';
import { manyParts } from './many-parts.js';

/** In the order in which they are made on the same process. */
export const attacks: readonly Attack[] = [...largeAnswers, manyOwnRecords, costlyExpressions, manyParts];
