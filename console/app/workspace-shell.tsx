import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { queueCounts } from '../inbox/queries.js';
import { answer, api } from '../kit/api.js';
import { removeDrafts } from '../kit/drafts.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { LiveProvider, useIsLive } from '../kit/live.js';
import { useWorkspace, WorkspaceProvider } from '../kit/workspace.js';
import { useTexts } from '../texts/texts.js';
import { areas } from './areas.js';
import { FailedPage } from './problem-pages.js';
import styles from './workspace-shell.module.css';

/** What is around the pages of a workspace: navigation, who is signed in, and whether the connection stands. */
export function WorkspaceShell(): ReactNode {
  const { workspace: uuid } = useParams({ from: '/w/$workspace' });
  const texts = useTexts();
  return (
    <WorkspaceProvider
      key={uuid}
      uuid={uuid}
      pending={<p role="status">{texts.loading}</p>}
      failed={(error) => <FailedPage error={error} />}
    >
      <LiveProvider>
        <Shell />
      </LiveProvider>
    </WorkspaceProvider>
  );
}

function Shell(): ReactNode {
  const texts = useTexts();
  const { uuid, workspace, can } = useWorkspace();
  const params = { workspace: uuid };
  return (
    <div className={styles.shell}>
      <a className="skip" href="#main">
        {texts.skip}
      </a>
      <header className={styles.side}>
        <p className={styles.workspace}>{workspace.name}</p>
        <Menu>
          <nav aria-label={texts.navigation}>
            <ul>
              <li>
                <Link to="/w/$workspace" params={params} activeOptions={{ exact: true }}>
                  {texts.home}
                </Link>
              </li>
              {can('chats:read') ? (
                <li>
                  <Link to="/w/$workspace/inbox" params={params}>
                    {texts.inbox} <WaitingCount />
                  </Link>
                </li>
              ) : null}
              {areas
                .filter(({ permission }) => [permission].flat().some(can))
                .map(({ to, name }) => (
                  <li key={name}>
                    <Link to={to} params={params}>
                      {texts.areas[name]}
                    </Link>
                  </li>
                ))}
            </ul>
          </nav>
          <Account />
        </Menu>
      </header>
      <main id="main" tabIndex={-1} className={styles.main}>
        <ConnectionNotice />
        <Outlet />
      </main>
    </div>
  );
}

/** What a narrow window has behind a button, and a wide one always shows. It closes when a link is followed. */
function Menu({ children }: { children: ReactNode }): ReactNode {
  const texts = useTexts();
  const menu = useRef<HTMLDivElement>(null);
  const path = useLocation().pathname;
  useEffect(() => {
    if (path !== '') menu.current?.hidePopover();
  }, [path]);
  return (
    <>
      <button type="button" className={styles.menuButton} popoverTarget="menu">
        {texts.menu}
      </button>
      <div ref={menu} id="menu" popover="auto" className={styles.menu}>
        {children}
      </div>
    </>
  );
}

/** How many chats wait for anyone. The title of the window has the number, too. */
function WaitingCount(): ReactNode {
  const { uuid, workspace } = useWorkspace();
  const texts = useTexts();
  const { data } = useQuery(queueCounts(uuid));
  const total = data?.total ?? 0;
  return (
    <>
      <title>{`${total === 0 ? '' : `(${total}) `}${workspace.name}`}</title>
      {total === 0 ? null : (
        <span className={styles.count}>
          {total} <span className="unseen">{texts.waiting}</span>
        </span>
      )}
    </>
  );
}

function Account(): ReactNode {
  const texts = useTexts();
  const { me, role } = useWorkspace();
  const signOut = useMutation({
    mutationFn: () => answer(api.DELETE('/sessions/current')),
    onSuccess: () => {
      removeDrafts();
      location.assign('/sign-in?return=%2Fconsole');
    },
  });
  return (
    <div className={styles.account}>
      <p>
        {me.name ?? me.email}
        <br />
        <span className="quiet">{role.name}</span>
      </p>
      <ul>
        <li>
          <a href="/console">{texts.otherWorkspace}</a>
        </li>
        <li>
          <a href="/settings">{texts.settings}</a>
        </li>
        <li>
          <button type="button" className="link" onClick={() => signOut.mutate()}>
            {texts.signOut}
          </button>
        </li>
      </ul>
      <ErrorNotice error={signOut.error} />
    </div>
  );
}

function ConnectionNotice(): ReactNode {
  const texts = useTexts();
  return useIsLive() ? null : (
    <p role="status" className="banner">
      {texts.notLive}
    </p>
  );
}
