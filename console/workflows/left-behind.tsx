import type { ReactNode } from 'react';
import { saveFile } from './export-file.js';
import type { Task } from './task-document.js';
import { useWorkflowTexts } from './texts.js';
import styles from './workflows.module.css';

interface Props {
  root: Task;
  name: string;
  onDrop(): void;
}

/** Somebody has published or archived the draft before all was saved: what is left here can be taken along. */
export function LeftBehind({ root, name, onDrop }: Props): ReactNode {
  const texts = useWorkflowTexts();
  return (
    <div role="alert" className={styles.conflict}>
      <p>{texts.leftBehind}</p>
      <div className="acts">
        <button type="button" onClick={() => saveFile(name, { name, rootTask: root })}>
          {texts.saveMine}
        </button>
        <button type="button" className="danger" onClick={onDrop}>
          {texts.dropMine}
        </button>
      </div>
    </div>
  );
}
