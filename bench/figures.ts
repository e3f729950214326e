import type { Figure } from './figure.js';
import { getMessages } from './get-messages/figure.js';
import { postChats } from './post-chats/figure.js';

/** Every figure there is, in the order in which they are measured. */
export const figures: readonly Figure[] = [getMessages, postChats];
