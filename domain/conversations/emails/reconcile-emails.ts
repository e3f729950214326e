import { findInboundEmail, selectUnread } from '../../../db/channels/inbound-emails.js';
import { rowsOfRun } from '../../kernel/reconcile-rows.js';
import { startReceivingRun } from '../../kernel/runs.js';

/** Mails that wait to be received. */
export const unreadEmails = rowsOfRun({
  name: 'mails',
  runType: 'receiveEmail',
  select: selectUnread,
  async restart(tx, { id }) {
    const mail = await findInboundEmail(tx, id);
    if (mail?.state === 'received') await startReceivingRun(tx, mail);
  },
});
