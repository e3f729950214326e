import type { Editor } from '@tiptap/core';
import { type ReactNode, useState } from 'react';
import { CheckField, InputField } from '../../kit/field.js';
import { PageField } from '../page-field.js';
import type { Site } from '../queries.js';
import { useSitePath } from '../with-site.js';
import { linkOf } from './addresses.js';
import { Panel } from './panel.js';
import { useEditorTexts } from './texts.js';

interface Props {
  editor: Editor;
  site: Site;
  onClose(): void;
}

/** Makes a link of what is selected, changes the one at the cursor, or takes it away. */
export function LinkPanel({ editor, onClose }: Props): ReactNode {
  const texts = useEditorTexts();
  const at = useSitePath();
  const current = editor.getAttributes('link');
  const [address, setAddress] = useState(String(current.href ?? ''));
  const [page, setPage] = useState<{ id: number; title: string }>();
  const [isNew, setIsNew] = useState(current.target === '_blank');
  const [isWrong, setIsWrong] = useState(false);
  const isLink = editor.isActive('link');
  const apply = () => {
    const href = linkOf(address);
    setIsWrong(href === undefined);
    if (href === undefined) return;
    const attrs = { ...current, href, target: isNew ? '_blank' : null };
    const chain = editor.chain().focus();
    if (editor.state.selection.empty && !isLink) {
      const text = page?.title ?? href;
      chain.insertContent({ type: 'text', text, marks: [{ type: 'link', attrs }] }).run();
    } else chain.extendMarkRange('link').setMark('link', attrs).run();
    onClose();
  };
  return (
    <Panel label={texts.tools.link} onSubmit={apply} onClose={onClose}>
      <InputField
        label={texts.linkAddress}
        pointer="/href"
        hint={isWrong ? <span className="error">{texts.badAddress}</span> : texts.linkHint}
        maxLength={2_048}
        autoCapitalize="none"
        spellCheck={false}
        value={address}
        onChange={({ target }) => setAddress(target.value)}
      />
      <PageField
        at={at}
        label={texts.linkPage}
        pointer="/page"
        value={page}
        onChange={(chosen) => {
          setPage(chosen);
          if (chosen !== undefined) setAddress(`/${chosen.slug}`);
        }}
      />
      <CheckField
        label={texts.newWindow}
        pointer="/target"
        checked={isNew}
        onChange={({ target }) => setIsNew(target.checked)}
      />
      <div className="acts">
        <button type="submit" className="primary">
          {texts.apply}
        </button>
        {isLink ? (
          <button
            type="button"
            onClick={() => {
              editor.chain().focus().extendMarkRange('link').unsetMark('link').run();
              onClose();
            }}
          >
            {texts.removeLink}
          </button>
        ) : null}
        <button type="button" onClick={onClose}>
          {texts.cancel}
        </button>
      </div>
    </Panel>
  );
}
