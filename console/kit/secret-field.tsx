import { type ReactNode, type RefObject, useEffect } from 'react';
import { type FieldProps, InputField } from './field.js';

interface Props extends FieldProps {
  /** Who sends the value reads it here, when it is sent. */
  field: RefObject<HTMLInputElement | null>;
  required?: boolean;
  minLength?: number;
  maxLength: number;
  /** Whether there is something in the field, after each change. */
  onWrite?(isWritten: boolean): void;
}

/** A value that is sent and never shown: it is nowhere but in this field, which is emptied when its dialog closes. */
export function SecretField({ field, onWrite, ...input }: Props): ReactNode {
  useEffect(() => {
    const control = field.current;
    const dialog = control?.closest('dialog');
    const empty = () => {
      if (control !== null) control.value = '';
    };
    dialog?.addEventListener('close', empty);
    return () => dialog?.removeEventListener('close', empty);
  }, [field]);
  return (
    <InputField
      {...input}
      ref={field}
      type="password"
      dir="ltr"
      autoComplete="off"
      spellCheck={false}
      onChange={({ target }) => onWrite?.(target.value !== '')}
    />
  );
}
