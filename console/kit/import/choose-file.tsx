import { type DragEvent, type ReactNode, useState } from 'react';
import styles from './import.module.css';
import { useImportTexts } from './texts.js';

/** Takes a file that is chosen, or dropped on it. */
export function ChooseFile({ onFile }: { onFile(file: File): void }): ReactNode {
  const texts = useImportTexts();
  const [isOver, setIsOver] = useState(false);
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file !== undefined) onFile(file);
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(true);
  };
  return (
    <label
      className={styles.drop}
      data-over={isOver}
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <strong>{texts.drop}</strong>
      <span className="quiet">{texts.what}</span>
      <input
        type="file"
        aria-label={texts.choose}
        accept=".csv,.tsv,.txt,text/csv"
        onChange={({ target }) => {
          take(target.files);
          target.value = '';
        }}
      />
    </label>
  );
}
