import type { ControlApi } from './control-api.js';
import type { Message } from './message-store.js';
import { receive } from './receive.js';

/** Handsets with the knob `autoReply` answer every delivered message once, like an out-of-office notice. */
export function answerAutomatically(api: ControlApi): void {
  const answered = new Set<string>();
  api.store.on('update', ({ sid, direction, status, from: number, to: handset }: Message) => {
    const { autoReply } = api.knobs.of(handset);
    const isHeard = direction !== 'inbound' && status === 'delivered';
    if (autoReply === null || !isHeard || answered.has(sid) || !api.smsUrls.has(number)) return;
    answered.add(sid);
    api.beside(receive(api, { handset, to: number, body: autoReply, repeat: 1 }).then(() => undefined));
  });
}
