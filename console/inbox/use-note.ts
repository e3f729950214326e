import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../kit/api.js';
import { keepDraft, readDraft } from '../kit/drafts.js';
import { newUuid } from '../kit/new-uuid.js';
import { useWorkspace } from '../kit/workspace.js';

/** A note that is written. The key makes sending it again harmless. */
interface Note {
  key: string;
  text: string;
}

const newNote = (): Note => ({ key: newUuid(), text: '' });

/** What a colleague notes about a chat: kept in this browser, apart from the answer, until it is left. */
export function useNote(chatId: number) {
  const { uuid, me } = useWorkspace();
  const place = `${uuid}:${me.id}:${chatId}:note`;
  const [written, setWritten] = useState<Note>(() => readDraft<Note>(place) ?? newNote());
  const leave = useMutation({
    mutationFn: ({ key, text }: Note) =>
      answer(
        api.POST('/w/{workspace_uuid}/chats/{chat_id}/notes', {
          params: { path: { workspace_uuid: uuid, chat_id: chatId }, header: { 'Idempotency-Key': key } },
          body: { text },
        }),
      ),
    onSuccess: () => {
      keepDraft(place, undefined);
      setWritten(newNote());
    },
  });
  return {
    text: written.text,
    isLeaving: leave.isPending,
    error: leave.error,
    change(text: string): void {
      // What was refused or not answered, and is then changed, is another note.
      const next = { key: leave.isError ? newUuid() : written.key, text };
      if (leave.isError) leave.reset();
      keepDraft(place, text === '' ? undefined : next);
      setWritten(next);
    },
    leave(): void {
      if (written.text.trim() !== '' && !leave.isPending) leave.mutate(written);
    },
  };
}
