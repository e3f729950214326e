import { openStream } from '../../support/api/event-stream.js';
import { png } from '../../support/files/samples.js';
import { sendFile } from '../../support/files/send-file.js';
import { calling } from '../../support/simulators/simulated-model.js';
import { planted } from '../markers.js';
import { answered, type Stage } from '../stage.js';
import type { Configured } from './configure.js';
import type { SignedIn } from './sign-in.js';

/**
 * A chat on the web, followed live, with a reply that comes in pieces, one that breaks off, and one that is refused.
 */
export async function chatOnTheWeb(stage: Stage, person: SignedIn, { labelId }: Configured): Promise<void> {
  const { model } = stage.system;
  const member = stage.as(person);
  const chat = await member('POST', '/chats', {
    channel: 'web-chat',
    title: planted('chatTitle'),
    chatType: planted('chatType'),
  });
  const path = `/chats/${chat.id}`;
  const stream = await openStream(stage.api.baseUrl, stage.workspace.path(`${path}/events`), person);
  await stream.seen('the chat', ({ event }) => event === 'chat.snapshot');

  await model.turn({ tokenDelayMs: 5 });
  await model.script(
    [{ error: 'drop_midway', content: planted('webReply') }, { content: planted('webReply') }],
    planted('webWords'),
  );
  await member('POST', `${path}/typing`, undefined, 204);
  const image = { content: new Uint8Array(png()), filename: `${planted('fileName')}.png` };
  const fields = { name: planted('fileTitle'), description: planted('fileDescription') };
  const file = answered(await sendFile(stage.api, stage.workspace, { by: person, fields, ...image }));
  await member('POST', `${path}/messages`, { content: planted('webWords'), files: [file.id] });
  const reply = await stream.seen(
    'the reply',
    ({ event, data }) => event === 'message.created' && data.message.content === planted('webReply'),
  );
  await model.turn({ tokenDelayMs: 0 });

  const admin = stage.as();
  const pause = { paused: true, pausedReason: planted('pausedReason'), labelIds: [labelId] };
  await admin('PUT', path, pause);
  await admin('GET', '/chats', undefined, 200, { search: planted('chatTitle') });
  await admin('PUT', path, { paused: false });
  const written = { title: planted('chatTitle'), summary: planted('chatSummary') };
  await model.script([calling('write_summary', written)], 'You summarize one chat');
  await member('POST', `${path}/summarize`, undefined, 200);

  // The second time it is asked without the image.
  const refusal = { status: 400, error: planted('modelRefusal') };
  await model.script([refusal, refusal], planted('unheardWords'));
  await member('POST', `${path}/messages`, { content: [{ type: 'text', text: planted('unheardWords') }] });
  await stream.seen(
    'that a colleague is alerted',
    ({ event, data }) => event === 'chat.updated' && data.chat.needsResponse,
  );
  await stream.close();
  const again = await openStream(stage.api.baseUrl, stage.workspace.path(`${path}/events`), {
    ...person,
    lastEventId: reply.id ?? 0,
  });
  await again.seen('what was missed', ({ event }) => event === 'message.created');
  await again.close();
  await stage.api.send('GET', stage.workspace.path(`${path}/events`), {
    headers: { Authorization: `Bearer ${person.apiKey}`, 'Last-Event-ID': planted('refused') },
  });
  await admin('PUT', path, pause);
}
