import type { Tool } from '../define-tool.js';
import { memberTools } from './members.js';

/** All tools, in the order in which they are listed. */
export const catalog: readonly Tool[] = [...memberTools];
