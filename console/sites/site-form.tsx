import type { ReactNode } from 'react';
import { Form } from '../kit/field.js';
import { SaveBar } from './save-bar.js';
import styles from './sites.module.css';
import { useSiteTexts } from './texts.js';
import type { SiteForm } from './use-site-form.js';
import type { OpenSite } from './with-site.js';

/** Fields of a site, with the way to save them; who may not change sites reads them. */
export function SiteFields({
  form,
  open: { mayChange },
  children,
}: {
  form: SiteForm;
  open: OpenSite;
  children: ReactNode;
}): ReactNode {
  const texts = useSiteTexts();
  return (
    <Form error={form.error} onSubmit={form.save}>
      <fieldset className={styles.plain} disabled={!mayChange}>
        {children}
      </fieldset>
      {mayChange ? <SaveBar form={form} /> : <p className="quiet">{texts.readOnly}</p>}
    </Form>
  );
}
