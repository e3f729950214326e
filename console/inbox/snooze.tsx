import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answer, api } from '../kit/api.js';
import { DialogButton } from '../kit/dialog.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { useWorkspace } from '../kit/workspace.js';
import type { Chat } from './chat-feed.js';
import { useInboxTexts } from './texts.js';

/** At nine in the morning, so many days from now. */
function morning(days: number): string {
  const time = new Date();
  time.setDate(time.getDate() + days);
  time.setHours(9, 0, 0, 0);
  return time.toISOString();
}

const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

/** Until when a chat can be put off; null: until the member writes. */
const times = {
  hour: () => inHours(1),
  threeHours: () => inHours(3),
  tomorrow: () => morning(1),
  week: () => morning(7),
  answer: () => null,
} as const;
const choices = Object.keys(times) as (keyof typeof times)[];

/** Puts a chat off. It is refused if the member has written something that this page has not shown. */
export function Snooze({
  chat,
  lastMessageId,
}: {
  chat: Chat;
  lastMessageId: string | undefined;
}): ReactNode {
  const texts = useInboxTexts();
  const { uuid } = useWorkspace();
  const queries = useQueryClient();
  const snooze = useMutation({
    mutationFn: (until: string | null) =>
      answer(
        api.POST('/w/{workspace_uuid}/chats/{chat_id}/snooze', {
          params: { path: { workspace_uuid: uuid, chat_id: chat.id } },
          body: { until, ...(lastMessageId === undefined ? {} : { lastMessageId }) },
        }),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: [uuid, 'queue'] }),
  });
  return (
    <DialogButton title={texts.snooze} disabled={snooze.isPending}>
      {(close) => (
        <>
          <p className="acts">
            {choices.map((choice) => (
              <button
                key={choice}
                type="button"
                onClick={() => snooze.mutate(times[choice](), { onSuccess: close })}
              >
                {texts.snoozeUntil[choice]}
              </button>
            ))}
          </p>
          <ErrorNotice error={snooze.error} />
        </>
      )}
    </DialogButton>
  );
}
