import { findMessage, selectMessagesAwaitingMedia } from '../../../db/conversations/messages.js';
import { rowsOfRun } from '../../kernel/reconcile-rows.js';
import { startMediaRun } from '../../kernel/runs.js';

/** Messages that await media. */
export const awaitedMedia = rowsOfRun({
  name: 'media',
  runType: 'fetchMedia',
  select: selectMessagesAwaitingMedia,
  async restart(tx, { id }) {
    const message = await findMessage(tx, id);
    if (message !== undefined && message.mediaAwaitedSince !== null) await startMediaRun(tx, message);
  },
});
