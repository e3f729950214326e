import { type ReactNode, useRef } from 'react';
import { useKeptFocus } from '../kit/kept-focus.js';

/** Takes something out of a form, and goes away with it. */
export function RemoveButton({ onClick, children }: { onClick(): void; children: ReactNode }): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  useKeptFocus(button);
  return (
    <button ref={button} type="button" onClick={onClick}>
      {children}
    </button>
  );
}
