import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { DialogButton } from '../kit/dialog.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { useWorkspace } from '../kit/workspace.js';

interface Props<T> {
  /** What the button says, here and in the dialog. */
  title: string;
  /** What follows from the act. */
  help: string;
  tone?: 'primary' | 'danger';
  act(): Promise<T>;
  /** What came of it, if the page does not show it by itself. */
  outcome?(result: T): string;
  onDone?(result: T): void;
  /** Further choices. */
  children?: ReactNode;
}

/** A button that asks before it acts, and reads the webhooks again afterwards. */
export function ActDialog<T>({
  title,
  help,
  tone = 'primary',
  act,
  outcome,
  onDone,
  children,
}: Props<T>): ReactNode {
  const [told, setTold] = useState<string>();
  const mutation = useAct(act);
  return (
    <>
      <DialogButton title={title}>
        {(close) => (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              mutation.mutate(undefined, {
                onSuccess: (result) => {
                  close();
                  setTold(outcome?.(result));
                  onDone?.(result);
                },
              });
            }}
          >
            <p>{help}</p>
            {children}
            <ErrorNotice error={mutation.error} />
            <button type="submit" className={tone} disabled={mutation.isPending}>
              {title}
            </button>
          </form>
        )}
      </DialogButton>
      {told === undefined ? null : <span role="status">{told}</span>}
    </>
  );
}

/** An act after which rules, deliveries and counts are read again. */
export function useAct<T>(act: () => Promise<T>) {
  const { uuid } = useWorkspace();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: [uuid, 'event-rules'] });
      void queries.invalidateQueries({ queryKey: [uuid, 'overview'] });
    },
  });
}
