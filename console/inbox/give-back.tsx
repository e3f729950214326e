import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answer, api } from '../kit/api.js';
import { DialogButton } from '../kit/dialog.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { useWorkspace } from '../kit/workspace.js';
import type { Chat } from './chat-feed.js';
import { useInboxTexts } from './texts.js';

/** Gives a chat back to its agent, with a note that the agent reads and the member never sees. */
export function GiveBack({ chat }: { chat: Chat }): ReactNode {
  const texts = useInboxTexts();
  const { uuid } = useWorkspace();
  const queries = useQueryClient();
  const [note, setNote] = useState('');
  const giveBack = useMutation({
    mutationFn: () =>
      answer(
        api.PUT('/w/{workspace_uuid}/chats/{chat_id}', {
          params: { path: { workspace_uuid: uuid, chat_id: chat.id } },
          body: { paused: false, ...(note.trim() === '' ? {} : { note: note.trim() }) },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: [uuid, 'queue'] }),
  });
  return (
    <DialogButton title={texts.giveBack}>
      {(close) => (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            giveBack.mutate(undefined, { onSuccess: close });
          }}
        >
          <label>
            {texts.noteForAgent}
            <textarea rows={3} value={note} onChange={({ target }) => setNote(target.value)} />
          </label>
          <ErrorNotice error={giveBack.error} />
          <button type="submit" className="primary" disabled={giveBack.isPending}>
            {texts.giveBack}
          </button>
        </form>
      )}
    </DialogButton>
  );
}
