import { Editor } from '@tiptap/core';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { Site } from '../queries.js';
import styles from './editor.module.css';
import { extensions, keepsAll } from './extensions.js';
import type { Blocks } from './queries.js';
import './rich-text.css';
import { useEditorTexts } from './texts.js';
import { Toolbar } from './toolbar.js';

interface Props {
  label: string;
  /** Of which pages and files are offered; what is only read needs none. */
  site?: Site;
  locale: string;
  isEditable: boolean;
  value: Blocks;
  onChange?(value: Blocks): void;
}

/** The text of a page. What this editor does not know of it is never lost: then it is not changed here. */
export function RichText({ label, site, locale, isEditable, value, onChange }: Props): ReactNode {
  const texts = useEditorTexts();
  const place = useRef<HTMLDivElement>(null);
  const hint = useId();
  const [editor, setEditor] = useState<Editor>();
  const [isKnown, setIsKnown] = useState(true);
  const [, setChanges] = useState(0);
  /** What the editor has made: it comes back as the value, and is no news. */
  const made = useRef<unknown>(undefined);
  const tell = useRef(onChange);
  useEffect(() => {
    tell.current = onChange;
  });
  const mayWrite = isEditable && isKnown;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is made once; what changes is put into it below.
  useEffect(() => {
    const created = new Editor({
      element: place.current,
      extensions: extensions(texts.task),
      injectCSS: false,
      editorProps: {
        attributes: {
          role: 'textbox',
          'aria-multiline': 'true',
          'aria-label': label,
          'aria-describedby': hint,
          class: styles.text ?? '',
          lang: locale,
          dir: 'auto',
        },
      },
      onTransaction: () => setChanges((count) => count + 1),
      onUpdate: ({ editor: changed }) => {
        made.current = changed.getJSON();
        tell.current?.(made.current as Blocks);
      },
    });
    setEditor(created);
    return () => created.destroy();
  }, []);
  useEffect(() => {
    if (editor === undefined || value === made.current) return;
    made.current = value;
    const read = documentIn(editor, value);
    setIsKnown(read !== undefined);
    if (read === undefined || read.eq(editor.state.doc)) return;
    editor.commands.setContent(read.toJSON(), { emitUpdate: false });
  }, [editor, value]);
  useEffect(() => {
    editor?.setEditable(mayWrite, false);
  }, [editor, mayWrite]);
  return (
    <div className={styles.field}>
      <span className={styles.label}>{label}</span>
      {isKnown ? null : <p role="alert">{texts.unknownParts}</p>}
      {editor === undefined || site === undefined || !mayWrite ? null : (
        <Toolbar editor={editor} site={site} />
      )}
      <div ref={place} hidden={!isKnown} />
      <span id={hint} className="unseen">
        {mayWrite ? texts.textHint : ''}
      </span>
    </div>
  );
}

/** A document as the editor has it; undefined: it would lose something. */
function documentIn(editor: Editor, value: Blocks) {
  try {
    const read = editor.schema.nodeFromJSON(value);
    read.check();
    return keepsAll(value, read.toJSON()) ? read : undefined;
  } catch {
    return undefined;
  }
}
