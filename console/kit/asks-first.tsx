import type { QueryKey } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { DialogButton } from './dialog.js';
import { Form } from './field.js';
import { useAct } from './use-act.js';

interface Props<Result> {
  /** What the button says, here and in the dialog. */
  title: string;
  /** What follows from the act. */
  help: string;
  tone?: 'primary' | 'danger';
  /** Whether something has to be chosen before. */
  disabled?: boolean;
  act(): Promise<Result>;
  /** What the act may change: keys of queries, after that of the workspace. */
  changes: readonly QueryKey[];
  /** What came of it, if the page does not show it by itself. */
  outcome?(result: Result): string;
  onDone?(result: Result): void;
  /** Further choices. */
  children?: ReactNode;
}

/** A button that says what will happen, and asks, before it acts. */
export function AsksFirst<Result>(props: Props<Result>): ReactNode {
  const { title, help, tone = 'primary', disabled = false, act, changes, outcome, onDone, children } = props;
  const [told, setTold] = useState<string>();
  const acting = useAct(act, ...changes);
  const submit = (close: () => void) =>
    acting.mutate(undefined, {
      onSuccess: (result) => {
        close();
        setTold(outcome?.(result));
        onDone?.(result);
      },
    });
  return (
    <>
      <DialogButton title={title}>
        {(close) => (
          <Form error={acting.error} onSubmit={() => submit(close)}>
            <p>{help}</p>
            {children}
            <button type="submit" className={tone} disabled={disabled || acting.isPending}>
              {title}
            </button>
          </Form>
        )}
      </DialogButton>
      {told === undefined ? null : <span role="status">{told}</span>}
    </>
  );
}
