import { type RefObject, useLayoutEffect } from 'react';

/** Where a control goes away that has the focus, the keyboard goes on at the heading of the page. */
export function useKeptFocus(ref: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const control = ref.current;
    return () => {
      const isOpen = control instanceof HTMLDialogElement && control.open;
      // A button that waits for an answer is disabled, and has lost the focus by then.
      if (!isOpen && control?.contains(document.activeElement) !== true) return;
      queueMicrotask(() => {
        const heading = document.querySelector<HTMLElement>('main :is(h1, h2)[tabindex]');
        if (document.activeElement === document.body) (heading ?? document.getElementById('main'))?.focus();
      });
    };
  }, [ref]);
}
