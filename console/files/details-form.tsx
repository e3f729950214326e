import { type ReactNode, useState } from 'react';
import { keepDraft, readDraft } from '../kit/drafts.js';
import { Form, InputField, SelectField, TextAreaField } from '../kit/field.js';
import { useAct } from '../kit/use-act.js';
import { useWorkspace } from '../kit/workspace.js';
import { type Access, accesses } from './search.js';
import { useFileTexts } from './texts.js';

export interface Details {
  /** A folder has a name, a file a title. */
  name: string;
  description: string;
  /** When an agent is to choose the file; a folder has none. */
  choicePrompt?: string;
  access: Access;
}

interface Props {
  /** What is changed, for its draft. */
  of: string;
  stored: Details;
  /** What the API calls the name in its errors. */
  pointerOfName: string;
  /** Sends what was changed. */
  save(written: Partial<Details>): Promise<unknown>;
}

/** What can be written about a file or a folder. It is kept in this browser until it is saved or discarded. */
export function DetailsForm({ of, stored, pointerOfName, save }: Props): ReactNode {
  const texts = useFileTexts();
  const { uuid, me, can } = useWorkspace();
  const place = `${uuid}:${me.id}:${of}`;
  const [written, setWritten] = useState(() => readDraft<Partial<Details>>(place) ?? {});
  const keep = (next: Partial<Details>) => {
    const changed = Object.entries(next).filter(([key, value]) => value !== stored[key as keyof Details]);
    setWritten(Object.fromEntries(changed));
    keepDraft(place, changed.length === 0 ? undefined : Object.fromEntries(changed));
  };
  const saving = useAct(save, ['files'], ['folders']);
  const submit = () =>
    saving.mutate(written, {
      // What was written since then stays.
      onSuccess: () =>
        setWritten((now) => {
          const left = Object.entries(now).filter(([key, value]) => written[key as keyof Details] !== value);
          keepDraft(place, left.length === 0 ? undefined : Object.fromEntries(left));
          return Object.fromEntries(left);
        }),
    });
  const discard = () => {
    saving.reset();
    keep({});
  };
  const value = { ...stored, ...written };
  const write = (changed: Partial<Details>) => keep({ ...written, ...changed });
  const isChanged = Object.keys(written).length > 0;
  // Others show what is theirs by links alone.
  const offered = accesses.filter((one) => one === 'private' || one === stored.access || can('files:write'));
  return (
    <Form error={saving.error} onSubmit={submit}>
      <InputField
        label={texts.name}
        pointer={pointerOfName}
        value={value.name}
        maxLength={200}
        required
        onChange={({ target }) => write({ name: target.value })}
      />
      <TextAreaField
        label={texts.description}
        pointer="/description"
        value={value.description}
        onChange={({ target }) => write({ description: target.value })}
      />
      {value.choicePrompt === undefined ? null : (
        <TextAreaField
          label={texts.choicePrompt}
          pointer="/choicePrompt"
          hint={texts.choicePromptHint}
          value={value.choicePrompt}
          onChange={({ target }) => write({ choicePrompt: target.value })}
        />
      )}
      <SelectField
        label={texts.seenBy}
        pointer="/access"
        hint={texts.accessHints[value.access]}
        value={value.access}
        onChange={({ target }) => write({ access: target.value as Access })}
      >
        {offered.map((one) => (
          <option key={one} value={one}>
            {texts.accesses[one]}
          </option>
        ))}
      </SelectField>
      <div className="acts">
        <button type="submit" className="primary" disabled={!isChanged || saving.isPending}>
          {texts.save}
        </button>
        {isChanged ? (
          <button type="button" disabled={saving.isPending} onClick={discard}>
            {texts.discard}
          </button>
        ) : null}
        {saving.isSuccess && !isChanged ? <span role="status">{texts.saved}</span> : null}
      </div>
    </Form>
  );
}
