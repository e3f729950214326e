import type { Editor } from '@tiptap/core';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Site } from '../queries.js';
import styles from './editor.module.css';
import { ImagePanel } from './image-panel.js';
import { LinkPanel } from './link-panel.js';
import { useEditorTexts } from './texts.js';
import { type Tool, tableTools, tools } from './tools.js';

type Panel = 'link' | 'image';

/** What one can do with the text. It is one stop of the tabulator; arrow keys move in it. */
export function Toolbar({ editor, site }: { editor: Editor; site: Site }): ReactNode {
  const texts = useEditorTexts();
  const bar = useRef<HTMLDivElement>(null);
  const [reached, setReached] = useState('undo');
  const [panel, setPanel] = useState<Panel>();
  useEffect(() => {
    const { dom } = editor.view;
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      setPanel('link');
    };
    dom.addEventListener('keydown', onKeyDown);
    return () => dom.removeEventListener('keydown', onKeyDown);
  }, [editor]);
  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = [...(bar.current?.querySelectorAll<HTMLButtonElement>('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const isRightToLeft = getComputedStyle(document.body).direction === 'rtl';
    const step = isRightToLeft ? -1 : 1;
    const next = {
      ArrowRight: (at + step + buttons.length) % buttons.length,
      ArrowLeft: (at - step + buttons.length) % buttons.length,
      Home: 0,
      End: buttons.length - 1,
    }[event.key];
    if (next === undefined || at < 0) return;
    event.preventDefault();
    buttons[next]?.focus();
  };
  const buttonOf = (name: Tool['name']) => ({
    type: 'button' as const,
    'aria-label': texts.tools[name],
    title: texts.tools[name],
    tabIndex: name === reached ? 0 : -1,
    onFocus: () => setReached(name),
  });
  const use = (tool: Tool) => {
    tool.run(editor.chain().focus(), editor).run();
    // At once: what is typed next belongs to the text.
    editor.view.focus();
  };
  const close = () => {
    setPanel(undefined);
    editor.view.focus();
  };
  const shown = editor.isActive('table') ? [...tools, tableTools] : tools;
  const names = shown.flat().map(({ name }) => name as string);
  // The tools of tables come and go.
  if (!names.includes(reached) && reached !== 'link' && reached !== 'image') setReached('undo');
  return (
    <>
      <div
        ref={bar}
        role="toolbar"
        aria-label={texts.toolbar}
        className={styles.toolbar}
        onKeyDown={onKeyDown}
      >
        {shown.map((group) => (
          <span key={group[0]?.name} className={styles.group}>
            {group.map((tool) => {
              const isUsable = tool.isUsable?.(editor) !== false;
              return (
                <button
                  key={tool.name}
                  {...buttonOf(tool.name)}
                  data-tool={tool.name}
                  aria-pressed={tool.isOn?.(editor)}
                  aria-disabled={!isUsable}
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => isUsable && use(tool)}
                >
                  <Sign tool={tool} name={texts.tools[tool.name]} />
                </button>
              );
            })}
          </span>
        ))}
        <span className={styles.group}>
          {(['link', 'image'] as const).map((name) => (
            <button
              key={name}
              {...buttonOf(name)}
              aria-expanded={panel === name}
              aria-pressed={name === 'link' ? editor.isActive('link') : undefined}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => setPanel(panel === name ? undefined : name)}
            >
              {texts.tools[name]}
            </button>
          ))}
        </span>
      </div>
      {panel === 'link' ? <LinkPanel editor={editor} site={site} onClose={close} /> : null}
      {panel === 'image' ? <ImagePanel editor={editor} site={site} onClose={close} /> : null}
    </>
  );
}

function Sign({ tool: { sign, path }, name }: { tool: Tool; name: string }): ReactNode {
  if (path === undefined)
    return sign === undefined ? name : <span className={styles.sign} data-sign={sign} />;
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={path} fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
}
