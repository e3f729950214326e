import { type ReactNode, useState } from 'react';
import { DialogButton } from '../kit/dialog.js';
import { Form, TextAreaField } from '../kit/field.js';
import { useRunTexts } from './texts.js';

interface Props {
  /** What the button says, here and in the dialog. */
  title: string;
  /** What follows from the act. */
  help: string;
  tone?: 'primary' | 'danger';
  /** Whether a reason may be given. */
  withReason?: boolean;
  error: Error | null;
  isPending: boolean;
  act(reason: string | null, close: () => void): void;
  children?: ReactNode;
}

/** A button that says what will happen, and asks, before it acts. */
export function AsksFirst(props: Props): ReactNode {
  const { title, help, tone = 'primary', withReason = false, error, isPending, act, children } = props;
  const texts = useRunTexts();
  const [reason, setReason] = useState('');
  return (
    <DialogButton title={title}>
      {(close) => (
        <Form error={error} onSubmit={() => act(reason.trim() || null, close)}>
          <p>{help}</p>
          {children}
          {withReason ? (
            <TextAreaField
              label={texts.reason}
              pointer="/reason"
              maxLength={2_000}
              value={reason}
              onChange={({ target }) => setReason(target.value)}
            />
          ) : null}
          <button type="submit" className={tone} disabled={isPending}>
            {title}
          </button>
        </Form>
      )}
    </DialogButton>
  );
}
