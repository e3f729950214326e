import { type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './files.module.css';
import { useFileTexts } from './texts.js';

interface Props {
  label: string;
  /** Whether several can be chosen at once. */
  multiple?: boolean;
  className?: string;
  onFiles(files: readonly File[]): void;
}

/** A button that chooses files of this computer. */
export function ChooseFiles({ label, multiple = false, className, onFiles }: Props): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className={className} onClick={() => input.current?.click()}>
        {label}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple={multiple}
        aria-label={label}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = '';
        }}
      />
    </>
  );
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;

/** Takes files that are dropped anywhere on the page, and says so while they are above it. */
export function DropFiles({ hint, onFiles }: Pick<Props, 'onFiles'> & { hint: string }): ReactNode {
  const texts = useFileTexts();
  const [isOver, setIsOver] = useState(false);
  const [hadFolder, setHadFolder] = useState(false);
  const newest = useRef(onFiles);
  useEffect(() => {
    newest.current = onFiles;
  });
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsOver(true);
    };
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setIsOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsOver(false);
      const items = [...(event.dataTransfer?.items ?? [])];
      // A browser gives a folder as a file that cannot be read.
      const files = items.filter((item) => item.webkitGetAsEntry()?.isDirectory !== true);
      setHadFolder(files.length < items.length);
      newest.current(files.flatMap((item) => item.getAsFile() ?? []));
    };
    document.addEventListener('dragover', over);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
    };
  }, []);
  return (
    <>
      {isOver ? (
        <p role="status" className={styles.drop}>
          {hint}
        </p>
      ) : null}
      {hadFolder ? (
        <p role="alert" className="error">
          {texts.droppedFolder}
        </p>
      ) : null}
    </>
  );
}
