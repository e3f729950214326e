import type { PhoneCallRow } from '../../db/calls/phone-calls.js';
import type { ChatRow } from '../../db/conversations/chats.js';
import type { FileReader } from '../../db/files/readable-files.js';
import type { Tx } from '../../db/tx.js';
import type { Machine } from '../assignments/machine/machine.js';
import { type CallerIdentity, mayHearRecords } from '../calls/identity/caller-identity.js';
import type { Sendable } from '../files/attachments/sendable-files.js';
import type { SearchFilesConfig, SendFilesConfig } from '../kernel/ability-configs.js';
import { noMember, readerInChat } from '../kernel/who-reads.js';
import type { Performer } from './performer.js';

/** What says who hears what the agent tells. */
export interface Hearing {
  tx: Tx;
  chat: ChatRow;
  /** The call of the chat that is up. */
  call: PhoneCallRow | undefined;
  /** Who is on the phone; undefined without a call. */
  identity: CallerIdentity | undefined;
  /** Whether who reads the chat, or is on the phone, may hear nothing of what is stored about the member. */
  isWithheld: boolean;
}

type Opened = Pick<SearchFilesConfig | SendFilesConfig, 'access'>;

/**
 * Who hears what a tool finds in a chat, as `readerInChat` says. A colleague finds nothing that is the member's alone, since the result
 * is stored in the chat. @param opened the ability shows strangers what every member may see, in so many words
 */
export async function hearerOf(
  { tx, chat, call, identity, isWithheld }: Hearing,
  by: Performer['by'],
  opened: Opened,
): Promise<FileReader> {
  const onThePhone =
    call === undefined || identity === undefined
      ? undefined
      : { isProved: mayHearRecords(identity), wasCalled: !isWithheld };
  const hearer = await readerInChat(tx, chat, onThePhone);
  return {
    ...hearer,
    memberId: by === 'agent' ? hearer.memberId : noMember,
    readsWorkspace: hearer.readsWorkspace || opened.access === 'workspace',
  };
}

/** Which files a message of this author may bring. */
export async function sendableFor(
  hearing: Hearing & { machine: Machine | undefined },
  by: Performer['by'],
  opened: Opened,
): Promise<Sendable> {
  const { chat, machine } = hearing;
  const { readsWorkspace } = await hearerOf(hearing, by, opened);
  const assignmentId = machine?.assignment.id ?? null;
  return { memberId: chat.memberId, chatId: chat.id, assignmentId, readsWorkspace };
}
