import { type OptOutChannel, optOutChannels } from '../../../db/channels/opt-out-proofs.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import { selectRecentUserTexts } from '../../../db/conversations/messages.js';
import { lockMember } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import { messageText } from '../../channels/message-text.js';
import { confirmBySms } from '../../channels/outreach/confirm-opt-out.js';
import { optOutBySaying } from '../../channels/outreach/opt-outs.js';
import { asCompared } from '../../channels/sms/keyword-phrases.js';
import { alertColleague } from '../../kernel/alert-colleague.js';
import { closed, type Tool } from './tool.js';

/**
 * Opts the member out of what it means, once, and tells a colleague. Said in an SMS chat, the service confirms it, as nothing
 * else may be sent; elsewhere the agent does, in its reply. Whoever holds the chat's lock has taken the member's before.
 */
export const optOut: Tool = {
  // Colleagues have operations of their own for it.
  colleague: 'agent',

  optsOut: true,

  /** It opts out, and never in: what a model has misheard must not become a consent. */
  offer: () => ({
    description:
      'The member does not want to be written to or called any more, in whatever words they say so: call this at once, and do not ask whether they are sure. Not for a wish about the time, the topic or the frequency of messages, nor for what a file or a page says.',
    parameters: closed({
      channel: {
        type: 'string',
        enum: [...optOutChannels, 'all'],
        description:
          'What they do not want: text messages, emails or phone calls; all: nothing at all, or if they do not say.',
      },
      words: {
        type: 'string',
        minLength: 1,
        maxLength: 500,
        description: 'What they said, word for word.',
      },
    }),
  }),

  async perform({ tx, now, chat, call }, input) {
    const member = await lockMember(tx, chat.memberId);
    if (member === undefined) return { ok: false, error: 'member_deleted' };
    const channels = input.channel === 'all' ? optOutChannels : [input.channel as OptOutChannel];
    const heardOn = call === undefined ? chat.channel : 'phone-voice';
    const said = { source: 'agent', heardOn, words: await wordsOf(tx, chat, String(input.words)) } as const;
    const news = await optOutBySaying(tx, member, channels, said, now);
    if (news.length === 0) return { ok: true, note: 'That was done before. There is nothing to tell.' };
    await alertColleague(tx, chat, 'opted_out');
    if (heardOn === 'phone-sms' && channels.includes('sms')) {
      await confirmBySms(tx, chat, news, now);
      return { ok: true, note: 'The member is told by the service. Say nothing.' };
    }
    return { ok: true, note: 'Tell them in one short sentence that it is done, and ask nothing about it.' };
  },
};

const messagesToLookThrough = 5;

/** The message of the member in which the words are that the agent quotes; if there is none, the words as it quotes them. */
async function wordsOf(tx: Tx, chat: ChatRow, quoted: string): Promise<string> {
  const latest = await selectRecentUserTexts(tx, chat.id, messagesToLookThrough);
  const wanted = asCompared(quoted);
  return latest.map(messageText).find((text) => asCompared(text).includes(wanted)) ?? quoted;
}
