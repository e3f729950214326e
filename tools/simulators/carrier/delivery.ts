import type { Knobs } from './knobs.js';
import type { MessageStore } from './message-store.js';
import type { WebhookSender } from './post-webhook.js';

export interface Delivery {
  accountSid: string;
  store: MessageStore;
  knobs: Knobs;
  sender: WebhookSender;
}
