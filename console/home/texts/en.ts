/** The words of the home page in English. The other languages have the same keys. */
export const en = {
  open: 'waiting for an answer',
  oldest: 'The first of them has waited since',
  mine: 'Claimed by you',
  claimed: 'Claimed by others',
  snoozed: 'Snoozed chats',
  calls: 'Calls now',
  failedMessages: 'Undelivered messages (24 hours)',
  active: 'Active assignments',
  standing: 'Stuck assignments',
  failingRules: 'Failing event rules',
  waitingDeliveries: 'Pending deliveries',
  heldWorkflows: 'Workflows on hold',
  credits: 'Credits of the month',
  held: 'Everything in this workspace is on hold.',
  nothing: 'Your role shows you nothing here. Ask who runs the workspace if you miss something.',
};

export type HomeTexts = typeof en;
