import { Link } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { Page } from '../kit/page.js';
import { useWorkspace } from '../kit/workspace.js';
import styles from './settings.module.css';
import { useSettingsTexts } from './texts.js';

interface Props extends ComponentProps<typeof Page> {
  /** Whether it has forms, which are read in a narrow column. */
  isForm?: boolean;
}

/** The page of a section; unless it says what it belongs to, it leads to the list of sections where that is not beside it. */
export function SectionPage({ isForm = false, children, ...props }: Props): ReactNode {
  const texts = useSettingsTexts();
  const { uuid } = useWorkspace();
  return (
    <Page
      above={
        <Link to="/w/$workspace/settings" params={{ workspace: uuid }} className={styles.toSections}>
          {texts.title}
        </Link>
      }
      {...props}
    >
      {isForm ? <div className={styles.form}>{children}</div> : children}
    </Page>
  );
}
