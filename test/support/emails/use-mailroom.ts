import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, onTestFinished } from 'vitest';
import type { InboundEmailRow } from '../../../db/channels/inbound-emails.js';
import type { InboxRow } from '../../../db/channels/inboxes.js';
import type { MemberRow } from '../../../db/people/members.js';
import { makeToken } from '../../../domain/channels/email/addresses.js';
import { createAssistant } from '../../../domain/conversations/assistants/create-assistant.js';
import { createMember } from '../../../domain/people/members/create-member.js';
import { later } from '../lib/later.js';
import { hours, MovedClock } from '../lib/moved-clock.js';
import { scratchStorage } from '../storage/scratch-storage.js';
import { createWorkspace, type TestWorkspace } from '../workspace/factories.js';
import { addInbox } from '../workspace/inboxes.js';
import { useWorkspace } from '../workspace/use-workspace.js';
import { type Mailroom, mailroomOf } from './hand-in.js';
import { mimeOf, receivingServer } from './mime.js';

type Mail = Partial<Parameters<typeof mimeOf>[0]>;

export interface MailStage {
  workspace: TestWorkspace;
  clock: MovedClock;
  inbox: InboxRow;
  room: Mailroom;
  /** Another room on the same clock and storage. */
  roomOf(workspace: TestWorkspace, inbox: InboxRow, limits?: { bytesPerWorkspace: number }): Mailroom;
  /** An address of its own for each test. */
  sender(): string;
  /** A mail of the sender to the inbox. */
  mail(more?: Mail): Buffer;
  /** A mail that only says that it is of the sender. */
  forged(more?: Mail): Buffer;
  handIn(more?: Mail): Promise<InboundEmailRow>;
  addMember(email: string): Promise<MemberRow>;
  rows(table: string, columns?: string[]): Promise<Record<string, unknown>[]>;
  /** A chat of the sender in which the inbox has written, with the token and the id of what it wrote. */
  stageThread(): Promise<{ chatId: number; replyAddress: string; sentId: string }>;
}

/** A workspace with an agent, and for each test an inbox in it and a sender whom nobody knows. */
export function useMailroom(): MailStage {
  const suite = useWorkspace();
  let workspace: TestWorkspace;
  let inbox: InboxRow;
  let clock: MovedClock;
  let room: Mailroom;
  let sender: string;
  let roomOf: MailStage['roomOf'];
  beforeAll(async () => {
    workspace = await createWorkspace(suite.workspace.database);
    const agent = { name: 'Assistant', instructions: 'Be brief.', isDefault: true };
    await createAssistant(workspace.context(), agent);
  });
  beforeEach(async () => {
    clock = new MovedClock();
    inbox = await addInbox(workspace, { authservId: receivingServer });
    const { storage, remove } = scratchStorage();
    onTestFinished(remove);
    roomOf = (place, ofInbox, limits) => mailroomOf(place, ofInbox, { clock, storage, ...limits });
    room = roomOf(workspace, inbox);
    sender = `ana-${randomUUID().slice(0, 8)}@example.org`;
  });
  const mail = (more: Mail = {}) => mimeOf({ from: `Ana <${sender}>`, to: inbox.address, ...more });
  const handIn = (more?: Mail) => room.handIn(mail(more));
  return {
    workspace: later(() => workspace),
    clock: later(() => clock),
    inbox: later(() => inbox),
    room: later(() => room),
    roomOf: (...of) => roomOf(...of),
    sender: () => sender,
    mail,
    forged: (more) => mail({ dmarc: 'fail header.from=example.org', ...more }),
    handIn,
    addMember: (email) =>
      createMember(workspace.context(), { email, memberRoleId: workspace.roles.member.id }),
    rows: (table, columns = ['id']) => workspace.within((tx) => tx(table).select(columns).orderBy('id')),
    async stageThread() {
      const { chatId } = await handIn();
      const token = makeToken();
      const sentId = `${randomUUID()}@inboxes.example`;
      const [local, domain] = inbox.address.split('@');
      await room.sent({ chatId, replyToken: token, rfcMessageId: sentId, referenceIds: [sentId] });
      clock.advance(hours(2));
      return { chatId: Number(chatId), replyAddress: `${local}+r.${token}@${domain}`, sentId };
    },
  };
}
