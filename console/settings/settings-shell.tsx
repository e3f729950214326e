import { Link, Outlet, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '../kit/page.js';
import { useWorkspace } from '../kit/workspace.js';
import { SectionPage } from './section-page.js';
import { sections } from './sections.js';
import styles from './settings.module.css';
import { useSettingsTexts } from './texts.js';

/** The sections that the signed-in member may see. */
function useSections() {
  const { can } = useWorkspace();
  return sections.filter(({ permission }) => [permission].flat().some(can));
}

/** A section of the settings beside their list, for which a narrow window has a page of its own. */
export function SettingsShell(): ReactNode {
  const texts = useSettingsTexts();
  const { uuid } = useWorkspace();
  const shown = useSections();
  const opened = useLocation({ select: ({ pathname }) => /\/settings\/([^/]+)/.exec(pathname)?.[1] });
  if (opened === undefined) return <Outlet />;
  const isHidden = sections.some((one) => one.to.endsWith(`/${opened}`) && !shown.includes(one));
  return (
    <div className={styles.shell}>
      <nav aria-label={texts.title} className={styles.sections}>
        <ul>
          {shown.map(({ to, name }) => (
            <li key={name}>
              <Link to={to} params={{ workspace: uuid }} activeOptions={{ includeSearch: false }}>
                {texts.sections[name].name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.section}>
        {isHidden ? <SectionPage title={texts.title}>{texts.hidden}</SectionPage> : <Outlet />}
      </div>
    </div>
  );
}

/** What can be set, and where. */
export function SectionsPage(): ReactNode {
  const texts = useSettingsTexts();
  const { uuid } = useWorkspace();
  const shown = useSections();
  return (
    <Page title={texts.title}>
      {shown.length === 0 ? <p>{texts.nothing}</p> : null}
      <ul className={styles.overview}>
        {shown.map(({ to, name }) => (
          <li key={name}>
            <Link to={to} params={{ workspace: uuid }}>
              {texts.sections[name].name}
            </Link>
            <p className="quiet">{texts.sections[name].help}</p>
          </li>
        ))}
      </ul>
    </Page>
  );
}
