import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Whether somebody writes or chooses in this element, so that letters are no commands. */
function takesText(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  );
}

const rows = () => [...document.querySelectorAll<HTMLAnchorElement>('a[data-chat]')];

/** Moves the focus to the next or previous chat of the list. */
function moveBy(step: 1 | -1): void {
  const all = rows();
  const focused = all.indexOf(document.activeElement as HTMLAnchorElement);
  const from = focused === -1 ? all.findIndex((row) => row.getAttribute('aria-current') === 'true') : focused;
  const next = from === -1 ? 0 : from + step;
  all[Math.max(0, Math.min(all.length - 1, next))]?.focus();
}

/** Begins to write an answer or a note; the button is missing where one may write one kind only. */
function beginToWrite(kind: 'answer' | 'note'): void {
  const button = document.querySelector<HTMLElement>(`[data-writes="${kind}"]`);
  if (button !== null) button.click();
  else if (kind === 'answer') document.querySelector<HTMLElement>('[data-composer]')?.focus();
}

/** The keys of the inbox: j and k through the list, o opens, r writes an answer, n a note, Escape closes. */
export function useKeys(): void {
  const { workspace, chatId } = useParams({ strict: false });
  const search = useSearch({ from: '/w/$workspace/inbox' });
  const navigate = useNavigate();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      // What is behind a dialog is not to be reached.
      if (document.querySelector('dialog[open]') !== null) return;
      if (takesText(event.target)) {
        if (event.key === 'Escape') (event.target as HTMLElement).blur();
        return;
      }
      const acts: Record<string, () => void> = {
        j: () => moveBy(1),
        k: () => moveBy(-1),
        o: () => rows()[0]?.click(),
        r: () => beginToWrite('answer'),
        n: () => beginToWrite('note'),
        Escape: () => {
          if (workspace === undefined || chatId === undefined) return;
          void navigate({ to: '/w/$workspace/inbox', params: { workspace }, search });
        },
      };
      const act = acts[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [workspace, chatId, search, navigate]);
}
