import { type ReactNode, useState } from 'react';
import { useTexts } from '../texts/texts.js';

/** Copies a text, where the browser can: it does with https and on localhost only. */
export function CopyButton({ text }: { text: string }): ReactNode {
  const texts = useTexts();
  const [copied, setCopied] = useState<string>();
  if (navigator.clipboard === undefined) return null;
  return (
    <button
      type="button"
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(text))}
    >
      {copied === text ? texts.copied : texts.copy}
    </button>
  );
}
