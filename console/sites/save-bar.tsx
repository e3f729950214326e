import type { ReactNode } from 'react';
import styles from './sites.module.css';
import { useSiteTexts } from './texts.js';
import type { FieldsForm } from './use-fields-form.js';

type Saving = Pick<FieldsForm<object>, 'isChanged' | 'isSaving' | 'isSaved' | 'hasRival' | 'drop'>;

/** Saves what was changed, or takes it back. */
export function SaveBar({ form }: { form: Saving }): ReactNode {
  const texts = useSiteTexts();
  return (
    <>
      {form.hasRival ? (
        <p role="alert" className={styles.warning}>
          {texts.hasRival}
        </p>
      ) : null}
      <div className="acts">
        <button type="submit" className="primary" disabled={!form.isChanged || form.isSaving}>
          {texts.save}
        </button>
        {form.isChanged ? (
          <button type="button" disabled={form.isSaving} onClick={form.drop}>
            {texts.dropChanges}
          </button>
        ) : null}
        <span role="status" className="quiet">
          {form.isChanged ? texts.unsaved : form.isSaved ? texts.saved : null}
        </span>
      </div>
    </>
  );
}
