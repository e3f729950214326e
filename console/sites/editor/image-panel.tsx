import { useMutation, useQuery } from '@tanstack/react-query';
import type { Editor } from '@tiptap/core';
import { type ReactNode, useState } from 'react';
import { answer, api, type Schemas } from '../../kit/api.js';
import { ErrorNotice } from '../../kit/error-notice.js';
import { InputField, SelectField } from '../../kit/field.js';
import { useWorkspace } from '../../kit/workspace.js';
import type { Site } from '../queries.js';
import { pictureOf } from './addresses.js';
import { Panel } from './panel.js';
import { useEditorTexts } from './texts.js';

type StoredFile = Schemas['FileResponse'];

interface Props {
  editor: Editor;
  site: Site;
  onClose(): void;
}

/** A picture from this computer, from the files of the workspace, or from an address. */
export function ImagePanel({ editor, site, onClose }: Props): ReactNode {
  const texts = useEditorTexts();
  const { uuid } = useWorkspace();
  const current = editor.isActive('image') ? editor.getAttributes('image') : {};
  const [address, setAddress] = useState(String(current.src ?? ''));
  const [alt, setAlt] = useState(String(current.alt ?? ''));
  const [isWrong, setIsWrong] = useState(false);
  const path = { workspace_uuid: uuid };
  const files = useQuery({
    queryKey: [uuid, 'files', 'pictures'],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/files', {
          params: { path, query: { kind: ['image'], pageSize: 100, sortBy: 'createdAt', sortOrder: 'desc' } },
          signal,
        }),
      ),
  });
  const use = ({ id, filename }: StoredFile) =>
    setAddress(`/api/v2/s/${uuid}/${site.uuid}/files/${id}/contents/${encodeURIComponent(filename)}`);
  /** Who reads the site reads the files that are of the site. */
  const giveToSite = async (file: StoredFile) => {
    if (file.siteId !== site.id) {
      await answer(
        api.PUT('/w/{workspace_uuid}/files/{file_id}', {
          params: { path: { ...path, file_id: file.id } },
          body: { siteId: site.id },
        }),
      );
    }
    use(file);
  };
  const choose = useMutation({ mutationFn: giveToSite });
  const upload = useMutation({
    mutationFn: async (file: File) => {
      const form = new FormData();
      form.append('file', file, file.name);
      const stored = await answer(
        api.POST('/w/{workspace_uuid}/files', {
          params: { path },
          body: { file: '' },
          bodySerializer: () => form,
        }),
      );
      await giveToSite(stored);
      await files.refetch();
    },
  });
  const apply = () => {
    const src = pictureOf(address);
    setIsWrong(src === undefined);
    if (src === undefined) return;
    const attrs = { ...current, src, alt: alt.trim() || null };
    if (editor.isActive('image')) editor.chain().focus().updateAttributes('image', attrs).run();
    else editor.chain().focus().insertContent({ type: 'image', attrs }).run();
    onClose();
  };
  // A file of another site stays with that one.
  const offered = (files.data?.items ?? []).filter(({ siteId }) => siteId === null || siteId === site.id);
  return (
    <Panel label={texts.tools.image} onSubmit={apply} onClose={onClose}>
      <InputField
        label={texts.upload}
        pointer="/file"
        type="file"
        accept="image/*"
        disabled={upload.isPending}
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file !== undefined) upload.mutate(file);
        }}
      />
      <SelectField
        label={texts.chooseFile}
        pointer="/siteId"
        hint={texts.chooseFileHint}
        value=""
        disabled={choose.isPending}
        onChange={({ target }) => {
          const file = offered.find(({ id }) => String(id) === target.value);
          if (file !== undefined) choose.mutate(file);
        }}
      >
        <option value="">{texts.choose}</option>
        {offered.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </SelectField>
      <InputField
        label={texts.imageAddress}
        pointer="/src"
        hint={isWrong ? <span className="error">{texts.badPicture}</span> : texts.imageHint}
        maxLength={2_048}
        autoCapitalize="none"
        spellCheck={false}
        value={address}
        onChange={({ target }) => setAddress(target.value)}
      />
      <InputField
        label={texts.alt}
        pointer="/alt"
        hint={texts.altHint}
        maxLength={500}
        value={alt}
        onChange={({ target }) => setAlt(target.value)}
      />
      <ErrorNotice error={upload.error ?? choose.error} />
      <div className="acts">
        <button type="submit" className="primary" disabled={upload.isPending || choose.isPending}>
          {texts.apply}
        </button>
        <button type="button" onClick={onClose}>
          {texts.cancel}
        </button>
      </div>
    </Panel>
  );
}
