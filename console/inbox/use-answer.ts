import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { answer, api } from '../kit/api.js';
import { keepDraft, readDraft } from '../kit/drafts.js';
import { newUuid } from '../kit/new-uuid.js';
import { useWorkspace } from '../kit/workspace.js';
import type { Attachment } from './attachments.js';
import type { Chat, Message } from './chat-feed.js';
import { textOf } from './message-text.js';

/** An answer that is written. The key makes sending it again harmless, as long as it is the same session. */
interface Answer {
  key: string;
  text: string;
  /** As the field for it has it: without a zone, in that of the browser. */
  sendAt?: string | undefined;
  files: Attachment[];
}

const newAnswer = (): Answer => ({ key: newUuid(), text: '', files: [] });

/** What a colleague writes in a chat: kept in this browser until it is sent. */
export function useAnswer(chat: Chat, messages: readonly Message[]) {
  const { uuid, me } = useWorkspace();
  const queries = useQueryClient();
  const place = `${uuid}:${me.id}:${chat.id}`;
  const [written, setWritten] = useState<Answer>(() => ({ ...newAnswer(), ...readDraft<Answer>(place) }));
  const knownBefore = useRef<ReadonlySet<string>>(new Set());

  const clear = () => {
    keepDraft(place, undefined);
    setWritten(newAnswer());
  };
  const send = useMutation({
    mutationFn: ({ key, text, sendAt, files }: Answer) => {
      knownBefore.current = new Set(messages.map(({ id }) => id));
      return answer(
        api.POST('/w/{workspace_uuid}/chats/{chat_id}/send-assistant-message', {
          params: {
            path: { workspace_uuid: uuid, chat_id: chat.id },
            header: { 'Idempotency-Key': key },
          },
          body: {
            message: text,
            ...(files.length === 0 ? {} : { files: files.map(({ id }) => id) }),
            ...(sendAt === undefined ? {} : { sendAt: new Date(sendAt).toISOString() }),
          },
        }),
      );
    },
    onSuccess: () => {
      clear();
      return queries.invalidateQueries({ queryKey: [uuid, 'queue'] });
    },
  });

  // Where the answer of the API was lost, the message itself says that it was sent.
  const hasArrived =
    send.isError &&
    messages.some(
      (message) =>
        message.memberId === me.id &&
        !knownBefore.current.has(message.id) &&
        textOf(message).trim() === written.text.trim(),
    );
  useEffect(() => {
    if (!hasArrived) return;
    send.reset();
    clear();
  });

  return {
    written,
    isSending: send.isPending,
    error: send.error,
    change(changed: Partial<Answer>): void {
      // What was refused or not answered, and is then changed, is another message.
      const another = send.isError ? { key: newUuid() } : {};
      if (send.isError) send.reset();
      // A file that was uploaded comes to what has been written meanwhile.
      setWritten((before) => {
        const next = { ...before, ...changed, ...another };
        keepDraft(place, next.text === '' && next.files.length === 0 ? undefined : next);
        return next;
      });
    },
    send(): void {
      if (written.text.trim() !== '' && !send.isPending) send.mutate(written);
    },
  };
}
