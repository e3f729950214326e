import { type ReactNode, useRef } from 'react';
import { useTexts } from '../texts/texts.js';
import styles from './dialog.module.css';

interface Props {
  /** What the button says that opens the dialog, which is also its title. */
  title: string;
  disabled?: boolean;
  /** The content, with a function that closes the dialog. */
  children(close: () => void): ReactNode;
}

/** A button that opens a dialog. The browser keeps the focus inside, closes it by Escape and gives the focus back. */
export function DialogButton({ title, disabled, children }: Props): ReactNode {
  const texts = useTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => dialog.current?.close();
  return (
    <>
      <button type="button" disabled={disabled} onClick={() => dialog.current?.showModal()}>
        {title}
      </button>
      <dialog ref={dialog} className={styles.dialog} aria-label={title}>
        <h2>{title}</h2>
        {children(close)}
        <button type="button" className={styles.close} onClick={close}>
          {texts.cancel}
        </button>
      </dialog>
    </>
  );
}
