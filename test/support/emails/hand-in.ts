import { Readable } from 'node:stream';
import { MockActivityEnvironment } from '@temporalio/testing';
import { readContent } from '../../../activities/channels/read-mail/content.js';
import { emailActivities } from '../../../activities/conversations/receive-email.js';
import { insertEmail, type NewEmail } from '../../../db/channels/emails.js';
import { findInboundEmail, type InboundEmailRow } from '../../../db/channels/inbound-emails.js';
import type { InboxRow } from '../../../db/channels/inboxes.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import type { MessageRow } from '../../../db/conversations/messages.js';
import { ChatModel } from '../../../db/conversations/models/chat.js';
import { MessageModel } from '../../../db/conversations/models/message.js';
import { liveOutreach } from '../../../domain/calls/live-outreach.js';
import { acceptMail, storeMail } from '../../../domain/conversations/emails/accept-email.js';
import type { Storage } from '../../../providers/storage/storage.js';
import type { MovedClock } from '../lib/moved-clock.js';
import type { TestWorkspace } from '../workspace/factories.js';

export interface Mailroom {
  /** Accepts a mail, and returns its uuid and id. */
  accept(mime: Buffer): Promise<{ uuid: string; id: number }>;
  /** Runs the activity that receives an accepted mail. */
  receive(id: number, over?: Partial<Storage>): Promise<{ state: string; reason: string | null }>;
  /** Both, and the row afterwards. */
  handIn(mime: Buffer): Promise<InboundEmailRow>;
  row(id: number): Promise<InboundEmailRow>;
  rows(): Promise<InboundEmailRow[]>;
  chats(): Promise<ChatRow[]>;
  messages(chatId: number): Promise<MessageRow[]>;
  /** Stores an email as if it had been sent in a chat. */
  sent(values: Partial<NewEmail> & { chatId: number | null }): Promise<number>;
}

/** An inbox to which a test hands mail in, without HTTP, and whose run it is. */
export function mailroomOf(
  workspace: TestWorkspace,
  inbox: InboxRow,
  {
    clock,
    storage,
    bytesPerWorkspace = 1_073_741_824,
  }: { clock: MovedClock; storage: Storage; bytesPerWorkspace?: number },
): Mailroom {
  const { database: db, workspaceId, workspaceUuid } = workspace;
  const context = { ...workspace.context(workspace.admin, clock), workspaceId, workspaceUuid, inbox };
  const all = <Row>(work: Parameters<typeof db.readInWorkspace<Row>>[1]) =>
    db.readInWorkspace(workspaceId, work);
  const row = async (id: number) => {
    const found = await all((tx) => findInboundEmail(tx, id));
    if (found === undefined) throw new Error('the mail is gone');
    return found;
  };
  const rows = () =>
    all((tx) => tx('inbound_emails').where({ inbox_id: inbox.id }).orderBy('id').select('id')) as Promise<
      { id: number }[]
    >;
  const room: Mailroom = {
    async accept(mime) {
      const spooled = await storage.receive(Readable.from([mime]), { maxBytes: mime.length });
      const stored = await storeMail(context, { objects: storage, bytesPerWorkspace }, spooled);
      const { uuid } = await acceptMail(context, stored);
      const [found] = (await all((tx) => tx('inbound_emails').where({ uuid }).select('id'))) as {
        id: number;
      }[];
      return { uuid, id: Number(found?.id) };
    },
    receive(id, over = {}) {
      const bound = {
        get: storage.get.bind(storage),
        put: storage.put.bind(storage),
        receive: storage.receive.bind(storage),
        spoolFolder: storage.spoolFolder,
        ...over,
      } as Storage;
      const { receiveEmail } = emailActivities(
        { db, clock, outreach: liveOutreach, storage: bound, bytesPerWorkspace },
        ({ path, partsPath }) => readContent(path, partsPath),
      );
      return new MockActivityEnvironment().run(receiveEmail, {
        workspaceId,
        workspaceUuid,
        inboundEmailId: id,
      });
    },
    async handIn(mime) {
      const { id } = await room.accept(mime);
      await room.receive(id);
      return row(id);
    },
    row,
    rows: async () => Promise.all((await rows()).map(({ id }) => row(Number(id)))),
    chats: () => all(async (tx) => ChatModel.query(tx).where({ inbox_id: inbox.id }).orderBy('id')),
    messages: (chatId) => all(async (tx) => MessageModel.query(tx).where({ chat_id: chatId }).orderBy('id')),
    async sent(values) {
      const { id } = await db.inWorkspace(workspaceId, (tx) =>
        insertEmail(tx, {
          inboxId: inbox.id,
          direction: 'out',
          subject: 'Appointment',
          fromAddress: inbox.address,
          toAddress: 'somebody@example.org',
          automatic: false,
          createdAt: clock.now(),
          ...values,
        }),
      );
      return id;
    },
  };
  return room;
}
