import { defaultRingSeconds, requestTransfer } from '../../calls/transfers/request-transfer.js';
import { configOf } from './config-of.js';
import { closed, type Tool } from './tool.js';
import { notAvailable } from './tool-result.js';

const notTransferred =
  'The call is not transferred, and the person was not called: a rule of the service forbids it. Say so, and help in another way, or hand the chat over.';

/** Transfers the call to a person of the definition, once the bridge has played what the agent says. */
export const forwardCall: Tool = {
  colleague: 'agent',

  /** The numbers are configured: neither the model nor the member can name one. */
  offer(situation) {
    const config = configOf(situation, 'forward_call');
    if (config === undefined || !situation.onCall) return undefined;
    const { targets } = config;
    const lines = targets.map(({ name, description }) => (description ? `${name}: ${description}` : name));
    return {
      description: [
        'Transfer the call to a person. First tell the caller that you transfer them and to whom. If nobody takes the call, it comes back to you. To whom:',
        ...lines,
      ].join('\n'),
      parameters: closed({
        target: { type: 'string', enum: targets.map(({ name }) => name), description: 'To whom.' },
        facts: {
          type: 'string',
          minLength: 1,
          maxLength: 300,
          description:
            'What the person should know, in a sentence or two: it is read to them before they talk.',
        },
      }),
    };
  },

  async perform(situation, input) {
    const { tx, now, call, attempt } = situation;
    const { targets = [], ringSeconds = defaultRingSeconds } = configOf(situation, 'forward_call') ?? {};
    const target = targets.find(({ name }) => name === input.target);
    if (call === undefined || target === undefined || attempt === undefined) {
      return notAvailable;
    }
    const { toolCallId } = attempt;
    const { name, phoneNumber } = target;
    const transfer = { toolCallId, target: { name, phoneNumber, ringSeconds }, facts: String(input.facts) };
    const refused = await requestTransfer(tx, call, transfer, now);
    if (refused === 'under_way') return { ok: false, error: 'transfer_under_way' };
    if (refused !== undefined)
      return { ok: false, error: 'transfer_refused', reason: refused, note: notTransferred };
    return { ok: true, note: 'The call is transferred as soon as your last words were heard.' };
  },
};
