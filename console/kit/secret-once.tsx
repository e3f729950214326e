import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.js';
import styles from './page.module.css';

/** A secret that the API gives only now. */
export function SecretOnce({ help, secret }: { help: string; secret: string }): ReactNode {
  return (
    <>
      <p>{help}</p>
      <p className="acts">
        <code className={styles.secret}>{secret}</code>
        <CopyButton text={secret} />
      </p>
    </>
  );
}
