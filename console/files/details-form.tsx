import { type ReactNode, useRef, useState } from 'react';
import { ProblemError } from '../kit/api.js';
import { keepDraft, readDraft } from '../kit/drafts.js';
import { Form, InputField, SelectField, TextAreaField } from '../kit/field.js';
import { useAct } from '../kit/use-act.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled } from '../texts/texts.js';
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

interface Draft {
  written: Partial<Details>;
  /** What was stored when it was written. */
  since: Partial<Details>;
}

interface Props {
  /** What is changed, for its draft. */
  of: string;
  stored: Details;
  /** What the API calls the name in its errors. */
  pointerOfName: string;
  read(): Promise<Details>;
  /** Sends what was changed. */
  save(written: Partial<Details>): Promise<unknown>;
}

const keysOf = (details: Partial<Details>) => Object.keys(details) as (keyof Details)[];

/** What is written, kept in this browser until it is saved or discarded. */
function useDraft(of: string, stored: Details) {
  const { uuid, me } = useWorkspace();
  const place = `${uuid}:${me.id}:${of}`;
  const [draft, setDraft] = useState(() => readDraft<Draft>(place) ?? { written: {}, since: {} });
  // What is written while a request goes on is in no closure of that request.
  const newest = useRef(draft);
  const keep = (written: Partial<Details>, since: Partial<Details>) => {
    const left = keysOf(written).filter((key) => written[key] !== since[key]);
    const only = (values: Partial<Details>) => Object.fromEntries(left.map((key) => [key, values[key]]));
    newest.current = { written: only(written), since: only(since) };
    setDraft(newest.current);
    keepDraft(place, left.length === 0 ? undefined : newest.current);
  };
  return {
    ...draft,
    isEmpty: keysOf(draft.written).length === 0,
    write(changed: Partial<Details>): void {
      const { written, since } = newest.current;
      keep({ ...written, ...changed }, { ...stored, ...since });
    },
    discard: () => keep({}, {}),
    /** What was sent is stored; what was written since then stays. */
    saved(sent: Partial<Details>): void {
      const { written, since } = newest.current;
      keep(written, { ...since, ...sent });
    },
    /** Somebody else has changed it: what they have stored is known from now on. */
    isKnown(now: Details): void {
      const { written } = newest.current;
      keep(written, now);
    },
  };
}

/** What can be written about a file or a folder. */
export function DetailsForm({ of, stored, pointerOfName, read, save }: Props): ReactNode {
  const texts = useFileTexts();
  const { can } = useWorkspace();
  const draft = useDraft(of, stored);
  const { written, since, write } = draft;
  const saving = useAct(
    async () => {
      const now = await read();
      const others = keysOf(written).filter((key) => now[key] !== since[key] && now[key] !== written[key]);
      if (others.length === 0) return save(written);
      draft.isKnown(now);
      const values = others.map(
        (key) => `“${key === 'access' ? texts.accesses[now.access] : (now[key] ?? '')}”`,
      );
      const detail = filled(texts.changedMeanwhile, { values: values.join(', ') });
      throw new ProblemError({ status: 412, code: 'precondition_failed', detail });
    },
    ['files'],
    ['folders'],
  );
  const submit = () => saving.mutate(undefined, { onSuccess: () => draft.saved(written) });
  const discard = () => {
    saving.reset();
    draft.discard();
  };
  const value = { ...stored, ...written };
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
        <button type="submit" className="primary" disabled={draft.isEmpty || saving.isPending}>
          {texts.save}
        </button>
        {draft.isEmpty ? null : (
          <button type="button" disabled={saving.isPending} onClick={discard}>
            {texts.discard}
          </button>
        )}
        {saving.isSuccess && draft.isEmpty ? <span role="status">{texts.saved}</span> : null}
      </div>
    </Form>
  );
}
