import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTexts } from '../texts/texts.js';
import styles from './dialog.module.css';
import { useKeptFocus } from './kept-focus.js';

interface Props {
  /** What the button says that opens the dialog, which is also its title. */
  title: string;
  disabled?: boolean;
  /** Called when the dialog has closed, in whatever way. */
  onClose?(): void;
  /** The content, with a function that closes the dialog. */
  children(close: () => void): ReactNode;
}

/**
 * A button that opens a dialog. The browser keeps the focus inside, closes it by Escape and gives the focus back;
 * where the button is gone by then, the heading of the page gets it. The content is made once it is opened.
 */
export function DialogButton({ title, disabled, onClose, children }: Props): ReactNode {
  const texts = useTexts();
  const opener = useRef<HTMLButtonElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const [wasOpened, setWasOpened] = useState(false);
  useKeptFocus(opener);
  useKeptFocus(dialog);
  const close = () => dialog.current?.close();
  const open = () => {
    // The browser looks for what gets the focus when the dialog opens.
    flushSync(() => setWasOpened(true));
    dialog.current?.showModal();
  };
  return (
    <>
      <button ref={opener} type="button" disabled={disabled} onClick={open}>
        {title}
      </button>
      <dialog ref={dialog} className={styles.dialog} aria-label={title} onClose={onClose}>
        <h2>{title}</h2>
        {wasOpened ? children(close) : null}
        <button type="button" className={styles.close} onClick={close}>
          {texts.cancel}
        </button>
      </dialog>
    </>
  );
}
