import { Link } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { Page } from '../kit/page.js';
import { useWorkspace } from '../kit/workspace.js';
import styles from './settings.module.css';
import { useSettingsTexts } from './texts.js';

type Props = Omit<ComponentProps<typeof Page>, 'above'>;

/** The page of a section; where the list of sections is not beside it, it leads there. */
export function SectionPage(props: Props): ReactNode {
  const texts = useSettingsTexts();
  const { uuid } = useWorkspace();
  return (
    <Page
      {...props}
      above={
        <Link to="/w/$workspace/settings" params={{ workspace: uuid }} className={styles.toSections}>
          {texts.title}
        </Link>
      }
    />
  );
}
