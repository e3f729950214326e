import type { Operation } from './operation.js';
import { requests } from './requests.js';
import { runs } from './runs.js';

export const operations: readonly Operation[] = [...requests, ...runs];
