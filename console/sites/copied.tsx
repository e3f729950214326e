import { type ReactNode, useState } from 'react';
import { filled } from '../texts/texts.js';
import styles from './sites.module.css';
import { useSiteTexts } from './texts.js';

/** A text with a button that copies it. */
export function Copied({ text, name }: { text: string; name: string }): ReactNode {
  const texts = useSiteTexts();
  const [isCopied, setIsCopied] = useState(false);
  return (
    <span className={styles.copied}>
      <code>{text}</code>
      {/* Browsers have a clipboard with https and on localhost only. */}
      {navigator.clipboard === undefined ? null : (
        <button
          type="button"
          aria-label={filled(texts.copyIt, { name })}
          onClick={() => void navigator.clipboard.writeText(text).then(() => setIsCopied(true))}
        >
          {texts.copy}
        </button>
      )}
      <span role="status">{isCopied ? texts.copied : null}</span>
    </span>
  );
}
